"""List scheduling of one region from its end, as Peano's scheduler after register allocation does it (llvm-aie
AIEMachineScheduler.cpp): of what is ready, the operation with the longest way to it from the start goes first, into the
last cycle that its successors, the end of the region, slots and ports allow.

Cycles count from the region's last bundle, which is 0, downwards; from 1 on there is what comes behind it.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kbench.backends.aie.sim.schedule.board import Board
from kbench.backends.aie.sim.schedule.graph import Graph
from kbench.backends.aie.sim.schedule.table import Footprint, Row

#: Ready operations of equal depth that are compared; more are taken in program order, to keep the cost linear.
_COMPARED = 16

#: A branch goes before all others, so that its delay slots end the region.
_FIRST = 1 << 30
_CONTROL = ("branch", "call", "return")


@dataclass(frozen=True)
class Placed:
    """Where an operation went."""

    cycle: int
    footprint: Footprint


@dataclass
class Region:
    """What is to be placed, and what the region's end asks of each operation."""

    graph: Graph
    last: Sequence[int]
    """Of each operation, the last cycle in which it may issue, 0 or less."""
    board: Board
    fixed: Mapping[int, Placed] = field(default_factory=dict)
    """Operations that have their place already, and stand on the board."""
    order: Sequence[int] = ()
    """Of each operation, what decides between equals: the greater goes later. Empty: all are equal."""


def place(region: Region) -> list[Placed]:
    """A place for every operation."""
    graph = region.graph
    placed: dict[int, Placed] = dict(region.fixed)
    depths = [_FIRST if row.sort in _CONTROL else depth for depth, row in zip(graph.depths(), graph.rows, strict=True)]
    latest = list(region.last)
    waiting = [sum(edge.second not in placed for edge in edges) for edges in graph.successors]
    for i, where in placed.items():
        _push(graph, i, where.cycle, latest)
    ready: list[tuple[int, int]] = [(-depths[i], -i) for i in range(len(graph)) if not waiting[i] and i not in placed]
    heapq.heapify(ready)
    while ready:
        i = _pick(ready, latest, region)
        cycle, footprint = region.board.find(graph.rows[i], latest[i])
        region.board.place(footprint, cycle)
        placed[i] = Placed(cycle, footprint)
        _push(graph, i, cycle, latest)
        for edge in graph.predecessors[i]:
            waiting[edge.first] -= 1
            if not waiting[edge.first] and edge.first not in placed:
                heapq.heappush(ready, (-depths[edge.first], -edge.first))
    return [placed[i] for i in range(len(graph))]


def _push(graph: Graph, i: int, cycle: int, latest: list[int]) -> None:
    for edge in graph.predecessors[i]:
        latest[edge.first] = min(latest[edge.first], cycle - edge.latency)


def _pick(ready: list[tuple[int, int]], latest: Sequence[int], region: Region) -> int:
    """Of the deepest, the one that must go earliest; else the one that holds its ports longest; else the last in the
    program."""
    depth = ready[0][0]
    equals: list[tuple[int, int]] = []
    while ready and ready[0][0] == depth and len(equals) < _COMPARED:
        equals.append(heapq.heappop(ready))

    def rank(one: tuple[int, int]) -> tuple[int, int, int, int]:
        i = -one[1]
        row: Row = region.graph.rows[i]
        cycle = region.board.find(row, latest[i])[0] if len(equals) > 1 else 0
        order = region.order[i] if region.order else 0
        return (order, cycle, -row.extent, one[1])

    best = min(equals, key=rank)
    for one in equals:
        if one is not best:
            heapq.heappush(ready, one)
    return -best[1]
