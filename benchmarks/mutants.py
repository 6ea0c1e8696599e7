"""Kernels that are known to be right, each with one fault put in: how many does the simulator's verdict catch?

    python -m benchmarks.mutants [--library CHECKOUT …] [--suite FOLDER …] [--seed 2] [--per-kind 10] [--jobs 2]
        [--synchronisation] [--log FILE] [--out FILE]

Draws `--per-kind` mutants of each kind of `mutations.py` (eleven) from known solutions: the packaged ones of the
built-in suite, and the operators of the published libraries' checkouts that pass (`library_tasks.py`, whose models and
cases are ours, too); or, instead of both, the reference solutions of imported suite folders, whose cases are their
benchmark's. A solution takes part if it passes as it is on every case within `--max-elements`, for which a ledger's
word is taken where there is one (`--ledger` for a suite). The draw goes over the variants of a kind, then the tasks,
then the places, each uniformly and seeded.

A mutant is `killed` when its record's outcome is any failure of the candidate's, and a `survivor` when it passes all
cases (`mutant_judge.py`). Three sorts are replaced by the next of the draw, and listed:

- `equivalent`: the machine code of every kernel that the cases need is the unchanged solution's. Dropped
  synchronisation is exempt, for a simulator could make nothing of it wrongly.
- `skipped`: a trap in front of the statement does not end the run, so no case executes the place. A mutant that fails
  when it runs shows by this that it is executed.
- `void`: it needs what is not modelled, or the bench or the compiler's time limit fails. A mutant that times out counts
  only if the unchanged solution passes right after it.

Writes a table to standard output and everything, with each survivor's diff and whether its outputs are the original's
bit by bit, as JSON to `--out`. `--log` gets each fact as a line as soon as it is known; a later run with the same file
goes on where the first one ended.
"""

from __future__ import annotations

import argparse
import difflib
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks import library_tasks
from benchmarks.mutant_judge import Judge, Limits, Subject, Verdict
from benchmarks.mutations import KINDS, SYNC_KINDS, Edit, sites, trapped
from kbench.backends.ascend.backend import AscendBackend
from kbench.core.candidate import Candidate, Track
from kbench.core.record import Record
from kbench.importers import load_suite_folder
from kbench.task_specs import npukernelbench_suite

COUNTED = ("killed", "survivor")
_VOID = ("unsupported", "harness_error", "compile_timeout")
_TRIES = 12  # places tried for each mutant wanted


@dataclass(frozen=True)
class Plan:
    """What is drawn from, and how each mutant is judged."""

    suites: tuple[str, ...]
    libraries: tuple[str, ...]
    seed: int
    per_kind: int
    limits: Limits
    target: str
    passing: frozenset[str] = frozenset()  # subjects that are known to pass
    log: Path | None = None


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

    def facts(self, verdict: str, outcome: str, message: str = "") -> dict[str, Any]:
        return {
            "kind": self.edit.kind,
            "what": self.edit.what,
            "task": self.subject.name,
            "file": self.file,
            "line": self.line(),
            "verdict": verdict,
            "outcome": outcome,
            "message": " ".join(message.split())[:240],
            "diff": self.diff(),
        }


