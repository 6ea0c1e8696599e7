"""The model of time where cores wait for each other: whoever waits goes on when the other has come so far."""

from __future__ import annotations

import pytest

from kbench.backends.ascend.sim.prices import PRICES
from kbench.backends.ascend.sim.timing import Time
from tests.backends.ascend.sim.kernels import Probe, build

_CALLS = 500
_HEAD = "LocalTensor<float> u(TPosition::VECCALC, 0, 4096); Duplicate(u, 0.0f, 4096);"
_WORK = f"for (int i = 0; i < {_CALLS}; ++i) Adds(u, u, 1.0f, 4096);"
_FIRST = f"{_HEAD} if (GetBlockIdx() == 0) {{ {_WORK}"
_CLEAN = "DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yg[16]);"
_V_MTE3 = "SetFlag<HardEvent::V_MTE3>(EVENT_ID0); WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);"
_MTE2_S = "SetFlag<HardEvent::MTE2_S>(EVENT_ID0); WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);"
BODIES = {
    "apart": f"{_FIRST} }}",
    "SyncAll": f"{_FIRST} }} SyncAll();",
    "flags": f"{_FIRST} }} CrossCoreSetFlag<0, PIPE_V>(3); CrossCoreWaitFlag(3);",
    "a polled word": f"{_FIRST} PipeBarrier<PIPE_ALL>(); yg.SetValue(16, 1); {_CLEAN} }} "
    f"else {{ do {{ {_CLEAN} }} while (yg.GetValue(16) != 1); }}",
    "a polled copy": f"{_FIRST} {_V_MTE3} DataCopy(yg, u, 8); }} "
    f"else {{ do {{ DataCopy(u, yg, 8); {_MTE2_S} }} while (u.GetValue(0) != {_CALLS}); }}",
    "a pipe's flag alone": f"{_FIRST} }} CrossCoreSetFlag<0, PIPE_MTE3>(3); CrossCoreWaitFlag(3);",
}
_LONG = _CALLS * (4096 / 64 + PRICES["vector_overhead"].value)  # cycles of the first core's work


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return build(list(BODIES.values()), tmp_path_factory.mktemp("meetings"))


def timed(probe: Probe, what: str, blocks: int) -> Time:
    time = probe.run(list(BODIES).index(what), n=64, blocks=blocks, time=True).time
    assert time is not None
    return time


@pytest.mark.parametrize("what", ["SyncAll", "flags", "a polled word", "a polled copy"])
@pytest.mark.parametrize("blocks", [2, 5])
def test_the_others_wait_for_the_first_core(probe: Probe, what: str, blocks: int) -> None:
    time = timed(probe, what, blocks)
    waited = time["pipes"]["S"]["waits"]["sync"] * blocks
    own = 1 if what == "flags" else 0  # the first core's scalar unit waits for its own vector unit by the flag
    assert time["cycles"] == pytest.approx(_LONG, rel=0.1)
    assert waited == pytest.approx(_LONG * (blocks - 1 + own), rel=0.1)


@pytest.mark.parametrize("what", ["apart", "a pipe's flag alone"])
def test_nobody_waits_for_work_that_no_flag_stands_for(probe: Probe, what: str) -> None:
    time = timed(probe, what, 2)
    assert time["cycles"] == pytest.approx(_LONG, rel=0.1)
    assert time["pipes"]["S"]["waits"].get("sync", 0) < 0.05 * _LONG
