"""Which operation must wait for which, and how long. Latencies may be zero or less: operands are read and written in
the cycles that the machine's table gives, not when an operation issues.

A value that is written in cycle d and read in cycle u arrives with a latency of d - u + 1, one less through a bypass; a
register may be overwritten u - d cycles after a read, one more through a bypass, and d - d' + 1 after an older write
(llvm-aie AIEBaseInstrInfo, signed operand latencies of data, anti and output dependences).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kbench.backends.aie.sim.schedule import memory
from kbench.backends.aie.sim.schedule.program import Operation
from kbench.backends.aie.sim.schedule.table import Machine, Operand, Row

#: `alias` is an order of memory accesses that may, but need not, touch the same bytes.
Dependence = Literal["data", "anti", "output", "memory", "alias", "order"]

#: Cycles in which a lock stops the core and lets it go on (llvm-aie AIEBaseSubtarget.cpp, lock delays).
_STALL, _RESUME = 2, 8


class Edge(NamedTuple):
    """The second operation, `distance` trips later, issues no sooner than `latency` cycles after the first."""

    first: int
    second: int
    latency: int
    kind: Dependence
    distance: int = 0


@dataclass
class Graph:
    """The dependences of one block, in program order; of a loop's block also those from trip to trip."""

    operations: Sequence[Operation]
    rows: Sequence[Row]
    successors: list[list[Edge]] = field(default_factory=list)
    predecessors: list[list[Edge]] = field(default_factory=list)
    carried: list[Edge] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.operations)

    def depths(self) -> list[int]:
        """Of each operation, the longest way to it from the start."""
        depths = [0] * len(self)
        for i in range(len(self)):
            for edge in self.predecessors[i]:
                depths[i] = max(depths[i], depths[edge.first] + edge.latency)
        return depths


def units(operand: str) -> list[str]:
    """The registers of an operand; none for one that is empty."""
    return operand.split("|") if operand else []


def written(operation: Operation, row: Row) -> list[tuple[str, Operand]]:
    """(register, when) of everything that an operation writes."""
    return [(unit, row.written(i)) for i, operand in enumerate(operation.defs) for unit in units(operand)]


def read(operation: Operation, row: Row) -> list[tuple[str, Operand]]:
    """(register, when) of everything that an operation reads."""
    return [(unit, row.read(i)) for i, operand in enumerate(operation.uses) for unit in units(operand)]


def data_latency(write: Operand, use: Operand) -> int:
    """From the operation that writes a register to one that reads it."""
    return write.cycle - use.cycle + 1 - (bool(write.bypass) and write.bypass == use.bypass)


def anti_latency(use: Operand, write: Operand) -> int:
    """From the operation that reads a register to one that overwrites it; a bypass would hand it the new value a cycle
    early."""
    return use.cycle - write.cycle + (bool(write.bypass) and write.bypass == use.bypass)


def output_latency(first: Operand, second: Operand) -> int:
    """From the operation that writes a register to one that overwrites it."""
    return first.cycle - second.cycle + 1


def build(machine: Machine, operations: Sequence[Operation], loop: bool = False, renamed: bool = False) -> Graph:
    """The graph of a block; with `loop`, of a block that is its own successor. With `renamed`, a value that is written
    once in a trip, before it is read, does not keep the next trip from writing its own."""
    rows = [machine.row(operation.name) for operation in operations]
    graph = Graph(operations, rows, [[] for _ in operations], [[] for _ in operations])
    strongest: dict[tuple[int, int, int, bool], Edge] = {}
    copies = 2 if loop else 1
    own = values(operations, rows) if renamed else frozenset()
    for edge in [*_registers(operations, rows, copies, own), *_memory(operations, rows, copies), *_order(rows)]:
        key = (edge.first, edge.second, edge.distance, edge.kind == "alias")
        if key not in strongest or strongest[key].latency < edge.latency:
            strongest[key] = edge
    if loop:
        for i, j, latency, trips in memory.far(operations, rows):
            strongest.setdefault((i, j, trips, False), Edge(i, j, latency, "memory", trips))
    for edge in strongest.values():
        if edge.distance:
            graph.carried.append(edge)
        else:
            graph.successors[edge.first].append(edge)
            graph.predecessors[edge.second].append(edge)
    return graph


@dataclass
class _Register:
    """The last write of a register, and the reads since."""

    write: tuple[int, Operand] | None = None
    reads: list[tuple[int, Operand]] = field(default_factory=list)


def values(operations: Sequence[Operation], rows: Sequence[Row]) -> frozenset[str]:
    """The names that a trip writes once, and reads only behind that."""
    once: set[str] = set()
    other: set[str] = set()
    for operation, row in zip(operations, rows, strict=True):
        other |= {name for name, _ in read(operation, row)} - once
        for name, _ in written(operation, row):
            (other if name in once or name in other else once).add(name)
    return frozenset(once - other)


def _registers(operations: Sequence[Operation], rows: Sequence[Row], copies: int, own: frozenset[str]) -> list[Edge]:
    """Edges from the first trip, within it and into the next; none from trip to trip by names of `own`."""
    count = len(operations)
    state: dict[str, _Register] = {}
    edges: list[Edge] = []

    def add(first: int, second: int, latency: int, kind: Dependence) -> None:
        if first < count:
            edges.append(Edge(first, second % count, latency, kind, second // count))

    for number in range(count * copies):
        if number == count:
            state = {name: register for name, register in state.items() if name not in own}
        operation, row = operations[number % count], rows[number % count]
        for name, use in read(operation, row):
            register = state.setdefault(name, _Register())
            if register.write is not None:
                add(register.write[0], number, data_latency(register.write[1], use), "data")
            register.reads.append((number, use))
        for name, write in written(operation, row):
            register = state.setdefault(name, _Register())
            for reader, use in register.reads:
                if reader != number:
                    add(reader, number, anti_latency(use, write), "anti")
            if register.write is not None and register.write[0] != number:
                add(register.write[0], number, output_latency(register.write[1], write), "output")
            state[name] = _Register((number, write))
    return edges


def _memory(operations: Sequence[Operation], rows: Sequence[Row], copies: int) -> list[Edge]:
    count = len(operations)
    return [
        Edge(first, second % count, latency, "memory" if certain else "alias", second // count)
        for first, second, latency, certain in memory.orders(operations, rows, copies)
        if first < count
    ]


def _order(rows: Sequence[Row]) -> list[Edge]:
    """Events and locks keep their place among the accesses to memory; a lock also their distance."""
    edges: list[Edge] = []
    barrier: int | None = None
    since: list[int] = []
    for i, row in enumerate(rows):
        if row.sort in ("event", "lock"):
            stall = row.sort == "lock"
            edges += [Edge(j, i, rows[j].last_access - _STALL + 1 if stall else 0, "order") for j in since]
            if barrier is not None:
                edges.append(Edge(barrier, i, 1, "order"))
            barrier, since = i, []
        elif row.memory:
            since.append(i)
            if barrier is not None:
                resume = rows[barrier].sort == "lock"
                edges.append(Edge(barrier, i, _RESUME - row.first_access + 1 if resume else 0, "order"))
    return edges
