"""Builds a program's kernel, through the headers as a candidate would, and runs it. The only side that knows kbench."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kbench.backends.aie.sim.build import AieBuild, build_kernel
from kbench.backends.aie.sim.machine import Buffer, Call, run_kernel
from kbench.core.hostcc.compiler import Source
from kbench.core.hostcc.sandbox import sandbox
from tests.backends.aie.oracles.numbers import RESET, ROUNDINGS, SATURATIONS, State
from tests.backends.aie.properties.steps import Program

ENTRY = "properties_wrapper"
_MAIN = f"""#include "kernel.cc"
extern "C" void {ENTRY}(int8_t *in, int8_t *out, int32_t rounding, int32_t saturation) {{
    properties(in, out, rounding, saturation);
}}
"""
#: Every mode of each kind once, and a few of them together.
STATES = [
    *(State(rounding, "none") for rounding in ROUNDINGS),
    *(State("floor", saturation) for saturation in SATURATIONS if saturation != "none"),
    State("positive_inf", "saturate"),
    State("conv_even", "symmetric"),
]


@dataclass(frozen=True)
class Machine:
    program: Program
    build: AieBuild

    def wrong(self, states: Iterable[State], seed: int) -> list[str]:
        """What differs from the oracles, over the states, on operands drawn once."""
        before = self.program.inputs(np.random.default_rng(seed))
        return [line for state in states for line in self.program.wrong(state, before, self.run(before, state))]

    def run(self, before: np.ndarray, state: State = RESET) -> np.ndarray:
        buffers = [
            Buffer("in", len(before), before.tobytes()),
            Buffer("out", self.program.out_bytes, writable=True),
        ]
        arguments = [
            ("buffer", 0), ("buffer", 1), ("i32", ROUNDINGS[state.rounding]), ("i32", SATURATIONS[state.saturation])
        ]  # fmt: skip
        call = Call(buffers, arguments, stack_bytes=32768)
        return run_kernel(self.build, call, sandbox("auto"), 60.0)[0].outputs[0]


def built(program: Program, target: str, workdir: Path) -> Machine:
    source = Source({"main.cc": _MAIN, "kernel.cc": program.source()}, "main.cc")
    return Machine(
        program, build_kernel(source, ENTRY, target, sandbox=sandbox("auto"), timeout_s=120.0, workdir=workdir)
    )
