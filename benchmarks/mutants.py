"""Kernels that are known to be right, each with one fault put in: how many does the simulator's verdict catch?

    python benchmarks/mutants.py --suite FOLDER [--suite FOLDER …] [--seed 1] [--per-kind 10] [--jobs 2]
        [--ledger FILE] [--log FILE] [--out FILE]

Draws `--per-kind` mutants of each kind of `mutations.py` (eleven) from the reference solutions of the given suite
folders and of the built-in suite. A solution takes part if it passes as it is, for which the word of an upstream ledger
is taken (`--ledger`); a place takes part if it is executed; the draw goes over the variants of a kind, then the tasks,
then the places, each uniformly and seeded. A mutant is `killed` when its record's outcome is any failure of the
candidate's, and a `survivor` when it passes; a mutant that needs what is not modelled, or on which the bench or the
compiler's time limit fails, is replaced by the next one and listed. A mutant that times out counts only if the
unchanged solution passes right after it.

Every mutant meets its task's smallest case first, the others within `--max-elements` if it passes that one, and last,
before it counts as a survivor, those within `--most-elements`. One that fails when it runs shows by this that its place
is executed; for the rest a trap in front of the statement must end the run.

Writes a table to standard output and everything, with each survivor's diff and whether its outputs are the original's
bit by bit, as JSON to `--out`, and each fact as a line to `--log` as soon as it is known.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

try:
    from benchmarks.mutations import KINDS, Edit, sites, trapped
except ImportError:  # run as a script
    from mutations import KINDS, Edit, sites, trapped
from kbench.backends.ascend.backend import AscendBackend
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate, Track
from kbench.core.cases import CaseBank, plan_cases
from kbench.core.check import check
from kbench.core.evaluate import Bench, judge
from kbench.core.generator import Completion, Generator, Request
from kbench.core.manifest import Attempt
from kbench.core.record import Record
from kbench.core.suite import SuiteTask
from kbench.importers import load_suite_folder
from kbench.task_specs import npukernelbench_suite

_VOID = ("unsupported", "harness_error", "compile_timeout")
_TRIES = 12  # places tried for each mutant wanted


@dataclass(frozen=True)
class Plan:
    """What is drawn, and how each mutant is judged."""

    suites: tuple[str, ...]
    seed: int
    per_kind: int
    max_elements: int
    most_elements: int  # of the cases that a mutant must pass to survive
    timeout_s: float
    target: str
    passing: frozenset[str] = frozenset()  # subjects that are known to pass
    log: Path | None = None


@dataclass(frozen=True)
class Subject:
    """One known solution: the suite's name, the task, and the sources."""

    suite: str
    entry: SuiteTask
    candidate: Candidate

    @property
    def name(self) -> str:
        return f"{self.suite}/{self.entry.task.name}"

    def kernel_files(self) -> list[str]:
        """The sources that the kernel's compiler sees: those beside the kernel's main file."""
        main = PurePosixPath(self.candidate.roles["op_kernel"])
        beside = [f for f in self.candidate.files if PurePosixPath(f).is_relative_to(main.parent)]
        host = self.candidate.roles.get("op_host", "")
        return [f for f in beside if f != host] if str(main.parent) != "." else [str(main)]


@dataclass(frozen=True)
class Site:
    """A place in a subject's file, and what changes there."""

    subject: Subject
    file: str
    edit: Edit

    def mutant(self) -> Candidate:
        return self._with(self.edit.applied(self.subject.candidate.files[self.file]))

    def trap(self) -> Candidate:
        return self._with(trapped(self.subject.candidate.files[self.file], self.edit))

    def _with(self, text: str) -> Candidate:
        return replace(self.subject.candidate, files={**self.subject.candidate.files, self.file: text})

    def line(self) -> int:
        return self.subject.candidate.files[self.file].count("\n", 0, self.edit.start) + 1

    def diff(self) -> str:
        old, new = self.subject.candidate.files[self.file], self.mutant().files[self.file]
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), self.file, self.file, lineterm="", n=2)
        return "\n".join(lines)


@dataclass(eq=False)
class _Given(Generator):
    completion: Completion
    name: str = "given"

    def generate(self, request: Request) -> Completion:
        return self.completion


