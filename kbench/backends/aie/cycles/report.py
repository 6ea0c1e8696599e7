"""The profile of a case: cycles between the events, the scores, loops, slots and what to do.

Scores, between 0 and 1:

    vectorization         vector cycles (default weighting) over all cycles, as NPUEval defines it
    vectorization_strict  the same with the vec slot alone; vectorization_loose with every vector operation
    useful_vector         of vectorization, what reaches an output and is not overwritten
    mac_utilisation       the fewest cycles that the kernel's products take, over its cycles
"""

from __future__ import annotations

from collections.abc import Iterator

from kbench.backends.aie.cycles.closeup import Closeup
from kbench.backends.aie.cycles.findings import Evidence, hints
from kbench.backends.aie.cycles.loops import loops_of
from kbench.backends.aie.cycles.program import Program
from kbench.backends.aie.cycles.tally import Tally, tally
from kbench.backends.aie.cycles.useful import output_bytes
from kbench.backends.aie.cycles.window import all_of
from kbench.backends.aie.movement import Movement
from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.select.registers import Registers
from kbench.core.profile import MOST, Line, Profile, Roofline, Traffic, Unit, costliest

#: Bytes of a load (there are two a cycle) and of a store: AM020; npu2's 512-bit accesses: AIE2P's schedule.
_ACCESS_BYTES = {"npu1": 32, "npu2": 64}
#: Bytes that a port of the tile's DMA moves in a cycle: a stream of 32 bits (AM020; mlir-aie programming guide 4c).
_PORT_BYTES = 4
_BANKS = "no two accesses of a bundle meet in one bank of memory"
_ROUTINES = "routines (division, floats of 32 bits, mathematics) take what our own estimate says"


def profile_of(seen: Closeup, moved: Movement, file: str) -> Profile:
    """The profile of a run. `file`: the kernel's."""
    program, window = seen.program, seen.window
    inside = tally(program, window, seen.useful)
    whole = tally(program, all_of(program, seen.ran), {})
    found = loops_of(program, window)
    written, back = output_bytes(program, window)
    outputs = sum(b.moved_bytes for b in moved.buffers if b.direction == "out")
    evidence = Evidence(seen.build, program, window, inside, whole, found, written, back, outputs)
    cycles = inside.cycles
    roofline = roofline_of(moved, program.target)
    return Profile(
        cycles=cycles,
        units=_units(inside),
        traffic=_traffic(moved),
        roofline=roofline if roofline.cycles <= cycles else None,
        bound=_bound(program, evidence),
        hints=hints(evidence)[:MOST],
        loops=costliest([one.loop for one in found]),
        lines=_lines(inside, file),
        scores=scores_of(inside, evidence) if cycles else {},
        counts=_counts(evidence, moved),
        assumptions=tuple(assumed(seen, inside)),
    )


def assumed(seen: Closeup, inside: Tally) -> Iterator[str]:
    """What the model took for granted in this window."""
    if inside.loaded or inside.stored:
        yield _BANKS
    if inside.calls:
        yield _ROUTINES
    guessed = sorted(estimated(seen))
    if guessed:
        yield f"no source says what these operations are made of: {', '.join(guessed[:8])}"


def estimated(seen: Closeup) -> set[str]:
    """The operations that ran in the window and whose row in the table is an estimate."""
    found = set()
    for name, routine in seen.program.routines.items():
        registers = Registers(routine.code, seen.program.target, machine(seen.program.target).vector_bytes)
        for label, piece in routine.code.blocks.items():
            for i in piece.instructions if seen.window.counts.get(name, {}).get(label) else ():
                row = registers.row(i) if i.operation else None
                if row is not None and row.source.startswith("EST"):
                    found.add(i.operation)
    return found


def roofline_of(moved: Movement, target: str) -> Roofline:
    """Every input loaded once, every output stored once."""
    size = _ACCESS_BYTES[target]
    sums = {way: sum(b.moved_bytes for b in moved.buffers if b.direction == way) for way in ("in", "out")}
    limits = {"loads": float(-(-sums["in"] // (2 * size))), "stores": float(-(-sums["out"] // size))}
    return Roofline(limits=limits, basis="task", bytes=sums["in"] + sums["out"])


def dma_cycles(moved: Movement) -> float:
    """Cycles in which the DMA moves all buffers of a call, each over a port of its own, inputs and outputs at once."""
    return float(max(-(-b.moved_bytes // _PORT_BYTES) for b in moved.buffers))


def scores_of(inside: Tally, evidence: Evidence) -> dict[str, float]:
    cycles = inside.cycles
    kept = 1.0
    if evidence.output_bytes and evidence.written > evidence.output_bytes and not evidence.reads_back:
        kept = evidence.output_bytes / evidence.written
    return {
        "vectorization": min(1.0, inside.vpu["default"] / cycles),
        "vectorization_strict": min(1.0, inside.vpu["strict"] / cycles),
        "vectorization_loose": min(1.0, inside.vpu["loose"] / cycles),
        "useful_vector": min(1.0, kept * inside.useful / cycles),
        "mac_utilisation": min(1.0, inside.product_cycles / cycles),
    }


def _counts(evidence: Evidence, moved: Movement) -> dict[str, float]:
    inside = evidence.inside
    return {
        "vpu_cycles": inside.vpu["default"],
        "vpu_cycles_strict": inside.vpu["strict"],
        "vpu_cycles_loose": inside.vpu["loose"],
        "useful_vector_cycles": inside.useful,
        "whole_cycles": evidence.whole.cycles,
        "empty_cycles": inside.empty,
        "routine_cycles": inside.calls,
        "multiplications": inside.products,
        "multiplication_cycles": inside.product_cycles,
        "loaded_bytes": inside.loaded,
        "stored_bytes": inside.stored,
        "dma_cycles": dma_cycles(moved),
    }


def _units(inside: Tally) -> tuple[Unit, ...]:
    return tuple(
        Unit(name=slot, busy_cycles=min(n, inside.cycles), operations=round(n)) for slot, n in inside.busy.items()
    )


def _traffic(moved: Movement) -> tuple[Traffic, ...]:
    names = {"in": "DMA in", "out": "DMA out"}
    return tuple(
        Traffic(path=f"{names[b.direction]} {b.port}", bytes=b.moved_bytes, transfers=1) for b in moved.buffers
    )


def _bound(program: Program, evidence: Evidence) -> str:
    """The costliest loop's bound, or the fullest slot where no loop takes half of the time."""
    inside, loops = evidence.inside, evidence.loops
    if loops and loops[0].loop.cycles > inside.cycles / 2:
        return loops[0].loop.bound
    slot = max(inside.busy, key=lambda name: inside.busy[name])
    if inside.calls > inside.cycles / 2:
        return "call"
    return f"slot {slot}" if inside.busy[slot] > inside.cycles / 2 else "latency"


def _lines(inside: Tally, file: str) -> tuple[Line, ...]:
    found = [
        Line(file=file, line=line, unit=slot, cycles=n, operations=round(n))
        for (line, slot), n in inside.lines.items()
        if n > 0
    ]
    return costliest(found)
