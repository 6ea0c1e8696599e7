"""Every hostile candidate ends as a record of its own class; parent, file system and network are untouched."""

from __future__ import annotations

import os
import resource
from dataclasses import replace

import pytest

import kbench
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate, Shapes, Track
from tests.backends.ascend import vector_add
from tests.hostile.attacks import HOST, KERNEL, Attack
from tests.hostile.bait import Bait

_KERNEL_START = "    GET_TILING_DATA(tiling_data, tiling);\n"
_HOST_START = "    VectorAddTilingData tiling;\n"


def armed(attack: Attack, bait: Bait) -> Candidate:
    before, body = bait.fill(attack.before), bait.fill(attack.body)
    if attack.host:
        host = vector_add.HOST.replace("namespace optiling {", before + "namespace optiling {", 1)
        return vector_add.candidate(host=host.replace(_HOST_START, f"{_HOST_START}    {body}\n", 1))
    kernel = vector_add.KERNEL.replace('extern "C" __global__', before + 'extern "C" __global__', 1)
    return vector_add.candidate(kernel.replace(_KERNEL_START, f"    {body}\n{_KERNEL_START}", 1))


def judge(candidate: Candidate, mode: str, attack: Attack) -> kbench.Record:
    compiles = any(o.startswith(("compile", "template")) for o in attack.outcomes)
    settings = Settings(
        target="ascend910b1",
        track=Track.FULL,
        shapes=Shapes.DYNAMIC,
        sandbox=mode,
        compile_timeout_s=attack.timeout_s if compiles else 60,
        run_timeout_s=60 if compiles else attack.timeout_s,
    )
    return kbench.evaluate(vector_add.ENTRY, candidate, "ascend", settings=settings)


def assert_caught(attack: Attack, bait: Bait, mode: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    record = judge(armed(attack, bait), mode, attack)
    grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert record.outcome in attack.outcomes, (record.outcome, record.message)
    told = record.model_dump_json()
    assert attack.says in told, record.message
    assert "swordfish" not in told
    assert "root:" not in told
    assert str(bait.secret) not in told or "forbidden_include" in attack.outcomes
    assert grown_kb < 200 << 10, "the parent's memory is bounded"
    bait.assert_untouched()


@pytest.mark.parametrize("attack", [pytest.param(a, id=a.name) for a in (*KERNEL, *HOST)])
def test_each_ends_in_its_class(attack: Attack, bait: Bait) -> None:
    assert_caught(attack, bait, "auto")


#: those where the two sandboxes work differently; the others end before one is entered, or within the process
BOTH = {
    "hang",
    "endless compile",
    "include of a secret",
    "embed of a file outside",
    "read of another sample",
    "print without end",
    "heap without end",
    "host sees the environment",
}


@pytest.mark.parametrize("attack", [pytest.param(a, id=a.name) for a in (*KERNEL, *HOST) if a.name in BOTH])
def test_in_either_sandbox(attack: Attack, bait: Bait, mode: str) -> None:
    assert_caught(attack, bait, mode)


def test_the_right_kernel_passes_between_attacks(bait: Bait) -> None:
    record = judge(vector_add.candidate(), "auto", replace(KERNEL[0], timeout_s=60))
    assert record.outcome == "passed", record.message
    assert os.environ["KBENCH_CANARY"] == "swordfish_7413"
    bait.assert_untouched()