@dataclass
class Trial:
    """Judges sites, and knows what is known already."""

    plan: Plan
    judge: Judge
    known: dict[str, dict[str, Any]] = field(default_factory=dict)

    def fact(self, site: Site) -> dict[str, Any]:
        key = _key(site.facts("", ""))
        if key not in self.known:
            self.known[key] = self._fact(site)
            self.judge.backend.forget()
            if self.plan.log:
                with self.plan.log.open("a") as log:
                    log.write(json.dumps(self.known[key]) + "\n")
        return self.known[key]

    def _fact(self, site: Site) -> dict[str, Any]:
        subject = site.subject
        if subject.name not in self.plan.passing:
            record = self.judge.original(subject).record
            if not record.passed:
                return site.facts("skipped", "unfit", f"the solution as it is: {record.outcome} {record.message}")
        same = site.edit.kind not in ("sync", *SYNC_KINDS) and self.judge.same_program(subject, site.mutant())
        fact = site.facts("equivalent", "same_code") if same else self._judged(site)
        return fact if self._executed(site, fact) else site.facts("skipped", "not_executed", fact["outcome"])

    def _judged(self, site: Site) -> dict[str, Any]:
        made = self.judge.judged(site.subject, site.mutant())
        record = made.record
        if record.outcome == "timeout" and not self.judge.judged(site.subject, site.subject.candidate).record.passed:
            return site.facts("void", "harness_error", "the machine is too slow for the unchanged solution")
        verdict = "survivor" if record.passed else "void" if record.outcome in _VOID else "killed"
        fact = site.facts(verdict, record.outcome, _message(record))
        return {**fact, **self._survived(site, made)} if verdict == "survivor" else fact

    def _survived(self, site: Site, made: Verdict) -> dict[str, Any]:
        original = self.judge.original(site.subject)
        new = [w for w in made.warnings if w not in original.warnings]
        return {"same_bits": made.digests == original.digests, "warnings": new[:5]}

    def _executed(self, site: Site, fact: dict[str, Any]) -> bool:
        """Whether the place takes part. A survivor does where no trap can be put, too: no reason against it."""
        killed = fact["verdict"] == "killed"
        if fact["verdict"] == "void" or (killed and fact["outcome"] != "compile_error"):
            return True
        if fact["verdict"] == "equivalent" and self.judge.same_program(site.subject, site.trap()):
            return False  # nor does any kernel contain the place
        trap = self.judge.judged(site.subject, site.trap()).record.outcome
        return trap == "crash" or (trap == "compile_error" and not killed)


def _key(fact: dict[str, Any]) -> str:
    return "\0".join((fact["kind"], fact["what"], fact["task"], str(fact["line"]), fact["diff"]))


def _message(record: Record) -> str:
    return next((str(f) for f in record.findings if f.severity == "error"), "") or record.message


# --- what is drawn from ----------------------------------------------------------------------------------------------


def subjects(plan: Plan) -> Iterator[Subject]:
    """The solutions of the suite folders where there are any, else the packaged ones and the libraries'."""
    if plan.suites:
        yield from suite_subjects(plan)
        return
    backend, suite = AscendBackend(), npukernelbench_suite()
    for entry in suite.tasks.values():
        known = backend.reference(entry, Track.FULL)
        if known is not None:
            yield Subject("builtin", entry, known, plan.target)
    yield from library_subjects(plan)


def suite_subjects(plan: Plan) -> Iterator[Subject]:
    for folder in plan.suites:
        suite = load_suite_folder(Path(folder))
        for entry in suite.tasks.values():
            known = entry.reference(AscendBackend.name, Track.FULL) if entry.reference else None
            if known is not None and "op_kernel" in known.roles:
                yield Subject(suite.name, entry, known, plan.target)


def library_subjects(plan: Plan) -> Iterator[Subject]:
    """The operators that the ledger says to pass on every case."""
    ledger = json.loads(library_tasks.LEDGER.read_text())
    for one in library_tasks.OPERATORS:
        facts = ledger.get(one.folder, {})
        home = next((Path(c) for c in plan.libraries if (Path(c) / one.folder).is_dir()), None)
        if home is not None and facts.get("outcome") == "passed":
            source = library_tasks.source(home, one, every_chip=facts.get("every_chip", False))
            yield Subject("library", one.entry, source, plan.target, one.folder)


def shuffled(kind: str, among: Sequence[Subject], seed: int) -> Iterator[Site]:
    """The places of a kind in the order of the draw: a variant, a task, a place; none comes twice."""
    draw = random.Random(f"{seed} {kind}")
    groups: dict[str, dict[str, list[Site]]] = {}
    for subject in among:
        for file in subject.kernel_files:
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


# --- a draw ----------------------------------------------------------------------------------------------------------


