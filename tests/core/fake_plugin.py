"""A backend and a suite that need no compiler: a candidate's text says how it behaves."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from kbench import Backend, Build, Candidate, Case, Interface, RunResult, Settings, SuiteTask, Task, Tensor, Tolerance
from kbench.core.backend import Again, Probe
from kbench.core.errors import CompileError, HarnessError, RunError, RunTimeout, UnsupportedApi
from kbench.core.hookspecs import hookimpl
from kbench.core.profile import Hint, Profile, Roofline
from kbench.core.program import Launched, Program, ProgramRun
from kbench.core.record import Finding
from kbench.core.suite import Suite
from kbench.core.timeline import Span, Timeline, Track


def make_task(name: str = "absolute", level: int = 1) -> Task:
    return Task(
        name=name,
        summary="y = |x|.",
        tensors=(Tensor("x"), Tensor("y", "out")),
        behavior=lambda case, inputs: {"y": np.abs(inputs["x"])},
        out_shapes=lambda case, inputs: {"y": case.shapes["x"]},
        draw=lambda case, rng: {"x": rng.standard_normal(case.shapes["x"]).astype(np.float32)},
        tolerance={"*": {"*": Tolerance(0, 1e-6, "one rounding")}},
        dtypes=({"T": "float32"},),
        level=level,
    )


def make_case(name: str, *shape: int) -> Case:
    return Case(name, {"x": shape}, {"T": "float32"})


def make_entry(name: str = "absolute", level: int = 1) -> SuiteTask:
    return SuiteTask(
        make_task(name, level), (make_case("small", 4), make_case("odd", 3, 5), make_case("large", 64, 64))
    )


def candidate(behavior: str) -> Candidate:
    return Candidate({"kernel.c": f"void kernel() {{}} // {behavior}"}, {"kernel": "kernel.c"}, "kernel")


#: Cycles of what has a time; what "good" takes is the reference's.
CYCLES = {"good": 1000.0, "quick": 400.0, "cheat": 500.0}


class FakeBackend(Backend):
    """Does what the candidate's last word says."""

    name = "fake"
    targets = ("fake1", "fake2")
    components: ClassVar = {"compile": ("sim", "native"), "run": ("sim",), "profile": ("sim",)}
    program_suffixes = (".fake",)

    def read_program(self, source: Path, folder: Path, arguments: Sequence[str]) -> Program:
        return Program({source.name: source.read_text()}, source.name, folder, tuple(arguments))

    def run_program(self, program: Program, settings: Settings, workdir: Path) -> ProgramRun:
        """Prints what it was given; launches once; breaks a rule where its text says so."""
        words = " ".join((settings.target, program.main, *program.arguments, *program.defines))
        severity = program.files[program.main].strip()
        found = (Finding(severity=severity, message="seen", file=program.main, line=1),) if severity else ()
        return ProgramRun(3, words, findings=found, launches=(Launched("k", 2, {"V": {"events": 4}}),))

    def prepare(self, settings: Settings) -> None:
        if os.environ.get("KBENCH_TEST_BARE_MACHINE"):
            raise HarnessError("no compiler here: pip install one")
        time.sleep(float(os.environ.get("KBENCH_TEST_SLOW_MACHINE", "0")))

    def interface(self, entry: SuiteTask, cases: Sequence[Case], settings: Settings) -> Interface:
        return Interface("C", "kernel", {"kernel": "kernel.c"}, "void kernel(const float *x, float *y);", {}, (), {})

    def compile(
        self, candidate: Candidate, entry: SuiteTask, cases: Sequence[Case], settings: Settings, workdir: Path
    ) -> Build:
        behavior = candidate.text("kernel").split()[-1]
        (workdir / "built").write_text(behavior)
        if behavior == "syntax":
            raise CompileError("kernel.c:1: expected ';'", outcome="compile_error", log="a long log")
        if behavior == "unmodelled":
            raise UnsupportedApi("LoadData3D")
        return Build(workdir, data=behavior)

    def run(self, build: Build, entry: SuiteTask, case: Case, inputs, settings: Settings) -> RunResult:
        right = {"y": np.abs(inputs["x"])}
        match build.data:
            case "crash":
                raise RunError("the candidate crashed", outcome="crash")
            case "hang":
                raise RunTimeout("no end in 1 s")
            case "zeros":
                return RunResult({"y": np.zeros_like(right["y"])})
            case "half" if case.name == "odd":
                return RunResult({"y": -right["y"]}, log="the kernel says: minus")
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "slow":
                time.sleep(0.2)
            case "lucky":  # right only over the garbage of the first run
                finding = Finding(severity="error", rule="E53", message="depends on garbage", file="kernel.c", line=1)
                return RunResult(right, again=Again({"y": -right["y"]}, finding))
            case "stuck":
                time.sleep(600)
            case "broken":
                raise HarnessError("the server is gone")
            case "bug":
                raise ZeroDivisionError("a bug in the backend")
            case "once":
                flag = Path(os.environ["KBENCH_TEST_FLAG"])
                if not flag.exists():
                    flag.touch()
                    raise HarnessError("the server is gone")
        return RunResult(right)

    def profile(self, build, entry, case, inputs, settings, result) -> Profile | None:
        if build.data == "untimed":
            raise HarnessError("the profiler is gone")
        if build.data not in CYCLES:
            return None
        cycles = CYCLES[build.data]
        suspect = Hint(message="useless work", rule="useless", kind="suspect", file="kernel.c", line=1)
        return Profile(
            latency_us=1 + cycles / 1000,
            launch_us=1,
            cycles=cycles,
            clock_mhz=1000,
            roofline=Roofline(limits={"memory": 200, "compute": 100}, basis="task"),
            bound="memory",
            hints=(suspect,) if build.data == "cheat" else (Hint(message="copy more at once", share=0.5),),
            scores={"vectorization": 200 / cycles},
        )

    def timeline(self, build, entry, case, inputs, settings, result) -> Timeline | None:
        return Timeline((Track("core 0", "V"),), (Span(0, build.data, 0, 1, line=1),)) if build.data in CYCLES else None

    def listing(self, build, entry, case, inputs, settings, result) -> str | None:
        return f"0: {build.data} {case.name}" if build.data in CYCLES else None

    def reference(self, entry: SuiteTask, track) -> Candidate:
        return candidate("good")

    def doctor(self) -> list[Probe]:
        return [Probe("runner", "ok", "in this process")]


@hookimpl
def kbench_register_backends() -> list[type[Backend]]:
    return [FakeBackend]


def fake_suite() -> Suite:
    entries = [make_entry("absolute", 1), make_entry("distance", 2)]
    return Suite("fakes", {e.task.name: e for e in entries}, "two tasks")


@hookimpl
def kbench_register_suites() -> list[tuple[str, object]]:
    return [("fakes", fake_suite)]
