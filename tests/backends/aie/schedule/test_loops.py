"""Loops whose schedule is known: intervals and stages from published listings and compiler tests, bounds by hand."""

from __future__ import annotations

import pytest

from kbench.backends.aie.sim.schedule.program import Block, Function, Loop, Memory, Operation
from kbench.backends.aie.sim.schedule.scheduler import schedule
from tests.backends.aie.schedule import kernels

Op = Operation


def test_a_vector_loop_runs_at_its_stores() -> None:
    result = schedule(kernels.loop(kernels.scale(), 32), "npu1")
    loop = result.loops["loop"]
    assert (loop.kind, loop.ii, loop.res_mii, loop.resource, loop.bound) == ("pipelined", 2, 2, "st", "slot")
    assert result.blocks["entry"].prologue == result.blocks["exit"].epilogue == (loop.stages - 1) * loop.ii
    # Prologue and epilogue hold the trips that the steady state does not run.
    assert result.executions({"entry": 1, "loop": 32, "exit": 1})["loop"] == 32 - loop.stages + 1


def test_stores_that_may_alias_the_loads_hold_the_loop_back() -> None:
    free = schedule(kernels.loop(kernels.scale(), 32), "npu1").loops["loop"]
    held = schedule(kernels.loop(kernels.scale(distinct=False), 32), "npu1").loops["loop"]
    assert held.bound == "aliasing"
    assert held.ii >= 14 > free.ii
    assert "may touch the same memory" in held.reason


def test_a_register_that_is_used_twice_costs_a_cycle() -> None:
    once = schedule(kernels.loop(kernels.scalar(target="r1"), 100), "npu1").loops["loop"]
    twice = schedule(kernels.loop(kernels.scalar(target="r0"), 100), "npu1").loops["loop"]
    assert (once.ii, once.bound) == (1, "slot")
    assert (twice.ii, twice.stages, twice.bound) == (2, 5, "recurrence")


def test_a_scalar_loop_that_may_alias_takes_load_product_and_store() -> None:
    loop = schedule(kernels.loop(kernels.scalar("mul", distinct=False), 1024), "npu1").loops["loop"]
    assert (loop.kind, loop.ii, loop.bound) == ("hardware", 10, "aliasing")


@pytest.mark.parametrize(
    ("operation", "target", "ii"),
    [("vmac", "npu1", 2), ("vmac.f", "npu1", 4), ("vmac", "npu2", 2), ("vmac.f", "npu2", 3)],
)
def test_an_accumulator_is_a_chain(operation: str, target: str, ii: int) -> None:
    function = kernels.loop(kernels.accumulate(operation), 64, carried=(("acc", "next"),))
    loop = schedule(function, target).loops["loop"]
    assert (loop.ii, loop.rec_mii, loop.bound, loop.chain) == (ii, ii, "recurrence", (1,))


@pytest.mark.parametrize(
    ("options", "trips", "reason"),
    [
        ({}, None, "not known"),
        ({"min_trips": None, "pipeline": False}, 32, "disables"),
        ({"software": True}, None, "not known"),
    ],
)
def test_trips_overlap_only_if_the_compiler_may(options: dict[str, object], trips: int | None, reason: str) -> None:
    loop = schedule(kernels.loop(kernels.scale(), trips, **options), "npu1").loops["loop"]
    assert loop.kind != "pipelined"
    assert loop.stages == 1
    assert reason in loop.reason


def test_a_loop_that_branches_overlaps_its_trips_around_the_delay_slots() -> None:
    result = schedule(kernels.loop(kernels.scale(), 32, software=True), "npu1")
    loop = result.loops["loop"]
    assert loop.kind == "pipelined"
    assert loop.ii >= 6
    assert [i.operation.name for i in result.blocks["loop"].bundles[-6] if i.operation.name == "jnz"] == ["jnz"]