@dataclass
class Judge:
    """Judges candidates and remembers what the unchanged solutions gave."""

    plan: Plan
    bank: CaseBank = field(default_factory=CaseBank)
    originals: dict[str, tuple[Record, tuple[str, ...]]] = field(default_factory=dict)

    def judged(self, subject: Subject, candidate: Candidate) -> tuple[Record, tuple[str, ...]]:
        """The record of the smallest case, or of all if that one passes, and a digest of each case's outputs."""
        record, digests = self.over(subject, candidate, 0)
        return self.over(subject, candidate, self.plan.max_elements) if record.passed else (record, digests)

    def over(self, subject: Subject, candidate: Candidate, max_elements: int) -> tuple[Record, tuple[str, ...]]:
        digests: list[str] = []

        def watching(task: Any, case: Any, inputs: Any, expected: Any, got: Any) -> Any:
            digests.append(_digest(got))
            return check(task, case, inputs, expected, got)

        settings = Settings(
            target=self.plan.target,
            track=Track.FULL,
            compile_timeout_s=self.plan.timeout_s,
            run_timeout_s=self.plan.timeout_s,
        )
        cases = plan_cases(subject.entry, subject.entry.cases, max_elements)
        given = _Given(Completion(candidate=candidate))
        bench = Bench(subject.suite, AscendBackend(), given, settings, checker=watching, bank=self.bank)
        with tempfile.TemporaryDirectory(prefix="kbench-mutant-") as workdir:
            attempt = Attempt(subject.entry.task.name, "*")
            record = judge(attempt, subject.entry, cases, bench, Path(workdir)).record
        return record, tuple(digests)

    def original(self, subject: Subject) -> tuple[Record, tuple[str, ...]]:
        if subject.name not in self.originals:
            self.originals[subject.name] = self.over(subject, subject.candidate, self.plan.max_elements)
        return self.originals[subject.name]

    def passes(self, subject: Subject) -> bool:
        return subject.name in self.plan.passing or self.original(subject)[0].passed


def _digest(outputs: Any) -> str:
    total = hashlib.sha256()
    for name in sorted(outputs):
        value = outputs[name]
        for array in value if isinstance(value, list) else [value]:
            if array is not None:
                total.update(np.ascontiguousarray(array).view(np.uint8).tobytes())
    return total.hexdigest()


def subjects(folders: Sequence[str]) -> Iterator[Subject]:
    """Every task of these suites, and of the built-in one, that has a solution with a host side."""
    backend = AscendBackend()
    suites = [*(load_suite_folder(Path(f)) for f in folders), npukernelbench_suite()]
    for suite in suites:
        for entry in suite.tasks.values():
            own = entry.reference(backend.name, Track.FULL) if entry.reference else None
            known = own or backend.reference(entry, Track.FULL)
            if known is not None and "op_kernel" in known.roles:
                yield Subject(suite.name, entry, known)


def shuffled(kind: str, among: Sequence[Subject], seed: int) -> Iterator[Site]:
    """The places of a kind in the order of the draw: a variant, a task, a place; none comes twice."""
    draw = random.Random(f"{seed} {kind}")
    groups: dict[str, dict[str, list[Site]]] = {}
    for subject in among:
        for file in subject.kernel_files():
            for edit in sites(subject.candidate.files[file]):
                if edit.kind == kind:
                    groups.setdefault(edit.what, {}).setdefault(subject.name, []).append(Site(subject, file, edit))
    while groups:
        what = draw.choice(sorted(groups))
        task = draw.choice(sorted(groups[what]))
        places = groups[what][task]
        yield places.pop(draw.randrange(len(places)))
        if not places:
            del groups[what][task]
        if not groups[what]:
            del groups[what]


def mutants_of(kind: str, plan: Plan) -> list[dict[str, Any]]:
    """The facts of `per_kind` judged mutants of a kind, and of those that had to be replaced."""
    judge_ = Judge(plan)
    facts: list[dict[str, Any]] = []
    wanted, tries = plan.per_kind, plan.per_kind * _TRIES
    for site in shuffled(kind, list(subjects(plan.suites)), plan.seed):
        if wanted == 0 or tries == 0:
            break
        if not judge_.passes(site.subject):
            _told(site, f"skipped, the solution as it is: {judge_.original(site.subject)[0].outcome}")
            continue
        tries -= 1
        fact = judged(site, judge_)
        if not executed(site, fact, judge_):
            _told(site, f"skipped, never executed or no place for a statement: {fact['verdict']} {fact['outcome']}")
            continue
        if fact["verdict"] == "survivor":
            fact = on_larger_cases(site, fact, judge_)
        facts.append(fact)
        wanted -= fact["verdict"] != "void"
        _told(site, f"{fact['verdict']} {fact['outcome']}")
        if plan.log:
            with plan.log.open("a") as log:
                log.write(json.dumps(fact) + "\n")
    return facts


def executed(site: Site, fact: dict[str, Any], judge_: Judge) -> bool:
    """Whether the place takes part. A survivor does where no trap can be put, too: which is no reason against it."""
    if fact["verdict"] == "void" or (fact["verdict"] == "killed" and fact["outcome"] != "compile_error"):
        return True
    trap = judge_.judged(site.subject, site.trap())[0].outcome
    return trap == "crash" or (trap == "compile_error" and fact["verdict"] == "survivor")


