"""Conformance kits: what a third party runs on its own backend or generator, with pytest.

    class TestMine(BackendConformance):
        good, wrong, unwritten, syntax_error, crash, hang = ...  # six tiny kernels for the task SCALE_AND_ADD

        @pytest.fixture
        def backend(self):
            return MyBackend()

Each test asks one question and its failure says what the contract wants. What a plugin cannot do yet is listed in
`known_gaps` (test name → reason): it is then expected to fail, and reported when it no longer does.
"""

from __future__ import annotations

import functools
import inspect
import json
import math
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

try:
    import pytest
except ImportError as missing:
    raise ImportError("kbench.testing needs pytest: pip install pytest") from missing

from kbench.core.backend import API_VERSION, Backend, Build, Probe, RunResult, Settings
from kbench.core.candidate import Candidate, Shapes, Track
from kbench.core.errors import CompileError, ConfigError, HarnessError, RunError, RunTimeout, StageError, unknown_name
from kbench.core.evaluate import evaluate
from kbench.core.generator import Completion, Generator, Message, Request, Subject
from kbench.core.profile import Profile
from kbench.core.profiles.trace import write_trace
from kbench.core.prompting.prompt import render_prompt
from kbench.core.record import Finding
from kbench.core.suite import SuiteTask
from kbench.core.task import DTYPES, Attr, Case, Task, Tensor, Tolerance, Values
from kbench.core.taxonomy import OUTCOMES

# ---------------------------------------------------------------------------------------------- the kit's own task


def _scale_and_add(case: Case, inputs: Values) -> Values:
    x, z = (np.asarray(inputs[name], np.float64) for name in ("x", "z"))
    return {"y": (case.attrs["scale"] * x + z).astype(np.float32)}


def _draw(case: Case, rng: np.random.Generator) -> Values:
    sizes = {name: math.prod(case.shapes[name] or ()) for name in ("x", "z")}
    return {name: rng.uniform(-4, 4, size).astype(np.float32) for name, size in sizes.items()}


def _case(length: int, scale: float) -> Case:
    return Case(f"n{length}", {"x": (length,), "z": (length,)}, {}, {"scale": scale})


#: y[i] = scale·x[i] + z[i]. One element, an odd length and a round one, so that tails and scalars are met.
SCALE_AND_ADD = SuiteTask(
    Task(
        name="ScaleAndAdd",
        summary="y = scale * x + z, elementwise over vectors of float32.",
        formula="y_i = scale \\cdot x_i + z_i",
        tensors=(Tensor("x", dtype="float32"), Tensor("z", dtype="float32"), Tensor("y", "out", dtype="float32")),
        attrs=(Attr("scale", "float"),),
        dtypes=({},),
        behavior=_scale_and_add,
        out_shapes=lambda case, inputs: {"y": case.shapes["x"]},
        draw=_draw,
        tolerance={"y": {"*": Tolerance(2e-6, 2e-6, "float32 with one rounding (fused) or two; |scale·x + z| ≤ 12")}},
    ),
    (_case(1, 2.0), _case(37, -0.5), _case(1024, 3.0)),
)


def _right(case: Case, inputs: Values, result: RunResult) -> bool:
    """Whether the values of y are right. Shape and dtype are a question of their own, so they are not asked here."""
    expected = np.asarray(SCALE_AND_ADD.task.behavior(case, inputs)["y"])
    got = np.asarray(result.outputs.get("y"), np.float32).ravel()
    return got.shape == expected.shape and np.allclose(got, expected, rtol=1e-5, atol=1e-5)


# -------------------------------------------------------------------------------------------------- common to both


class _Kit:
    """Known gaps are expected failures, by name; a name that is no test of the kit is refused."""

    known_gaps: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        tests = [name for name in dir(cls) if name.startswith("test_")]
        for name in cls.known_gaps:
            if name not in tests:
                raise unknown_name(f"test in {cls.__name__}", name, tests)

    @pytest.fixture(autouse=True)
    def _expect_known_gaps(self, request: pytest.FixtureRequest) -> None:
        reason = self.known_gaps.get(request.function.__name__)
        if reason is not None:
            request.node.add_marker(pytest.mark.xfail(reason=f"known gap: {reason}", strict=True))


