"""The one path: prompt → generate → extract → compile → run → check → profile → Record.

`evaluate` is the library's door, `judge` the path itself; campaigns walk the same path in worker processes. The
candidate's failure ends as data in the record; ours ends there too, but under an outcome that no score counts.
"""

from __future__ import annotations

import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kbench.core.backend import Backend, Build, Interface, RunResult, Settings
from kbench.core.bench import Answer, Bench, prompt_text
from kbench.core.candidate import Candidate, Shapes
from kbench.core.cases import MAX_ELEMENTS, CaseBank, CasePlan, Drawn, arrays, plan_cases
from kbench.core.errors import (
    CheckError,
    ConfigError,
    HarnessError,
    RunError,
    StageError,
    ToolMissing,
    UnsupportedApi,
    unknown_name,
)
from kbench.core.extraction.extract import extract
from kbench.core.generation.asking import ask
from kbench.core.generation.completions import candidate_text
from kbench.core.generator import Completion, Generator, Request
from kbench.core.profiles.profiling import Profiler, Reference, Subject
from kbench.core.prompting.feedback import Judged, feedback
from kbench.core.record import CaseResult, Finding, Record, Times
from kbench.core.runs.manifest import Attempt
from kbench.core.runs.store import sha_of
from kbench.core.solutions import reference_of as reference_of
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Task, Values
from kbench.core.taxonomy import OUTCOMES

#: After so many timeouts the other cases of an attempt are not run: they count as timeouts.
MOST_TIMEOUTS = 3
_LOG_LIMIT = 1 << 20


@dataclass
class Trace:
    """What happened so far: the stage reached, seconds, cases and texts."""

    stage: str = "generate"
    seconds: dict[str, float] = field(default_factory=dict)
    cases: list[CaseResult] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    answer: Answer = field(default_factory=Answer)
    interface: Interface | None = None
    candidate: Candidate | None = None
    build: Build | None = None
    feedback: str = ""
    logs: list[str] = field(default_factory=list)
    profiler: Profiler | None = None

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] = self.seconds.get(part, 0.0) + time.perf_counter() - start

    @property
    def source(self) -> str:
        return candidate_text(self.candidate) if self.candidate else ""

    @property
    def log(self) -> str:
        text = "\n".join(log.rstrip() for log in self.logs if log.strip())
        if len(text) <= _LOG_LIMIT:
            return text
        half = _LOG_LIMIT // 2
        return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"


@dataclass(frozen=True)
class Evaluation:
    """A record, the texts that its hashes name, and whether trying again could help (only where we failed)."""

    record: Record
    texts: Mapping[str, str]
    retry: bool = False


@dataclass(frozen=True)
class _Verdict:
    outcome: str
    message: str = ""
    unsupported: tuple[str, ...] = ()
    retry: bool = False


def judge(
    attempt: Attempt, entry: SuiteTask, plan: CasePlan, bench: Bench, workdir: Path, answer: Answer | None = None
) -> Evaluation:
    """Evaluate one attempt, from the answer to the record. Writes below `workdir` only; raises nothing of its own.

    Args:
        answer: what the model said; where it is None, the bench's generator is asked.
    """
    trace, settings = Trace(), bench.settings
    try:
        bench.bank.prepare(bench.suite, entry, plan.run, settings.seed)  # before any code of the candidate runs
        trace.interface = interface = bench.backend.interface(entry, plan.run, settings)
        trace.answer = answer or ask(attempt, entry, plan.run, bench)
        trace.stage = "extract"
        candidate = extract(trace.answer.completion, interface)
        trace.candidate = candidate
        trace.stage = "compile"
        with trace.timed("compile_s"):
            trace.build = build = bench.backend.compile(candidate, entry, plan.run, settings, workdir)
        trace.findings = build.findings
        trace.logs.append(build.log)
        if settings.profiles:
            subject = Subject(candidate, bench.suite, entry, plan.run, bench.backend, settings, workdir)
            trace.profiler = _profiler(subject, build, trace)
        trace.stage = "run"
        for case in plan.run:
            trace.cases.append(_judge_case(case, build, entry, bench, trace))
        verdict = _verdict(trace)
    except Exception as error:
        verdict = _blame(error, trace)
    return _evaluation(attempt, entry, plan, bench, trace, verdict)


def unanswered(
    attempt: Attempt, entry: SuiteTask, plan: CasePlan, bench: Bench, error: Exception, prompt: Answer
) -> Evaluation:
    """The record of an attempt that has no completion, for this reason; `prompt` holds the messages as sent."""
    trace = Trace(answer=prompt)
    verdict = _blame(error, trace)
    return _evaluation(attempt, entry, plan, bench, trace, verdict)


def _blame(error: Exception, trace: Trace) -> _Verdict:
    """Whose fault it is."""
    if isinstance(error, StageError):
        return _candidate_failed(error, trace)
    if isinstance(error, UnsupportedApi):
        return _Verdict("unsupported", str(error), (error.name,))
    if isinstance(error, HarnessError):
        return _Verdict("harness_error", str(error), retry=not isinstance(error, (ConfigError, ToolMissing)))
    trace.logs.append("".join(traceback.format_exception(error)))  # a fault of kbench or of a plugin, never scored
    return _Verdict("harness_error", f"{type(error).__name__}: {error}", retry=True)


