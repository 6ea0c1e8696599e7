"""Schedules of random programs: legal by a judge that shares nothing with the scheduler, and never below what the
machine's slots and chains ask for."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings

from kbench.backends.aie.sim.schedule import schedule
from kbench.backends.aie.sim.schedule.program import Block, Function, Loop, Memory, Operation
from tests.backends.aie.schedule.bounds import chain_bound, recurrence_bound, slots_bound
from tests.backends.aie.schedule.checker import violations
from tests.backends.aie.schedule.programs import loops, straight

MACHINES = ("aie2", "aie2p")
#: `KBENCH_PROPERTY_CASES` multiplies the programs.
CASES = 60 * max(1, int(os.environ.get("KBENCH_PROPERTY_CASES", "1")))
CHECKED = settings(max_examples=CASES, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("machine", MACHINES)
@CHECKED
@given(function=straight())
def test_a_block_is_legal_and_not_shorter_than_its_bounds(machine: str, function: Function) -> None:
    found = schedule(function, machine)
    assert violations(function, found, trips=1) == []
    operations = function.blocks[0].operations
    length = len(found.blocks["b"].bundles)
    assert length >= slots_bound(machine, operations)
    assert length >= chain_bound(machine, operations)


@pytest.mark.parametrize("machine", MACHINES)
@CHECKED
@given(function=loops())
def test_a_loop_is_legal_and_its_interval_not_below_its_bounds(machine: str, function: Function) -> None:
    found = schedule(function, machine)
    loop = found.loops["loop"]
    assert violations(function, found, trips=loop.stages + 2) == []
    operations = function.blocks[1].operations
    assert loop.ii >= slots_bound(machine, operations)
    assert loop.ii >= recurrence_bound(machine, operations, function.loops[0].carried)
    assert len(found.blocks["loop"].bundles) >= loop.ii


@pytest.mark.parametrize("machine", MACHINES)
@CHECKED
@given(function=loops())
def test_the_cycles_of_a_run_are_those_of_its_bundles(machine: str, function: Function) -> None:
    """A run of `n` trips costs what its bundles say, at least one interval a trip, and more trips never cost less."""
    found = schedule(function, machine)
    loop = found.loops["loop"]
    once = {"before": 1, "after": 1}
    few, more = (found.cycles(once | {"loop": n}) for n in (loop.stages + 1, loop.stages + 5))
    assert more - few == 4 * loop.ii
    assert few >= (loop.stages + 1) * slots_bound(machine, function.blocks[1].operations)


def test_a_value_that_outlives_the_interval_is_not_read_as_the_next_trip_forwards_its_own() -> None:
    """The next trip's broadcast would reach the sum through the bypass in the very cycle in which it reads."""
    load = Operation("vld", ("v2",), ("p0",), Memory("a", 32, distinct=True))
    adds = [Operation("add", (f"s{i}",), ("r0", "r0")) for i in range(3)]
    shuffle, total = Operation("vshuffle", ("v3",), ("v0", "v2", "r0")), Operation("vadd", ("v5",), ("v0", "v2"))
    first, other = Operation("vbcst", ("v0",), ("r0",)), Operation("vbcst", ("v6",), ("r0",))
    body = (first, adds[0], load, shuffle, adds[1], total, other, adds[2])
    blocks = (
        Block("before", (), ("loop",)),
        Block("loop", body, ("loop", "after")),
        Block("after", (Operation("vmov", ("v7",), ("v5",)), Operation("ret", uses=("lr",)))),
    )
    function = Function("f", blocks, (Loop("loop", ("loop",), counted=True, min_trips=5, setup=False),))
    found = schedule(function, "aie2")
    assert found.loops["loop"].kind == "pipelined"
    assert violations(function, found, trips=8) == []