class _Failure(NamedTuple):
    """A StageError, carried over a pipe."""

    kind: str
    outcome: str
    message: str
    log: str = ""
    findings: tuple[Finding, ...] = ()


def _attempt(action: Callable[[], object]) -> _Failure | None:
    """How the candidate failed, or None where it did not."""
    try:
        action()
    except StageError as e:
        kind = next(c.__name__ for c in (RunTimeout, RunError, CompileError, StageError) if isinstance(e, c))
        return _Failure(kind, e.outcome, str(e), e.log, e.findings)
    return None


def _survive(action: Callable[[], object], deadline_s: float) -> _Failure | None:
    """`_attempt` in a process of its own, so that a backend that dies or hangs with its candidate fails one test
    instead of ending the test run."""

    def child() -> None:
        os.setsid()
        try:
            sender.send(_attempt(action))
        except BaseException:
            sender.send(traceback.format_exc())

    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=child)
    with warnings.catch_warnings():  # Python 3.12 warns of NumPy's idle threads; the child uses none of them
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sender.close()
    try:
        if not receiver.poll(deadline_s):
            pytest.fail(f"the backend had not returned after {deadline_s:g} s", pytrace=False)
        answer = receiver.recv()
    except EOFError:
        process.join()
        pytest.fail(
            f"the process of the backend died (exit status {process.exitcode}) together with its candidate: "
            "candidates must run in a child process",
            pytrace=False,
        )
    finally:
        _kill_session(process)
    if isinstance(answer, str):
        pytest.fail(f"expected a StageError, got\n{answer}", pytrace=False)
    assert answer is None or isinstance(answer, _Failure)
    return answer


def _kill_session(process: Any) -> None:
    # The child leads a session: what it started goes with it.
    if process.pid is not None and process.is_alive():
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
    process.join()


# ------------------------------------------------------------------------------------------ writes outside workdir

_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_PATH_OF = {"os.mkdir": 0, "os.truncate": 0, "os.rename": 1, "os.link": 1, "os.symlink": 1}
_WATCHED: list[list[Path]] = []


def _on_audit(event: str, args: tuple[Any, ...]) -> None:
    if not _WATCHED:
        return
    if event == "open":
        target = args[0] if isinstance(args[2], int) and args[2] & _WRITE_FLAGS else None
    else:
        target = args[_PATH_OF[event]] if event in _PATH_OF else None
    if isinstance(target, (str, bytes, os.PathLike)):
        for seen in _WATCHED:
            seen.append(Path(os.path.abspath(os.fsdecode(target))))


_audited = False


@contextmanager
def _writes() -> Iterator[list[Path]]:
    """Every path that this process opens for writing meanwhile. Python's audit hooks cannot be removed, so one is
    installed, once, and asleep outside this context."""
    global _audited
    if not _audited:
        sys.addaudithook(_on_audit)
        _audited = True
    seen: list[Path] = []
    _WATCHED.append(seen)
    try:
        yield seen
    finally:
        _WATCHED.remove(seen)


# -------------------------------------------------------------------------------------------------------- backends


