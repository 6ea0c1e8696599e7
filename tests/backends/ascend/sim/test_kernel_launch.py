"""Launches: arguments, lists, blocks, tiling, memory, what a run reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile

from kbench.backends.ascend.sim.kernel import GmBuffer, Launch, build_kernel, run_kernel
from kbench.core.candidate import Candidate
from kbench.core.errors import CompileError, HarnessError, RunError, RunTimeout, UnsupportedApi
from kbench.core.hostcc.sandbox import sandbox
from tests.backends.ascend.sim.kernels import TARGET, Probe, build

_COPY = (
    "TPipe p; TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> q; p.InitBuffer(q, 2, t.tile * 4); "
    "uint32_t n = t.n / GetBlockNum(), at = n * GetBlockIdx(); "
    "for (uint32_t i = 0; i < n; i += t.tile) { auto a = q.AllocTensor<float>(); DataCopy(a, xg[at + i], t.tile); "
    "q.EnQue(a); a = q.DeQue<float>(); DataCopy(yg[at + i], a, t.tile); q.FreeTensor(a); }"
)
_IDS = "Put(yg, GetBlockIdx(), (float)GetBlockIdx()); if (GetBlockIdx() == 0) Put(yg, t.n - 1, (float)GetBlockNum());"
_FORWARD = (  # every block hands a number to the next through global memory, in order of the barrier
    "if (GetBlockIdx() == 0) Put(yg, 0, 1); "
    "for (int i = 1; i < GetBlockNum(); i++) "
    "{ SyncAll(); if (GetBlockIdx() == i) Put(yg, i, Take(yg, i - 1) * 2); }"
)
_ATOMIC = (
    "TPipe p; TBuf<> b; p.InitBuffer(b, 1024); auto a = b.Get<float>(); DataCopy(a, xg, 256); "
    "{verb}<float>(); DataCopy(yg, a, 256); SetAtomicNone();"
)
_TURNS = (
    "GlobalTensor<int32_t> w; w.SetGlobalBuffer((__gm__ int32_t*)workspace); TPipe p; TBuf<> b; p.InitBuffer(b, 8192); "
    "auto u = b.Get<int32_t>(); InitDetermineComputeWorkspace(w, u); WaitPreBlock(w, u); "
    "float at = Take(yg, 0); Put(yg, 0, at + 1); Put(yg, 1 + (int)at, (float)GetBlockIdx()); "
    "NotifyNextBlock(w, u);"
)
_SOFT = (
    "GlobalTensor<int32_t> w; w.SetGlobalBuffer((__gm__ int32_t*)workspace); TPipe p; TBuf<> b; p.InitBuffer(b, 8192); "
    "auto u = b.Get<int32_t>(); for (int i = 0; i < 8; i++) "
    "WriteGmByPassDCache((__gm__ int32_t*)w.GetPhyAddr(GetBlockIdx() * 8 + i), 0); "
    "Put(yg, GetBlockIdx(), 1); SyncAll(w, u); float s = 0; "
    "for (int i = 0; i < GetBlockNum(); i++) s += Take(yg, i); SyncAll(w, u); Put(yg, GetBlockIdx(), s);"
)
_PADDING = (
    "TPipe p; TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> q; p.InitBuffer(q, 1, 64); "
    "auto a = q.AllocTensor<float>(); DataCopy(a, xg[t.n - 8], 16); "
    "q.EnQue(a); a = q.DeQue<float>(); DataCopy(yg, a, 16); q.FreeTensor(a);"
)
BODIES = [
    _COPY, _IDS, _FORWARD, _ATOMIC.replace("{verb}", "SetAtomicAdd"), _ATOMIC.replace("{verb}", "SetAtomicMax"),
    "for (volatile int i = 0;; i = i + 1);", "printf(\"n is %u, %f\\n\", t.n, 1.5f); DumpAccChkPoint(xg, 56, 8, 3);",
    "for (int i = 0; i < 100000; i++) PRINTF(\"%d\\n\", i);", _TURNS, _SOFT,
    "for (uint32_t i = 0; i < t.n; i++) yg.SetValue(i, xg.GetValue(i) + 1);",
    "Fill(yg, t.n, 2.5f);", _PADDING,
    "TPipe p; TQue<TPosition::VECIN, 1> q; p.InitBuffer(q, 2, 256); LocalTensor<float> a; "
    "q.AllocTensor<float>(a); DataCopy(a, xg, 64); q.EnQue(a); q.DeQue<float>(a); "
    "for (int i = 0; i < 64; i++) yg.SetValue(i, a.GetValue(i)); q.FreeTensor(a);",
    "LocalTensor<float> a(TPosition::VECIN, 0, 64), b(TPosition::VECOUT, 256, 64); DataCopy(a, xg, 64); "
    "SetFlag<HardEvent::MTE2_V>(EVENT_ID0); WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); b = a + a; "
    "SetFlag<HardEvent::V_MTE3>(EVENT_ID0); WaitFlag<HardEvent::V_MTE3>(EVENT_ID0); DataCopy(yg, b, 64);",
    "",
]  # fmt: skip
COPY, IDS, FORWARD, ADD, MAX, HANG, PRINT, FLOOD = range(8)
TURNS, SOFT, SCALAR, FILL, PADDING, HANDLES, STATIC, NOTHING = range(8, len(BODIES))


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return build(BODIES, tmp_path_factory.mktemp("launch"))


@pytest.mark.parametrize("blocks", [1, 2, 48])
def test_blocks_copy_their_share(probe: Probe, blocks: int) -> None:
    n = blocks * 512
    x = np.random.default_rng(0).standard_normal(n).astype(np.float32)
    result = probe.run(COPY, n=n, blocks=blocks, x=x)
    assert np.array_equal(result.outputs[0].view(np.float32), x)
    assert result.findings == ()
    assert result.counters["MTE2"]["bytes"] == result.counters["MTE3"]["bytes"] == n * 4


@pytest.mark.parametrize("blocks", [1, 48, 500])
def test_more_blocks_than_cores_run_one_after_another(probe: Probe, blocks: int) -> None:
    result = probe.run(IDS, n=512, blocks=blocks)
    y = result.outputs[0].view(np.float32)
    assert np.array_equal(y[:blocks], np.arange(blocks))
    assert y[-1] == blocks


def test_sync_all_orders_blocks(probe: Probe) -> None:
    y = probe.run(FORWARD, n=48, blocks=48).outputs[0].view(np.float32)
    assert np.array_equal(y, 2.0 ** np.arange(48))


def test_sync_all_needs_a_core_for_each_block(probe: Probe) -> None:
    with pytest.raises(RunError) as caught:
        probe.run(FORWARD, n=64, blocks=49)
    assert caught.value.findings[-1].rule == "E30"


@pytest.mark.parametrize(("body", "expected"), [(ADD, 1 + 4 * 3.0), (MAX, 3.0)])
def test_atomic_copies_combine(probe: Probe, body: int, expected: float) -> None:
    y = GmBuffer("y", "inout", np.full(256, 1, np.float32))
    result = probe.run(body, n=256, x=np.full(256, 3, np.float32), y=y)
    assert np.all(result.outputs[0].view(np.float32) == expected)


def test_blocks_take_turns(probe: Probe) -> None:
    y = GmBuffer("y", "inout", np.zeros(64, np.float32))
    result = probe.run(TURNS, n=64, blocks=8, y=y, workspace_bytes=8 * 32)
    assert np.array_equal(result.outputs[0].view(np.float32)[:9], [8, *range(8)])


def test_soft_sync_all(probe: Probe) -> None:
    y = probe.run(SOFT, n=64, blocks=8, workspace_bytes=8 * 32).outputs[0].view(np.float32)
    assert np.array_equal(y[:8], [8] * 8)


def test_scalar_accesses_are_counted(probe: Probe) -> None:
    result = probe.run(SCALAR, n=100, blocks=1)
    assert np.array_equal(result.outputs[0].view(np.float32), np.arange(100) + 1)
    assert result.counters["S"]["events"] == 201  # and the tiling data


def test_fill(probe: Probe) -> None:
    assert np.all(probe.run(FILL, n=77, blocks=1).outputs[0].view(np.float32) == 2.5)


def test_buffers_without_a_type(probe: Probe) -> None:
    assert np.array_equal(probe.run(HANDLES, n=64, blocks=1).outputs[0].view(np.float32), np.arange(64))


def test_reading_the_allocations_padding_gives_nothing_sensible(probe: Probe) -> None:
    n = 1024  # 4096 bytes: the padding lies where no page is
    result = probe.run(PADDING, n=n, blocks=1)
    y = result.outputs[0]
    assert np.array_equal(y[:32].view(np.float32), np.arange(n - 8, n))
    assert np.all(y[32:64] == 0xFF)
    assert [(f.severity, f.rule) for f in result.findings] == [("note", "E35")]


def test_a_kernel_without_tpipe(probe: Probe) -> None:
    assert np.array_equal(probe.run(STATIC, n=64, blocks=1).outputs[0].view(np.float32), 2 * np.arange(64))


def test_a_kernel_that_does_not_end(probe: Probe) -> None:
    with pytest.raises(RunTimeout):
        probe.run(HANG, timeout_s=0.5)


def test_printing_is_kept_within_bounds(probe: Probe) -> None:
    first, *dumped = probe.run(PRINT, blocks=1).printed
    assert first == "[AIV Block 0/1] n is 1020, 1.500000\n"
    assert "DumpTensor: desc=56, addr=0x" in "".join(dumped)
    assert "dump_size=3\n[8.000000, 9.000000, 10.000000]" in "".join(dumped)
    assert 1000 < len(probe.run(FLOOD, blocks=2).printed) < 100000


@pytest.mark.parametrize("poison", [0xFF, 0x5A])
def test_an_output_nobody_writes_keeps_the_poison(probe: Probe, poison: int) -> None:
    launch = Launch(
        1, [GmBuffer("x", "in", np.zeros(8, np.float32)), GmBuffer("y", "out", nbytes=1001)], TARGET,
        tiling=bytes([8, 0, 0, 0, 8, 0, 0, 0]), tiling_key=NOTHING, poison=poison,
    )  # fmt: skip
    result = run_kernel(probe.program, launch, sandbox=sandbox("auto"), timeout_s=20)
    assert np.all(result.outputs[0] == poison)


@pytest.mark.parametrize("blocks", [0, 65536])
def test_an_impossible_launch(probe: Probe, blocks: int) -> None:
    with pytest.raises(RunError) as caught:
        probe.run(COPY, blocks=blocks)
    assert caught.value.findings[0].rule == "E46"


_LIST = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void scale_all(GM_ADDR x, GM_ADDR absent, GM_ADDR y, GM_ADDR ws, GM_ADDR tiling) {
    ListTensorDesc in(x), out;
    out.Init(y);
    uint64_t shape[8];
    for (uint32_t i = 0; i < in.GetSize() && absent == nullptr; i++) {
        TensorDesc<float> d;
        d.SetShapeAddr(shape);
        in.GetDesc(d, i);
        for (uint64_t j = 0; j < d.GetShape(0) * (d.GetDim() > 1 ? d.GetShape(1) : 1); j++) {
            out.GetDataPtr<float>(i)[j] = (j % 2 ? d.GetDataObj().GetValue(j) : d.GetDataPtr()[j]) * (d.GetIndex() + 1);
        }
    }
}
"""


