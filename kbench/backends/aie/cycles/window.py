"""What lies between event0 and event1: whole executions of blocks, less the parts of two blocks that lie outside.

As NPUEval has it, the window goes from the first event0 to the first event1 of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from kbench.backends.aie.cycles.program import Program, Routine
from kbench.backends.aie.sim.machine import Mark, Ran
from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.schedule.result import BlockSchedule

#: A quantity of bundles: it is added, and taken several times.
Sum = dict[str, float]
T = TypeVar("T")


@dataclass(frozen=True)
class Part:
    """Bundles of a block that count although its execution lies in part outside: from `start` to `end`, `times`
    over."""

    function: str
    label: str
    start: int
    end: int
    times: int


@dataclass(frozen=True)
class Window:
    """How often each block's bundles run between the events, by function and label, and the parts to be taken off or
    added. `counts` are of the program's blocks. `whole`: the run met no event0 or no event1, so that it is all of it;
    `backwards`: event1 came first, so that there is nothing between them."""

    counts: Mapping[str, Mapping[str, int]]
    parts: tuple[Part, ...] = ()
    whole: bool = False
    backwards: bool = False
    sites: tuple[int, ...] = field(default=())

    def executions(self, name: str, routine: Routine) -> dict[str, int]:
        """How often the bundles of each block run."""
        return routine.schedule.executions(self.counts.get(name, {}))

    def total(self, program: Program, measure: Callable[[Routine, BlockSchedule, int, int], Sum]) -> Sum:
        """The sum of what `measure` says of bundles `start` to `end` of a block, over the window."""
        total: Sum = {}
        for name, routine in program.routines.items():
            for label, times in self.executions(name, routine).items():
                if times:
                    block = routine.schedule.blocks[label]
                    _add(total, measure(routine, block, 0, len(block.bundles)), times)
        for part in self.parts:
            routine = program.routines[part.function]
            block = routine.schedule.blocks[part.label]
            _add(total, measure(routine, block, part.start, part.end), part.times)
        return {name: max(0.0, n) for name, n in total.items()}


def _add(total: Sum, more: Sum, times: int) -> None:
    for name, n in more.items():
        total[name] = total.get(name, 0.0) + n * times


def all_of(program: Program, ran: Ran) -> Window:
    """Everything that a run executed."""
    return Window({name: r.counts(ran.counts.tolist()) for name, r in program.routines.items()}, whole=True)


def window_of(program: Program, ran: Ran) -> Window:
    """What a run executed between its first event0 and its first event1."""
    first, last = ran.events
    if first is None or last is None:
        return all_of(program, ran)
    between = last.counts.astype("int64") - first.counts.astype("int64")
    if (between < 0).any() or _same_place_backwards(first, last):
        return Window({}, backwards=True)
    between[first.site.block] += 1  # the block's counter had run when the event came
    counts = {name: routine.counts(between.tolist()) for name, routine in program.routines.items()}
    begin, end = program.of_block(first.site.block), program.of_block(last.site.block)
    parts = [Part(*begin, 0, position(program, *begin, first.site.before), -1)]
    final = program.routines[end[0]].schedule.blocks[end[1]]
    parts.append(Part(*end, position(program, *end, last.site.before), len(final.bundles), -1))
    if begin[0] != end[0]:  # the call that leads to the last event has not returned
        block = program.routines[begin[0]].schedule.blocks[begin[1]]
        calls = [i for i, bundle in enumerate(block.bundles) for issue in bundle if issue.operation.name == "jl"]
        behind = calls[-1] + 1 + machine(program.target).delay_slots if calls else len(block.bundles)
        parts.append(Part(*begin, min(behind, len(block.bundles)), len(block.bundles), -1))
    return Window(counts, tuple(parts))


def _same_place_backwards(first: Mark, last: Mark) -> bool:
    same = first.site.block == last.site.block and (first.counts == last.counts).all()
    return bool(same and last.site.before < first.site.before)


def position(program: Program, function: str, label: str, before: int) -> int:
    """The bundle of an event's block in which the event with so many before it stands."""
    found = []
    for i, bundle in enumerate(program.routines[function].schedule.blocks[label].bundles):
        found += [(issue.index, i) for issue in bundle if issue.operation.name == "event" and issue.block == label]
    found.sort()
    return found[min(before, len(found) - 1)][1] if found else 0