class BackendConformance(_Kit):
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
            assert _right(case, inputs, result), f"case {case.name}: expected scale·x + z, got {result.outputs}"

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
        assert _right(case, inputs, run(build, case, _copy(inputs))), "a second run gave the outputs of other inputs"
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
        with _writes() as seen:
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
                return _right(case, inputs, run(build, case, _copy(inputs)))
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
        failure = _attempt(lambda: results.append(run(compile(self.unwritten), case, _copy(zeros))))
        assert failure or not _right(case, zeros, results[0]), (
            "y[-1] was never written and looks right: outputs must start from a poison pattern, not from zeros"
        )

    def test_syntax_error_is_told_with_its_line(self, compile: _Compile) -> None:
        failure = _attempt(lambda: compile(self.syntax_error))
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
        failure = _survive(lambda: run(build, case, self.inputs(case)), deadline_s=120)
        _expect(failure, "RunError", "run")

    def test_hang_ends_in_its_time(
        self, compile: _Compile, backend: Backend, settings: Settings, entry: SuiteTask
    ) -> None:
        build, case = compile(self.hang), SCALE_AND_ADD.cases[-1]
        short = replace(settings, run_timeout_s=self.hang_timeout_s)
        # A backend that ignores the setting hangs for ever, or for a time-out of its own.
        deadline_s = self.hang_timeout_s + self.hang_slack_s
        failure = _survive(lambda: backend.run(build, entry, case, self.inputs(case), short), deadline_s)
        _expect(failure, "RunTimeout", "run")


_Compile = Callable[[Candidate], Build]
_Run = Callable[[Build, Case, Values], RunResult]


def _copy(values: Values) -> Values:
    return {name: np.array(value) for name, value in values.items()}


def _bytes(values: Values) -> dict[str, bytes]:
    return {name: np.asarray(value).tobytes() for name, value in values.items()}


def _expect(failure: _Failure | None, kind: str, stage: str) -> _Failure:
    assert failure is not None, f"expected {kind} from {stage}, got no failure"
    assert failure.kind == kind, f"expected {kind} from {stage}, got {failure.kind}: {failure.message}"
    known = sorted(name for name, o in OUTCOMES.items() if o.stage == stage)
    assert failure.outcome in known, f"outcome {failure.outcome!r}: expected one of {', '.join(known)}"
    return failure


# ------------------------------------------------------------------------------------------------------ generators

#: What a scripted source (a file, a stand-in server) holds for samples 0, 1 and 2 of `request`.
ANSWERS: tuple[str, ...] = (
    "Größe ≤ 4 µs, 中文, 𝟙, e\u0301 (two code points), tab\t, \u2028 and 🚀.",
    "Second, with a trailing blank line.\n\n",
    "```c\nint third;\n```\n",
)


def request(sample: int = 0, seed: int = 0, reference: Candidate | None = None) -> Request:
    """The kit's request for one sample."""
    messages = [Message("system", "You write kernels."), Message("user", "Write ScaleAndAdd. Größe: beliebig.")]
    return Request(messages, "kit", "ScaleAndAdd", sample=sample, seed=seed, reference=reference)


