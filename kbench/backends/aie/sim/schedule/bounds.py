"""The least initiation interval of a loop: by its slots and ports, and by its chains from trip to trip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from kbench.backends.aie.sim.schedule.graph import Edge, Graph
from kbench.backends.aie.sim.schedule.table import Footprint, Machine, Row

#: The longest interval that is tried (llvm-aie AIEInterBlockScheduling.cpp, aie-postpipeliner-maxii).
MAX_II = 40

#: Rounds of relaxation after which an interval counts as too short; chains through this many carried values are rarer.
_ROUNDS = 10


@dataclass(frozen=True)
class Bounds:
    """Cycles, and what they come from."""

    resource: int
    name: str
    """The fullest slot or port."""
    recurrence: int
    """0: nothing goes from trip to trip."""
    certain: int
    """What of the recurrence is left without the accesses that only may touch the same bytes."""
    chain: tuple[int, ...]
    """The operations of the longest chain, if it is the recurrence that counts."""

    @property
    def interval(self) -> int:
        return max(self.resource, self.recurrence, 1)


def bounds(machine: Machine, graph: Graph) -> Bounds:
    """The bounds of a loop's block."""
    resource, name = _resource(machine, graph.rows)
    circular = _circular(graph)
    recurrence = _least(circular, resource)
    longest = _chain(circular, recurrence - 1) if recurrence > resource else ()
    certain = recurrence
    if recurrence > resource and any(edge.kind == "alias" for edge in circular.carried):
        certain = _least(circular, resource, certain=True)
    return Bounds(resource, name, recurrence, certain, longest)


def _circular(graph: Graph) -> Graph:
    """Of a graph, the edges that lie on a way from an operation back to itself (strongly connected components, Tarjan's
    algorithm): only they bound the interval."""
    ahead: list[list[int]] = [[edge.second for edge in edges] for edges in graph.successors]
    for edge in graph.carried:
        ahead[edge.first].append(edge.second)
    component = _components(ahead)
    within = [[e for e in edges if component[e.first] == component[e.second]] for edges in graph.successors]
    into: list[list[Edge]] = [[] for _ in range(len(graph))]
    for edges in within:
        for edge in edges:
            into[edge.second].append(edge)
    carried = [edge for edge in graph.carried if component[edge.first] == component[edge.second]]
    return Graph(graph.operations, graph.rows, within, into, carried)


def _components(ahead: Sequence[Sequence[int]]) -> list[int]:
    """Of each node, the number of its strongly connected component."""
    count = len(ahead)
    index, low, component = [-1] * count, [0] * count, [-1] * count
    stack: list[int] = []
    number = 0
    for root in range(count):
        if index[root] >= 0:
            continue
        work = [(root, iter(ahead[root]))]
        index[root] = low[root] = number
        number += 1
        stack.append(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if index[other] < 0:
                    index[other] = low[other] = number
                    number += 1
                    stack.append(other)
                    work.append((other, iter(ahead[other])))
                    break
                if component[other] < 0:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    while True:
                        other = stack.pop()
                        component[other] = node
                        if other == node:
                            break
    return component


def _resource(machine: Machine, rows: Sequence[Row]) -> tuple[int, str]:
    """Cycles that the fullest slot or port is held in one trip, and its name. Operations with a choice of slots take
    the emptiest, those with the least choice first."""
    load = [0] * len(machine.resources)
    for row in sorted(rows, key=lambda row: len(row.alternatives)):
        best = min(row.alternatives, key=lambda footprint: max(load[bit] for bit in _bits(footprint)))
        for bit in _bits(best):
            load[bit] += 1
    most = max(load, default=0)
    return most, machine.resources[load.index(most)] if most else ""


def _bits(footprint: Footprint) -> list[int]:
    """The resources that are held, once for each cycle."""
    bits = []
    for _, held, _ in footprint.cells:
        while held:
            bits.append((held & -held).bit_length() - 1)
            held &= held - 1
    return bits


def earliest(graph: Graph, ii: int, certain: bool = False) -> list[int] | None:
    """The first cycle of each operation when trips start every `ii` cycles; None if a chain is too long for that.
    `certain`: as if accesses that only may touch the same bytes did not."""
    within = _plain(chain.from_iterable(graph.successors), ii, certain)
    carried = _plain(graph.carried, ii, certain)
    cycles = [0] * len(graph)
    for _ in range(_ROUNDS):
        for first, second, latency in within:
            at = cycles[first] + latency
            if at > cycles[second]:
                cycles[second] = at
        changed = False
        for first, second, latency in carried:
            at = cycles[first] + latency
            if at > cycles[second]:
                cycles[second] = at
                changed = True
        if not changed:
            return cycles
    return None


def _plain(edges: Iterable[Edge], ii: int, certain: bool) -> list[tuple[int, int, int]]:
    """(first, second, latency within one trip) in the order of the first."""
    return [
        (edge.first, edge.second, edge.latency - ii * edge.distance)
        for edge in edges
        if not (certain and edge.kind == "alias")
    ]


def _least(graph: Graph, guess: int, certain: bool = False) -> int:
    """The least interval that every chain from trip to trip fits in. Beyond the intervals that are tried it need not be
    exact: a lower bound, at most a sixteenth below."""
    if not graph.carried:
        return 0
    low, high = 0, max(guess, 1)
    while earliest(graph, high, certain) is None:
        # The longest way within a trip is seldom far from the longest chain through it.
        low, high = high, max(high + 1, *graph.depths()) if low == 0 else high * 2
    while high - low > (1 if high <= MAX_II else high // 16):
        middle = (low + high) // 2
        if earliest(graph, middle, certain) is None:
            low = middle
        else:
            high = middle
    return low + 1


def _chain(graph: Graph, ii: int) -> tuple[int, ...]:
    """The operations of a chain that does not fit in an interval, in order."""
    edges = _plain(chain.from_iterable([*graph.successors, graph.carried]), ii, certain=False)
    cycles = [0] * len(graph)
    reason = [-1] * len(graph)
    for _ in range(_ROUNDS):
        for first, second, latency in edges:
            at = cycles[first] + latency
            if at > cycles[second]:
                cycles[second] = at
                reason[second] = first
    node = max(range(len(graph)), key=lambda i: cycles[i], default=-1)
    path: list[int] = []
    seen: dict[int, int] = {}
    while node >= 0 and node not in seen:
        seen[node] = len(path)
        path.append(node)
        node = reason[node]
    return tuple(reversed(path[seen[node] :])) if node >= 0 else ()