def _evaluation(
    attempt: Attempt, entry: SuiteTask, plan: CasePlan, bench: Bench, trace: Trace, verdict: _Verdict
) -> Evaluation:
    if bench.loop.goes_on(attempt.attempt, verdict.outcome):
        try:
            trace.feedback = _feedback(attempt, entry, bench, trace, verdict)
        except Exception as error:
            verdict = _blame(error, trace)
    trace.cases += [CaseResult(case=name, outcome="skipped", reason=why) for name, why in plan.skipped.items()]
    return Evaluation(_record(attempt, entry, bench, trace, verdict), _texts(trace), verdict.retry)


def _feedback(attempt: Attempt, entry: SuiteTask, bench: Bench, trace: Trace, verdict: _Verdict) -> str:
    """What the model is told of this attempt before the next one."""
    files = trace.candidate.files if trace.candidate else {}
    judged = Judged(trace.stage, verdict.outcome, verdict.message, trace.findings, trace.cases, files, attempt.attempt)
    interface = trace.interface or bench.backend.interface(entry, entry.cases, bench.settings)
    return feedback(judged, entry, interface, bench, trace.build)


def _profiler(subject: Subject, build: Build, trace: Trace) -> Profiler:
    """Of a candidate that compiles, with the task's reference kernel where it has one."""
    known = reference_of(subject.entry, subject.backend, subject.settings.track)
    reference = Reference(replace(subject, candidate=known, workdir=subject.workdir / "reference")) if known else None
    return Profiler(subject, build, reference, trace.logs)


def _judge_case(case: Case, build: Build, entry: SuiteTask, bench: Bench, trace: Trace) -> CaseResult:
    """Run and check one case. The candidate's failure is the case's result: the other cases still run."""
    if sum(c.outcome == "timeout" for c in trace.cases) >= MOST_TIMEOUTS:
        return CaseResult(case=case.name, outcome="timeout", message=f"not run: {MOST_TIMEOUTS} cases timed out before")
    drawn = bench.bank.get(bench.suite, entry, case, bench.settings.seed)
    before = dict(trace.seconds)
    facts: dict[str, Any] = {"outcome": "passed"}
    try:
        with trace.timed("run_s"):
            result = bench.backend.run(build, entry, case, drawn.inputs, bench.settings)
        trace.logs.append(result.log)
        facts["findings"] = result.findings
        with trace.timed("check_s"):
            facts["outputs"] = bench.checker(entry.task, case, drawn.inputs, drawn.expected, result.outputs)
            _check_again(result, case, entry, bench, drawn)
        if trace.profiler:
            with trace.timed("profile_s"):
                facts |= trace.profiler.facts(case, drawn, result)
    except CheckError as error:
        facts |= {"outcome": error.outcome, "message": str(error), "outputs": error.outputs}
    except StageError as error:
        facts |= {"outcome": error.outcome, "message": str(error), "findings": error.findings}
        trace.logs.append(error.log)
    except UnsupportedApi as error:
        facts |= {"outcome": "unsupported", "message": str(error), "reason": error.name}
    spent = {part: trace.seconds.get(part, 0.0) - before.get(part, 0.0) for part in ("run_s", "check_s", "profile_s")}
    return CaseResult(case=case.name, **facts, **spent)


def _check_again(result: RunResult, case: Case, entry: SuiteTask, bench: Bench, drawn: Drawn) -> None:
    """Outputs that are right over one garbage and wrong over another are right by luck."""
    if result.again is None or _same(result.outputs, result.again.outputs):
        return
    finding = result.again.finding
    try:
        bench.checker(entry.task, case, drawn.inputs, drawn.expected, result.again.outputs)
    except CheckError as error:
        findings = [*result.findings, finding]
        raise RunError(f"{finding}: {error}", outcome="rule_violation", findings=findings) from error


def _same(one: Values, other: Values) -> bool:
    """The same bits."""
    pairs = zip(arrays(one), arrays(other), strict=True)
    return all(np.array_equal(a.reshape(-1).view(np.uint8), b.reshape(-1).view(np.uint8)) for a, b in pairs)


def _verdict(trace: Trace) -> _Verdict:
    """The attempt's outcome from its cases: one failing case fails it, whatever is unknown about the others."""
    ran = [c for c in trace.cases if c.outcome != "skipped"]
    unsupported = [c for c in ran if c.outcome == "unsupported"]
    failed = next((c for c in ran if c.outcome not in ("passed", "unsupported")), None)
    if failed is not None:
        trace.stage = OUTCOMES[failed.outcome].stage
        return _Verdict(failed.outcome, f"case {failed.case}: {failed.message}")
    if unsupported:
        names = tuple(dict.fromkeys(c.reason for c in unsupported))
        return _Verdict("unsupported", f"case {unsupported[0].case}: {unsupported[0].message}", names)
    if not ran:
        raise HarnessError("no case ran, so there is no verdict")
    trace.stage = "done"
    return _Verdict("passed")


