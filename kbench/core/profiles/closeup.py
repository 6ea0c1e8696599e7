"""One candidate seen closely: its cases profiled, and the timeline and listing of one of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from kbench.core.backend import NO_PROFILE, Build, RunResult
from kbench.core.bench import Answer, Bench, Loop
from kbench.core.cases import Drawn
from kbench.core.errors import ConfigError, unknown_name
from kbench.core.evaluate import judge
from kbench.core.extraction.extract import extract
from kbench.core.generator import Completion
from kbench.core.record import Record
from kbench.core.runs.campaign import Options, plan
from kbench.core.runs.manifest import Attempt
from kbench.core.runs.store import RunFolder
from kbench.core.runs.workbench import Workbench
from kbench.core.solutions import reference_of
from kbench.core.suite import SuiteTask
from kbench.core.task import Case
from kbench.core.timeline import Timeline

#: task → the completion that is looked at.
Find = Callable[[str], Completion]


@dataclass(frozen=True)
class Closeup:
    """An attempt and what answered it, on a workbench that profiles."""

    work: Workbench
    attempt: Attempt
    completion: Completion

    @classmethod
    def plan(cls, options: Options, find: Find | None) -> Closeup:
        """A candidate for one task; the task's reference kernel where `find` is None. On static shapes it answers the
        first selected case.

        Raises:
            ConfigError: a name is unknown, or nothing answers the task.
        """
        work = Workbench.open(plan(options), asks=False)
        attempt = next(work.manifest.attempts(), None)
        if attempt is None:
            names = ", ".join(work.manifest.tasks)
            raise ConfigError(f"no case of {names} can be run: {[t.skipped for t in work.manifest.tasks.values()]}")
        if find is not None:
            return cls(work, attempt, find(attempt.task))
        known = reference_of(work.entry(attempt), work.bench.backend, work.bench.settings.track)
        if known is None:
            raise ConfigError(f"task {attempt.task!r} has no reference kernel for backend {work.bench.backend.name!r}")
        return cls(work, attempt, Completion(candidate=known))

    @classmethod
    def of_record(cls, run: RunFolder, record: Record, completion: Completion) -> Closeup:
        """What a run has recorded, to be judged again."""
        attempt = Attempt(record.task, record.cases_key, record.sample, record.attempt)
        return cls(Workbench.open(run.manifest, asks=False), attempt, completion)

    def close(self) -> None:
        """Let go of the suite and the generator."""
        self.work.close()

    @property
    def entry(self) -> SuiteTask:
        return self.work.entry(self.attempt)

    @property
    def bench(self) -> Bench:
        """The run's, with a profiler even where the run had none."""
        bench = self.work.bench
        settings = bench.settings
        if not settings.profiles:
            component = next(iter(bench.backend.components.get("profile", ())), NO_PROFILE)
            settings = replace(settings, engine={**settings.engine, "profile": component})
        return replace(bench, loop=Loop(), settings=settings)

    def record(self) -> Record:
        """Judge and profile it, here and now."""
        with tempfile.TemporaryDirectory(prefix="kbench-") as workdir:
            cases = self.work.cases(self.attempt)
            answer = Answer(self.completion)
            return judge(self.attempt, self.entry, cases, self.bench, Path(workdir), answer).record

    def timeline(self, case: str = "") -> Timeline:
        """The timeline of a case, the first where none is named.

        Raises:
            ConfigError: there is no such case, or the backend draws none.
            StageError: the candidate fails.
        """
        backend = self.bench.backend
        with self._ran(case) as ran:
            found = backend.timeline(ran.build, self.entry, ran.case, ran.drawn.inputs, ran.bench.settings, ran.result)
            if found is None:
                raise ConfigError(f"the backend {backend.name!r} draws no timeline of this kernel")
            return replace(found, facts={**self._facts(ran), **found.facts})

    def listing(self, case: str = "") -> str:
        """What the machine executes in a case; raises as `timeline` does."""
        backend = self.bench.backend
        with self._ran(case) as ran:
            found = backend.listing(ran.build, self.entry, ran.case, ran.drawn.inputs, ran.bench.settings, ran.result)
            if found is None:
                raise ConfigError(f"the backend {backend.name!r} lists nothing of this kernel")
            return found

    def _facts(self, ran: _Ran) -> Mapping[str, str]:
        settings = ran.bench.settings
        return {
            "task": self.attempt.task,
            "case": ran.case.name,
            "backend": ran.bench.backend.name,
            "target": settings.target,
            "component": settings.engine["profile"],
        }

    @contextmanager
    def _ran(self, case: str) -> Iterator[_Ran]:
        """The candidate, built and run on a case."""
        bench, entry = self.bench, self.entry
        cases = self.work.cases(self.attempt).run
        by_name = {c.name: c for c in cases}
        if case and case not in by_name:
            raise unknown_name(f"case that this attempt of task {self.attempt.task!r} answers", case, by_name)
        chosen = by_name[case] if case else cases[0]
        drawn = bench.bank.get(bench.suite, entry, chosen, bench.settings.seed)
        candidate = extract(self.completion, bench.backend.interface(entry, cases, bench.settings))
        with tempfile.TemporaryDirectory(prefix="kbench-") as workdir:
            build = bench.backend.compile(candidate, entry, cases, bench.settings, Path(workdir))
            result = bench.backend.run(build, entry, chosen, drawn.inputs, bench.settings)
            yield _Ran(bench, chosen, drawn, build, result)


@dataclass(frozen=True)
class _Ran:
    bench: Bench
    case: Case
    drawn: Drawn
    build: Build
    result: RunResult
