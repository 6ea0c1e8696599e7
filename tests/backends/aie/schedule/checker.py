"""An independent judge of schedules: it imports nothing of the scheduler and has tables of its own (`machine.py`).

A function's bundles are laid out as they run for a given number of trips, and every register and every byte of memory
is followed cycle by cycle: an operation that issues in cycle `t` and reads an operand in stage `u` sees, at `t + u`,
the last write that a producer finished in an earlier cycle (or in that very cycle, where both have the bypass). It
must be the write that the program's own order says. That covers true, anti and output dependences at once, within
blocks, across them and from trip to trip.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.backends.aie.schedule.machine import DELAY_SLOTS, SLOTS, Timing, timing

#: For how long an operation that stores less than a word keeps all others from memory.
PART_WORD_CYCLES = 7
#: Stage in which loads and plain stores reach memory.
LOAD_STAGE = 5


@dataclass(frozen=True)
class _Instance:
    """One execution of one operation."""

    operation: Any
    """As the program has it."""
    reads: tuple[str, ...]
    """Its operands where they are: a value that outlives an interval has been moved."""
    timing: Timing
    cycle: int
    trip: int
    block: str
    where: str
    first: bool = False
    """Whether its trip begins with it."""


@dataclass
class _Run:
    """What runs, in cycles; what should, in the program's order; the executions of the program's own operations, by
    (block, index, trip), and of those that the scheduler added."""

    bundles: list[Sequence[Any]] = field(default_factory=list)
    program: list[tuple[str, int, int]] = field(default_factory=list)
    own: dict[tuple[str, int, int], _Instance] = field(default_factory=dict)
    added: list[_Instance] = field(default_factory=list)


def violations(function: Any, schedule: Any, trips: int) -> list[str]:
    """What breaks a rule of `schedule.machine` when each loop of `function` runs `trips` times per entry."""
    found = [problem for label in schedule.blocks for problem in _bundle_rules(schedule, label)]
    found += [problem for block in function.blocks for problem in _branch_rules(block, schedule)]
    run = _laid_out(function, schedule, trips)
    wrong = _executions(function, schedule, run)
    if wrong:
        return found + wrong
    order = [run.own[key] for key in run.program]
    found += _registers(function, order, run.added)
    found += _memory(order)
    found += _part_word(order)
    found += _store_unit(order)
    return found


def _bundle_rules(schedule: Any, label: str) -> Iterable[str]:
    """One operation a slot, only slots that it can take; the long slot takes two."""
    for cycle, bundle in enumerate(schedule.blocks[label].bundles):
        taken: Counter[str] = Counter()
        for issue in bundle:
            allowed = timing(schedule.machine, issue.operation.name).slots
            if issue.slot not in allowed:
                yield f"{label}+{cycle}: {issue.operation.name} in slot {issue.slot}, it can be in {'/'.join(allowed)}"
            taken.update(SLOTS.get(issue.slot, (issue.slot,)))
        yield from (f"{label}+{cycle}: slot {slot} is taken {n} times" for slot, n in taken.items() if n > 1)


def _branch_rules(block: Any, schedule: Any) -> Iterable[str]:
    """A branch stands five bundles before the end of its block."""
    scheduled = schedule.blocks[block.label]
    for cycle, bundle in enumerate(scheduled.bundles):
        for issue in bundle:
            branches = timing(schedule.machine, issue.operation.name).branch and issue.operation.call is None
            if branches and cycle != len(scheduled.bundles) - 1 - DELAY_SLOTS:
                after = len(scheduled.bundles) - 1 - cycle
                yield f"{block.label}+{cycle}: {issue.operation.name} with {after} bundles behind it"


def _laid_out(function: Any, schedule: Any, trips: int) -> _Run:
    """The blocks in the order of the layout, each single-block loop `trips` times; a pipelined loop's bundles run as
    often as its steady state does."""
    headers = {loop.header for loop in function.loops if len(loop.blocks) == 1}
    run = _Run()
    for block in function.blocks:
        loops = block.label in headers
        kind = schedule.loops.get(block.label)
        runs = trips if loops else 1
        for trip in range(runs):
            run.program += [(block.label, index, trip) for index in range(len(block.operations))]
        if kind is not None and kind.kind == "pipelined":
            runs -= kind.stages - 1
        for _ in range(runs):
            run.bundles += schedule.blocks[block.label].bundles
    return run


def _executions(function: Any, schedule: Any, run: _Run) -> list[str]:
    """Fills in every operation's executions (its n-th issue is its n-th trip); returns what is missing or too much."""
    seen: Counter[tuple[str, int]] = Counter()
    source = {block.label: block.operations for block in function.blocks}
    wrong = []
    for cycle, bundle in enumerate(run.bundles):
        for issue in bundle:
            placed, key = issue.operation, (issue.block, issue.index)
            reads = issue.uses or placed.uses
            where = f"{issue.block}[{issue.index}] {placed.name} of trip {seen[key]} in cycle {cycle}"
            kind = timing(schedule.machine, placed.name)
            it = _Instance(placed, reads, kind, cycle, seen[key], issue.block, where)
            if issue.index < 0:
                run.added.append(it)
                continue
            operation = source[issue.block][issue.index]
            if operation.name != placed.name:
                wrong.append(f"{issue.block}[{issue.index}] is {placed.name}, not {operation.name}")
            run.own[*key, seen[key]] = replace(it, operation=operation, first=issue.index == 0)
            seen[key] += 1
    wanted = Counter((block, index) for block, index, _ in run.program)
    for key in sorted(wanted.keys() | seen.keys()):
        if wanted[key] != seen[key]:
            wrong.append(f"{key[0]}[{key[1]}] issues {seen[key]} times, not {wanted[key]}")
    return wrong


