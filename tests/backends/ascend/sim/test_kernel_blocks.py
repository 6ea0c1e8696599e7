"""Blocks that wait for each other: loops that poll global memory, cross-core flags, deadlocks that are named."""

from __future__ import annotations

import numpy as np
import pytest

from kbench.core.errors import RunError
from tests.backends.ascend.sim.kernels import Probe, build

_PRELUDE = "static volatile __gm__ uint32_t turn[16];\n"
_LAST_FIRST = "GetBlockNum() - 1 - GetBlockIdx()"
_CLEAN = "DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>"
BODIES = [
    # the last block goes first: each takes the next number where the counter is its own
    f"while (turn[0] != {_LAST_FIRST}) {{}} yg.SetValue(GetBlockIdx(), (float)turn[0]); turn[0] = turn[0] + 1;",
    f"if (GetBlockIdx() == GetBlockNum() - 1) {{ yg.SetValue(63, 0); }} else {{ do {{ {_CLEAN}(yg[63]); }} "
    f"while (yg.GetValue(63) != (float)({_LAST_FIRST})); }} "
    "yg.SetValue(GetBlockIdx(), yg.GetValue(63)); yg.SetValue(63, yg.GetValue(63) + 1);",
    "LocalTensor<float> a(TPosition::VECIN, 0, 8); if (GetBlockIdx() == GetBlockNum() - 1) yg.SetValue(0, 7); "
    "else do { "
    "DataCopy(a, yg, 8); SetFlag<HardEvent::MTE2_S>(EVENT_ID0); WaitFlag<HardEvent::MTE2_S>(EVENT_ID0); } "
    "while (a.GetValue(0) != 7);",
    "if (GetBlockIdx() == 2) while (turn[1] == 0) {}",
    "if (GetBlockIdx() == 1) while (yg.GetValue(5) != 3) {}",
    "if (GetBlockIdx() == 0) while (turn[2] != 1) { if (turn[3] == 1) return; }",
    "for (int i = 0; i < 1000; i++) { if (turn[4] == 1) break; } yg.SetValue(GetBlockIdx(), 5);",
]  # fmt: skip
TURNS, POLL, COPY, STUCK, STUCK_VALUE, STUCK_TWO, LIMITED = range(len(BODIES))


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    return build(BODIES, tmp_path_factory.mktemp("blocks"), _PRELUDE)


@pytest.mark.parametrize("body", [TURNS, POLL])
def test_blocks_that_poll_take_turns(probe: Probe, body: int) -> None:
    y = probe.run(body, n=64, blocks=24).outputs[0].view(np.float32)
    assert np.array_equal(y[:24], np.arange(24)[::-1])


def test_a_flag_may_be_polled_by_copies(probe: Probe) -> None:
    assert probe.run(COPY, n=64, blocks=4).outputs[0].view(np.float32)[0] == 7


def test_a_loop_with_a_limit_of_its_own_ends(probe: Probe) -> None:
    y = probe.run(LIMITED, n=64, blocks=4).outputs[0].view(np.float32)
    assert np.array_equal(y[:4], [5] * 4)


@pytest.mark.parametrize(
    ("body", "block", "what"),
    [
        (STUCK, 2, "a variable in global memory to become something else than 0"),
        (STUCK_VALUE, 1, "byte 20 of 'y' to become something else than 4294967295"),
        (STUCK_TWO, 0, "a variable in global memory to become something else than 0"),
    ],
)
def test_a_loop_that_never_ends_is_a_deadlock_with_its_line(probe: Probe, body: int, block: int, what: str) -> None:
    with pytest.raises(RunError) as caught:
        probe.run(body, n=64, blocks=4)
    assert caught.value.outcome == "deadlock"
    found = caught.value.findings[-1]
    assert found.message == f"loop: block {block} waits for {what}, which never comes: 1 of 4 blocks wait, 3 have ended"
    assert (found.rule, found.line) == ("E29", probe.line[body])
