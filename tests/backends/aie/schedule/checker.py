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
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tests.backends.aie.schedule.machine import DELAY_SLOTS, SLOTS, Timing, timing

#: How far apart two operations of the unit that stores less than a word must issue.
PART_WORD_CYCLES = 7


@dataclass
class _Instance:
    """One execution of one operation."""

    operation: Any
    timing: Timing
    cycle: int
    trip: int
    where: str


@dataclass
class Trace:
    """What runs, in cycles, and what should run, in the program's order."""

    bundles: list[Sequence[Any]] = field(default_factory=list)
    program: list[tuple[str, int, int]] = field(default_factory=list)
    """(block, index, trip) in the order of the source."""


def violations(function: Any, schedule: Any, trips: int) -> list[str]:
    """What breaks a rule of `schedule.machine` when each loop of `function` runs `trips` times per entry."""
    found = [problem for label in schedule.blocks for problem in _bundle_rules(schedule, label)]
    found += [problem for block in function.blocks for problem in _branch_rules(block, schedule)]
    trace = _trace(function, schedule, trips)
    instances, missing = _instances(function, schedule, trace)
    if missing:
        return found + missing
    order = [instances[key] for key in trace.program]
    found += _registers(order, _names(function))
    found += _memory(function, order)
    found += _part_word(order)
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


def _trace(function: Any, schedule: Any, trips: int) -> Trace:
    """The blocks in the order of the layout, each single-block loop `trips` times; a pipelined loop's bundles run as
    often as its steady state does."""
    headers = {loop.header for loop in function.loops if len(loop.blocks) == 1}
    trace = Trace()
    for block in function.blocks:
        loops = block.label in headers
        kind = schedule.loops.get(block.label)
        runs = trips if loops else 1
        for trip in range(runs):
            trace.program += [(block.label, index, trip) for index in range(len(block.operations))]
        if kind is not None and kind.kind == "pipelined":
            runs -= kind.stages - 1
        for _ in range(runs):
            trace.bundles += schedule.blocks[block.label].bundles
    return trace


def _instances(function: Any, schedule: Any, trace: Trace) -> tuple[dict[tuple[str, int, int], _Instance], list[str]]:
    """Every operation's executions with the cycles in which they issue: an operation's n-th issue is its n-th trip."""
    seen: Counter[tuple[str, int]] = Counter()
    found: dict[tuple[str, int, int], _Instance] = {}
    source = {block.label: block.operations for block in function.blocks}
    missing = []
    for cycle, bundle in enumerate(trace.bundles):
        for issue in bundle:
            if issue.index < 0:
                continue
            key = (issue.block, issue.index)
            if source[issue.block][issue.index] != issue.operation:
                missing.append(
                    f"{issue.block}[{issue.index}] is {issue.operation.name}, not what the block holds there"
                )
            trip = seen[key]
            seen[key] += 1
            where = f"{issue.block}[{issue.index}] {issue.operation.name} of trip {trip} in cycle {cycle}"
            kind = timing(schedule.machine, issue.operation.name)
            found[*key, trip] = _Instance(issue.operation, kind, cycle, trip, where)
    wanted = Counter((block, index) for block, index, _ in trace.program)
    for key in sorted(wanted.keys() | seen.keys()):
        if wanted[key] != seen[key]:
            missing.append(f"{key[0]}[{key[1]}] issues {seen[key]} times, not {wanted[key]}")
    return found, missing


def _names(function: Any) -> dict[str, str]:
    """What a name at a trip's start and the name of its next value have in common: one register."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while leader.get(name, name) != name:
            name = leader[name]
        return name

    for loop in function.loops:
        for start, end in loop.carried:
            leader[find(end)] = find(start)
    return {name: find(name) for name in leader}


def _registers(order: list[_Instance], names: dict[str, str]) -> Iterable[str]:
    """Each read sees the write that comes last before it in the program."""
    writes: dict[str, list[tuple[int, bool, int]]] = defaultdict(list)
    for number, it in enumerate(order):
        for place, operand in enumerate(it.operation.defs):
            stage, bypass = it.timing.define(place)
            for name in operand.split("|"):
                writes[names.get(name, name)].append((it.cycle + stage, bypass, number))
    last: dict[str, int] = {}
    for number, it in enumerate(order):
        for place, operand in enumerate(it.operation.uses):
            stage, bypass = it.timing.use(place)
            for name in operand.split("|"):
                register = names.get(name, name)
                seen = _seen(writes[register], it.cycle + stage, bypass)
                if seen != last.get(register, -1):
                    yield _difference(it, name, order, last.get(register, -1), seen)
        for operand in it.operation.defs:
            for name in operand.split("|"):
                last[names.get(name, name)] = number


def _seen(writes: list[tuple[int, bool, int]], at: int, bypass: bool) -> int:
    """Number of the write that a read at stage time `at` sees; -1: what was there before."""
    before = [(when, number) for when, forwards, number in writes if when < at or (when == at and bypass and forwards)]
    return max(before)[1] if before else -1


def _difference(it: _Instance, name: str, order: list[_Instance], wanted: int, seen: int) -> str:
    def word(number: int) -> str:
        return order[number].where if number >= 0 else "what was there before"

    return f"{it.where} reads {name} of {word(seen)}, not of {word(wanted)}"


def _memory(function: Any, order: list[_Instance]) -> Iterable[str]:
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
    if None in (a.offset, b.offset, a.step, b.step) or a.step != b.step:
        return True
    start_a, start_b = a.offset + first.trip * a.step, b.offset + second.trip * b.step
    return start_a < start_b + b.size and start_b < start_a + a.size


def _part_word(order: list[_Instance]) -> Iterable[str]:
    """The unit that reads, changes and writes a word takes one store in seven cycles."""
    stores = sorted((it for it in order if it.timing.part_word), key=lambda it: it.cycle)
    for first, second in pairwise(stores):
        if second.cycle - first.cycle < PART_WORD_CYCLES:
            yield f"{second.where} comes {second.cycle - first.cycle} cycles after {first.where}"
