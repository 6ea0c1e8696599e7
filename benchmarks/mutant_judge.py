"""Judges many candidates that differ from a known solution in one place, and builds what they share only once.

A candidate meets its task's smallest case first, then, for one row of dtypes after the other, the small cases and the
large ones; the first failure ends it. The host side is built once for each content of the files that it includes, and a
kernel once for each row of dtypes.

`same_program` says whether two candidates' kernels are the same machine code after optimisation: trivial compiler
equivalence, which is sound and finds a good part of all equivalent mutants (M. Papadakis, Y. Jia, M. Harman, Y. Le
Traon: Trivial Compiler Equivalence, ICSE 2015).
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

import benchmarks.library_tasks
import kbench.task_specs
from benchmarks.mutations import HIT, probed, sites
from kbench.backends.ascend.backend import AscendBackend, Row
from kbench.backends.ascend.sim import host, kernel
from kbench.backends.ascend.sim.host_sources import host_sources
from kbench.backends.ascend.targets import TARGETS
from kbench.core.backend import Build, RunResult, Settings
from kbench.core.candidate import Candidate, Track
from kbench.core.cases import CaseBank, CasePlan, case_elements
from kbench.core.check import check
from kbench.core.errors import CompileError, StageError, UnsupportedApi
from kbench.core.evaluate import Bench, judge
from kbench.core.generator import Completion, Generator, Request
from kbench.core.hostcc.cache import content_key, default_cache
from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.hostcc.symbols import section_bytes
from kbench.core.record import Record
from kbench.core.runs.manifest import Attempt
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Values

SMALL = 2**17  # elements of the cases that a row of dtypes meets first
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[>"]', re.MULTILINE)
_NOT_CODE = (".debug", ".symtab", ".strtab", ".shstrtab", ".comment", ".note", ".rela.debug")


@dataclass(frozen=True)
class Subject:
    """One known solution: the suite's name, the task, the sources, and the chip that it is judged for."""

    suite: str
    entry: SuiteTask
    candidate: Candidate
    target: str
    key: str = ""  # its name in the ledger that says whether it passes

    @property
    def name(self) -> str:
        return f"{self.suite}/{self.key or self.entry.task.name}"

    @cached_property
    def kernel_files(self) -> tuple[str, ...]:
        """What the kernel's main file is made of: itself and the candidate's own files that it includes."""
        return included(self.candidate, [self.candidate.roles["op_kernel"]])


class KeepingBackend(AscendBackend):
    """The Ascend backend, except that it keeps host sides by content, and kernels until `forget`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kernels: dict[tuple[str, Row], kernel.KernelBuild] = {}
        self.printed: list[str] = []

    def run(self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings) -> RunResult:
        result = super().run(build, entry, case, inputs, settings)
        self.printed += [line for line in result.log.splitlines() if HIT in line]
        return result

    def forget(self) -> None:
        self._kernels.clear()
        self.printed.clear()
        shutil.rmtree(self._folder / "kernels", ignore_errors=True)

    def _build_host(
        self, candidate: Candidate, entry: SuiteTask, settings: Settings, box: Sandbox, workdir: Path
    ) -> host.HostProgram | None:
        alone = host_side(candidate)
        try:
            return host.given_host(alone, TARGETS[settings.target], box, settings.compile_timeout_s)
        except (CompileError, UnsupportedApi):  # or it includes files in a way that only the compiler understands
            return super()._build_host(candidate, entry, settings, box, workdir)

    def _build_kernel(
        self, candidate: Candidate, program: host.HostProgram | None, row: Row, settings: Settings, workdir: Path
    ) -> kernel.KernelBuild:
        key = (candidate.sha, row)
        if key not in self._kernels:
            place = self._folder / "kernels" / str(len(self._kernels))
            self._kernels[key] = super()._build_kernel(candidate, program, row, settings, place)
        return self._kernels[key]


def host_side(candidate: Candidate) -> Candidate:
    """The host's sources and what they include, without anything else: what changes elsewhere, changes nothing here."""
    main = candidate.roles["op_host"]
    sources, _ = host_sources(candidate.files, main, candidate.roles.values())
    kept = included(candidate, sources)
    return Candidate({path: candidate.files[path] for path in kept}, {"op_host": main})


