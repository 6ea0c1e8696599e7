"""The conformance kit of backends."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from kbench.core.backend import API_VERSION, Backend, Build, Probe, RunResult, Settings
from kbench.core.candidate import Candidate, Shapes, Track
from kbench.core.errors import ConfigError, StageError
from kbench.core.evaluate import evaluate
from kbench.core.profile import Profile
from kbench.core.profiles.trace import write_trace
from kbench.core.prompting.prompt import render_prompt
from kbench.core.suite import SuiteTask
from kbench.core.task import DTYPES, Case, Values
from kbench.core.taxonomy import OUTCOMES
from kbench.testing.common import Failure, Kit, attempt, survive
from kbench.testing.task import SCALE_AND_ADD, is_right
from kbench.testing.writes import writes


class BackendConformance(Kit):
    """The contract of `Backend`, on six tiny kernels for `SCALE_AND_ADD`; a subclass gives them and `backend`.

    Attributes:
        good: right for every case of the task.
        wrong: writes all of y, with wrong values.
        unwritten: right, but leaves the last element of y unwritten.
        syntax_error: does not compile; `syntax_error_line` is the line that the compiler should name, where known.
        crash: dies (a null pointer, an abort); hang: never ends.
        track: the track that the kernels are written for.
        hang_timeout_s: the run time-out given to `hang`; large enough that `good` would end in it.
        hang_slack_s: how much longer the backend may take to say so, on a busy machine.
    """

    good: ClassVar[Candidate]
    wrong: ClassVar[Candidate]
    unwritten: ClassVar[Candidate]
    syntax_error: ClassVar[Candidate]
    crash: ClassVar[Candidate]
    hang: ClassVar[Candidate]
    syntax_error_line: ClassVar[int | None] = None
    track: ClassVar[Track] = Track.KERNEL_ONLY
    hang_timeout_s: ClassVar[float] = 1.0
    hang_slack_s: ClassVar[float] = 15.0

    @pytest.fixture
    def backend(self) -> Backend:
        raise NotImplementedError("give the kit a fixture `backend` that returns yours")

    @pytest.fixture
    def settings(self, backend: Backend) -> Settings:
        engine = {part: names[0] for part, names in backend.components.items() if names}
        return Settings(target=backend.default_target, track=self.track, engine=engine)

    @pytest.fixture
    def entry(self) -> SuiteTask:
        """The task. Override it only to add what the backend's host side needs, such as `plain_launch`."""
        return SCALE_AND_ADD

    @pytest.fixture
    def compile(
        self, backend: Backend, settings: Settings, entry: SuiteTask, tmp_path: Path
    ) -> Callable[[Candidate], Build]:
        """compile(candidate) → Build, each in a new work directory."""

        def build(candidate: Candidate) -> Build:
            workdir = Path(tempfile.mkdtemp(prefix="work-", dir=tmp_path))
            return backend.compile(candidate, entry, entry.cases, settings, workdir)

        return build

    @pytest.fixture
    def run(self, backend: Backend, settings: Settings, entry: SuiteTask) -> Callable[[Build, Case, Values], RunResult]:
        return lambda build, case, inputs: backend.run(build, entry, case, inputs, settings)

    @staticmethod
    def inputs(case: Case, seed: int = 0) -> Values:
        return SCALE_AND_ADD.task.draw(case, np.random.default_rng(seed))

    # What the backend says of itself.

    def test_api_version(self, backend: Backend) -> None:
        assert backend.api_version == API_VERSION, (
            f"{type(backend).__name__} is built for plugin API {backend.api_version}, this kbench has {API_VERSION}"
        )

    def test_name_and_targets(self, backend: Backend) -> None:
        assert backend.name.isidentifier(), f"name {backend.name!r}: expected an identifier, it becomes --backend NAME"
        targets = tuple(backend.targets)
        assert targets, "targets: expected at least one chip"
        assert len(set(targets)) == len(targets), f"targets: one is named twice: {targets}"
        assert backend.default_target in targets, f"default_target {backend.default_target!r} is not among {targets}"

    def test_unknown_target_is_refused(self, backend: Backend, settings: Settings) -> None:
        stranger = replace(settings, target="no_such_target")
        with pytest.raises(ConfigError):  # told to the user: the candidate is not to blame
            backend.check_settings(stranger)

    def test_prompt_renders(self, backend: Backend, settings: Settings, entry: SuiteTask) -> None:
        for shapes, cases in ((Shapes.STATIC, entry.cases[:1]), (Shapes.DYNAMIC, entry.cases)):
            wanted = replace(settings, shapes=shapes)
            interface = backend.interface(entry, cases, wanted)
            text = "\n".join(m.content for m in render_prompt(entry, cases, interface, wanted))
            for part in (interface.entry, interface.signature, *interface.files.values()):
                assert part, f"interface ({shapes}): entry, signature and file paths must not be empty"
                assert part in text, f"the {shapes} prompt does not show {part!r}"
            missing = set(interface.files) - set(self.good.roles)
            assert not missing, f"interface asks for the roles {sorted(missing)}, which the kernel `good` lacks"

    def test_doctor_reports(self, backend: Backend) -> None:
        probes = backend.doctor()
        assert probes, "doctor: expected at least one Probe; `kbench doctor` would show nothing"
        for probe in probes:
            assert isinstance(probe, Probe), f"doctor: expected Probe, got {type(probe).__name__}"
            assert probe.status != "missing" or probe.fix, (
                f"doctor: {probe.component} is missing and nothing says the fix"
            )

    # A right kernel.

    def test_good_passes(self, compile: _Compile, run: _Run) -> None:
        build = compile(self.good)
        for case in SCALE_AND_ADD.cases:
            inputs = self.inputs(case)
            result = run(build, case, _copy(inputs))
            assert is_right(case, inputs, result), f"case {case.name}: expected scale·x + z, got {result.outputs}"

    def test_outputs_have_declared_dtype_and_shape(self, compile: _Compile, run: _Run) -> None:
        build = compile(self.good)
        for case in SCALE_AND_ADD.cases:
            outputs = run(build, case, self.inputs(case)).outputs
            assert set(outputs) == {"y"}, f"outputs: expected y and nothing else, got {sorted(outputs)}"
            y = outputs["y"]
            assert isinstance(y, np.ndarray), f"y: expected an array, got {type(y).__name__}"
            assert y.dtype == DTYPES["float32"], f"y: expected float32, got {y.dtype}"
            assert y.shape == case.shapes["x"], f"y, case {case.name}: expected {case.shapes['x']}, got {y.shape}"

    def test_repeats_bit_for_bit(self, compile: _Compile, run: _Run) -> None:
        case = SCALE_AND_ADD.cases[-1]
        once, again = compile(self.good), compile(self.good)
        results = [_bytes(run(build, case, self.inputs(case)).outputs) for build in (once, once, again)]
        assert results[0] == results[1], "the same build with the same inputs gave different bits"
        assert results[0] == results[2], "the same source, built twice, gave different bits"

    def test_new_inputs_give_new_outputs(self, compile: _Compile, run: _Run) -> None:
        build, case = compile(self.good), SCALE_AND_ADD.cases[-1]
        first = run(build, case, self.inputs(case, seed=1))
        kept = _bytes(first.outputs)
        inputs = self.inputs(case, seed=2)
        assert is_right(case, inputs, run(build, case, _copy(inputs))), "a second run gave the outputs of other inputs"
        assert _bytes(first.outputs) == kept, "a second run overwrote the outputs that the first had returned"

    def test_inputs_are_untouched(self, compile: _Compile, run: _Run) -> None:
        case = SCALE_AND_ADD.cases[-1]
        inputs = self.inputs(case)
        run(compile(self.good), case, inputs)
        assert _bytes(inputs) == _bytes(self.inputs(case)), "run changed its inputs: it must give the candidate copies"

    def test_writes_only_below_workdir(
        self, backend: Backend, settings: Settings, entry: SuiteTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        workdir = tmp_path / "work"
        empty = {name: tmp_path / name for name in ("cwd", "home", "tmp")}
        for folder in (workdir, *empty.values()):
            folder.mkdir()
        cache = Path(os.environ.get("KBENCH_CACHE_DIR") or Path.home() / ".cache" / "kbench").absolute()
        for name, value in (("KBENCH_CACHE_DIR", cache), ("HOME", empty["home"]), ("TMPDIR", empty["tmp"])):
            monkeypatch.setenv(name, str(value))
        monkeypatch.setattr(tempfile, "tempdir", str(empty["tmp"]))
        monkeypatch.chdir(empty["cwd"])
        case = entry.cases[-1]
        with writes() as seen:
            build = backend.compile(self.good, entry, entry.cases, settings, workdir)
            backend.run(build, entry, case, self.inputs(case), settings)
        allowed = (workdir, cache, empty["tmp"], Path("/dev"), Path("/proc"))
        strays = {p for p in seen if "__pycache__" not in p.parts and not any(p.is_relative_to(a) for a in allowed)}
        strays |= {p for folder in empty.values() for p in folder.rglob("*")}
        strays |= {p for p in tmp_path.iterdir() if p != workdir and p not in empty.values()}
        assert not strays, f"expected nothing written outside workdir and the cache, got {sorted(map(str, strays))}"

    def test_builds_are_independent(self, compile: _Compile, run: _Run) -> None:
        case = SCALE_AND_ADD.cases[-1]
        good, wrong = compile(self.good), compile(self.wrong)  # both built before either runs

        def right(build: Build, seed: int) -> bool:
            inputs = self.inputs(case, seed)
            try:
                return is_right(case, inputs, run(build, case, _copy(inputs)))
            except StageError:
                return False

        with ThreadPoolExecutor(2) as pool:  # two at once
            answers = list(pool.map(right, [good, wrong] * 2, [0, 1] * 2))
        assert answers == [True, False] * 2, f"two builds at once: expected right, wrong, right, wrong; got {answers}"

    def test_profile_fits_its_shape(
        self, backend: Backend, compile: _Compile, run: _Run, settings: Settings, entry: SuiteTask
    ) -> None:
        build = compile(self.good)
        for case in SCALE_AND_ADD.cases:
            inputs = self.inputs(case)
            found = backend.profile(build, entry, case, _copy(inputs), settings, run(build, case, _copy(inputs)))
            if found is None:
                assert not settings.profiles, "components name a profiler, and profile gives nothing of a right kernel"
                return
            assert isinstance(found, Profile), f"profile: expected a Profile or None, got {type(found).__name__}"
            written = found.model_dump_json()
            assert Profile.model_validate_json(written) == found, "a record would not read back this profile"

    def test_timeline_is_a_trace(
        self, backend: Backend, compile: _Compile, run: _Run, settings: Settings, entry: SuiteTask, tmp_path: Path
    ) -> None:
        build, case = compile(self.good), SCALE_AND_ADD.cases[-1]
        inputs = self.inputs(case)
        found = backend.timeline(build, entry, case, _copy(inputs), settings, run(build, case, _copy(inputs)))
        if found is None:
            return
        assert found.spans, "timeline: expected what the machine did, got nothing; None says that nothing is known"
        ends: dict[int, float] = {}
        for span in sorted(found.spans, key=lambda span: span.start_us):
            assert 0 <= span.track < len(found.tracks), f"timeline: {span} names no track"
            before = ends.get(span.track, 0.0)
            assert span.start_us >= before - 1e-3, f"timeline: {span} begins before the one before it ends ({before})"
            ends[span.track] = span.end_us
        write_trace(found, tmp_path / "trace.json")
        assert json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))["traceEvents"]

    # Kernels that fail, each in its own way.

    def test_wrong_fails_the_check(self, backend: Backend, settings: Settings, entry: SuiteTask) -> None:
        record = evaluate(entry, self.wrong, backend, settings=settings)
        assert record.stage == "check", (
            f"expected the check to fail, got {record.stage}: {record.outcome}: {record.message}"
        )

    def test_unwritten_never_looks_right(self, compile: _Compile, run: _Run) -> None:
        case = SCALE_AND_ADD.cases[-1]
        zeros: Values = {name: np.zeros_like(value) for name, value in self.inputs(case).items()}  # so that y is zero
        results: list[RunResult] = []
        failure = attempt(lambda: results.append(run(compile(self.unwritten), case, _copy(zeros))))
        assert failure or not is_right(case, zeros, results[0]), (
            "y[-1] was never written and looks right: outputs must start from a poison pattern, not from zeros"
        )

    def test_syntax_error_is_told_with_its_line(self, compile: _Compile) -> None:
        failure = attempt(lambda: compile(self.syntax_error))
        failure = _expect(failure, "CompileError", "compile")
        assert failure.log, "CompileError.log: expected the compiler's own words, got nothing"
        told = {(f.file, f.line) for f in failure.findings if f.severity == "error"}
        lines = {name: text.count("\n") + 1 for name, text in self.syntax_error.files.items()}
        known = {(file, line) for file, line in told if 0 < line <= lines.get(file, 0)}
        assert known, f"findings: expected an error in a line of {sorted(lines)}, got {sorted(told)}"
        wanted = self.syntax_error_line
        assert wanted is None or wanted in {line for _, line in known}, f"expected line {wanted}, got {sorted(known)}"

    def test_crash_is_a_run_error(self, compile: _Compile, run: _Run) -> None:
        build, case = compile(self.crash), SCALE_AND_ADD.cases[-1]
        failure = survive(lambda: run(build, case, self.inputs(case)), deadline_s=120)
        _expect(failure, "RunError", "run")

    def test_hang_ends_in_its_time(
        self, compile: _Compile, backend: Backend, settings: Settings, entry: SuiteTask
    ) -> None:
        build, case = compile(self.hang), SCALE_AND_ADD.cases[-1]
        short = replace(settings, run_timeout_s=self.hang_timeout_s)
        # A backend that ignores the setting hangs for ever, or for a time-out of its own.
        deadline_s = self.hang_timeout_s + self.hang_slack_s
        failure = survive(lambda: backend.run(build, entry, case, self.inputs(case), short), deadline_s)
        _expect(failure, "RunTimeout", "run")


_Compile = Callable[[Candidate], Build]
_Run = Callable[[Build, Case, Values], RunResult]


def _copy(values: Values) -> Values:
    return {name: np.array(value) for name, value in values.items()}


def _bytes(values: Values) -> dict[str, bytes]:
    return {name: np.asarray(value).tobytes() for name, value in values.items()}


def _expect(failure: Failure | None, kind: str, stage: str) -> Failure:
    assert failure is not None, f"expected {kind} from {stage}, got no failure"
    assert failure.kind == kind, f"expected {kind} from {stage}, got {failure.kind}: {failure.message}"
    known = sorted(name for name, o in OUTCOMES.items() if o.stage == stage)
    assert failure.outcome in known, f"outcome {failure.outcome!r}: expected one of {', '.join(known)}"
    return failure
