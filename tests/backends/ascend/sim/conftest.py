"""The driver of vector operations, built once for a session, and a way to run steps in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from kbench.backends.ascend.sim.kernel import GmBuffer, KernelResult, Launch, build_kernel, run_kernel
from kbench.backends.ascend.targets import DEFAULT_TARGET, TARGETS
from kbench.core.candidate import Candidate
from kbench.core.hostcc.sandbox import Sandbox, sandbox
from tests.backends.ascend.sim.vec_steps import DRIVER, IMAGE, Bytes, Step, program


@dataclass(frozen=True)
class VecMachine:
    """A built driver: `run(steps, images)` gives the images afterwards and what the run reported."""

    program: Path
    sandbox: Sandbox

    def run(self, steps: list[Step], images: Bytes, *, saturate: bool = False) -> tuple[Bytes, KernelResult]:
        """`images`: one row a step."""
        args = [
            GmBuffer("steps", "in", program(steps, saturate=saturate)),
            GmBuffer("in", "in", images.reshape(-1)),
            GmBuffer("out", "out", nbytes=len(steps) * IMAGE),
        ]
        result = run_kernel(self.program, Launch(1, args, TARGETS[DEFAULT_TARGET]), sandbox=self.sandbox, timeout_s=60)
        return result.outputs[0].reshape(len(steps), IMAGE), result


@pytest.fixture(scope="session")
def vec(tmp_path_factory: pytest.TempPathFactory) -> VecMachine:
    candidate = Candidate({"vec_driver.cpp": DRIVER.read_text()}, {"kernel": "vec_driver.cpp"})
    box = sandbox("auto")
    build = build_kernel(candidate, sandbox=box, timeout_s=120, workdir=tmp_path_factory.mktemp("vec"))
    return VecMachine(build.program, box)