class _Contents:
    """What each register holds, cycle by cycle. A value is the number of the operation that made it, and its place
    among the results; before any write a register holds its own name. What the scheduler added carries values on:
    moves, and stores and loads of values that have no register."""

    def __init__(self, order: list[_Instance], added: list[_Instance], names: dict[str, str]) -> None:
        self._names = names
        self._writes: dict[str, list[tuple[int, bool, Any]]] = defaultdict(list)
        self._saved: dict[tuple[str, int], list[_Instance]] = defaultdict(list)
        for number, it in enumerate(order):
            for place, operand in enumerate(it.operation.defs):
                for part, name in enumerate(operand.split("|")):
                    self._write(it, place, name, (number, place, part))
        for it in added:
            if it.operation.memory is not None and it.timing.stores:
                self._saved[_place(it)].append(it)
            elif it.operation.defs and (it.operation.memory is not None or len(it.reads) == 1):
                for part, name in enumerate(it.operation.defs[0].split("|")):
                    self._write(it, 0, name, (it, part))

    def _write(self, it: _Instance, place: int, name: str, value: Any) -> None:
        stage, bypass = it.timing.define(place)
        self._writes[self._names.get(name, name)].append((it.cycle + stage, bypass, value))

    def at(self, it: _Instance, place: int, name: str) -> Any:
        """The value that an operand sees."""
        stage, bypass = it.timing.use(place)
        at = it.cycle + stage
        before = [
            (when, order, value)
            for order, (when, forwards, value) in enumerate(self._writes[self._names.get(name, name)])
            if when < at or (when == at and bypass and forwards)
        ]
        if not before:
            return name
        value = max(before, key=lambda write: write[:2])[2]
        return self._origin(*value) if isinstance(value[0], _Instance) else value

    def _origin(self, added: _Instance, part: int) -> Any:
        """Whose value something that the scheduler added brings."""
        if added.operation.memory is None:
            return self.at(added, 0, added.reads[0].split("|")[part])
        reached = added.cycle + added.timing.memory_first
        stores = [it for it in self._saved[_place(added)] if it.cycle + it.timing.memory_last < reached]
        if not stores:
            return added.where
        latest = max(stores, key=lambda it: it.cycle)
        return self.at(latest, 0, latest.reads[0].split("|")[part])


