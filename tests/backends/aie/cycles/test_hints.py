"""What the lines above a loop say."""

from __future__ import annotations

import pytest

from kbench.backends.aie.cycles.program import hints_above
from kbench.backends.aie.sim.select.function import Hints

LOOP = "    for (unsigned i = 0; i < n; ++i)"


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ([], Hints()),
        (["    AIE_LOOP_MIN_ITERATION_COUNT(8)"], Hints(min_trips=8)),
        (["AIE_PREPARE_FOR_PIPELINING", "AIE_LOOP_RANGE(4, 100)"], Hints(min_trips=4)),
        (["AIE_LOOP_UNROLL(4)", "AIE_LOOP_MIN_ITERATION_COUNT(16)"], Hints(min_trips=4)),
        (["#pragma clang loop unroll_count(2)", "AIE_LOOP_MIN_ITERATION_COUNT(16)"], Hints(min_trips=8)),
        (["AIE_NO_PREPARE_FOR_PIPELINING"], Hints(pipeline=False)),
        (["AIE_TRY_INITIATION_INTERVAL(3)", "// why", ""], Hints(target_ii=3)),
        (["AIE_LOOP_MIN_ITERATION_COUNT(8)", "    x = 0;"], Hints()),
        (["AIE_LOOP_MIN_ITERATION_COUNT(N)"], Hints()),
        (["    AIE_LOOP_MIN_ITERATION_COUNT(8) for (;;) x();"], Hints()),
    ],
)
def test_hints_stand_directly_above_their_loop(above: list[str], expected: Hints):
    lines = ["void k(int n) {", *above, LOOP, "        work(i);", "}"]
    assert hints_above(lines, len(above) + 2) == expected


def test_hints_may_stand_in_the_loop_s_own_line():
    assert hints_above(["AIE_LOOP_MIN_ITERATION_COUNT(5) for (int i = 0; i < n; ++i)"], 1) == Hints(min_trips=5)


def test_a_line_that_is_not_there_says_nothing():
    assert hints_above(["x"], 9) == Hints()
