"""Small programs for the tests of the compiler and the sandbox: a candidate's text, built and run as a kernel is."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbench.core.hostcc.archive import library
from kbench.core.hostcc.compiler import CompileJob, Source, compile_object
from kbench.core.hostcc.linker import link, support_symbol
from kbench.core.hostcc.sandbox import Finished, Limits, Mount, Sandbox

HERE = Path(__file__).parent
LIMITS = Limits(wall_s=20, memory_bytes=1 << 30)


@dataclass(frozen=True)
class Ran:
    """How a program ended: the sandbox's facts, and the report's lines."""

    finished: Finished
    report: list[dict[str, Any]]

    @property
    def outcome(self) -> str:
        """The class that the program's own end line gives, or `returned`."""
        return next((line["outcome"] for line in self.report if line.get("end")), "returned")

    @property
    def message(self) -> str:
        return next((line["message"] for line in self.report if line.get("end")), "")


def build(
    text: str,
    box: Sandbox,
    folder: Path,
    *,
    part: str = "host",
    allowed: Callable[[str], bool] = support_symbol,
    timeout_s: float = 60,
) -> Path:
    """The program of a source that defines `extern "C" void candidate(int argc, char** argv)`."""
    job = CompileJob(Source({"candidate.cpp": text}, "candidate.cpp"), includes=(), part=part)
    object_, _ = compile_object(job, box, timeout_s, folder)
    program = Path(tempfile.mkdtemp(dir=folder)) / "program"
    link([object_], [runtime()], program, allowed=allowed)
    return program


def runtime() -> Path:
    return library("test-runtime", [HERE / "runtime.cpp"], [])


def run(program: Path, box: Sandbox, *arguments: str, limits: Limits = LIMITS, fds: Sequence[int] = ()) -> Ran:
    report = os.memfd_create("report")
    nothing = os.open("/dev/null", os.O_RDONLY)
    try:
        finished = box.run(
            ["/program", *arguments],
            mounts=[Mount(program, "/program")],
            cwd="/",
            limits=limits,
            pass_fds=(nothing, report, *fds),
            stage="run",
        )
        lines = os.pread(report, 1 << 20, 0).decode().splitlines()
    finally:
        os.close(report)
        os.close(nothing)
    return Ran(finished, [json.loads(line) for line in lines])