def test_lists_of_tensors_and_an_absent_argument(tmp_path: Path) -> None:
    built = build_kernel(
        Candidate({"k.cpp": _LIST}, {"kernel": "k.cpp"}), sandbox=sandbox("auto"), timeout_s=60, workdir=tmp_path
    )
    tensors = [np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(5, np.float32)]
    args = [
        [GmBuffer(f"x{i}", "in", t) for i, t in enumerate(tensors)], None,
        [GmBuffer(f"y{i}", "out", nbytes=t.nbytes) for i, t in enumerate(tensors)],
    ]  # fmt: skip
    result = run_kernel(built.program, Launch(1, args, TARGET), sandbox=sandbox("auto"), timeout_s=20)
    for i, (got, t) in enumerate(zip(result.outputs, tensors, strict=True)):
        assert np.array_equal(got.view(np.float32), t.reshape(-1) * (i + 1))


def test_an_unknown_role_is_our_mistake(probe: Probe) -> None:
    launch = Launch(1, [GmBuffer("x", "inn", nbytes=4)], TARGET)
    with pytest.raises(HarnessError, match="role 'inn'"):
        run_kernel(probe.program, launch, sandbox=sandbox("auto"), timeout_s=1)


def test_counters_that_somebody_else_wrote_are_noticed(tmp_path: Path) -> None:
    """A hostile kernel that knows where the runtime keeps its pointer to the running block."""
    body = "uint8_t* block = *(uint8_t**)(uint64_t)t.n; for (int i = 64; i < 512; i += 8) *(uint64_t*)(block + i) += 1;"
    probe = build([body], tmp_path)
    with probe.program.open("rb") as file:
        table: Any = ELFFile(file).get_section_by_name(".symtab")
        [symbol] = table.get_symbol_by_name("_ZN2kb7currentE")
    launch = Launch(
        1, [GmBuffer("x", "in", np.zeros(8, np.float32)), GmBuffer("y", "out", nbytes=32)], TARGET,
        tiling=int(symbol["st_value"]).to_bytes(8, "little"),
    )  # fmt: skip
    with pytest.raises(RunError) as caught:
        run_kernel(probe.program, launch, sandbox=sandbox("auto"), timeout_s=20)
    assert caught.value.outcome == "tampered"


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ('extern "C" __global__ __aicore__ void other(GM_ADDR x) {}', "got other"),
        ("__global__ __aicore__ void named(GM_ADDR x) {}", 'one without extern "C"'),
    ],
)
def test_the_device_looks_for_the_kernel_by_its_name(tmp_path: Path, text: str, got: str) -> None:
    candidate = Candidate({"k.cpp": f'#include "kernel_operator.h"\n{text}\n'}, {"kernel": "k.cpp"})
    with pytest.raises(CompileError, match=r"expected a kernel function.* void named") as caught:
        build_kernel(candidate, entry="named", sandbox=sandbox("auto"), timeout_s=60, workdir=tmp_path)
    assert got in str(caught.value)
    assert (caught.value.outcome, caught.value.findings[-1].line) == ("link_error", 2)