def test_a_long_interval_is_made_longer_for_three_stages() -> None:
    """Twelve products, eight of them a chain: the interval grows until a trip of sixty cycles has three stages."""
    body = [Op("vld", ("m0", "p"), ("p",), kernels.at("a", 0, 32))]
    body += [Op("vmul.f", (f"m{i + 1}",), (f"m{i}", "k", "conf")) for i in range(8)]
    body += [Op("vmul.f", (f"n{i}",), ("m0", "k", "conf")) for i in range(4)]
    body += [Op("vst.conv", ("q",), ("m8", "q"), kernels.at("c", 0, 32))]
    loop = schedule(kernels.loop(body, 100), "npu1").loops["loop"]
    assert (loop.kind, loop.res_mii, loop.stages) == ("pipelined", 12, 3)
    assert 18 <= loop.ii <= 20


def test_a_constant_is_enough() -> None:
    assert schedule(kernels.loop(kernels.scale(), 32, min_trips=None), "npu1").loops["loop"].kind == "pipelined"


def test_a_promise_of_trips_is_enough() -> None:
    function = kernels.loop(kernels.scale(), None, min_trips=8)
    assert schedule(function, "npu1").loops["loop"].kind == "pipelined"


def test_no_more_stages_than_trips() -> None:
    for trips in (2, 3, 4, 6):
        loop = schedule(kernels.loop(kernels.scale(), trips), "npu1").loops["loop"]
        assert loop.stages <= trips


def test_a_loop_that_calls_is_no_hardware_loop() -> None:
    body = [Op("add", ("r0",), ("r1",)), Op("jl", ("lr",), ()), Op("add", ("r1",), ("r0",))]
    result = schedule(kernels.loop(body, 10), "npu1")
    assert "loop" not in result.loops or result.loops["loop"].kind == "counted"
    assert any(issue.operation.name == "jnz" for bundle in result.blocks["loop"].bundles for issue in bundle)


def test_the_second_core_is_never_slower() -> None:
    for body in (kernels.scale(), kernels.scalar(), kernels.absolute(False)):
        one, two = (schedule(kernels.loop(body, 64), target).loops["loop"] for target in ("npu1", "npu2"))
        assert two.ii <= one.ii


def test_a_far_dependence_allows_a_short_interval() -> None:
    def body(ahead: int) -> list[Operation]:
        store = Memory("a", 4, 4 * ahead, 4, distinct=True)
        return [
            Op("lda", ("r0", "p"), ("p",), Memory("a", 4, 0, 4, distinct=True)),
            Op("add", ("r1",), ("r0", "r2")),
            Op("st", ("q",), ("r1", "q"), store),
        ]

    intervals = [schedule(kernels.loop(body(ahead), 100), "npu1").loops["loop"].ii for ahead in (1, 3, 9)]
    assert intervals == [9, 3, 1]


def test_events_stand_around_what_they_measure() -> None:
    inner = Loop("loop", ("loop",), counted=True, trips=32, min_trips=32)
    blocks = (
        Block("entry", (Op("event", text="event0"),), ("loop",)),
        Block("loop", tuple(kernels.scale()), ("loop", "exit")),
        Block("exit", (Op("event", text="event1"), Op("ret", (), ("lr",)))),
    )
    found = schedule(Function("kernel", blocks, (inner,)), "npu1")
    before, after = found.blocks["entry"], found.blocks["exit"]
    start = next(c for c, b in enumerate(before.bundles) for i in b if i.operation.text == "event0")
    end = next(c for c, b in enumerate(after.bundles) for i in b if i.operation.text == "event1")
    assert all(i.block == "entry" for bundle in before.bundles[: start + 1] for i in bundle)
    stores = [c for c, b in enumerate(after.bundles) for i in b if i.operation.name == "vst.srs"]
    assert end >= max(stores)


def test_a_branch_keeps_its_delay_slots_where_a_trip_has_to_wait() -> None:
    body = [Op("add", ("r0",), ("r0", "r3")), Op("mul", ("r1",), ("r1", "r4")), Op("jnz", (), ("r0",))]
    blocks = (Block("loop", tuple(body), ("loop", "exit")), Block("exit", (Op("ret", (), ("lr",)),)))
    found = schedule(Function("kernel", blocks, (Loop("loop", ("loop",)),)), "npu1").blocks["loop"].bundles
    assert [i.operation.name for i in found[-6]] == ["jnz"]
