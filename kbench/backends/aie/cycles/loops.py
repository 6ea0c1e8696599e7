"""The kernel's loops as a profile tells them, each with what holds it back in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kbench.backends.aie.cycles.program import Program, Routine
from kbench.backends.aie.cycles.window import Window
from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.schedule.result import LoopSchedule
from kbench.backends.aie.sim.select.flow import NaturalLoop
from kbench.core.profile import Loop

_VECTOR = frozenset(("vector", "arith", "convert", "vload", "vstore"))


@dataclass(frozen=True)
class Found:
    """A loop of a function, its schedule where it is innermost, and what a profile says of it."""

    routine: Routine
    shape: NaturalLoop
    schedule: LoopSchedule | None
    loop: Loop


def loops_of(program: Program, window: Window) -> list[Found]:
    """The innermost loops that ran in a window, the costliest first."""
    found = [one for name, routine in program.routines.items() for one in _of(program, window, name, routine)]
    return sorted(found, key=lambda one: -one.loop.cycles)


def _of(program: Program, window: Window, name: str, routine: Routine) -> Iterator[Found]:
    counts = window.counts.get(name, {})
    runs = window.executions(name, routine)
    for shape in routine.selected.shape.loops:
        trips = counts.get(shape.header, 0)
        if not trips or not shape.innermost:
            continue
        entries = sum(min(counts.get(b, 0), trips) for b in routine.selected.shape.entries(shape)) or 1
        file, line = program.loop_place(routine, shape)
        placed = routine.schedule.loops.get(shape.header)
        cycles = sum(runs[label] * routine.schedule.blocks[label].cycles for label in shape.blocks)
        if placed is None:
            length = cycles / trips
            bound, hint = _several_blocks(program, routine, shape, counts)
            loop = Loop(file=file, line=line, entries=entries, trips=trips, interval=length, length=length,
                        cycles=cycles, bound=bound, hint=hint)  # fmt: skip
        else:
            cycles += min(entries, trips) * (placed.stages - 1) * placed.ii * (2 if placed.stages > 1 else 0)
            loop = Loop(
                file=file,
                line=line,
                entries=entries,
                trips=trips,
                interval=placed.ii,
                length=placed.length,
                stages=placed.stages,
                pipelined=placed.kind == "pipelined",
                cycles=cycles,
                bound=bound_of(placed),
                hint=advice(program, routine, shape, placed)[:500],
            )
        yield Found(routine, shape, placed, loop)


def bound_of(placed: LoopSchedule) -> str:
    """What holds a loop back, in two words at most."""
    if placed.bound == "slot":
        return f"slot {placed.resource}" if placed.resource else "slot"
    return placed.bound


def _several_blocks(
    program: Program, routine: Routine, shape: NaturalLoop, counts: Mapping[str, int]
) -> tuple[str, str]:
    names = [call for label in shape.blocks if counts.get(label) for call in calls_of(routine, label)]
    if names:
        return "call", _calls(names)
    return "control", "the body branches: a conditional expression, or aie::select, keeps it one block that can overlap"


def calls_of(routine: Routine, label: str) -> list[str]:
    """The routines that a block calls."""
    found = routine.selected.function.blocks
    return [op.call.name for b in found if b.label == label for op in b.operations if op.call is not None]


_ROUTINES = {
    "__mulsf3": "a float product", "__divsf3": "a float division", "__cmpsf2": "a float comparison",
    "__floatsisf": "an integer made a float", "__floatunsisf": "an integer made a float",
    "__fixsfsi": "a float made an integer", "__fixunssfsi": "a float made an integer",
    "__udivsi3": "a division", "__umodsi3": "a remainder", "__divsi3": "a division", "__modsi3": "a remainder",
    "__muldi3": "a 64-bit product",
}  # fmt: skip


def _calls(names: list[str]) -> str:
    told = [f"{_ROUTINES[n]} ({n})" if n in _ROUTINES else n for n in dict.fromkeys(names) if n]
    what = ", ".join(told[:3]) or "a function of its own"
    return f"each trip calls {what}: the scalar unit has none of it; on vectors it is a few cycles for 16 lanes or more"


def is_vector(program: Program, routine: Routine, shape: NaturalLoop) -> bool:
    """Whether a loop's body has any vector operation."""
    core = machine(program.target)
    blocks = [b for b in routine.selected.function.blocks if b.label in shape.blocks]
    return any(core.row(op.name).sort in _VECTOR for b in blocks for op in b.operations)


def advice(program: Program, routine: Routine, shape: NaturalLoop, placed: LoopSchedule) -> str:
    """What would make a loop faster, in words."""
    names = [n for label in shape.blocks for n in calls_of(routine, label)]
    if names or placed.bound == "call":
        return _calls(names)
    why = placed.reason
    if not is_vector(program, routine, shape):
        return f"one element at a time: load vectors (aie::load_v), work on them, store them; {why}"
    if placed.bound == "aliasing":
        return f"loads wait for stores that may overlap them: declare the buffers `__restrict`; {why}"
    if placed.bound == "recurrence":
        return f"each trip waits for the one before: sum into two or more accumulators, add them behind the loop; {why}"
    if placed.bound == "slot":
        return f"{_slot(placed.resource)}; {why}"
    if placed.bound == "latency":
        return f"trips follow one another without overlapping: {why}"
    return why


_SLOTS = {
    "st": "stores (or narrowing, which shares their slot) fill every cycle: narrow as the value is stored, store whole "
          "vectors",
    "lda": "loads fill their slot: keep in registers what is read again",
    "ldb": "loads fill their slot: keep in registers what is read again",
    "mv": "arithmetic outside the multiplier, comparisons and permutations share one slot: let the multiplier do some "
    "of it (mac with 1, shifts at the end)",
    "vec": "the multiplier is busy in every cycle: fewer products, or narrower types that it takes more of",
    "alu": "scalar arithmetic fills its slot: compute indices and conditions outside the loop",
    "lng": "large constants and branches fill their slots: keep constants in registers",
}  # fmt: skip


def _slot(resource: str) -> str:
    return _SLOTS.get(resource, f"{resource} is full in every cycle")
