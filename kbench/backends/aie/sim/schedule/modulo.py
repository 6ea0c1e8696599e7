"""Modulo scheduling: one place for each operation such that trips may start every `ii` cycles.

The search follows Peano's pipeliner after register allocation (llvm-aie AIEPostPipeliner.cpp): intervals upward from
the bound; for each a list of orders of placement, top down; a schedule is taken if it has no more stages than the loop
is known to have trips. Registers are physical: a value must be read before the next trip overwrites it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kbench.backends.aie.sim.schedule.board import ModuloBoard
from kbench.backends.aie.sim.schedule.bounds import Bounds, earliest
from kbench.backends.aie.sim.schedule.graph import Edge, Graph
from kbench.backends.aie.sim.schedule.linear import Placed

#: Runs of one order, each of which lets the operation go first for which the last found no place.
_RUNS = 6

#: Operations placed in vain before the search ends.
_BUDGET = 60_000


@dataclass(frozen=True)
class Pipeline:
    """A modulo schedule; cycles from 0, the first stage's first."""

    graph: Graph
    """Its operations: the loop's, then moves that were added."""
    ii: int
    stages: int
    places: tuple[Placed, ...]


@dataclass
class _Problem:
    graph: Graph
    ii: int
    first: list[int]
    """Static first cycle of each operation."""
    last: list[int]
    """Static last cycle, before the end of the schedule: 0 or less."""
    into: list[list[Edge]]
    out: list[list[Edge]]
    """Carried edges included, those of an operation to itself left out."""
    residues: Mapping[int, int]
    """Cycles modulo the interval that some operations must have: a branch, whose delay slots end the steady state."""

    @property
    def length(self) -> int:
        """The fewest cycles, a multiple of the interval, in which each operation has a place."""
        most = max((first - last for first, last in zip(self.first, self.last, strict=True)), default=0) + 1
        return -(-most // self.ii) * self.ii


@dataclass(frozen=True)
class Wanted:
    """Which schedules a pipeliner takes."""

    stages: int
    """At most."""
    longest: int
    """The longest interval that it tries."""
    delay_slots: int
    take: Callable[[Pipeline], Pipeline | None]
    """The schedule as it would be used; None: not this one."""
    leave: Callable[[Pipeline], bool] = lambda _: False
    """Whether it gives up at the sight of a schedule that it does not take."""


def pipeline(graph: Graph, limits: Bounds, wanted: Wanted) -> Pipeline | None:
    """The schedule with the shortest interval that is taken."""
    budget = _BUDGET
    branches = [i for i, row in enumerate(graph.rows) if row.sort == "branch"]
    least = max(limits.interval, wanted.delay_slots + 1 if branches else 1)
    for ii in range(least, wanted.longest + 1):
        problem = _problem(graph, ii, dict.fromkeys(branches, ii - 1 - wanted.delay_slots))
        if problem is None:
            continue
        seen: list[Pipeline] = []
        for order, extra, runs in _orders(problem):
            boost: dict[int, int] = {}
            for run in range(runs):
                length = problem.length + extra * ii
                places, failed = _top_down(problem, length, order, boost)
                budget -= len(places)
                if failed is None:
                    found = _normal(problem, places)
                    taken = wanted.take(found) if found.stages <= wanted.stages else None
                    if taken is not None:
                        return taken
                    seen.append(found)
                    break
                boost[failed] = run + 1
        if budget < 0 or any(wanted.leave(found) for found in seen):
            return None
    return None


def _problem(graph: Graph, ii: int, residues: Mapping[int, int]) -> _Problem | None:
    first = earliest(graph, ii)
    if first is None:
        return None
    into: list[list[Edge]] = [list(edges) for edges in graph.predecessors]
    out: list[list[Edge]] = [list(edges) for edges in graph.successors]
    for edge in graph.carried:
        if edge.first != edge.second:
            into[edge.second].append(edge)
            out[edge.first].append(edge)
    last = [0] * len(graph)
    for i in range(len(graph) - 1, -1, -1):
        for edge in graph.successors[i]:
            last[i] = min(last[i], last[edge.second] - edge.latency)
    return _Problem(graph, ii, first, last, into, out, residues)


def _orders(problem: _Problem) -> list[tuple[list[int], int, int]]:
    """(the smaller the sooner, stages beyond the fewest, runs)."""
    count = len(problem.graph)
    program = list(range(count))
    slack = [problem.last[i] * count + i for i in program]
    early = [problem.first[i] * count + i for i in program]
    return [(program, 1, 1), (program, 0, _RUNS), (slack, 1, _RUNS), (slack, 0, _RUNS), (early, 1, _RUNS)]


def _top_down(
    problem: _Problem, length: int, order: Sequence[int], boost: dict[int, int]
) -> tuple[dict[int, Placed], int | None]:
    """Places of what could be placed, and the operation for which there was none."""
    graph, ii = problem.graph, problem.ii
    board = ModuloBoard(ii)
    places: dict[int, Placed] = {}
    waiting = [len(graph.predecessors[i]) for i in range(len(graph))]
    ready = [(-boost.get(i, 0), order[i], i) for i in range(len(graph)) if not waiting[i]]
    heapq.heapify(ready)
    while ready:
        i = heapq.heappop(ready)[2]
        low, high = _window(problem, i, length, places)
        # A full turn shows every cycle of the board.
        for cycle in range(low, min(high, low + ii - 1) + 1):
            if cycle % ii != problem.residues.get(i, cycle % ii):
                continue
            footprint = board.fit(graph.rows[i], cycle)
            if footprint is not None:
                break
        else:
            return places, i
        board.place(footprint, cycle)
        places[i] = Placed(cycle, footprint)
        for edge in graph.successors[i]:
            waiting[edge.second] -= 1
            if not waiting[edge.second]:
                j = edge.second
                heapq.heappush(ready, (-boost.get(j, 0), order[j], j))
    _settle(problem, length, board, places)
    return places, None


def _settle(problem: _Problem, length: int, board: ModuloBoard, places: dict[int, Placed]) -> None:
    """Moves operations that wait for nothing of their trip, loads above all, to where they are wanted, so that their
    values live shorter."""
    graph = problem.graph
    for i in range(len(graph) - 1, -1, -1):
        if any(edge.kind == "data" for edge in graph.predecessors[i]) or i in problem.residues:
            continue
        where = places.pop(i)
        board.take(where.footprint, where.cycle)
        high = _window(problem, i, length, places)[1]
        for cycle in range(high, where.cycle - 1, -1):
            footprint = board.fit(graph.rows[i], cycle)
            if footprint is not None:
                break
        else:
            cycle, footprint = where.cycle, where.footprint
        board.place(footprint, cycle)
        places[i] = Placed(cycle, footprint)


def _window(problem: _Problem, i: int, length: int, places: dict[int, Placed]) -> tuple[int, int]:
    low, high = problem.first[i], length - 1 + problem.last[i]
    for edge in problem.into[i]:
        if edge.first in places:
            low = max(low, places[edge.first].cycle + edge.latency - problem.ii * edge.distance)
    for edge in problem.out[i]:
        if edge.second in places:
            high = min(high, places[edge.second].cycle - edge.latency + problem.ii * edge.distance)
    return low, high


def _normal(problem: _Problem, places: dict[int, Placed]) -> Pipeline:
    ii = problem.ii
    shift = min(p.cycle for p in places.values()) // ii * ii
    moved = tuple(Placed(places[i].cycle - shift, places[i].footprint) for i in range(len(problem.graph)))
    return Pipeline(problem.graph, ii, max(p.cycle for p in moved) // ii + 1, moved)
