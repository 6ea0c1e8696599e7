"""Innermost loops of one block: trips that overlap, or the tightest trip that may follow itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kbench.backends.aie.sim.schedule.board import Board
from kbench.backends.aie.sim.schedule.bounds import Bounds, bounds
from kbench.backends.aie.sim.schedule.decide import CONTROL
from kbench.backends.aie.sim.schedule.graph import Graph, build
from kbench.backends.aie.sim.schedule.linear import Placed, Region, place
from kbench.backends.aie.sim.schedule.modulo import Pipeline
from kbench.backends.aie.sim.schedule.overlap import Body, failure, known_trips, obstacle, overlapped
from kbench.backends.aie.sim.schedule.program import Loop
from kbench.backends.aie.sim.schedule.regions import Bundles, bundled
from kbench.backends.aie.sim.schedule.result import Bound, LoopSchedule
from kbench.backends.aie.sim.schedule.table import Machine

#: Rounds in which operations at the end of a trip make room for the next; after them it waits in empty bundles.
_ROUNDS = 24

#: Operations beyond which a round makes all the room that is missing, where it else makes it cycle by cycle.
_LARGE = 100

#: A trip of which a chain from trip to trip takes this part could hardly start sooner if trips overlapped.
_NEAR = 0.8


@dataclass(frozen=True)
class Inner:
    """A loop's bundles: of the steady state, and, if trips overlap, those before and behind it."""

    bundles: Bundles
    prologue: Bundles
    epilogue: Bundles
    summary: LoopSchedule


def schedule(machine: Machine, body: Body) -> Inner:
    """The bundles of a loop."""
    loop = body.loop
    graph = build(machine, body.operations, loop=True)
    free = graph if body.fixed else build(machine, body.operations, loop=True, renamed=True)
    limits = bounds(machine, free)
    reason = obstacle(body, graph)
    if not reason:
        found = overlapped(machine, body, graph, free, limits)
        if found is not None and found[0].stages > 1:
            return _pipelined(loop, *found)
        reason = failure(limits, known_trips(body), found is not None)
    places, length = straight(machine, graph)
    bundles = bundled(loop.header, graph, [Placed(p.cycle - length + 1, p.footprint) for p in places])
    bundles = [[]] * (length - len(bundles)) + bundles
    bound, why = _bound_of_straight(machine, graph, limits, length)
    summary = LoopSchedule(
        header=loop.header,
        kind=body.kind,
        ii=length,
        length=length,
        res_mii=limits.resource,
        rec_mii=limits.recurrence,
        bound=bound,
        reason=f"{why}; trips do not overlap: {reason}" if reason else why,
        resource=limits.name,
        chain=limits.chain,
    )
    return Inner(bundles, [], [], summary)


def _pipelined(loop: Loop, found: Pipeline, limits: Bounds) -> Inner:
    ii, stages = found.ii, found.stages
    held = bundled(loop.header, found.graph, [Placed(p.cycle - ii * stages + 1, p.footprint) for p in found.places])
    first = min(p.cycle for p in found.places)
    linear: Bundles = [[] for _ in range(first)] + held
    linear += [[] for _ in range(ii * stages - len(linear))]

    def part(begin: int, end: int, of: Callable[[int, int], bool]) -> Bundles:
        """Bundles of the stages that `of` takes: (stage of the operation, turn)."""
        bundles: Bundles = []
        for turn in range(begin, end):
            for cycle in range(ii):
                bundle = []
                for stage in range(stages):
                    if of(stage, turn):
                        bundle += [replace(one, stage=stage) for one in linear[stage * ii + cycle]]
                bundles.append(bundle)
        return bundles

    summary = LoopSchedule(
        header=loop.header,
        kind="pipelined",
        ii=ii,
        length=max(p.cycle for p in found.places) - first + 1,
        res_mii=limits.resource,
        rec_mii=limits.recurrence,
        bound=_bound(limits),
        reason=_reason(limits, ii),
        stages=stages,
        resource=limits.name,
        chain=limits.chain,
    )
    return Inner(
        bundles=part(0, 1, lambda stage, turn: True),
        prologue=part(0, stages - 1, lambda stage, turn: stage <= turn),
        epilogue=part(1, stages, lambda stage, turn: stage >= turn),
        summary=summary,
    )


