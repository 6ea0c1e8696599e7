"""Which accesses to memory must keep their order, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kbench.backends.aie.sim.schedule.program import Memory, Operation
from kbench.backends.aie.sim.schedule.table import Row

#: Bytes of the cells in which overlaps of known offsets are looked up: a part-word store touches the whole word.
_CELL = 4

#: Accesses of one block beyond which a store orders everything that it may touch, as in LLVM's scheduler, whose maps
#: shrink for huge regions (ScheduleDAGInstrs.cpp); keeps the graph's size linear.
_HUGE = 256

#: Trips ahead that a known distance is looked for.
_FAR = 8

#: (from, to, latency, certain): certain if the two do share bytes, not only may.
Order = tuple[int, int, int, bool]


def latency(first: Row, second: Row) -> int:
    """Cycles from an access to a later one of the same bytes: the last memory cycle of the one, less the first of the
    other, plus one (llvm-aie AIEBaseInstrInfo, getMemoryLatency). In Peano's own schedules no access issues with or
    before an earlier store, and no store before an earlier load (memory_dependencies_vst_srs.mir)."""
    return max(first.last_access - second.first_access + 1, 0 if first.writes is None else 1)


def may_overlap(a: Memory, b: Memory) -> bool:
    """Whether accesses may touch the same bytes as far as roots and types tell."""
    if a.group and b.group and a.group != b.group:
        return False
    return a.root == b.root or not (a.distinct or b.distinct)


@dataclass
class _Class:
    """Accesses that relate to all others alike: one root, one step, one group."""

    example: Memory
    stores: list[int] = field(default_factory=list)
    loads: list[int] = field(default_factory=list)
    stored: dict[int, int] = field(default_factory=dict)
    loaded: dict[int, list[int]] = field(default_factory=dict)
    older: tuple[list[int], list[int]] = ([], [])
    """Stores and loads of earlier trips, where nobody knows how far the address has moved since."""

    def turn(self) -> None:
        """The next trip begins."""
        if self.example.offset is not None and self.example.step is None:
            self.older = self.stores, self.loads
            self.stores, self.loads, self.stored, self.loaded = [], [], {}, {}


class _Latencies:
    """Latencies between the accesses of a block, by number; few kinds of operations make few pairs."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._known: dict[tuple[str, str], int] = {}

    def between(self, first: int, second: int) -> int:
        one, two = self._rows[first % len(self._rows)], self._rows[second % len(self._rows)]
        key = (one.name, two.name)
        if key not in self._known:
            self._known[key] = latency(one, two)
        return self._known[key]


@dataclass(frozen=True)
class _Access:
    number: int
    memory: Memory
    copy: int
    writes: bool
    latencies: _Latencies

    def latency(self, first: int) -> int:
        """From the access of a number to this."""
        return self.latencies.between(first, self.number)


def orders(operations: Sequence[Operation], rows: Sequence[Row], copies: int = 1) -> Iterator[Order]:
    """The order of the accesses of `copies` trips after one another; the i-th operation of the k-th trip has the number
    i + k * len(operations). What follows from other pairs is left out."""
    count = len(operations)
    memories = [(i, m) for i, row in enumerate(rows) if row.memory and (m := operations[i].memory) is not None]
    if len(memories) * copies > _HUGE:
        memories = [(i, _plain(m)) for i, m in memories]
    classes: dict[tuple[str, int | None, str, bool], _Class] = {}
    latencies = _Latencies(rows)
    for copy in range(copies):
        for one in classes.values():
            one.turn()
        for i, memory in memories:
            access = _Access(i + copy * count, memory, copy, rows[i].writes is not None, latencies)
            key = (memory.root, memory.step, memory.group, memory.offset is None)
            own = classes.setdefault(key, _Class(memory))
            for other in classes.values():
                if not may_overlap(memory, other.example):
                    continue
                if other is own and memory.offset is not None:
                    yield from _same(own, access)
                else:
                    yield from _different(other.stores, other.loads, access)
                yield from _different(*other.older, access)
            _enter(own, access)


def _plain(memory: Memory) -> Memory:
    """What is kept of an access in a huge block: so little that overlapping is transitive."""
    if memory.distinct:
        return replace(memory, group="")
    return replace(memory, root="", offset=None, step=None, group="")


def _cells(memory: Memory, copy: int) -> range:
    start = (memory.offset or 0) + (memory.step or 0) * copy
    return range(start // _CELL, (start + memory.size - 1) // _CELL + 1)


def _same(own: _Class, access: _Access) -> Iterator[Order]:
    seen: set[int] = set()
    for cell in _cells(access.memory, access.copy):
        before = [own.stored[cell]] if cell in own.stored else []
        if access.writes:
            before += own.loaded.get(cell, [])
        for one in before:
            if one not in seen:
                seen.add(one)
                yield one, access.number, access.latency(one), True


def _different(stores: list[int], loads: list[int], access: _Access) -> Iterator[Order]:
    for one in stores + (loads if access.writes else []):
        yield one, access.number, access.latency(one), False


def _enter(own: _Class, access: _Access) -> None:
    if access.writes and access.memory.offset is None:
        # Whatever touches this class comes after this store, and so after all that came before it.
        own.stores, own.loads = [], []
    (own.stores if access.writes else own.loads).append(access.number)
    if access.memory.offset is None:
        return
    for cell in _cells(access.memory, access.copy):
        if access.writes:
            own.stored[cell] = access.number
            own.loaded.pop(cell, None)
        else:
            own.loaded.setdefault(cell, []).append(access.number)


def _moves(memory: Memory) -> bool:
    """Whether it is known where the address is, and that it moves from trip to trip."""
    return memory.offset is not None and bool(memory.step)


def far(operations: Sequence[Operation], rows: Sequence[Row]) -> Iterator[tuple[int, int, int, int]]:
    """(store, access, latency, trips) of the bytes that come back after two trips or more, by known offsets."""
    stored: dict[tuple[str, int, int], int] = {}
    for i, row in enumerate(rows):
        memory = operations[i].memory
        if memory is not None and row.writes is not None and _moves(memory):
            stored |= {(memory.root, memory.step or 0, cell): i for cell in _cells(memory, 0)}
    for j, row in enumerate(rows):
        memory = operations[j].memory
        if not stored or memory is None or not row.memory or not _moves(memory):
            continue
        for trips in range(2, _FAR + 1):
            keys = [(memory.root, memory.step or 0, cell) for cell in _cells(memory, trips)]
            found = {stored[key] for key in keys if key in stored}
            yield from ((i, j, latency(rows[i], row), trips) for i in sorted(found))
            if found:
                break
