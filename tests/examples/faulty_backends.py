"""The example backend with one fault each, under the kit. Not collected: test_backend_c.py runs it and looks at what
fails. `Sound` is the backend as it is, and compiles whenever the kit says so. No fault lies in the compiler, so those
that have one share its results."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import kbench_backend_c as example_backend
import numpy as np
import pytest
import test_kbench_backend_c as example
from kbench_backend_c import CBackend

from kbench.core import timeline
from kbench.core.backend import Settings
from kbench.core.candidate import Track
from kbench.core.errors import CompileError, RunError, RunTimeout, StageError
from kbench.core.hostcc.function import compile_function
from kbench.core.hostcc.signature import signature_of
from kbench.testing import SCALE_AND_ADD

SIGNATURE = signature_of(SCALE_AND_ADD.task)
TRACKS = (timeline.Track("core", "loop"),)


class Sound(CBackend):
    pass


# The six that people make.


class KeepsScratchInTheInputs(CBackend):
    def run(self, build, entry, case, inputs, settings):
        result = super().run(build, entry, case, inputs, settings)
        inputs["x"] = np.zeros_like(inputs["x"])
        return result


class IgnoresTheExitStatus(CBackend):
    def run(self, build, entry, case, inputs, settings):
        try:
            return super().run(build, entry, case, inputs, settings)
        except RunTimeout:
            raise
        except RunError:
            from kbench import RunResult

            return RunResult({"y": np.full(case.shapes["x"], np.nan, np.float32)})


class IgnoresTheTimeout(CBackend):
    def run(self, build, entry, case, inputs, settings):
        return super().run(build, entry, case, inputs, replace(settings, run_timeout_s=60))


class WritesBesideWorkdir(CBackend):
    def compile(self, candidate, entry, cases, settings, workdir):
        (workdir.parent / "last_kernel.c").write_text(candidate.text("kernel"))
        return super().compile(candidate, entry, cases, settings, workdir)


class ReturnsStaleOutputs(CBackend):
    """Caches by build and case, and forgets the inputs."""

    def run(self, build, entry, case, inputs, settings):
        kept = build.data.setdefault("kept", {})
        if case.name not in kept:
            kept[case.name] = super().run(build, entry, case, inputs, settings)
        return kept[case.name]


class SwallowsCompileErrors(CBackend):
    def compile(self, candidate, entry, cases, settings, workdir):
        from kbench import Build

        try:
            return super().compile(candidate, entry, cases, settings, workdir)
        except CompileError as error:
            return Build(workdir, log=error.log, data={})


# More of them.


class WidensItsOutputs(CBackend):
    def run(self, build, entry, case, inputs, settings):
        result = super().run(build, entry, case, inputs, settings)
        return replace(result, outputs={name: np.float64(y) for name, y in result.outputs.items()})


class SqueezesItsOutputs(CBackend):
    def run(self, build, entry, case, inputs, settings):
        result = super().run(build, entry, case, inputs, settings)
        return replace(result, outputs={name: np.squeeze(y) for name, y in result.outputs.items()})


class StartsFromZeros(CBackend):
    """What a zeroed buffer gives where the kernel wrote nothing."""

    def run(self, build, entry, case, inputs, settings):
        result = super().run(build, entry, case, inputs, settings)
        return replace(result, outputs={name: np.nan_to_num(y, nan=0) for name, y in result.outputs.items()})


class DriftsInTheLastBit(CBackend):
    count = 0

    def run(self, build, entry, case, inputs, settings):
        result = super().run(build, entry, case, inputs, settings)
        DriftsInTheLastBit.count += 1
        y = result.outputs["y"]
        return replace(result, outputs={"y": np.nextafter(y, np.float32(np.inf)) if self.count % 2 else y})


class RemembersTheLastBuild(CBackend):
    def compile(self, candidate, entry, cases, settings, workdir):
        self.last = super().compile(candidate, entry, cases, settings, workdir)
        return self.last

    def run(self, build, entry, case, inputs, settings):
        return super().run(self.last, entry, case, inputs, settings)


class LosesTheLine(CBackend):
    def compile(self, candidate, entry, cases, settings, workdir):
        try:
            return super().compile(candidate, entry, cases, settings, workdir)
        except CompileError as error:
            raise CompileError(str(error), outcome=error.outcome, log=error.log) from error


class BlamesItself(CBackend):
    """A crash of the candidate that is reported as an error of the harness."""

    def run(self, build, entry, case, inputs, settings):
        try:
            return super().run(build, entry, case, inputs, settings)
        except RunTimeout:
            raise
        except RunError as error:
            raise OSError(str(error)) from error


class DiesWithItsCandidate(CBackend):
    def run(self, build, entry, case, inputs, settings):
        try:
            return super().run(build, entry, case, inputs, settings)
        except RunTimeout:
            raise
        except StageError:
            import os

            os.abort()


class NeverReturns(CBackend):
    def run(self, build, entry, case, inputs, settings):
        try:
            return super().run(build, entry, case, inputs, settings)
        except RunTimeout:
            time.sleep(3600)
            raise


class LeavesTemporaryFiles(CBackend):
    def run(self, build, entry, case, inputs, settings):
        Path(tempfile.mkdtemp(), "inputs.npy").write_bytes(inputs["x"].tobytes())
        return super().run(build, entry, case, inputs, settings)


class OldApi(CBackend):
    api_version = 0


class NoTarget(CBackend):
    targets = ("host", "host")


class TakesAnyTarget(CBackend):
    def check_settings(self, settings):
        return None


class SilentDoctor(CBackend):
    def doctor(self):
        return []


class EmptyInterface(CBackend):
    def interface(self, entry, cases, settings):
        return replace(super().interface(entry, cases, settings), signature="")


class JudgesItself(CBackend):
    """Compares with the reference on its own, and calls a wrong answer a failed run."""

    def run(self, build, entry, case, inputs, settings):
        result = super().run(build, entry, case, inputs, settings)
        if not np.allclose(result.outputs["y"], entry.task.behavior(case, inputs)["y"], atol=1e-5):
            raise RunError("wrong answer", outcome="crash")
        return result


class DropsTheTail(CBackend):
    """Hands over whole vectors of eight only."""

    def run(self, build, entry, case, inputs, settings):
        result = super().run(build, entry, case, inputs, settings)
        y = result.outputs["y"]
        y[y.size // 8 * 8 :] = np.nan
        return result


class PromisesAProfile(CBackend):
    components: ClassVar = {"compile": ("sim",), "run": ("sim",), "profile": ("clock",)}


class ProfilesInItsOwnShape(CBackend):
    def profile(self, build, entry, case, inputs, settings, result):
        return {"seconds": 0.1}


class DrawsOneOverTheOther(CBackend):
    def timeline(self, build, entry, case, inputs, settings, result):
        return timeline.Timeline(TRACKS, (timeline.Span(0, "first", 0, 2), timeline.Span(0, "second", 1, 2)))


class DrawsNothing(CBackend):
    def timeline(self, build, entry, case, inputs, settings, result):
        return timeline.Timeline(TRACKS, ())


class Compiled:
    """`compile_function`, once for each source and row of dtypes. All are made at the start: a test looks at what is
    written while it runs."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="compiled-")
        self.results = {}
        settings = Settings(target="host", track=Track.KERNEL_ONLY)
        kit = example.TestC
        for candidate in (kit.good, kit.wrong, kit.unwritten, kit.syntax_error, kit.crash, kit.hang):
            for defines in {example_backend.defines_of(case) for case in SCALE_AND_ADD.cases}:
                place = Path(tempfile.mkdtemp(dir=self.folder.name))
                try:
                    made = compile_function(candidate, SIGNATURE, settings, place, defines=defines)
                except CompileError as error:
                    made = error
                self.results[self.key(candidate, defines)] = made

    def key(self, candidate, defines):
        return tuple(candidate.files.items()), defines

    def __call__(self, candidate, signature, settings, place, *, defines):
        assert signature == SIGNATURE
        made = self.results[self.key(candidate, defines)]
        if isinstance(made, CompileError):
            raise CompileError(str(made), outcome=made.outcome, findings=made.findings, log=made.log)
        return made


COMPILED = Compiled()


def _kit(fault: type[CBackend]) -> type[example.TestC]:
    class Kit(example.TestC):
        hang_timeout_s, hang_slack_s = 0.4, 5

        @pytest.fixture
        def backend(self, monkeypatch):
            if fault is not Sound:
                monkeypatch.setattr(example_backend, "compile_function", COMPILED)
            return fault()

    Kit.__name__ = Kit.__qualname__ = f"Test{fault.__name__}"
    return Kit


for _class in CBackend.__subclasses__():
    globals()[f"Test{_class.__name__}"] = _kit(_class)
