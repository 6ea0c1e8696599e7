"""What the figures of a run say in words: what to do, and what makes them suspect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbench.backends.aie.cycles.loops import Found
from kbench.backends.aie.cycles.program import Program
from kbench.backends.aie.cycles.tally import Tally
from kbench.backends.aie.cycles.window import Window
from kbench.backends.aie.sim.build import AieBuild
from kbench.core.profile import Hint

#: Of the whole kernel's cycles, what may lie outside the window without a word: the wrapper's own, and this share.
_OUTSIDE_CYCLES, _OUTSIDE_SHARE = 40, 0.1
#: Vector work that reaches no output, as a share of the vector cycles, from which it is told.
_USELESS_SHARE = 0.1
#: How often each output byte may be stored as part of a vector; kernels that overlap their last vector store some
#: twice.
_REWRITES = 2.0
_MOST_HINTS = 8


@dataclass(frozen=True)
class Evidence:
    """What findings are made of: sums of the window and of the whole run, and of what was stored."""

    build: AieBuild
    program: Program
    window: Window
    inside: Tally
    whole: Tally
    loops: list[Found]
    written: int
    reads_back: bool
    output_bytes: int


def hints(evidence: Evidence) -> tuple[Hint, ...]:
    """Advice, the weightiest first, behind what is suspect."""
    found = sorted(_advice(evidence), key=lambda hint: -(hint.share or 0))
    return (*_suspects(evidence), *found[:_MOST_HINTS])


def _suspects(e: Evidence) -> Iterator[Hint]:
    for site in e.build.facts.sites:
        if site.place:
            file, line = e.build.facts.places[site.place]
            message = "the kernel calls event0 or event1: the measured window is between the first of each"
            yield Hint(message=message, rule="own_events", kind="suspect", file=file, line=line)
    outside = e.whole.cycles - e.inside.cycles
    if e.window.whole:
        yield Hint(message="the run met no event0 or no event1: all of it is counted", rule="window", kind="suspect")
    elif e.window.backwards:
        yield Hint(message="event1 came before event0: there is nothing between them", rule="window", kind="suspect")
    elif outside > max(_OUTSIDE_CYCLES, _OUTSIDE_SHARE * e.whole.cycles):
        message = f"the window between event0 and event1 holds {e.inside.cycles:.0f} of {e.whole.cycles:.0f} cycles"
        yield Hint(message=message, rule="window", kind="suspect", share=outside / e.whole.cycles)
    yield from _useless(e)


def _useless(e: Evidence) -> Iterator[Hint]:
    counted = e.inside.vpu["default"]
    useless = counted - e.inside.useful
    if counted and useless > _USELESS_SHARE * counted:
        message = f"{useless:.0f} of {counted:.0f} vector cycles compute nothing that reaches an output"
        yield Hint(message=message, rule="useless_work", kind="suspect", share=useless / counted)
    if e.output_bytes and not e.reads_back and e.written > _REWRITES * e.output_bytes:
        times = e.written / e.output_bytes
        message = f"vectors are stored to the outputs {times:.1f} times over: only the last of them counts"
        yield Hint(message=message, rule="useless_work", kind="suspect", share=min(1.0, 1 - 1 / times))


def _straight(e: Evidence, cycles: float) -> Iterator[Hint]:
    """Blocks outside loops that mostly wait, while their loads stand behind stores that may overlap them."""
    for name, routine in e.program.routines.items():
        runs = e.window.executions(name, routine)
        for label, block in routine.schedule.blocks.items():
            spent = runs.get(label, 0) * len(block.bundles)
            idle = sum(not bundle for bundle in block.bundles)
            if label in routine.selected.shape.around or spent < 0.2 * cycles or idle < 0.25 * len(block.bundles):
                continue
            given = [o.memory for b in routine.selected.function.blocks if b.label == label for o in b.operations]
            if len({m.root for m in given if m is not None and not m.distinct}) > 1:
                message = "loads wait for stores that may overlap them: declare the buffers `__restrict`"
                yield Hint(message=message, rule="aliasing", share=min(1.0, spent / cycles))


def _advice(e: Evidence) -> Iterator[Hint]:
    cycles = e.inside.cycles
    if not cycles:
        return
    for found in e.loops:
        loop = found.loop
        if loop.hint and loop.cycles > 0.05 * cycles:
            share = min(1.0, loop.cycles / cycles)
            yield Hint(message=loop.hint, rule=f"loop {loop.bound}", file=loop.file, line=loop.line, share=share)
    yield from _straight(e, cycles)
    if e.inside.calls > 0.2 * cycles:
        message = "routines for what the scalar unit does not have (floats, division) take most of this time"
        yield Hint(message=message, rule="calls", share=min(1.0, e.inside.calls / cycles))
    if e.inside.spills > 0:
        message = (
            f"{e.inside.spills:.0f} values are stored and loaded again for want of registers: less unrolling, or fewer"
        )
        yield Hint(message=f"{message} vectors alive at once", rule="spills")
