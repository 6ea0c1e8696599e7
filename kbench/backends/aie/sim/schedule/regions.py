"""Regions of a block, and what comes behind a region: when its results must be there, and which slots and ports the
first bundles of the next blocks hold.

As in Peano (llvm-aie AIEInterBlockScheduling.cpp, AIEMaxLatencyFinder.cpp): where all the blocks behind are placed, a
result must be there when one of them asks for it; else nothing may be under way at the region's end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbench.backends.aie.sim.schedule.board import Board
from kbench.backends.aie.sim.schedule.graph import Graph, anti_latency, data_latency, output_latency, read, written
from kbench.backends.aie.sim.schedule.linear import Placed
from kbench.backends.aie.sim.schedule.memory import latency, may_overlap
from kbench.backends.aie.sim.schedule.program import Operation
from kbench.backends.aie.sim.schedule.table import Footprint, Machine, Row

#: The first cycle in which anything reads memory (`MemoryCycles` of llvm-aie AIE2Schedule.td).
_FIRST_ACCESS = 5


@dataclass(frozen=True)
class Held:
    """An operation in its bundle."""

    operation: Operation
    row: Row
    footprint: Footprint
    index: int
    """Among the block's operations."""
    block: str
    stage: int = 0


Bundles = list[list[Held]]


def max_latency(row: Row, stages: bool) -> int:
    """Cycles until all that an operation does is done: operands, memory, and with `stages` also ports."""
    cycles = [operand.cycle for operand in (*row.defs, *row.uses)]
    if row.memory:
        cycles.append(row.last_access - _FIRST_ACCESS + 1)
    if stages:
        cycles.append(row.extent + 1)
    return max(cycles, default=0)


def bundled(work_label: str, graph: Graph, places: Sequence[Placed], last: int = 0) -> Bundles:
    """Bundles of a region whose last cycle is `last`."""
    if not places:
        return []
    first = min(place.cycle for place in places)
    bundles: Bundles = [[] for _ in range(last - first + 1)]
    for i, place in enumerate(places):
        bundles[place.cycle - first].append(Held(graph.operations[i], graph.rows[i], place.footprint, i, work_label))
    return bundles


def touches(operation: Operation, row: Row, held: Held) -> bool:
    """Whether an operation and a later one share a register that one of them writes, or memory that one writes; events
    and locks keep their place among all accesses."""
    if _ordered(row, held.row):
        return True
    if row.memory and held.row.memory and (row.writes is not None or held.row.writes is not None):
        return True
    reads, writes = {n for n, _ in read(operation, row)}, {n for n, _ in written(operation, row)}
    later_reads = {n for n, _ in read(held.operation, held.row)}
    later_writes = {n for n, _ in written(held.operation, held.row)}
    return bool(writes & (later_reads | later_writes) or reads & later_writes)


def _ordered(first: Row, second: Row) -> bool:
    marks = ("event", "lock")
    return (first.sort in marks and (second.memory or second.sort in marks)) or (second.sort in marks and first.memory)


def first_touch(operation: Operation, row: Row, bundles: Bundles, most: int) -> int | None:
    """The first cycle of some bundles, before `most`, that asks for what an operation does."""
    for cycle, bundle in enumerate(bundles[:most]):
        if any(touches(operation, row, held) for held in bundle):
            return cycle
    return None


def end_board(machine: Machine, behind: Sequence[Bundles] | None) -> Board:
    """What is held behind a region. None: nobody knows, so nothing may be under way."""
    if behind is None:
        return Board(blocked=1)
    seen = min((len(bundles) for bundles in behind), default=0)
    board = Board(blocked=1 + min(seen, machine.pipeline))
    for bundles in behind:
        for cycle, bundle in enumerate(bundles[:seen]):
            for held in bundle:
                # A bundle may move by one for the alignment of its block (aie-interblock-alignment).
                board.place(held.footprint, 1 + cycle)
                board.place(held.footprint, 2 + cycle)
    return board


def last_cycle(operation: Operation, row: Row, behind: Sequence[Bundles] | None, delay_slots: int) -> int:
    """The last cycle, 0 or less, in which an operation may issue for the sake of what comes behind its region."""
    if row.sort in ("branch", "call", "return"):
        return -delay_slots
    wait = max_latency(row, stages=behind is None)
    if behind is not None:
        early = wait
        for bundles in behind:
            touch = first_touch(operation, row, bundles, early)
            early = min(early, len(bundles)) if touch is None else touch
        wait = max(wait - early, 1)
    return -max(wait - 1, 0)


def pair_latency(first: Held, second: Held) -> int | None:
    """From an operation to a later one of another block; None: they have nothing in common."""
    found: list[int] = []
    writes = dict(written(first.operation, first.row))
    reads = dict(read(first.operation, first.row))
    for name, use in read(second.operation, second.row):
        if name in writes:
            found.append(data_latency(writes[name], use))
    for name, write in written(second.operation, second.row):
        if name in writes:
            found.append(output_latency(writes[name], write))
        if name in reads:
            found.append(anti_latency(reads[name], write))
    a, b = first.operation.memory, second.operation.memory
    writes_memory = first.row.writes is not None or second.row.writes is not None
    if a and b and first.row.memory and second.row.memory and writes_memory and may_overlap(a, b):
        found.append(latency(first.row, second.row))
    if _ordered(first.row, second.row):
        found.append(0)
    return max(found) if found else None


def gap(machine: Machine, before: Bundles, after: Bundles) -> int:
    """Empty cycles that must stand between the end of a loop and the block behind it."""
    need = 0
    for ago, bundle in enumerate(reversed(before[-machine.pipeline :])):
        for held in bundle:
            need = max(need, max_latency(held.row, stages=False) - (ago + 1) - len(after))
            for cycle, later in enumerate(after[: machine.pipeline]):
                for other in later:
                    wait = pair_latency(held, other)
                    if wait is not None:
                        need = max(need, wait - (ago + 1) - cycle)
    while _clash(machine, before, after, need):
        need += 1
    return need


def _clash(machine: Machine, before: Bundles, after: Bundles, between: int) -> bool:
    board = Board()
    for cycle, bundle in enumerate(after[: machine.pipeline]):
        for held in bundle:
            board.place(held.footprint, 1 + between + cycle)
    return any(
        not board.fits(held.footprint, -ago)
        for ago, bundle in enumerate(reversed(before[-machine.pipeline :]))
        for held in bundle
    )
