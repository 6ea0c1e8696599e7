"""The bundles of a run in time: a track for each slot, and one for routines.

A run tells how often each block ran, not in which order. The order drawn is one that agrees with the counts: a loop
makes its trips at each entry in equal shares, a branch goes first where it went most often. What is beyond so many
operations is drawn as one span for each slot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kbench.backends.aie.cycles.closeup import Closeup
from kbench.backends.aie.cycles.listing import told
from kbench.backends.aie.cycles.program import Routine
from kbench.backends.aie.cycles.tally import Tally, tally
from kbench.backends.aie.cycles.window import all_of
from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.schedule.program import Block
from kbench.backends.aie.sim.schedule.result import BlockSchedule
from kbench.backends.aie.sim.schedule.table import SLOTS
from kbench.core.timeline import Span, Timeline, Track

#: The clock depends on the device's power mode: a picture takes a cycle for a nanosecond.
_US = 0.001
_MOST_OPERATIONS = 40_000
_MOST_DEPTH = 16
_ROUTINES = len(SLOTS)
_NOTES = (
    "a cycle is drawn as a nanosecond: the clock depends on the device's power mode",
    "blocks are drawn in an order that agrees with how often each ran",
)


def timeline(seen: Closeup, file: str) -> Timeline:
    """The timeline of a whole run, from the wrapper's first bundle to its last; `event` spans bound the window."""
    whole = all_of(seen.program, seen.ran)
    walk = _Walk(seen, file, {name: dict(counts) for name, counts in whole.counts.items()})
    walk.function(seen.program.entry, 0)
    sums = tally(seen.program, whole, {})
    spans = walk.spans
    if walk.cycle < round(sums.cycles):
        spans += _rest(walk, sums)
    tracks = [Track("tile", slot) for slot in (*SLOTS, "routines")]
    facts: dict[str, str | int | float] = {"target": seen.program.target, "cycles": round(sums.cycles)}
    return Timeline(tracks, spans, facts=facts, notes=_NOTES)


def _rest(walk: _Walk, sums: Tally) -> Iterator[Span]:
    """What was not drawn one by one."""
    left = round(sums.cycles) - walk.cycle
    for track, slot in enumerate(SLOTS):
        busy = max(0.0, sums.busy[slot] - walk.drawn[track])
        if busy:
            yield Span(track, "and so on", walk.cycle * _US, left * _US, operations=round(busy), busy_us=busy * _US)


@dataclass
class _Walk:
    seen: Closeup
    file: str
    remaining: dict[str, dict[str, int]]
    spans: list[Span] = field(default_factory=list)
    cycle: int = 0
    drawn: list[int] = field(default_factory=lambda: [0] * len(SLOTS))

    @property
    def full(self) -> bool:
        return len(self.spans) >= _MOST_OPERATIONS

    def function(self, name: str, depth: int) -> None:
        routine = self.seen.program.routines.get(name)
        if routine is None or depth > _MOST_DEPTH:
            return
        label: str | None = routine.selected.function.blocks[0].label
        while label is not None and not self.full:
            self.trips(name, routine, label, depth)
            label = self.following(name, routine, label)

    def trips(self, name: str, routine: Routine, label: str, depth: int) -> None:
        """One execution of a block; of a loop of one block all those of an entry."""
        left = self.remaining[name]
        times = 1
        loop = routine.schedule.loops.get(label)
        if loop is not None:
            entries = max(1, sum(left.get(b, 0) + 1 for b in self._before(routine, label)))
            times = max(1, -(-left.get(label, 0) // entries))
        left[label] = left.get(label, 0) - times
        runs = times if loop is None or loop.kind != "pipelined" else max(0, times - loop.stages + 1)
        for _ in range(runs):
            if self.full:
                return
            self.block(routine, routine.schedule.blocks[label], depth)

    @staticmethod
    def _before(routine: Routine, label: str) -> list[str]:
        blocks = routine.selected.function.blocks
        return [b.label for b in blocks if label in b.successors and b.label != label]

    def block(self, routine: Routine, block: BlockSchedule, depth: int) -> None:
        delay = machine(self.seen.program.target).delay_slots
        returns: list[tuple[int, str, int]] = []
        for at, bundle in enumerate(block.bundles):
            for issue in bundle:
                for slot in ("alu", "mv") if issue.slot == "lng" else (issue.slot,):
                    track = SLOTS.index(slot)
                    self.drawn[track] += 1
                    line = issue.operation.line
                    file = self.file if line else ""
                    facts = {"text": told(issue.operation)}
                    self.spans.append(
                        Span(track, issue.operation.name, self.cycle * _US, _US, file=file, line=line, facts=facts)
                    )
                if issue.operation.call is not None:
                    call = issue.operation.call
                    returns.append((min(at + delay, len(block.bundles) - 1), call.name, call.cycles))
            self.cycle += 1
            for behind, called, cycles in returns:
                if behind == at:
                    self.call(called, cycles, depth)

    def call(self, name: str, cycles: int, depth: int) -> None:
        if cycles:
            self.spans.append(Span(_ROUTINES, name, self.cycle * _US, cycles * _US))
            self.cycle += cycles
        else:
            self.function(name, depth + 1)

    def following(self, name: str, routine: Routine, label: str) -> str | None:
        """A successor that has still to run: within the loop before out of it, what leads to the others before
        those."""
        left = self.remaining[name]
        blocks = {b.label: b for b in routine.selected.function.blocks}
        waiting = [s for s in blocks[label].successors if left.get(s, 0) > 0]
        loop = routine.selected.shape.around.get(label)
        ahead = {s: len(_reached(blocks, s) & set(waiting)) for s in waiting} if len(waiting) > 1 else {}
        waiting.sort(key=lambda s: (loop is None or s not in loop.blocks, -ahead.get(s, 0), -left[s]))
        return waiting[0] if waiting else None


def _reached(blocks: Mapping[str, Block], start: str) -> set[str]:
    """The blocks that a block leads to."""
    found: set[str] = set()
    waiting = list(blocks[start].successors)
    while waiting:
        label = waiting.pop()
        if label not in found:
            found.add(label)
            waiting += blocks[label].successors
    return found