_ON_CUBE_CORES = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void probe(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(%s);
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float*)x, 16);
  LocalTensor<float> a(TPosition::VECCALC, 0, 16);
  DataCopy(a, g, 16);
}
"""


def on_cube_cores(kind: str, workdir: Path) -> None:
    candidate = Candidate({"probe.cpp": _ON_CUBE_CORES % kind}, {"kernel": "probe.cpp"})
    built = build_kernel(candidate, sandbox=sandbox("auto"), timeout_s=60, workdir=workdir)
    launch = Launch(1, [GmBuffer("x", "in", np.zeros(16, np.float32)), GmBuffer("y", "out", nbytes=64)], TARGET)
    run_kernel(built.program, launch, sandbox=sandbox("auto"), timeout_s=20)


def test_a_copy_into_ub_on_cube_cores(tmp_path: Path) -> None:
    """Cube cores have no UB: a mistake where nobody else runs the kernel, not modelled where vector cores do, too."""
    with pytest.raises(RunError, match="expected a kernel with vector cores") as caught:
        on_cube_cores("KERNEL_TYPE_AIC_ONLY", tmp_path / "alone")
    assert (caught.value.findings[-1].rule, caught.value.findings[-1].line) == ("E4", 8)
    with pytest.raises(UnsupportedApi, match="DataCopy on a cube core"):
        on_cube_cores("KERNEL_TYPE_MIX_AIC_1_1", tmp_path / "mixed")
