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
cases (`mutant_judge.py`); one of the synchronisation kinds is `killed` by a new warning, too, and counted as `warned`.
A survivor that the ledger argues to be equivalent is replaced when the draw goes on (`--resume`). Three more sorts are
replaced by the next of the draw, and listed:

- `equivalent`: the machine code of every kernel that the cases need is the unchanged solution's. Dropped
  synchronisation is exempt, for a simulator could make nothing of it wrongly.
- `skipped`: no case executes the place, as probes in the unchanged solution tell, or a trap where these do not compile.
  A mutant that fails when it runs shows by this that it is executed (and, of course, that it is another program).
- `void`: it needs what is not modelled, or the bench or the compiler's time limit fails; or it concerns synchronisation
  and does not compile, which says nothing of what a run would find. A mutant that times out counts
  only if the unchanged solution passes right after it.

Writes a table to standard output and everything, with each survivor's diff and whether its outputs are the original's
bit by bit, as JSON to `--out`. `--log` gets each fact as a line as soon as it is known; a later run with the same file
goes on where the first one ended, and one with `--resume DRAW` where the committed ledger ends.
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
from benchmarks.mutants_ledger import digest
from benchmarks.mutations import KINDS, SYNC_KINDS, Edit, sites, trapped
from kbench.backends.ascend.backend import AscendBackend
from kbench.core.candidate import Candidate, Track
from kbench.core.record import Record
from kbench.importers import load_suite_folder
from kbench.task_specs import npukernelbench_suite

COUNTED = ("killed", "survivor")
WARNED = "warned"  # passes, and a warning names what is missing
MUTANTS = Path(__file__).with_name("mutants_ledger.json")
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
    known: tuple[dict[str, Any], ...] = ()  # of an earlier part of the same draw


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
        bare = site.facts("", "")
        fact = self.known.get(_key(bare))
        if fact is None:
            fact = self._fact(site)
            self.judge.backend.forget()
            if self.plan.log:
                with self.plan.log.open("a") as log:
                    log.write(json.dumps(fact) + "\n")
        return {**bare, **fact}

    def _fact(self, site: Site) -> dict[str, Any]:
        subject = site.subject
        if subject.name not in self.plan.passing:
            record = self.judge.original(subject).record
            if not record.passed:
                return site.facts("skipped", "unfit", f"the solution as it is: {record.outcome} {record.message}")
        if subject.name in self.judge.coverage and not self._executed(site):
            return site.facts("skipped", "not_executed")
        made = self.judge.judged(subject, site.mutant(), first=True)
        if made.record.passed or made.record.outcome == "compile_error":
            return self._harmless_at_first(site)
        return self._verdict(site, made)

    def _harmless_at_first(self, site: Site) -> dict[str, Any]:
        """The fact of a mutant that passes the smallest case, or does not compile, cheap questions first: is the place
        executed at all, is it the same program, and only then, does it pass the other cases?"""
        if not self._executed(site):
            return site.facts("skipped", "not_executed")
        if site.edit.kind not in ("sync", *SYNC_KINDS) and self.judge.same_program(site.subject, site.mutant()):
            return site.facts("equivalent", "same_code")
        return self._verdict(site, self.judge.judged(site.subject, site.mutant()))

    def _verdict(self, site: Site, made: Verdict) -> dict[str, Any]:
        record = made.record
        if record.outcome == "timeout" and not self.judge.judged(site.subject, site.subject.candidate).record.passed:
            return site.facts("void", "harness_error", "the machine is too slow for the unchanged solution")
        if record.passed:
            return self._passed(site, made)
        void = (*_VOID, "compile_error") if site.edit.kind in SYNC_KINDS else _VOID
        verdict = "void" if record.outcome in void else "killed"
        return site.facts(verdict, record.outcome, _message(record))

    def _passed(self, site: Site, made: Verdict) -> dict[str, Any]:
        original = self.judge.original(site.subject)
        new = [w for w in made.warnings if w not in original.warnings]
        if new and site.edit.kind in SYNC_KINDS:
            return site.facts("killed", WARNED, new[0])
        told = {"same_bits": made.digests == original.digests, "warnings": new[:5]}
        return {**site.facts("survivor", made.record.outcome), **told}

    def _executed(self, site: Site) -> bool:
        """Whether a case executes the place: by probes at all places, or, where these cannot be, by a trap at this one;
        where that cannot be either, nothing speaks against it."""
        covered = self.judge.covered(site.subject)
        if covered is not None:
            return (site.file, site.edit.at) in covered
        return self.judge.judged(site.subject, site.trap()).record.outcome in ("crash", "compile_error")


def _key(fact: dict[str, Any]) -> str:
    return "\0".join((*(str(fact[k]) for k in ("kind", "what", "task", "file", "line")), digest(fact)))


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
        known = {_key(fact): fact for fact in (*plan.known, *read_log(plan.log))}
        trial = Trial(plan, Judge(plan.limits, Path(folder)), known)
        for site in shuffled(kind, list(subjects(plan)), plan.seed):
            if wanted == 0 or tries == 0:
                break
            fact = trial.fact(site)
            _told(site, f"{fact['verdict']} {fact['outcome']}")
            facts.append(fact)
            tries -= fact["outcome"] != "unfit"
            wanted -= fact["verdict"] in COUNTED and fact.get("class") != "equivalent"
    return facts


def read_log(log: Path | None) -> list[dict[str, Any]]:
    return [*map(json.loads, log.read_text().splitlines())] if log and log.is_file() else []


def earlier(ledger: Path, draw: str, seed: int) -> tuple[dict[str, Any], ...]:
    """What the ledger has of a draw already, with the class of each argued survivor. Raises ValueError where its seed
    was another one."""
    known = json.loads(ledger.read_text())[draw]
    if known["seed"] != seed:
        raise ValueError(f"the draw {draw!r} has seed {known['seed']}, not {seed}")
    argued = {_key(s): s["class"] for s in known["survivors"]}
    return tuple({**m, "class": argued.get(_key(m), "")} for m in known["mutants"])


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
    parser.add_argument("--resume", metavar="DRAW", help="take what mutants_ledger.json has of this draw as judged")
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
        known=earlier(MUTANTS, given.resume, given.seed) if given.resume else (),
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
