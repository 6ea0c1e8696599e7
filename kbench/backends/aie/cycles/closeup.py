"""A run of a kernel, ready to be told: its program, its window, and what reaches an output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kbench.backends.aie.cycles.program import Program, read_program
from kbench.backends.aie.cycles.useful import reaching
from kbench.backends.aie.cycles.window import Window, window_of
from kbench.backends.aie.sim.build import AieBuild
from kbench.backends.aie.sim.machine import Ran


@dataclass(frozen=True)
class Closeup:
    """`useful`: by function, the values that reach an output."""

    build: AieBuild
    ran: Ran
    program: Program
    window: Window
    useful: Mapping[str, frozenset[str]]


def closeup(build: AieBuild, ran: Ran, target: str, sources: Mapping[str, str]) -> Closeup:
    """Reads and schedules what a run executed. `sources`: the candidate's files."""
    program = read_program(build, ran, target, sources)
    window = window_of(program, ran)
    return Closeup(build, ran, program, window, reaching(program, window))
