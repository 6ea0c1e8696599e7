"""A run of a kernel, ready to be told: its program, its window, and what reaches an output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kbench.backends.aie.cycles.program import Program, executed, read_program
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


@dataclass
class Programs:
    """What was scheduled of a candidate's builds: cases that run the same functions share it."""

    target: str
    sources: Mapping[str, str]
    known: dict[tuple[Path, frozenset[str]], Program] = field(default_factory=dict)

    def of(self, build: AieBuild, ran: Ran) -> Program:
        key = (build.module, executed(build, ran))
        if key not in self.known:
            self.known[key] = read_program(build, key[1], self.target, self.sources)
        return self.known[key]


def closeup(build: AieBuild, ran: Ran, programs: Programs) -> Closeup:
    """A run, with its kernel as bundles."""
    program = programs.of(build, ran)
    window = window_of(program, ran)
    return Closeup(build, ran, program, window, reaching(program, window))
