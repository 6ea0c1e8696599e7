"""The functions of a kernel that a run executed, as bundles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbench.backends.aie.sim.build import AieBuild
from kbench.backends.aie.sim.ir import Module, Places, parse
from kbench.backends.aie.sim.machine import Ran
from kbench.backends.aie.sim.schedule import schedule
from kbench.backends.aie.sim.schedule.result import Schedule
from kbench.backends.aie.sim.select.flow import NaturalLoop
from kbench.backends.aie.sim.select.function import Hints, Selected, select
from kbench.backends.aie.sim.select.instructions import Code
from kbench.backends.aie.sim.select.reader import Reader


@dataclass(frozen=True)
class Routine:
    """A function of the kernel: its operations, its bundles, and the counter of each of its blocks."""

    selected: Selected
    schedule: Schedule
    counters: Mapping[str, int]

    @property
    def code(self) -> Code:
        return self.selected.code

    def counts(self, counters: Sequence[int]) -> dict[str, int]:
        """How often each block ran, by the counters of a run."""
        return self.selected.counts({label: int(counters[i]) for label, i in self.counters.items()})


@dataclass(frozen=True)
class Program:
    """The executed functions by name; `places` are (file, line) of the candidate's sources, index 0 is none."""

    target: str
    entry: str
    routines: Mapping[str, Routine]
    places: Sequence[tuple[str, int]]
    module: Module

    def of_block(self, block: int) -> tuple[str, str]:
        """(function, label) of a counter."""
        for name, routine in self.routines.items():
            for label, i in routine.counters.items():
                if i == block:
                    return name, label
        raise KeyError(block)

    def loop_place(self, routine: Routine, loop: NaturalLoop) -> tuple[str, int]:
        """Where a loop stands in the candidate's source; ("", 0) where that is not known."""
        place = _loop_place(self.module, _Lines(self.places), routine.code, loop)
        if place[0]:
            return place
        found = [
            self.places[i.place]
            for label in routine.code.blocks
            if label in loop.blocks
            for i in routine.code.blocks[label].instructions
            if i.place
        ]
        return min(found, key=lambda p: p[1]) if found else ("", 0)


class _Lines:
    def __init__(self, places: Sequence[tuple[str, int]]) -> None:
        self.own = {file for file, _ in places if file}


def executed(build: AieBuild, ran: Ran) -> frozenset[str]:
    """The functions that a run executed."""
    return frozenset(name for (name, _), count in zip(build.facts.labels, ran.counts, strict=True) if count)


def read_program(build: AieBuild, functions: frozenset[str], target: str, sources: Mapping[str, str]) -> Program:
    """Functions of a kernel, selected and scheduled. `sources`: the candidate's, for what they say about loops.

    Raises:
        HarnessError: an operation has no row in the machine's table.
    """
    module = parse(build.ir.read_text(errors="replace"))
    own = list(sources)
    places = Places(module.metadata, own)
    reader = Reader(module, places)
    counters: dict[str, dict[str, int]] = {}
    for i, (name, label) in enumerate(build.facts.labels):
        counters.setdefault(name, {})[label] = i
    codes = {name: reader.read(module.functions[name]) for name in counters if name in functions}
    table = places.table
    lines = [line for _, line in table]
    routines = {}
    for name, code in codes.items():
        hints = source_hints(module, table, code, sources)
        selected = select(code, target, lines, frozenset(counters), hints)
        routines[name] = Routine(selected, schedule(selected.function, target), counters[name])
    return Program(target, build.entry, routines, table, module)


# --- what the source says about loops ---------------------------------------------------------------------------------

_LOCATION = re.compile(r"!DILocation\(line: (\d+)")
_NUMBER = r"\(\s*(\d+)"
_MIN = re.compile(rf"AIE_LOOP_(?:MIN_ITERATION_COUNT|RANGE)\s*{_NUMBER}")
_UNROLL = re.compile(rf"AIE_LOOP_UNROLL\s*{_NUMBER}|\bunroll(?:_count)?\s*{_NUMBER}")
_INTERVAL = re.compile(rf"AIE_TRY_INITIATION_INTERVAL\s*{_NUMBER}")
_PRAGMA = re.compile(r"(?:(?:AIE_|#pragma|chess_)[^;{}]*)")
#: Lines before a loop that its pragmas may stand on.
_ABOVE = 8


def source_hints(
    module: Module, table: Sequence[tuple[str, int]], code: Code, sources: Mapping[str, str]
) -> dict[str, Hints]:
    """What the pragmas above each loop say, by the loop's metadata: they are no part of the IR."""
    own = {file for file, _ in table if file}
    found = {}
    texts = {name: text.split("\n") for name, text in sources.items()}
    for piece in code.blocks.values():
        node = piece.instructions[-1].loop if piece.instructions else ""
        if node:
            file, line = _located(module, own, node)
            if file in texts:
                found[node] = hints_above(texts[file], line)
    return found


def hints_above(lines: Sequence[str], line: int) -> Hints:
    """The hints in the lines directly above a loop that begins at `line` (from 1). The least number of trips is that of
    the loop as it is written: unrolled, it makes fewer."""
    text = ""
    for above in reversed(lines[max(0, line - 1 - _ABOVE) : max(0, line - 1)]):
        stripped = above.strip()
        if stripped and not (stripped.startswith("//") or _PRAGMA.fullmatch(stripped)):
            break
        text = f"{stripped}\n{text}"
    text += lines[line - 1].partition("for")[0] if 0 < line <= len(lines) else ""
    least, interval, unroll = _MIN.search(text), _INTERVAL.search(text), _UNROLL.search(text)
    by = max(1, int(unroll[1] or unroll[2])) if unroll else 1
    return Hints(
        min_trips=int(least[1]) // by if least else None,
        pipeline="AIE_NO_PREPARE_FOR_PIPELINING" not in text,
        target_ii=int(interval[1]) if interval else None,
    )


def _located(module: Module, own: set[str], node: str) -> tuple[str, int]:
    """(file, line) where a loop with this metadata begins, in the candidate's own files."""
    places = Places(module.metadata, own)
    for part in re.findall(r"!\d+", module.metadata.get(node, "")):
        if part != node and _LOCATION.match(module.metadata.get(part, "")):
            found = places.table[places.of(part)] if places.of(part) else ("", 0)
            if found[0]:
                return found
    return "", 0


def _loop_place(module: Module, lines: _Lines, code: Code, loop: NaturalLoop) -> tuple[str, int]:
    node = code.blocks[loop.latches[0]].instructions[-1].loop
    return _located(module, lines.own, node) if node else ("", 0)