def _candidate_failed(error: StageError, trace: Trace) -> _Verdict:
    trace.stage = error.stage
    trace.findings = (*trace.findings, *error.findings)
    trace.logs.append(error.log)
    return _Verdict(error.outcome, str(error))


def _texts(trace: Trace) -> dict[str, str]:
    done = trace.answer.completion
    texts = (prompt_text(trace.answer.messages), done.text, done.reasoning, trace.source, trace.feedback, trace.log)
    return {sha_of(text): text for text in texts if text}


def _record(attempt: Attempt, entry: SuiteTask, bench: Bench, trace: Trace, verdict: _Verdict) -> Record:
    answer, done = trace.answer, trace.answer.completion
    return Record(
        **identity_facts(attempt, bench.suite, bench.backend.name, bench.generator.name, bench.settings),
        level=entry.task.level,
        category=entry.task.category,
        stage=trace.stage,
        outcome=verdict.outcome,
        message=verdict.message,
        unsupported=verdict.unsupported,
        findings=trace.findings,
        cases=tuple(trace.cases),
        prompt_sha=sha_of(prompt_text(answer.messages)),
        completion_sha=sha_of(done.text),
        reasoning_sha=sha_of(done.reasoning),
        source_sha=sha_of(trace.source),
        log_sha=sha_of(trace.log),
        feedback_sha=sha_of(trace.feedback),
        template=answer.template,
        model=done.model,
        finish_reason=done.finish_reason if answer.messages else "",
        cached=answer.cached,
        retrieved=tuple(dict(one) for one in done.retrieved),
        last=not bench.loop.goes_on(attempt.attempt, verdict.outcome),
        usage=dict(done.usage),
        times=Times(generate_s=answer.seconds, **trace.seconds),
        versions=dict(bench.versions),
    )


def identity_facts(attempt: Attempt, suite: str, backend: str, generator: str, settings: Settings) -> dict[str, Any]:
    """What a record says about who was asked what, before anything happened."""
    return {
        **attempt._asdict(),
        "suite": suite,
        "backend": backend,
        "target": settings.target,
        "engine": dict(settings.engine),
        "track": str(settings.track),
        "shapes": str(settings.shapes),
        "generator": generator,
        "seed": settings.seed,
        "numerics": settings.numerics,
    }


def versions() -> dict[str, str]:
    """What a verdict depends on besides the sources."""
    from kbench import __version__

    return {"kbench": __version__, "python": sys.version.split()[0], "numpy": np.__version__}


# --- as a library ---------------------------------------------------------------------------------------------------


@dataclass
class Given(Generator):
    """Answers with what the caller holds already."""

    completion: Completion
    name: str = "given"

    def generate(self, request: Request) -> Completion:
        return self.completion


def evaluate(
    task: Task | SuiteTask,
    candidate: Candidate | str,
    backend: Backend | str,
    *,
    cases: Sequence[Case] = (),
    settings: Settings | None = None,
    max_elements: int = MAX_ELEMENTS,
) -> Record:
    """Judge one candidate, here and now: `kbench.evaluate(task, candidate, backend) -> Record`.

    Args:
        task: a suite's task with its cases, or a bare Task together with `cases`.
        candidate: source files, or a completion's text that holds them.
        backend: an instance, or the name of a registered one.
        settings: target, track, shapes, engine, sandbox, timeouts, seed; the backend's defaults where None. On static
            shapes exactly one case is judged.

    Raises:
        ConfigError: there is no such backend or target, or no case. Nothing else: every other failure is in the record.
    """
    entry = task if isinstance(task, SuiteTask) else SuiteTask(task=task, cases=tuple(cases))
    if cases and isinstance(task, SuiteTask):
        entry = replace(task, cases=tuple(cases))
    engine = backend if isinstance(backend, Backend) else _backend(backend)
    settings = settings or Settings(target=engine.default_target)
    engine.check_settings(settings)
    plan = plan_cases(entry, entry.cases, max_elements)
    if not plan.run:
        raise ConfigError(f"task {entry.task.name!r} has no case to run")
    if settings.shapes == Shapes.STATIC and len(plan.run) != 1:
        raise ConfigError(f"on static shapes a candidate answers one case; got {len(plan.run)}")
    completion = Completion(text=candidate) if isinstance(candidate, str) else Completion(candidate=candidate)
    bench = Bench("", engine, Given(completion), settings, bank=_BANK, versions=_versions())
    key = plan.run[0].name if settings.shapes == Shapes.STATIC else "*"
    with tempfile.TemporaryDirectory(prefix="kbench-") as workdir:
        return judge(Attempt(entry.task.name, key), entry, plan, bench, Path(workdir), Answer(completion)).record


#: A trainer judges a million candidates of few tasks in one process: what does not depend on the candidate is kept.
_BANK = CaseBank()
_versions = cache(versions)


@cache
def _backend(name: str) -> Backend:
    from kbench.core.plugins import registry

    known = registry().backends
    if name not in known:
        raise unknown_name("backend", name, known)
    made: Backend = known[name]()
    return made