def mutants_of(kind: str, plan: Plan) -> list[dict[str, Any]]:
    """The facts of `per_kind` judged mutants of a kind, and of those that had to be replaced."""
    facts: list[dict[str, Any]] = []
    wanted, tries = plan.per_kind, plan.per_kind * _TRIES
    with tempfile.TemporaryDirectory(prefix="kbench-mutants-") as folder:
        trial = Trial(plan, Judge(plan.limits, Path(folder)), read_log(plan.log))
        for site in shuffled(kind, list(subjects(plan)), plan.seed):
            if wanted == 0 or tries == 0:
                break
            fact = trial.fact(site)
            _told(site, f"{fact['verdict']} {fact['outcome']}")
            facts.append(fact)
            tries -= fact["outcome"] != "unfit"
            wanted -= fact["verdict"] in COUNTED
    return facts


def read_log(log: Path | None) -> dict[str, dict[str, Any]]:
    lines = log.read_text().splitlines() if log and log.is_file() else []
    return {_key(fact): fact for fact in map(json.loads, lines)}


def _told(site: Site, what: str) -> None:
    place = f"{site.subject.name} {site.file}:{site.line()}"
    print(f"{time.strftime('%H:%M:%S')} {site.edit.kind}: {place} {what}", file=sys.stderr, flush=True)


def table(facts: Sequence[dict[str, Any]]) -> str:
    """Killed, survived and what killed, for each kind."""
    lines = ["kind       killed  of  by"]
    for kind in dict.fromkeys(f["kind"] for f in facts):
        mine = [f for f in facts if f["kind"] == kind and f["verdict"] in COUNTED]
        killers = Counter(f["outcome"] for f in mine if f["verdict"] == "killed")
        by = ", ".join(f"{name} {n}" for name, n in killers.most_common())
        lines.append(f"{kind:<10} {sum(killers.values()):>6} {len(mine):>3}  {by}")
    counted = [f for f in facts if f["verdict"] in COUNTED]
    killed = sum(f["verdict"] == "killed" for f in counted)
    lines.append(f"all        {killed:>6} {len(counted):>3}  {killed / max(1, len(counted)):.1%}")
    for f in facts:
        if f["verdict"] == "survivor":
            bits = "the same bits" if f["same_bits"] else "other bits"
            lines.append(f"survivor: {f['task']} {f['file']}:{f['line']} {f['kind']}, {f['what']}, {bits}")
    return "\n".join(lines)


def known_passing(ledger: Path | None) -> frozenset[str]:
    """What a ledger says to pass: the upstream suite's by its file, the libraries' always."""
    tasks = json.loads(ledger.read_text())["tasks"] if ledger else {}
    suite = {f"npukernelbench/{name}" for name, facts in tasks.items() if facts["outcome"] == "passed"}
    library = json.loads(library_tasks.LEDGER.read_text())
    return frozenset(suite | {f"library/{name}" for name, facts in library.items() if facts["outcome"] == "passed"})


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--library", action="append", default=[], help="a checkout of ops-math or ops-nn")
    parser.add_argument("--suite", action="append", default=[], help="an imported suite's folder, instead of our tasks")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--per-kind", type=int, default=10)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=[*KINDS, *SYNC_KINDS])
    parser.add_argument("--synchronisation", action="store_true", help="the kinds that concern synchronisation alone")
    parser.add_argument("--max-elements", type=int, default=2**22)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--target", default="ascend910b1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--ledger", type=Path, help="the passed tasks of this upstream ledger take part untried")
    parser.add_argument("--log", type=Path, help="a file that gets each mutant's fact as soon as it is judged")
    parser.add_argument("--out", type=Path, default=Path("runs/mutants.json"))
    given = parser.parse_args(arguments)
    plan = Plan(
        suites=tuple(given.suite),
        libraries=tuple(given.library),
        seed=given.seed,
        per_kind=given.per_kind,
        limits=Limits(given.max_elements, given.timeout),
        target=given.target,
        passing=known_passing(given.ledger),
        log=given.log,
    )
    kinds = list(SYNC_KINDS) if given.synchronisation else given.kinds
    with ProcessPoolExecutor(given.jobs) as pool:
        found = pool.map(mutants_of, kinds, [plan] * len(kinds))
        facts = [fact for of_kind in found for fact in of_kind]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    settings = {k: v for k, v in vars(given).items() if k not in ("out", "log", "ledger")}
    given.out.write_text(json.dumps({"settings": settings, "mutants": facts}, indent=1) + "\n")
    print(table(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
