"""Missing synchronisation: each conflict is told with both lines and what to put between them."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from kbench.core.errors import RunError
from tests.backends.ascend.sim.kernels import Probe, build


class Hazard(NamedTuple):
    body: str
    rule: str
    message: str


_BUF = "TPipe p; TBuf<> b; p.InitBuffer(b, 8192); auto a = b.Get<float>(); auto c = a[1024];"
_SET = "SetFlag<HardEvent::{0}>(EVENT_ID{1}); WaitFlag<HardEvent::{0}>(EVENT_ID{1});"


def flag(event: str, number: int = 0) -> str:
    return _SET.format(event, number)


_IN, _OUT = "DataCopy(a, xg, 64);", "DataCopy(yg, a, 64);"
_ADD = "Adds(a, a, 1.0f, 64);"
_MTE2_V, _V_MTE3, _MTE3_MTE2 = flag("MTE2_V"), flag("V_MTE3"), flag("MTE3_MTE2")
_QUEUES = (
    "TPipe p; TQue<TPosition::VECIN, {0}> q; TQue<TPosition::VECOUT, {0}> r;"
    "p.InitBuffer(q, {0}, 256); p.InitBuffer(r, {0}, 256);"
    "for (int i = 0; i < 4; i++) {{"
    "auto a = q.AllocTensor<float>(); DataCopy(a, xg[i * 64], 64); q.EnQue(a); a = q.DeQue<float>();"
    "auto c = r.AllocTensor<float>(); Adds(c, a, 1.0f, 64); r.EnQue(c); {1} c = r.DeQue<float>();"
    "DataCopy(yg[i * 64], c, 64); {2} }}"
)
_FREE_IN, _FREE_OUT = "q.FreeTensor(a);", "r.FreeTensor(c);"
_OTHER = "(GetBlockIdx() + 1) % 4 * 64"
_ALL = "PipeBarrier<PIPE_ALL>();"
_PUT = f"{_BUF} Duplicate(a, 1.0f, 64); {_V_MTE3} DataCopy(yg[GetBlockIdx() * 64], a, 64); {_MTE3_MTE2}"
_GET = f"DataCopy(c, yg[{_OTHER}], 64);"

_MET = "CrossCoreSetFlag<0, PIPE_{}>(0); CrossCoreWaitFlag(0);"

_ONES = f"{_BUF} Duplicate(a, 1.0f, 64); {_V_MTE3}"
_TWOS = f"{_ONES} Duplicate(c, 2.0f, 64); {_V_MTE3}"
_ADD_UP = f"SetAtomicAdd<float>(); {_OUT} DisableDmaAtomic();"
_MINE = f"{_BUF} Duplicate(a, 1.0f * GetBlockIdx(), 64); {_V_MTE3}"

HAZARDS = [
    Hazard(
        f"{_BUF} {_IN} {_ADD}", "E22",
        "Adds: reads bytes [0, 256) of UB while the DataCopy at probe.cpp:{line} may still be at work and writes them: "
        "expected pipe V to wait for pipe MTE2 (SetFlag and WaitFlag of HardEvent::MTE2_V",
    ),
    Hazard(f"{_BUF} {_IN} {_MTE2_V} {_ADD} {_OUT}", "E22", "pipe MTE3 to wait for pipe V"),
    Hazard(f"{_BUF} {_IN} {flag('V_MTE2')} {_ADD}", "E22", "pipe V to wait for pipe MTE2"),
    Hazard(f"{_BUF} {_IN} {_MTE2_V} {_ADD} {_IN}", "E22", "pipe MTE2 to wait for pipe V"),
    Hazard(f"{_BUF} {_IN} DataCopy(a[8], xg, 64);", "E23", "PipeBarrier<PIPE_MTE2>()"),
    Hazard(f"{_TWOS} {_OUT} DataCopy(yg[8], c, 64);", "E23", "PipeBarrier<PIPE_MTE3>()"),
    Hazard(f"{_ONES} {_OUT} DataCopy(c, yg, 64);", "E22", "bytes [0, 256) of y while"),
    # The wait comes before the operation that it should wait for.
    Hazard(f"{_BUF} {_MTE2_V} {_IN} {_ADD}", "E22", "pipe V to wait for pipe MTE2"),
    # Only the first half was waited for.
    Hazard(
        f"{_BUF} {_IN} {_MTE2_V} DataCopy(a[64], xg, 64); Adds(a, a, 1.0f, 128);", "E22", "reads bytes [256, 512)"
    ),
    Hazard(f"{_PUT} {_GET}", "E58", "expected a SyncAll or a cross-core flag between them"),
    Hazard(f"{_ONES} {_OUT} {_MET.format('V')} DataCopy(c, yg, 64);", "E22", "pipe MTE2 to wait for pipe MTE3"),
    Hazard(
        f"{_PUT} SyncAll(); {_GET} SyncAll(); {_MTE2_V} DataCopy(yg[{_OTHER}], a, 64);"
        " DataCopy(c, yg[GetBlockIdx() * 64], 64);",
        "E58", "SyncAll",
    ),
    Hazard("yg.SetValue(0, 1.0f * GetBlockIdx());", "E58", "in the SetValue at probe.cpp:{line}: expected a SyncAll"),
    Hazard(f"{_MINE} DataCopy(yg[GetBlockIdx() * 32], a, 64);", "E58", "writes bytes [128, 256) of y that block 0"),
    # All wrote the same and read it, and one changes it while the others may still read, or write.
    Hazard(
        f"{_ONES} {_OUT} {_ALL} DataCopy(c, yg, 64); {_ALL} if (GetBlockIdx() == 3) {{ {_ADD} {_ALL} {_OUT} }}",
        "E58", "block 3 writes bytes [0, 256) of y that block 0",
    ),
    # It read before what it had written was there; that others wrote the same is no help.
    Hazard(f"{_ONES} {_OUT} DataCopy(c, yg, 64); /* GetBlockIdx */", "E22", "bytes [0, 256) of y while"),
    # One block clears what all add to, itself included: the others may add before.
    Hazard(
        f"{_ONES} if (GetBlockIdx() == 0) {{ {_OUT} {_ALL} }} {_ADD_UP}", "E58", "[0, 256) of y that block 0 writes"
    ),
    # All add, and only one waits for itself before it reads.
    Hazard(f"{_ONES} {_ADD_UP} {_ALL} if (GetBlockIdx() == 3) {{ DataCopy(c, yg, 64); }}", "E58", "reads bytes [0, 25"),
]  # fmt: skip

_ADD_C = "Add(a, a, c, 64);"
HARMLESS = [
    f"{_BUF} {_IN} {_MTE2_V} {_ADD} {_V_MTE3} {_OUT}",
    f"{_BUF} {_IN} {_ALL} {_ADD} {_ALL} {_OUT}",
    f"{_BUF} {_IN} DataCopy(a[64], xg, 64); {_MTE2_V} {_ADD} Adds(a[64], a, 1.0f, 64); {_V_MTE3} {_OUT}",
    f"{_BUF} {_IN} DataCopy(c, xg, 64); {_MTE2_V} {_ADD_C} Muls(c, a, 2.0f, 64); {_V_MTE3} DataCopy(yg, c, 64);",
    f"{_BUF} {_IN} PipeBarrier<PIPE_MTE2>(); DataCopy(a[8], xg, 64); {_MTE2_V} {_ADD}",
    # A chain: MTE3 waits for V, which waited for MTE2.
    f"{_BUF} {_IN} {_MTE2_V} {_ADD} {_V_MTE3} DataCopy(yg, a[512], 64); {_MTE3_MTE2} DataCopy(a, xg, 64);",
    # The compiler orders the scalar unit; what it has waited for, later operations need not.
    f"{_BUF} {_IN} float v = a.GetValue(3); a.SetValue(4, v); {_ADD}",
    f"{_BUF} {_IN} DataCopy(c, xg, 64); float v = a.GetValue(3); DataCopy(yg, c, 64);",
    _QUEUES.format(1, _FREE_IN, _FREE_OUT),
    _QUEUES.format(2, _FREE_IN, _FREE_OUT),
    f"{_PUT} SyncAll(); {_GET}",
    # The block's own flag is among those that it waits for, so its own pipe has done what came before.
    f"{_PUT.removesuffix(_MTE3_MTE2)} {_MET.format('MTE3')} {_GET} DataCopy(a, yg[GetBlockIdx() * 64], 64);",
    f"{_ONES} {_ADD_UP}",
    f"{_ONES} if (GetBlockIdx() == 0) {{ {_OUT} }} SyncAll(); {_ADD_UP} SyncAll(); DataCopy(c, yg, 64);",
    # A reduction of a whole tensor takes its result through the scalar unit, which waits for V.
    f"{_BUF} {_IN} {_MTE2_V} ReduceSum(c, a, c[64], 64); DataCopy(yg, c, 8);",
    # A barrier of the kernel's own: each block writes a word and copies all of them again and again.
    f"{_BUF} Duplicate(a, 0.0f, 256); {_V_MTE3} a.SetValue(0, 1.0f); DataCopy(yg[GetBlockIdx() * 8], a, 8);"
    " for (bool wait = true; wait;) { PipeBarrier<PIPE_ALL>(); DataCopy(a[512], yg, 32); wait = false;"
    " for (int i = 0; i < 4; i++) wait |= a[512].GetValue(i * 8) != 1.0f; }"
    " DataCopy(c, yg[(GetBlockIdx() + 1) % 4 * 8], 8);",
    # Blocks that take turns: waiting and handing over are barriers of all pipes.
    f"{_BUF} GlobalTensor<int32_t> w; w.SetGlobalBuffer((__gm__ int32_t*)workspace); auto u = b.Get<int32_t>()[1536];"
    " InitDetermineComputeWorkspace(w, u); DataCopy(a, xg[GetBlockIdx() * 64], 64); WaitPreBlock(w, u);"
    f" {_OUT} NotifyNextBlock(w, u); {_IN}",
    # Every block writes the same values, and reads its own.
    f"{_ONES} {_OUT} /* GetBlockIdx */",
    f"{_ONES} {_OUT} {_ALL} DataCopy(c, yg, 64); /* GetBlockIdx */",
    "yg.SetValue(0, 1.0f); float v = yg.GetValue(0); yg.SetValue(1 + GetBlockIdx(), v);",
    # One block clears its share twice where the parts meet.
    f"{_ONES} {_OUT} DataCopy(yg[8], a, 56);",
    f"{_BUF} {_IN} {_GET.replace('yg', 'xg')} {_MTE2_V} {_ADD_C}",
]


#: A write that may overtake a read of another pipe: told, and the run goes on.
EARLY = [f"{_ONES} {_OUT} {_ADD}", f"{_BUF} {_IN} {_MTE2_V} Adds(c, a, 1.0f, 64); PipeBarrier<PIPE_MTE2>(); {_IN}"]


#: Rows far apart, more of them than fit in UB side by side: every block writes the same values, or its own.
_ROWS = "DataCopyPad(yg, a, DataCopyExtParams{16, 8, 0, 60000, 0});"
FAR_APART = [
    f"{_BUF} Duplicate(a, 1.0f, 128); {_V_MTE3} {_ROWS}",
    f"{_BUF} Duplicate(a, 1.0f * GetBlockIdx(), 128); {_V_MTE3} {_ROWS}",
]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return build([h.body for h in HAZARDS] + HARMLESS + EARLY + FAR_APART, tmp_path_factory.mktemp("hazards"))


@pytest.mark.parametrize("i", range(len(HAZARDS)), ids=lambda i: f"{HAZARDS[i].rule}-{i}")
def test_missing_synchronisation_is_told(probe: Probe, i: int) -> None:
    with pytest.raises(RunError) as caught:
        probe.run(i, hazards=True, blocks=4 if HAZARDS[i].rule == "E58" else 1)
    finding = next(f for f in caught.value.findings if f.severity == "error")
    assert finding.rule == HAZARDS[i].rule
    assert HAZARDS[i].message.replace("{line}", str(probe.line[i])) in finding.message
    assert (finding.file, finding.line) == ("probe.cpp", probe.line[i])
    assert str(caught.value).startswith(f"probe.cpp:{probe.line[i]}")


@pytest.mark.parametrize("i", range(len(HARMLESS)))
def test_what_is_ordered_is_not(probe: Probe, i: int) -> None:
    blocks = 4 if "GetBlockIdx" in HARMLESS[i] or "Atomic" in HARMLESS[i] else 1
    result = probe.run(len(HAZARDS) + i, hazards=True, blocks=blocks, workspace_bytes=4096)
    assert [f for f in result.findings if f.rule in ("E22", "E23", "E58")] == []


@pytest.mark.parametrize("i", range(len(EARLY)))
def test_a_write_that_may_overtake_a_read_is_a_warning(probe: Probe, i: int) -> None:
    body = len(HAZARDS) + len(HARMLESS) + i
    (told,) = (f for f in probe.run(body, hazards=True, blocks=1).findings if f.rule == "E22")
    waits = ("pipe V to wait for pipe MTE3", "pipe MTE2 to wait for pipe V")[i]
    assert (told.severity, told.line, waits in told.message) == ("warning", probe.line[body], True)


def test_the_same_values_in_rows_far_apart_do_no_harm(probe: Probe) -> None:
    same, own = (len(HAZARDS) + len(HARMLESS) + len(EARLY) + i for i in range(2))
    assert [f for f in probe.run(same, hazards=True, n=1 << 18).findings if f.rule == "E58"] == []
    with pytest.raises(RunError, match="expected a SyncAll"):
        probe.run(own, hazards=True, n=1 << 18)


def test_nothing_is_looked_for_unless_asked(probe: Probe) -> None:
    assert probe.run(0).findings == ()
