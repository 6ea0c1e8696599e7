"""The judge itself: it passes what the machine allows and names what it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kbench.backends.aie.sim.schedule.program import Block, Function, Loop, Memory, Operation
from kbench.backends.aie.sim.schedule.result import BlockSchedule, Bundle, Issue, LoopSchedule, Schedule
from tests.backends.aie.schedule.checker import violations
from tests.backends.aie.schedule.machine import timing

LOAD = Operation("lda", ("r6", "p1"), ("p1",), Memory("a", 4))
MOVE = Operation("mov", ("r7",), ("r6",))
RETURN = Operation("ret", uses=("lr",))


def laid_out(
    operations: list[Operation], cycles: list[int], machine: str = "aie2", length: int | None = None
) -> list[str]:
    """What the judge says of one block whose operations issue in `cycles`, each in the first slot that it can take."""
    slots = [timing(machine, op.name).slots[0] for op in operations]
    return judged(operations, list(zip(cycles, slots, strict=True)), machine, length)


def judged(
    operations: list[Operation], places: list[tuple[int, str]], machine: str = "aie2", length: int | None = None
) -> list[str]:
    """The same with chosen slots."""
    end = length if length is not None else max(cycle for cycle, _ in places) + 1
    bundles: list[list[Issue]] = [[] for _ in range(end)]
    for index, (op, (cycle, slot)) in enumerate(zip(operations, places, strict=True)):
        bundles[cycle].append(Issue(op, slot, "b", index))
    blocks = {"b": BlockSchedule("b", tuple(tuple(bundle) for bundle in bundles))}
    function = Function("f", (Block("b", tuple(operations)),))
    return violations(function, Schedule("f", machine, blocks, {}, {}), trips=1)


A, B = Memory("a", 32), Memory("b", 1)


@pytest.mark.parametrize(
    ("operations", "enough"),
    [
        ([LOAD, MOVE], 7),
        ([Operation("mul", ("r0",), ("r1", "r2")), Operation("mov", ("r7",), ("r0",))], 2),
        ([Operation("vadd", ("x0",), ("x1", "x2")), Operation("vsub", ("x3",), ("x0", "x2"))], 1),
        ([Operation("vadd", ("x0",), ("x1", "x2")), Operation("vst", (), ("x0", "p0"), A)], 2),
        ([Operation("vmac", ("c0",), ("c1", "x1", "x2")), Operation("vmac", ("c2",), ("c0", "x1", "x2"))], 2),
        ([Operation("vmac.f", ("c0",), ("c1", "x1", "x2", "r0")), Operation("vadd.f", ("c2",), ("c3", "c0", "r0"))], 4),
        ([Operation("vmul", ("c0",), ("x1", "x2", "r0")), Operation("vsrs", ("w0",), ("c0", "s0"))], 5),
        ([Operation("vld", ("w0",), ("p0",), A), Operation("vunpack", ("x0",), ("w0",))], 1),
        ([Operation("vst", (), ("x0", "p0"), A), Operation("vld", ("x1",), ("p1",), A)], 1),
        ([Operation("vst.srs", (), ("c0", "s0", "p0"), A), Operation("lda", ("r1",), ("p1",), A)], 3),
        ([Operation("st.s8", (), ("r0", "p0"), A), Operation("vldb", ("x1",), ("p1",), A)], 7),
        ([Operation("st.s8", (), ("r0", "p0"), A), Operation("st.s8", (), ("r1", "p1"), B)], 7),
    ],
)  # fmt: skip
def test_a_latency_is_asked_for_in_full(operations: list[Operation], enough: int) -> None:
    assert laid_out(operations, [0, enough]) == []
    assert laid_out(operations, [0, enough - 1])


def test_accesses_that_cannot_meet_are_free() -> None:
    store = Operation("vst", (), ("x0", "p0"), Memory("a", 32, distinct=True))
    load = Operation("vldb", ("x1",), ("p1",), Memory("b", 32))
    assert laid_out([store, load], [0, 0]) == []
    assert laid_out([store, replace(load, memory=A)], [0, 0]) != []


def test_nothing_else_reaches_memory_while_less_than_a_word_is_stored() -> None:
    store = Operation("st.s8", (), ("r0", "p0"), Memory("a", 1, distinct=True))
    load = Operation("vldb", ("x1",), ("p1",), Memory("b", 32))
    narrowing = Operation("vst.srs", (), ("c0", "s0", "p1"), Memory("b", 32))
    assert [bool(laid_out([store, load], [0, cycle])) for cycle in (0, 6, 7)] == [True, True, False]
    assert [bool(laid_out([store, narrowing], [0, cycle])) for cycle in (4, 5)] == [True, False]
    assert [bool(laid_out([narrowing, store], [0, cycle])) for cycle in (2, 3)] == [True, False]


def test_the_store_unit_takes_one_value_a_cycle() -> None:
    narrowing = Operation("vst.srs", (), ("c0", "s0", "p1"), Memory("b", 32, distinct=True))
    converting = Operation("vst.conv", (), ("c1", "p0"), Memory("a", 32, distinct=True))
    assert [bool(laid_out([narrowing, converting], [0, cycle])) for cycle in (1, 2, 3)] == [False, True, False]
    assert laid_out([narrowing, converting], [0, 2], "aie2p")


def test_a_register_is_not_written_over_while_its_value_is_to_be_read() -> None:
    again = Operation("mov.imm", ("r6",))
    operations = [Operation("mov.imm", ("r6",)), Operation("add", ("r0",), ("r6",)), again]
    assert judged(operations, [(0, "lda"), (1, "alu"), (1, "lda")]) == []
    (problem,) = judged(operations, [(0, "lda"), (2, "alu"), (1, "lda")])
    assert "reads r6" in problem


def test_the_read_of_a_late_stage_may_stand_before_its_producer() -> None:
    store = Operation("st.s8", (), ("r0", "p0"), Memory("a", 1))
    value = Operation("mov.imm", ("r0",))
    assert judged([value, store], [(5, "alu"), (0, "lda")]) == []
    assert judged([value, store], [(6, "alu"), (0, "lda")]) != []


def test_slots_hold_one_operation_that_can_be_there() -> None:
    adds = [Operation("add", (f"r{i}",), ("r8",)) for i in range(2)]
    assert judged(adds, [(0, "alu"), (0, "alu")]) == ["b+0: slot alu is taken 2 times"]
    assert len(judged(adds[:1], [(0, "mv")])) == 1
    long = Operation("movxm", ("r3",))
    assert judged([adds[0], long], [(0, "alu"), (0, "lng")]) == ["b+0: slot alu is taken 2 times"]


def test_a_branch_has_five_bundles_behind_it() -> None:
    assert judged([RETURN], [(0, "alu")], length=6) == []
    assert judged([RETURN], [(0, "alu")], length=7) != []


def test_an_operation_that_is_left_out_or_runs_twice_is_told() -> None:
    function = Function("f", (Block("b", (MOVE,)),))
    nothing = Schedule("f", "aie2", {"b": BlockSchedule("b", ((),))}, {}, {})
    assert violations(function, nothing, 1) == ["b[0] issues 0 times, not 1"]
    issue = Issue(MOVE, "mv", "b", 0)
    twice = Schedule("f", "aie2", {"b": BlockSchedule("b", ((issue,), (issue,)))}, {}, {})
    assert violations(function, twice, 1) == ["b[0] issues 2 times, not 1"]


def pipelined(ii: int) -> tuple[Function, Schedule]:
    """Load, add one, store, all of one trip `ii` apart from those of the next, in as many stages as that takes."""
    body = (
        Operation("lda", ("r0", "p1"), ("p1",), Memory("in", 4, distinct=True)),
        Operation("add", ("r1",), ("r0",)),
        Operation("st", ("p0",), ("r1", "p0"), Memory("out", 4, distinct=True)),
    )
    places = [(0, "lda"), (7, "alu"), (8, "st")]
    stages = 8 // ii + 1
    trips = {index: cycle // ii for index, (cycle, _) in enumerate(places)}
    flat: list[list[Issue]] = [[] for _ in range((2 * stages - 1) * ii)]
    for trip in range(stages):
        for index, (cycle, slot) in enumerate(places):
            flat[trip * ii + cycle].append(Issue(body[index], slot, "loop", index, trips[index]))
    fill = (stages - 1) * ii
    bundles: list[Bundle] = [tuple(bundle) for bundle in flat]
    blocks = {
        "before": BlockSchedule("before", tuple(bundles[:fill]), prologue=fill),
        "loop": BlockSchedule("loop", tuple(bundles[fill : fill + ii])),
        "after": BlockSchedule("after", tuple(bundles[fill + ii :]), epilogue=fill),
    }
    loop = LoopSchedule("loop", "pipelined", ii, 9, 1, 1, "slot", "", stages)
    source = (Block("before", (), ("loop",)), Block("loop", body, ("loop", "after")), Block("after", ()))
    function = Function("f", source, (Loop("loop", ("loop",), counted=True),))
    return function, Schedule("f", "aie2", blocks, {"loop": loop}, {"loop": ("before",)})


@pytest.mark.parametrize("ii", [1, 2, 3])
def test_trips_that_overlap_are_followed(ii: int) -> None:
    function, scheduled = pipelined(ii)
    assert violations(function, scheduled, trips=scheduled.loops["loop"].stages + 3) == []


def test_a_register_that_the_next_trip_overwrites_is_told() -> None:
    function, scheduled = pipelined(1)
    late = function.blocks[1].operations[1]
    late = replace(late, defs=("r0",))
    operations = (function.blocks[1].operations[0], late, replace(function.blocks[1].operations[2], uses=("r0", "p0")))
    reused = replace(
        function, blocks=(function.blocks[0], replace(function.blocks[1], operations=operations), function.blocks[2])
    )

    def with_reuse(bundle: Bundle) -> Bundle:
        return tuple(replace(issue, operation=operations[issue.index]) for issue in bundle)

    blocks = {k: replace(b, bundles=tuple(with_reuse(x) for x in b.bundles)) for k, b in scheduled.blocks.items()}
    assert violations(reused, replace(scheduled, blocks=blocks), trips=12) != []
