"""Every rule that is enforced has a kernel that trips it and one that just passes (kernels.toml)."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kbench.backends.ascend.rules import RULES, UNSEEN
from kbench.backends.ascend.sim.kernel import GmBuffer, KernelResult, Launch, run_kernel
from kbench.core.errors import CompileError, RunError
from kbench.core.hostcc.sandbox import sandbox
from kbench.core.record import Finding
from tests.backends.ascend.sim.kernels import TARGET, Probe, build

KERNELS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("kernels.toml").read_text())["kernel"]
PRELUDE = """
#define UB(bytes) TPipe p; TBuf<> b; p.InitBuffer(b, bytes); auto a = b.Get<float>();
#define Q2(position) TQue<TPosition::position, 1> q; p.InitBuffer(q, 1, 32);
#define Q(position, num) TPipe p; TQue<TPosition::position, 1> q; p.InitBuffer(q, num, 32);
#define CLEAN(g) DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(g)
#define SOFT(zeroed) UB(8192) auto u = b.Get<int32_t>(); GlobalTensor<int32_t> w; \\
  w.SetGlobalBuffer((__gm__ int32_t*)workspace); Duplicate(u, 0, 32); \\
  if (zeroed) DataCopy(w[8 * GetBlockIdx()], u, 8); \\
  SyncAll(w, u);
"""
IDS = [f"{k['rule']}-{i}" for i, k in enumerate(KERNELS)]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    """Body 2i trips, body 2i + 1 passes."""
    bodies = []
    for kernel in KERNELS:
        trip = "" if kernel.get("stage") == "compile" else kernel["trip"]
        bodies += [trip.replace("\n", " "), kernel["pass"].replace("\n", " ")]
    return build(bodies, tmp_path_factory.mktemp("rules"), PRELUDE)


def launched(probe: Probe, body: int, blocks: int, kernel: dict[str, Any], poison: int = 0xFF) -> KernelResult:
    """`kernel`: the row of kernels.toml: are hazards looked for, how much tiling data is there."""
    n = 1020
    args = [GmBuffer("x", "in", np.arange(n, dtype=np.float32)), GmBuffer("y", "out", nbytes=n * 4)]
    tiling = np.array([n, 256, 1, 1], np.uint32).tobytes()[: kernel.get("tiling_bytes", 8)]
    launch = Launch(blocks, args, TARGET, tiling=tiling, tiling_key=body, workspace_bytes=4096, poison=poison)
    launch = replace(launch, hazards=kernel.get("hazards", False))
    return run_kernel(probe.program, launch, sandbox=sandbox("auto"), timeout_s=20)


def finding_of(probe: Probe, kernel: dict[str, Any], body: int) -> Finding:
    """What the tripping kernel is told of its rule."""
    blocks = kernel.get("blocks", 4)
    if kernel.get("stage") == "garbage":
        first, second = launched(probe, body, blocks, kernel), launched(probe, body, blocks, kernel, 0x5A)
        assert not np.array_equal(first.outputs[0], second.outputs[0])
        return first.suspects[0]
    if kernel.get("severity", "error") == "error":
        with pytest.raises(RunError) as caught:
            launched(probe, kernel.get("key", body), blocks, kernel)
        return caught.value.findings[-1]
    result = launched(probe, body, blocks, kernel)
    return next(f for f in result.findings if f.rule == kernel["rule"])


@pytest.mark.parametrize("i", range(len(KERNELS)), ids=IDS)
def test_a_rule_is_tripped_and_just_passed(probe: Probe, i: int, tmp_path: Path) -> None:
    kernel = KERNELS[i]
    if kernel.get("stage") == "compile":
        with pytest.raises(CompileError) as caught:
            build([kernel["trip"]], tmp_path, PRELUDE)
        assert kernel["told"] in str(caught.value)
    else:
        found = finding_of(probe, kernel, 2 * i)
        assert (found.rule, kernel["told"] in found.message) == (kernel["rule"], True), found
        if kernel.get("stage") != "launch" and "key" not in kernel:
            assert found.line == probe.line[2 * i]
    passed = launched(probe, 2 * i + 1, kernel.get("pass_blocks", kernel.get("blocks", 4)), kernel)
    assert [str(f) for f in passed.findings if f.rule == kernel["rule"]] == []
    if kernel.get("stage") == "garbage":
        assert [f for f in passed.suspects if f.line] == []


def test_every_row_is_enforced_with_kernels_or_says_why_not() -> None:
    assert {k["rule"] for k in KERNELS} == set(RULES)
    assert not RULES.keys() & UNSEEN.keys()
    assert {int(rule[1:]) for rule in (*RULES, *UNSEEN)} >= set(range(1, 56))