def _place(it: _Instance) -> tuple[str, int]:
    return it.operation.memory.root, it.operation.memory.offset


def _one_register(function: Any, added: list[_Instance]) -> dict[str, str]:
    """A name at a trip's start and that of its next value are one register, unless a move was added between them."""
    moves = {(name, of) for it in added for name in it.operation.defs for of in it.reads}
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while name in leader:
            name = leader[name]
        return name

    for loop in function.loops:
        for start, end in loop.carried:
            if (start, end) not in moves and find(start) != find(end):
                leader[find(end)] = find(start)
    return {name: find(name) for name in leader}


def _registers(function: Any, order: list[_Instance], added: list[_Instance]) -> Iterable[str]:
    """Each read sees the value that the program means: the last made under that name; under a name that carries a value
    into a trip, the last of the name that carried it out of the trip before."""
    carried = {loop.header: loop.carried for loop in function.loops}
    contents = _Contents(order, added, _one_register(function, added))
    last: dict[str, Any] = {}
    for number, it in enumerate(order):
        if it.first and it.trip:
            last |= {start: last[end] for start, end in carried.get(it.block, ()) if end in last}
        for place, (operand, register) in enumerate(zip(it.operation.uses, it.reads, strict=True)):
            for name, physical in zip(operand.split("|"), register.split("|"), strict=True):
                seen, wanted = contents.at(it, place, physical), last.get(name, name)
                if seen != wanted:
                    yield f"{it.where} reads {name} of {_told(seen, order)}, not of {_told(wanted, order)}"
        for place, operand in enumerate(it.operation.defs):
            last |= {name: (number, place, part) for part, name in enumerate(operand.split("|"))}


def _told(value: Any, order: list[_Instance]) -> str:
    return order[value[0]].where if isinstance(value, tuple) else f"what was in {value} before"


def _memory(order: list[_Instance]) -> Iterable[str]:
    """Accesses that may meet, one of them a store, reach memory in the program's order."""
    accesses = [it for it in order if it.operation.memory is not None]
    for later, second in enumerate(accesses):
        for first in accesses[:later]:
            if not (first.timing.stores or second.timing.stores) or not _may_meet(first, second):
                continue
            distance = first.timing.memory_last - second.timing.memory_first + 1
            if second.cycle - first.cycle < distance:
                yield f"{second.where} comes {second.cycle - first.cycle} cycles after {first.where}, not {distance}"


def _may_meet(first: _Instance, second: _Instance) -> bool:
    """Whether two accesses can touch the same byte, by the rules that `Memory` states."""
    a, b = first.operation.memory, second.operation.memory
    if a.root != b.root:
        return not (a.distinct or b.distinct or (a.group and b.group and a.group != b.group))
    if a.group and b.group and a.group != b.group:
        return False
    if a.offset is None or b.offset is None:
        return True
    if first.trip != second.trip and (a.step is None or a.step != b.step):
        return True
    start_a, start_b = (m.offset + it.trip * (m.step or 0) for m, it in ((a, first), (b, second)))
    return start_a < start_b + b.size and start_b < start_a + a.size


def _part_word(order: list[_Instance]) -> Iterable[str]:
    """While a store of less than a word reads, changes and writes its word, nothing else reaches memory."""
    accesses = [it for it in order if it.timing.memory_first]
    for store in (it for it in accesses if it.timing.part_word):
        for other in accesses:
            arrives = other.cycle + other.timing.memory_first - LOAD_STAGE
            if other is not store and store.cycle <= arrives < store.cycle + PART_WORD_CYCLES:
                yield f"{other.where} reaches memory while {store.where} holds it"


def _store_unit(order: list[_Instance]) -> Iterable[str]:
    """It takes one value a cycle, narrowing stores two cycles later than plain ones."""
    taken: dict[int, _Instance] = {}
    for it in order:
        if it.timing.stores:
            other = taken.setdefault(it.cycle + it.timing.store_unit, it)
            if other is not it:
                yield f"{it.where} needs the store unit in the same cycle as {other.where}"