def _bound(limits: Bounds) -> Bound:
    if limits.recurrence <= limits.resource:
        return "slot"
    return "recurrence" if limits.certain == limits.recurrence else "aliasing"


def _reason(limits: Bounds, ii: int) -> str:
    bound = _bound(limits)
    if bound == "slot":
        text = f"{limits.name} is needed in {limits.resource} cycles of each trip"
    elif bound == "recurrence":
        text = f"a chain of {limits.recurrence} cycles goes from trip to trip"
    else:
        text = (
            f"accesses that may touch the same memory make a chain of {limits.recurrence} cycles from trip to trip "
            f"({limits.certain or limits.resource} without)"
        )
    return text if ii == limits.interval else f"{text}; {ii} is the least interval for which a schedule was found"


def _bound_of_straight(machine: Machine, graph: Graph, limits: Bounds, length: int) -> tuple[Bound, str]:
    if any(row.sort == "call" for row in graph.rows):
        return "call", "it calls a routine"
    control = any(row.sort in CONTROL for row in graph.rows)
    if control and length <= machine.delay_slots + 2:
        return "control", f"a branch and its {machine.delay_slots} delay slots"
    if length <= limits.resource:
        return "slot", f"{limits.name} is needed in {limits.resource} cycles of each trip"
    if _NEAR * length <= limits.recurrence:
        return _bound(limits), _reason(limits, limits.interval)
    return "latency", f"one trip takes {length} cycles from end to end"


def straight(machine: Machine, graph: Graph) -> tuple[list[Placed], int]:
    """Places in cycles from 0, and the cycles of one trip, so that the next may follow at once."""
    last = [-machine.delay_slots if row.sort in CONTROL else 0 for row in graph.rows]
    best: tuple[list[Placed], int] | None = None
    for _ in range(_ROUNDS):
        places = place(Region(graph, last, Board()))
        length = 1 - min((p.cycle for p in places), default=1)
        places = [Placed(p.cycle + length - 1, p.footprint) for p in places]
        need = _need(graph, places, length)
        if best is None or need < best[1]:
            # What is to wait does so before the first operation: a branch must stay where it is, before the end.
            best = [Placed(p.cycle + need - length, p.footprint) for p in places], need
        late = _late(graph, places, length)
        if need == length or not late:
            break
        for i, by in late.items():
            last[i] = min(last[i], places[i].cycle - length + 1 - (by if len(graph) > _LARGE else 1))
    assert best is not None
    return best


def _late(graph: Graph, places: Sequence[Placed], length: int) -> dict[int, int]:
    """Operations whose results come too late for the next trip, or whose ports are taken there; and by how much."""
    late: dict[int, int] = {}
    for edge in graph.carried:
        short = edge.latency - (places[edge.second].cycle + edge.distance * length - places[edge.first].cycle)
        if short > 0 and graph.rows[edge.first].sort not in CONTROL:
            late[edge.first] = max(late.get(edge.first, 0), short)
    for i, where in enumerate(places):
        reaches = where.cycle + where.footprint.extent >= length
        if reaches and not _wraps(places, length, i) and graph.rows[i].sort not in CONTROL:
            late.setdefault(i, 1)
    return late


def _wraps(places: Sequence[Placed], length: int, i: int) -> bool:
    """Whether what an operation holds beyond the end of its trip is free in the next."""
    board = Board()
    for one in places:
        if one.cycle <= places[i].footprint.extent:
            board.place(one.footprint, one.cycle + length)
    return board.fits(places[i].footprint, places[i].cycle)


def _need(graph: Graph, places: Sequence[Placed], length: int) -> int:
    """Cycles after which the next trip may begin."""
    need = length
    for edge in graph.carried:
        apart = edge.latency - places[edge.second].cycle + places[edge.first].cycle
        need = max(need, -(-apart // edge.distance))
    while any(
        places[i].cycle + places[i].footprint.extent >= need and not _wraps(places, need, i) for i in range(len(graph))
    ):
        need += 1
    return need
