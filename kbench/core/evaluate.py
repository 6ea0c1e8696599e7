"""The one path: prompt → generate → extract → compile → run → check → profile → Record.

`evaluate` is the library's door, `judge` the path itself; campaigns walk the same path in worker processes. The
candidate's failure ends as data in the record; ours ends there too, but under an outcome that no score counts.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kbench.core.backend import Backend, Build, RunResult, Settings
from kbench.core.candidate import Candidate, Shapes, Track
from kbench.core.cases import MAX_ELEMENTS, CaseBank, CasePlan, Drawn, arrays, plan_cases
from kbench.core.check import check
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
from kbench.core.extract import extract
from kbench.core.generator import Completion, Generator, Message, Request
from kbench.core.manifest import Attempt
from kbench.core.preset import PLAIN, Preset
from kbench.core.record import CaseResult, Finding, OutputError, Record, Times
from kbench.core.store import sha_of
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Task, Values
from kbench.core.taxonomy import OUTCOMES

#: (task, case, inputs, expected, got) → the evidence of each output; raises CheckError.
Checker = Callable[[Task, Case, Values, Values, Values], tuple[OutputError, ...]]
#: After so many timeouts the other cases of an attempt are not run: they count as timeouts.
MOST_TIMEOUTS = 3
_LOG_LIMIT = 1 << 20


@dataclass(frozen=True)
class Bench:
    """What judges: the same for every attempt of a run."""

    suite: str
    backend: Backend
    generator: Generator
    settings: Settings
    checker: Checker = check
    bank: CaseBank = field(default_factory=CaseBank)
    preset: Preset = PLAIN
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Trace:
    """What happened so far: the stage reached, seconds, cases and texts."""

    stage: str = "generate"
    seconds: dict[str, float] = field(default_factory=dict)
    cases: list[CaseResult] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    prompt: str = ""
    completion: str = ""
    source: str = ""
    logs: list[str] = field(default_factory=list)
    usage: Mapping[str, Any] = field(default_factory=dict)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] = self.seconds.get(part, 0.0) + time.perf_counter() - start

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


def judge(attempt: Attempt, entry: SuiteTask, plan: CasePlan, bench: Bench, workdir: Path) -> Evaluation:
    """Evaluate one attempt, from the prompt to the record. Writes below `workdir` only; raises nothing of its own."""
    trace, settings = Trace(), bench.settings
    retry = False
    try:
        bench.bank.prepare(bench.suite, entry, plan.run, settings.seed)  # before any candidate exists
        interface = bench.backend.interface(entry, plan.run, settings)
        messages = bench.preset.ask(entry, plan.run, interface, settings)
        completion = _generate(attempt, entry, messages, bench, trace)
        trace.stage = "extract"
        candidate = extract(completion, interface)
        trace.source = _source_text(candidate)
        trace.stage = "compile"
        with trace.timed("compile_s"):
            build = bench.backend.compile(candidate, entry, plan.run, settings, workdir)
        trace.findings = build.findings
        trace.logs.append(build.log)
        trace.stage = "run"
        for case in plan.run:
            trace.cases.append(_judge_case(case, build, entry, bench, trace))
        verdict = _verdict(trace)
    except StageError as error:
        verdict = _candidate_failed(error, trace)
    except UnsupportedApi as error:
        verdict = _Verdict("unsupported", str(error), (error.name,))
    except HarnessError as error:
        verdict = _Verdict("harness_error", str(error))
        retry = not isinstance(error, (ConfigError, ToolMissing))
    except Exception as error:  # a fault of kbench or of a plugin: shown with its traceback, never scored
        trace.logs.append(traceback.format_exc())
        verdict = _Verdict("harness_error", f"{type(error).__name__}: {error}")
        retry = True
    trace.cases += [CaseResult(case=name, outcome="skipped", reason=why) for name, why in plan.skipped.items()]
    return Evaluation(_record(attempt, entry, bench, trace, verdict), _texts(trace), retry)


def _generate(
    attempt: Attempt, entry: SuiteTask, messages: Sequence[Message], bench: Bench, trace: Trace
) -> Completion:
    trace.prompt = json.dumps([{"role": m.role, "content": m.content} for m in messages], ensure_ascii=False, indent=1)
    sampling = bench.preset.sampling
    request = Request(
        messages=messages,
        suite=bench.suite,
        task=attempt.task,
        cases_key=attempt.cases_key,
        sample=attempt.sample,
        attempt=attempt.attempt,
        seed=bench.settings.seed if sampling.seed is None else sampling.seed,
        sampling=sampling,
        reference=reference_of(entry, bench.backend, bench.settings.track) if bench.generator.wants_reference else None,
    )
    with trace.timed("generate_s"):
        completion = bench.generator.generate(request)
    trace.completion, trace.usage = completion.text, completion.usage
    return completion


def reference_of(entry: SuiteTask, backend: Backend, track: Track) -> Candidate | None:
    """The suite's own solution where it ships one, else the backend's."""
    own = entry.reference(backend.name, track) if entry.reference else None
    return own or backend.reference(entry, track)


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
        with trace.timed("run_s"):
            facts["profile"] = bench.backend.profile(build, entry, case, drawn.inputs, bench.settings)
    except CheckError as error:
        facts |= {"outcome": error.outcome, "message": str(error), "outputs": error.outputs}
    except StageError as error:
        facts |= {"outcome": error.outcome, "message": str(error), "findings": error.findings}
        trace.logs.append(error.log)
    except UnsupportedApi as error:
        facts |= {"outcome": "unsupported", "message": str(error), "reason": error.name}
    spent = {part: trace.seconds.get(part, 0.0) - before.get(part, 0.0) for part in ("run_s", "check_s")}
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


def _source_text(candidate: Candidate) -> str:
    facts = {"files": dict(candidate.files), "roles": dict(candidate.roles), "entry": candidate.entry}
    return json.dumps(facts, ensure_ascii=False, indent=1)


def _texts(trace: Trace) -> dict[str, str]:
    return {sha_of(text): text for text in (trace.prompt, trace.completion, trace.source, trace.log) if text}


def _record(attempt: Attempt, entry: SuiteTask, bench: Bench, trace: Trace, verdict: _Verdict) -> Record:
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
        prompt_sha=sha_of(trace.prompt),
        completion_sha=sha_of(trace.completion),
        source_sha=sha_of(trace.source),
        log_sha=sha_of(trace.log),
        usage=dict(trace.usage),
        times=Times(**trace.seconds),
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
class _Given(Generator):
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
    bench = Bench("", engine, _Given(completion), settings, bank=_BANK, versions=_versions())
    key = plan.run[0].name if settings.shapes == Shapes.STATIC else "*"
    with tempfile.TemporaryDirectory(prefix="kbench-") as workdir:
        return judge(Attempt(entry.task.name, key), entry, plan, bench, Path(workdir)).record


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
