"""Cycles, slots, vector cycles and products of everything in a window.

Which instructions raise the trace event INSTR_VECTOR is not documented. Three weightings:

    strict    the vec slot alone: products, sums of accumulators
    default   besides: arithmetic, comparison, selection, permutation and widening in mv, narrowing in st
    loose     every vector operation: moves, insertions, loads and stores as well

`default` fits the one plain datum there is (NPUEval's argmax of bfloat16: 63 comparisons and 63 counted cycles,
although each takes two insertions as well). A bundle counts once, whatever it holds: the event is a level, not a
number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kbench.backends.aie.cycles.program import Program, Routine
from kbench.backends.aie.cycles.window import Sum, Window
from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.schedule.program import Call
from kbench.backends.aie.sim.schedule.result import BlockSchedule, Bundle, Issue
from kbench.backends.aie.sim.schedule.table import SLOTS, Machine
from kbench.backends.aie.sim.select import kinds
from kbench.backends.aie.sim.select.flow import integer
from kbench.backends.aie.sim.select.instructions import Instruction
from kbench.backends.aie.sim.select.registers import MATRICES, MULTIPLIES, SLIDES, lanes, operation_kinds
from kbench.backends.aie.sim.select.table import products_per_cycle

CLASSES: Mapping[str, frozenset[str]] = {
    "strict": frozenset(("vector",)),
    "default": frozenset(("vector", "arith", "convert")),
    "loose": frozenset(("vector", "arith", "convert", "move", "vload", "vstore")),
}
_OCCUPIES = {"lng": ("alu", "mv")}


@dataclass(frozen=True)
class Tally:
    """Sums over a window, in cycles where nothing else is said. `vpu` by weighting; `useful` of the default
    weighting, of bundles with an operation that reaches an output; `products`: multiplications done,
    `product_cycles`: the fewest cycles that those take on this device; `loaded`, `stored`: bytes; `operations` by
    slot."""

    cycles: float = 0.0
    busy: Mapping[str, float] = field(default_factory=dict)
    empty: float = 0.0
    calls: float = 0.0
    vpu: Mapping[str, float] = field(default_factory=dict)
    useful: float = 0.0
    products: float = 0.0
    product_cycles: float = 0.0
    loaded: float = 0.0
    stored: float = 0.0
    spills: float = 0.0
    lines: Mapping[tuple[int, str], float] = field(default_factory=dict)


def tally(program: Program, window: Window, useful: Mapping[str, frozenset[str]]) -> Tally:
    """The sums of a window. `useful`: by function, the values that reach an output."""
    sums = window.total(program, _Measure(machine(program.target), useful))
    products, product_cycles = _products(program, window)
    return Tally(
        cycles=sums.get("cycles", 0.0),
        busy={slot: sums.get(f"slot {slot}", 0.0) for slot in SLOTS},
        empty=sums.get("empty", 0.0),
        calls=sums.get("calls", 0.0),
        vpu={name: sums.get(name, 0.0) for name in CLASSES},
        useful=sums.get("useful", 0.0),
        products=products,
        product_cycles=product_cycles,
        loaded=sums.get("loaded", 0.0),
        stored=sums.get("stored", 0.0),
        spills=sums.get("spills", 0.0),
        lines=_lines(sums),
    )


@dataclass(frozen=True)
class _Measure:
    """What some bundles of a block are."""

    core: Machine
    useful: Mapping[str, frozenset[str]]

    def __call__(self, routine: Routine, block: BlockSchedule, start: int, end: int) -> Sum:
        found: Sum = {"cycles": float(end - start)}
        for bundle in block.bundles[start:end]:
            self.bundle(routine, bundle, found)
        for at, call in calls(block, self.core.delay_slots):
            if start <= at < end:
                _count(found, "cycles", call.cycles)
                _count(found, "calls", call.cycles)
                for name in CLASSES:
                    _count(found, name, call.vector_cycles)
        if start == 0 and end == len(block.bundles):
            _count(found, "spills", block.spills)
        return found

    def bundle(self, routine: Routine, bundle: Bundle, found: Sum) -> None:
        sorts = {self.core.row(issue.operation.name).sort for issue in bundle}
        for name, counted in CLASSES.items():
            _count(found, name, bool(sorts & counted))
        _count(found, "empty", not bundle)
        _count(found, "useful", any(self.reaches(routine, issue) for issue in bundle))
        for issue in bundle:
            for slot in _OCCUPIES.get(issue.slot, (issue.slot,)):
                _count(found, f"slot {slot}")
                _count(found, f"line {issue.operation.line} {slot}")
            memory = issue.operation.memory
            if memory is not None:
                writes = self.core.row(issue.operation.name).writes is not None
                _count(found, "stored" if writes else "loaded", memory.size)

    def reaches(self, routine: Routine, issue: Issue) -> bool:
        """Whether an operation counts as vector work and is part of a value that reaches an output."""
        origins = routine.selected.origins.get(issue.block, ())
        counts = self.core.row(issue.operation.name).sort in CLASSES["default"] and 0 <= issue.index < len(origins)
        return counts and origins[issue.index] in self.useful.get(routine.code.name, ())


def calls(block: BlockSchedule, delay_slots: int) -> Iterator[tuple[int, Call]]:
    """(bundle behind which it runs: the last of the call's delay slots, the call) of every call in a block."""
    for i, bundle in enumerate(block.bundles):
        for issue in bundle:
            if issue.operation.call is not None:
                yield min(i + delay_slots, len(block.bundles) - 1), issue.operation.call


def _count(found: Sum, name: str, n: float = 1.0) -> None:
    found[name] = found.get(name, 0.0) + n


def _lines(sums: Sum) -> dict[tuple[int, str], float]:
    found = {}
    for name, n in sums.items():
        if name.startswith("line "):
            _, line, slot = name.split()
            if line != "0":
                found[int(line), slot] = n
    return found


def _products(program: Program, window: Window) -> tuple[float, float]:
    """(multiplications, the fewest cycles that they take) of what ran in the window."""
    total = least = 0.0
    for name, routine in program.routines.items():
        for label, times in window.counts.get(name, {}).items():
            piece = routine.code.blocks.get(label)
            for instruction in piece.instructions if times and piece is not None else ():
                number, pair = products_of(instruction)
                total += number * times
                least += number * times / products_per_cycle(program.target, *pair) if number else 0
    return total, least


def products_of(instruction: Instruction) -> tuple[int, tuple[str, str]]:
    """(multiplications of an operation, the kinds of its factors)."""
    name = instruction.operation
    if name not in MULTIPLIES and name not in MATRICES and name not in SLIDES:
        return 0, ("", "")
    found = operation_kinds(instruction)
    accumulates = name.endswith(("mac", "msc"))
    pair = (found[2], found[3]) if accumulates else (found[1], found[2])
    if name in MULTIPLIES:
        return lanes(instruction.type, found[0]), pair
    numbers = [integer(v) for v, t in zip(instruction.operands[1:], instruction.types[1:], strict=False) if t == "i32"]
    known = [n for n in numbers if n is not None]
    if name in MATRICES:
        sizes = known[:3] if len(known) >= 3 else [8, 8, 8]
        return sizes[0] * sizes[1] * sizes[2], pair
    points = known[0] if known and "accumulate" not in name else 1
    return lanes(instruction.type, found[0]) * max(1, points), pair


def bytes_of(instruction: Instruction) -> int:
    """Bytes that a load or a store moves."""
    return max(1, kinds.bits(instruction.type) // 8)