def _told(site: Site, what: str) -> None:
    place = f"{site.subject.name} {site.file}:{site.line()}"
    print(f"{time.strftime('%H:%M:%S')} {site.edit.kind}: {place} {what}", file=sys.stderr, flush=True)


def judged(site: Site, judge_: Judge) -> dict[str, Any]:
    record, digests = judge_.judged(site.subject, site.mutant())
    if record.outcome == "timeout" and not judge_.judged(site.subject, site.subject.candidate)[0].passed:
        slow = {"outcome": "harness_error", "message": "the machine is too slow for the unchanged solution"}
        record = record.model_copy(update=slow)
    fact = fact_of(site, record)
    if fact["verdict"] == "survivor":
        fact["same_bits"] = digests == judge_.original(site.subject)[1]
        fact["warnings"] = [str(f) for c in record.cases for f in c.findings][:5]
    return fact


def on_larger_cases(site: Site, fact: dict[str, Any], judge_: Judge) -> dict[str, Any]:
    """The fact of a survivor; what the cases that are too large for every mutant say where one kills it."""
    record, _ = judge_.over(site.subject, site.mutant(), judge_.plan.most_elements)
    larger = fact_of(site, record)
    return larger if larger["verdict"] == "killed" and record.outcome != "timeout" else fact


def fact_of(site: Site, record: Record) -> dict[str, Any]:
    verdict = "survivor" if record.passed else "void" if record.outcome in _VOID else "killed"
    first = next((str(f) for f in record.findings if f.severity == "error"), "")
    return {
        "kind": site.edit.kind,
        "what": site.edit.what,
        "task": site.subject.name,
        "file": site.file,
        "line": site.line(),
        "verdict": verdict,
        "outcome": record.outcome,
        "message": " ".join((first or record.message).split())[:240],
        "diff": site.diff(),
    }


def table(facts: Sequence[dict[str, Any]]) -> str:
    """Killed, survived and what killed, for each kind."""
    lines = ["kind       killed  of  by"]
    for kind in KINDS:
        mine = [f for f in facts if f["kind"] == kind and f["verdict"] != "void"]
        killers = Counter(f["outcome"] for f in mine if f["verdict"] == "killed")
        by = ", ".join(f"{name} {n}" for name, n in killers.most_common())
        lines.append(f"{kind:<10} {sum(killers.values()):>6} {len(mine):>3}  {by}")
    counted = [f for f in facts if f["verdict"] != "void"]
    killed = sum(f["verdict"] == "killed" for f in counted)
    lines.append(f"all        {killed:>6} {len(counted):>3}  {killed / max(1, len(counted)):.1%}")
    for f in facts:
        if f["verdict"] == "survivor":
            bits = "the same bits" if f["same_bits"] else "other bits"
            lines.append(f"survivor: {f['task']} {f['file']}:{f['line']} {f['kind']}, {f['what']}, {bits}")
    return "\n".join(lines)


def known_passing(ledger: Path | None) -> frozenset[str]:
    tasks = json.loads(ledger.read_text())["tasks"] if ledger else {}
    return frozenset(f"npukernelbench/{name}" for name, facts in tasks.items() if facts["outcome"] == "passed")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--suite", action="append", default=[], help="a suite folder; may be given more than once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-kind", type=int, default=10)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--max-elements", type=int, default=2**22)
    parser.add_argument("--most-elements", type=int, default=2**24)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--target", default="ascend910_93")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--ledger", type=Path, help="the passed tasks of this upstream ledger take part untried")
    parser.add_argument("--log", type=Path, help="a file that gets each mutant's fact as soon as it is judged")
    parser.add_argument("--out", type=Path, default=Path("runs/mutants.json"))
    given = parser.parse_args(arguments)
    plan = Plan(
        suites=tuple(given.suite),
        seed=given.seed,
        per_kind=given.per_kind,
        max_elements=given.max_elements,
        most_elements=given.most_elements,
        timeout_s=given.timeout,
        target=given.target,
        passing=known_passing(given.ledger),
        log=given.log,
    )
    with ProcessPoolExecutor(given.jobs) as pool:
        found = pool.map(mutants_of, given.kinds, [plan] * len(given.kinds))
        facts = [fact for of_kind in found for fact in of_kind]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    settings = {k: v for k, v in vars(given).items() if k not in ("out", "log", "ledger")}
    given.out.write_text(json.dumps({"settings": settings, "mutants": facts}, indent=1) + "\n")
    print(table(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
