"""Profiles of the cases that pass: the candidate's own, and the time of the task's reference kernel beside it."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from kbench.core.backend import Backend, Build, RunResult, Settings
from kbench.core.candidate import Candidate
from kbench.core.cases import Drawn
from kbench.core.check import check
from kbench.core.errors import KbenchError
from kbench.core.hostcc.cache import content_key, default_cache
from kbench.core.profile import Baseline, Hint, Profile
from kbench.core.record import Finding
from kbench.core.suite import SuiteTask
from kbench.core.task import Case

_FILE = "baseline.json"
#: Reference kernels that could not be timed, by their key: not tried again by this process.
_FAILED: set[str] = set()


@dataclass(frozen=True)
class Subject:
    """What is profiled: a candidate of a task on some cases, and by whom it is judged."""

    candidate: Candidate
    suite: str
    entry: SuiteTask
    cases: Sequence[Case]
    backend: Backend
    settings: Settings
    workdir: Path


@dataclass(frozen=True)
class Profiler:
    """Profiles what passed. A profiler that fails is told in the case's findings: the verdict stands."""

    subject: Subject
    build: Build
    reference: Reference | None
    logs: list[str]

    def facts(self, case: Case, drawn: Drawn, result: RunResult) -> Mapping[str, Any]:
        """`profile`, `baseline` and all `findings` of a case that passed, as `CaseResult` has them."""
        of = self.subject
        try:
            found = of.backend.profile(self.build, of.entry, case, drawn.inputs, of.settings, result)
            if found is None:
                return {}
            profile = Profile.model_validate(found)
            baseline = self._baseline(case, drawn, profile)
        except Exception as error:  # of a plugin, too: what was right stays right
            if not isinstance(error, KbenchError):
                self.logs.append(traceback.format_exc())
            told = Finding(severity="note", rule="no-profile", message=f"no profile: {error}"[:2000])
            return {"findings": (*result.findings, told)}
        suspects = tuple(_suspect(hint) for hint in profile.suspects)
        return {"profile": profile, "baseline": baseline, "findings": (*result.findings, *suspects)}

    def _baseline(self, case: Case, drawn: Drawn, profile: Profile) -> Baseline | None:
        if self.reference is None:
            return None
        if self.reference.subject.candidate.sha == self.subject.candidate.sha:
            return baseline_of(profile, self.subject.candidate)
        return self.reference.baseline(case, drawn)


def _suspect(hint: Hint) -> Finding:
    return Finding(severity="warning", rule=hint.rule, message=hint.message, file=hint.file, line=hint.line)


@dataclass(frozen=True)
class Reference:
    """A task's reference kernel, which speed-ups are over: timed once for each case, then remembered."""

    subject: Subject
    _built: list[Build] = field(default_factory=list)

    def baseline(self, case: Case, drawn: Drawn) -> Baseline | None:
        """Its time in a case; None where it does not run, is wrong or has no profile.

        What any process has measured before, with the same sources of the backend, is not measured again.
        """
        key = self._key(case)
        if key in _FAILED:
            return None
        try:
            folder = default_cache().build(key, lambda place: self._measure(case, drawn, place / _FILE))
        except Exception:  # of a plugin, too: its own reference's fault is no candidate's
            _FAILED.add(key)
            return None
        facts = json.loads((folder / _FILE).read_text())
        return Baseline(**facts) if facts else None

    def _measure(self, case: Case, drawn: Drawn, file: Path) -> None:
        of = self.subject
        build = self._build()
        result = of.backend.run(build, of.entry, case, drawn.inputs, of.settings)
        check(of.entry.task, case, drawn.inputs, drawn.expected, result.outputs)
        profile = of.backend.profile(build, of.entry, case, drawn.inputs, of.settings, result)
        found = baseline_of(profile, of.candidate) if profile else None
        file.write_text(json.dumps(found.model_dump() if found else None))

    def _build(self) -> Build:
        if not self._built:
            of = self.subject
            of.workdir.mkdir(parents=True, exist_ok=True)
            self._built.append(of.backend.compile(of.candidate, of.entry, of.cases, of.settings, of.workdir))
        return self._built[0]

    def _key(self, case: Case) -> str:
        of = self.subject
        settings = repr(sorted({**asdict(of.settings), "engine": sorted(of.settings.engine.items())}.items()))
        what = (of.suite, of.entry.task.name, case.name, case.describe(), settings, type(of.backend).__qualname__)
        return content_key("baseline", _sources(type(of.backend)), of.candidate.sha, *what)


def baseline_of(profile: Profile, candidate: Candidate) -> Baseline:
    """What is kept of a reference kernel's own profile."""
    return Baseline(source_sha=candidate.sha, latency_us=profile.latency_us, cycles=profile.cycles)


@cache
def _sources(kind: type) -> str:
    """One hash of the package, or module, that a class comes from, and of core: what a time depends on."""
    places = [Path(__file__).parents[1]]
    for name in (kind.__module__, kind.__module__.rpartition(".")[0]):
        file = getattr(sys.modules.get(name), "__file__", None)
        if file:
            places.append(Path(file).parent if Path(file).stem == "__init__" else Path(file))
    files = [f for place in places for f in ([place] if place.is_file() else sorted(place.rglob("*"))) if f.is_file()]
    return content_key(*(f for f in files if "__pycache__" not in f.parts))