class GeneratorConformance(_Kit):
    """The contract of `Generator`. A subclass gives `generator`, whose source holds `ANSWERS` for the kit's `request`,
    and `unanswerable`.

    Attributes:
        deterministic: False declares that equal requests may give different completions.
        reference: the known solution put into requests, for a generator with `wants_reference`; every sample's answer
            is then expected to be this candidate.
        subject: what is put into requests for a generator with `wants_subject`.
    """

    deterministic: ClassVar[bool] = True
    reference: ClassVar[Candidate | None] = None
    subject: ClassVar[Subject | None] = None

    @pytest.fixture
    def generator(self) -> Generator:
        raise NotImplementedError("give the kit a fixture `generator` that returns yours, holding ANSWERS")

    @pytest.fixture
    def unanswerable(self) -> Request:
        """A request that the source has no answer for: another task, a server that is gone."""
        return replace(request(), task="no_such_task")

    def request(self, sample: int = 0) -> Request:
        return replace(request(sample, reference=self.reference), subject=self.subject)

    def expected(self, sample: int) -> str | Candidate:
        return self.reference or ANSWERS[sample]

    def test_api_version(self, generator: Generator) -> None:
        assert generator.api_version == API_VERSION, (
            f"{type(generator).__name__} is built for plugin API {generator.api_version}, this kbench has {API_VERSION}"
        )

    def test_name(self, generator: Generator) -> None:
        assert generator.name.isidentifier(), f"name {generator.name!r}: expected an identifier"

    def test_returns_a_completion(self, generator: Generator) -> None:
        completion = generator.generate(self.request())
        assert isinstance(completion, Completion), f"expected Completion, got {type(completion).__name__}"
        assert (completion.candidate is None) != (not completion.text), "expected a text or a candidate, not both"
        json.dumps([dict(completion.usage), *map(dict, completion.retrieved)])  # go into the record
        assert completion.finish_reason, "finish_reason: expected 'stop', 'length' or what the source says"

    def test_each_sample_is_a_request_of_its_own(self, generator: Generator) -> None:
        for sample in (2, 1):
            got = _answer(generator.generate(self.request(sample)))
            assert got == self.expected(sample), f"sample {sample}: expected {self.expected(sample)!r}, got {got!r}"

    def test_unicode_is_preserved(self, generator: Generator) -> None:
        got = _answer(generator.generate(self.request(0)))
        assert got == self.expected(0), f"expected every character as it is: {self.expected(0)!r}, got {got!r}"

    def test_equal_requests_give_equal_completions(self, generator: Generator) -> None:
        first, again = (_answer(generator.generate(self.request(0))) for _ in range(2))
        if self.deterministic:
            assert first == again, f"the same request gave {first!r}, then {again!r}; declare deterministic = False?"

    def test_request_is_untouched(self, generator: Generator) -> None:
        asked = self.request()
        generator.generate(asked)
        assert asked == self.request(), "generate changed its request"

    def test_missing_answer_is_a_harness_error(self, generator: Generator, unanswerable: Request) -> None:
        with pytest.raises(HarnessError) as raised:  # an empty completion would count against the model
            generator.generate(unanswerable)
        assert str(raised.value), "HarnessError: expected a message that says what was looked for"

    def test_concurrent_requests(self, generator: Generator) -> None:
        alone = [_answer(generator.generate(self.request(sample))) for sample in range(3)]
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda i: _answer(generator.generate(self.request(i % 3))), range(12)))
        for i, answer in enumerate(answers if self.deterministic else ()):
            assert answer == alone[i % 3], f"sample {i % 3}, four at once: expected {alone[i % 3]!r}, got {answer!r}"

    def test_a_batch_is_answered_in_its_order(self, generator: Generator) -> None:
        order = (2, 0, 1)
        alone = [_answer(generator.generate(self.request(sample))) for sample in order]
        done = generator.generate_batch([self.request(sample) for sample in order])
        assert len(done) == len(order), f"a batch of {len(order)} requests: expected as many answers, got {len(done)}"
        for sample, one, wanted in zip(order, done, alone, strict=True):
            assert isinstance(one, Completion), f"sample {sample} of a batch: expected Completion, got {one!r}"
            same = _answer(one) == wanted or not self.deterministic
            assert same, f"sample {sample}, in a batch: expected {wanted!r}, got {_answer(one)!r}"

    def test_identity_is_json_and_tells_no_key(self, generator: Generator) -> None:
        first, again = generator.identity(), generator.identity()
        told = json.dumps(first)  # enters the key of the completion cache
        assert first == again, f"identity() gave {first!r}, then {again!r}: answers would never be found again"
        secret = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
        keys = [name for name, value in os.environ.items() if secret.search(name) and len(value) >= 8 and value in told]
        assert not keys, f"identity() tells the value of {', '.join(keys)}"

    def test_close_may_be_called_twice(self, generator: Generator) -> None:
        generator.generate(self.request())
        generator.close()
        generator.close()

    def test_knows_no_backend(self, generator: Generator) -> None:
        imported = _backends_imported_by(inspect.getfile(type(generator)))
        assert not imported, f"importing {type(generator).__name__} imports {imported}: a generator knows no backend"


@functools.cache
def _backends_imported_by(file: str) -> str:
    code = (
        f"import runpy, sys; sys.path[:] = {sys.path!r}; runpy.run_path({file!r});"
        "print(*[m for m in sys.modules if m.startswith('kbench.backends.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, f"{file} does not import by itself:\n{done.stderr}"
    return done.stdout.strip()


def _answer(completion: Completion) -> str | Candidate:
    return completion.text if completion.candidate is None else completion.candidate