def included(candidate: Candidate, sources: Sequence[str]) -> tuple[str, ...]:
    """These sources and the candidate's own files that they include."""
    found = list(sources)
    for path in found:
        folder = PurePosixPath(path).parent.as_posix()
        for name in _INCLUDE.findall(candidate.files[path]):
            places = (posixpath.normpath(posixpath.join(folder, name)), name)
            found += [p for p in places if p in candidate.files and p not in found][:1]
    return tuple(found)


@dataclass(eq=False)
class _Given(Generator):
    completion: Completion
    name: str = "given"

    def generate(self, request: Request) -> Completion:
        return self.completion


@dataclass
class Verdict:
    """The record of the first part of the cases that failed, or of the last; what every part warned of, and a digest of
    each case's outputs."""

    record: Record
    digests: dict[str, str]
    warnings: list[str]


@dataclass(frozen=True)
class Limits:
    """Elements of the largest case that runs, and seconds for a compilation and for a run."""

    max_elements: int = 2**22
    timeout_s: float = 60.0


@dataclass
class Judge:
    """Judges candidates for subjects."""

    limits: Limits
    folder: Path
    bank: CaseBank = field(default_factory=CaseBank)
    sizes: dict[tuple[str, str], int] = field(default_factory=dict)
    coverage: dict[str, frozenset[tuple[str, int]] | None] = field(default_factory=dict)

    @cached_property
    def backend(self) -> KeepingBackend:
        return KeepingBackend(self.folder)

    def settings(self, subject: Subject) -> Settings:
        seconds = self.limits.timeout_s
        return Settings(target=subject.target, track=Track.FULL, compile_timeout_s=seconds, run_timeout_s=seconds)

    def judged(self, subject: Subject, candidate: Candidate, *, first: bool = False) -> Verdict:
        """Over all parts of the cases, or only the first."""
        digests: dict[str, str] = {}
        warnings: list[str] = []
        for part in self.parts(subject):
            record = self.over(subject, candidate, part, digests)
            warnings += [str(f) for c in record.cases for f in c.findings]
            if first or not record.passed:
                break
        return Verdict(record, digests, list(dict.fromkeys(warnings)))

    def parts(self, subject: Subject) -> Iterator[tuple[Case, ...]]:
        """The cases in the order in which a candidate meets them."""
        cases = self.cases(subject)
        yield tuple(cases[:1])
        rows: dict[str, list[Case]] = {}
        for case in cases:
            rows.setdefault(repr(sorted(case.dtypes.items())), []).append(case)
        for row in rows.values():
            small = tuple(c for c in row if self.size(subject, c) <= SMALL and c is not cases[0])
            large = tuple(c for c in row if self.size(subject, c) > SMALL and c is not cases[0])
            yield from (part for part in (small, large) if part)

    def cases(self, subject: Subject) -> list[Case]:
        """Those within the limit, the smallest first, and at least one."""
        by_size = sorted(subject.entry.cases, key=lambda c: self.size(subject, c))
        return [c for i, c in enumerate(by_size) if i == 0 or self.size(subject, c) <= self.limits.max_elements]

    def size(self, subject: Subject, case: Case) -> int:
        key = (subject.name, case.name)
        if key not in self.sizes:
            self.sizes[key] = case_elements(subject.entry.task, case, self.limits.max_elements)
        return self.sizes[key]

    def over(self, subject: Subject, candidate: Candidate, cases: Sequence[Case], digests: dict[str, str]) -> Record:
        def watching(task: Any, case: Any, inputs: Any, expected: Any, got: Any) -> Any:
            digests[case.name] = _digest(got)
            return check(task, case, inputs, expected, got)

        given = _Given(Completion(candidate=candidate))
        bench = Bench(subject.suite, self.backend, given, self.settings(subject), checker=watching, bank=self.bank)
        attempt = Attempt(subject.entry.task.name, "*")
        with tempfile.TemporaryDirectory(prefix="kbench-mutant-") as workdir:
            return judge(attempt, subject.entry, CasePlan(tuple(cases)), bench, Path(workdir)).record

    def original(self, subject: Subject) -> Verdict:
        """What the unchanged solution gets; kept on disk, for it costs more than any mutant."""

        def write(folder: Path) -> None:
            made = self.judged(subject, subject.candidate)
            facts = {"record": made.record.model_dump(mode="json"), "digests": made.digests, "warnings": made.warnings}
            (folder / "verdict.json").write_text(json.dumps(facts))

        cases = repr([(c.name, c.shapes, c.dtypes, c.attrs, c.values) for c in self.cases(subject)])
        key = content_key("original", _identity(), subject.name, subject.candidate.sha, subject.target, cases)
        facts = json.loads((default_cache().build(key, write) / "verdict.json").read_text())
        return Verdict(Record(**facts["record"]), facts["digests"], facts["warnings"])

    def covered(self, subject: Subject) -> frozenset[tuple[str, int]] | None:
        """The places, by file and offset, that the cases execute; None where the solution with probes does not pass."""
        if subject.name not in self.coverage:
            self.coverage[subject.name] = self._covered(subject)
        return self.coverage[subject.name]

    def _covered(self, subject: Subject) -> frozenset[tuple[str, int]] | None:
        files = {path: subject.candidate.files[path] for path in subject.kernel_files}
        names = {path: str(number) for number, path in enumerate(files)}
        with_probes = {p: probed(text, {e.at for e in sites(text)}, names[p]) for p, text in files.items()}
        candidate = replace(subject.candidate, files={**subject.candidate.files, **with_probes})

        def write(folder: Path) -> None:
            self.backend.forget()
            passed = self.judged(subject, candidate).record.passed
            hits = [line.partition(HIT)[2].split() for line in self.backend.printed]
            (folder / "hits.json").write_text(json.dumps(hits if passed else None))

        cases = repr([c.name for c in self.cases(subject)])
        key = content_key("covered places", _identity(), subject.name, candidate.sha, subject.target, cases)
        hits = json.loads((default_cache().build(key, write) / "hits.json").read_text())
        paths = {name: path for path, name in names.items()}
        return None if hits is None else frozenset((paths[name], int(at)) for name, at in hits)

    def same_program(self, subject: Subject, other: Candidate) -> bool:
        """Whether this candidate's kernels are the unchanged solution's, for every row of dtypes that a case has."""
        seen: set[str] = set()
        for case in self.cases(subject):
            row = repr(sorted(case.dtypes.items()))
            if row in seen:
                continue
            seen.add(row)
            try:
                if self.code(subject, other, case) != self.original_code(subject, case):
                    return False
            except (StageError, UnsupportedApi):
                return False
        return True

    def code(self, subject: Subject, candidate: Candidate, case: Case) -> str:
        """A digest of the machine code of a case's kernel."""
        with tempfile.TemporaryDirectory(prefix="kbench-mutant-") as workdir:
            built = self.backend.compile(candidate, subject.entry, [case], self.settings(subject), Path(workdir))
        return code_digest(next(iter(built.data.kernels.values())))

    def original_code(self, subject: Subject, case: Case) -> str:
        def write(folder: Path) -> None:
            (folder / "digest").write_text(self.code(subject, subject.candidate, case))

        row = repr(sorted(case.dtypes.items()))
        key = content_key("original code", _identity(), subject.candidate.sha, subject.target, row)
        return (default_cache().build(key, write) / "digest").read_text()


def code_digest(program: Path) -> str:
    """A digest of what a program's sections hold, but for names, notes and lines."""
    kept = {name: data for name, data in section_bytes(program).items() if not name.startswith(_NOT_CODE)}
    return content_key(*(part for name in sorted(kept) for part in (name, kept[name])))


@cache
def _identity() -> str:
    """What decides a verdict besides the candidate: headers, runtime, and the tasks."""
    tasks = sorted(Path(kbench.task_specs.__file__).parent.rglob("*.py"))
    ours = Path(benchmarks.library_tasks.__file__)
    return content_key(str(kernel.kernel_library()), str(host.host_library()), kernel.INCLUDE, *tasks, ours)


def _digest(outputs: Any) -> str:
    total = hashlib.sha256()
    for name in sorted(outputs):
        value = outputs[name]
        for array in value if isinstance(value, list) else [value]:
            if array is not None:
                total.update(np.ascontiguousarray(array).view(np.uint8).tobytes())
    return total.hexdigest()
