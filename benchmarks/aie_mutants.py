"""Kernels for an AIE tile that are known to be right, each with one fault put in: how many does the verdict catch?

    python benchmarks/aie_mutants.py [--seed 1] [--per-kind 10] [--target npu1] [--jobs 2] [--log FILE]
        [--ledger benchmarks/aie_mutants_ledger.json --commit HASH]

Draws `--per-kind` mutants of each kind of `aie_mutations.py` from the backend's own kernels, scalar and vectorised, of
the suite's tasks. The draw goes over the variants of a kind, then the kernels, then the places, each uniformly and
seeded; a place is drawn from every kernel that passes as it is. kbench judges each mutant on all cases of its task,
with the settings of `kbench run`. It is `killed` when its record's outcome is any failure of the candidate's, a compile
error among them, and a `survivor` when it passes; one that needs what is not modelled, or on which the bench fails, is
replaced by the next and listed. A mutant that compiles to the original's very program is none, and skipped. A place
takes part if it is executed: a mutant that fails to compile or survives counts only if a trap in front of its statement
ends the run, or no trap can be put there.

A survivor that the ledger argues to be equivalent, right for every input that the task allows, is no fault: it is kept
there with its argument, and replaced by the next place.

Writes a table to standard output, and the committed record to `--ledger`, where each target and seed is a draw of its
own and keeps the arguments it has (see `mutants_ledger.py`). `--log` gets each fact as a line as soon as it is known; a
mutant of the same kernel and text that is there already is not judged again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

import numpy as np

try:
    from benchmarks.aie_mutations import KINDS, Edit, sites
    from benchmarks.mutants_ledger import ledger
    from benchmarks.mutations import trapped
except ImportError:  # run as a script
    from aie_mutations import KINDS, Edit, sites
    from mutants_ledger import ledger
    from mutations import trapped
from kbench.backends.aie.backend import AieBackend
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate, Track
from kbench.core.cases import CaseBank, plan_cases
from kbench.core.check import check
from kbench.core.evaluate import Bench, judge
from kbench.core.generator import Completion, Generator, Request
from kbench.core.record import Record
from kbench.core.runs.manifest import Attempt
from kbench.core.suite import SuiteTask
from kbench.task_specs import npueval_suite

REFERENCES = Path(__file__).parents[1] / "kbench" / "backends" / "aie" / "references"
_VOID = ("unsupported", "harness_error", "compile_timeout")
_TRIES = 12  # places tried for each mutant wanted
Fact = dict[str, Any]


@dataclass(frozen=True)
class Kernel:
    """One known kernel of a task."""

    entry: SuiteTask
    file: str  # scalar.cc or vector.cc
    source: str
    like: Candidate  # the backend's own, whose form a candidate has

    @property
    def name(self) -> str:
        return f"{self.entry.task.name}/{self.file}"

    def candidate(self, source: str) -> Candidate:
        path = self.like.roles["kernel"]
        return replace(self.like, files={**self.like.files, path: source})


@dataclass(frozen=True)
class Place:
    """Where a kernel changes, and how."""

    kernel: Kernel
    edit: Edit

    def mutant(self) -> str:
        return self.edit.applied(self.kernel.source)

    def line(self) -> int:
        return self.kernel.source.count("\n", 0, self.edit.start) + 1

    def diff(self) -> str:
        old, new = self.kernel.source.splitlines(), self.mutant().splitlines()
        return "\n".join(unified_diff(old, new, self.kernel.name, self.kernel.name, lineterm="", n=1))


@dataclass(eq=False)
class _Given(Generator):
    completion: Completion
    name: str = "given"

    def generate(self, request: Request) -> Completion:
        return self.completion


@dataclass(frozen=True)
class Verdict:
    """A record, a digest of each case's outputs, and the programs that were compiled."""

    record: Record
    outputs: tuple[str, ...]
    programs: tuple[str, ...]


@dataclass
class Judge:
    """Judges sources and remembers what the unchanged kernels gave."""

    target: str
    timeout_s: float
    backend: AieBackend = field(default_factory=AieBackend)
    bank: CaseBank = field(default_factory=CaseBank)
    originals: dict[str, Verdict] = field(default_factory=dict)

    def judged(self, kernel: Kernel, source: str) -> Verdict:
        digests: list[str] = []

        def watching(task: Any, case: Any, inputs: Any, expected: Any, got: Any) -> Any:
            digests.append(_digest(got))
            return check(task, case, inputs, expected, got)

        settings = Settings(target=self.target, compile_timeout_s=self.timeout_s, run_timeout_s=self.timeout_s)
        given = _Given(Completion(candidate=kernel.candidate(source)))
        bench = Bench("npueval", self.backend, given, settings, checker=watching, bank=self.bank)
        plan = plan_cases(kernel.entry, kernel.entry.cases, 2**22)
        with tempfile.TemporaryDirectory(prefix="kbench-mutant-") as workdir:
            record = judge(Attempt(kernel.entry.task.name, "*"), kernel.entry, plan, bench, Path(workdir)).record
            modules = sorted(Path(workdir).rglob("kernel.wasm"))
            programs = tuple(hashlib.sha256(m.read_bytes()).hexdigest() for m in modules)
        return Verdict(record, tuple(digests), programs)

    def original(self, kernel: Kernel) -> Verdict:
        if kernel.name not in self.originals:
            self.originals[kernel.name] = self.judged(kernel, kernel.source)
        return self.originals[kernel.name]

    def executed(self, place: Place, record: Record) -> bool:
        """Whether the place takes part: what fails when it runs shows it, else a trap must."""
        if not record.passed and record.outcome != "compile_error":
            return True
        return not self.judged(place.kernel, trapped(place.kernel.source, place.edit)).record.passed


def _digest(outputs: Any) -> str:
    total = hashlib.sha256()
    for name in sorted(outputs):
        total.update(np.ascontiguousarray(outputs[name]).view(np.uint8).tobytes())
    return total.hexdigest()


def kernels() -> Iterator[Kernel]:
    """The kernels of every task of the suite."""
    backend = AieBackend()
    for name, entry in npueval_suite().tasks.items():
        like = backend.reference(entry, Track.KERNEL_ONLY)
        for file in ("scalar.cc", "vector.cc"):
            path = REFERENCES / name / file
            if like is not None and path.is_file():
                yield Kernel(entry, file, path.read_text(), like)


def shuffled(kind: str, among: Sequence[Kernel], seed: int) -> Iterator[Place]:
    """The places of a kind in the order of the draw: a variant, a kernel, a place; none comes twice."""
    draw = random.Random(f"{seed} {kind}")
    groups: dict[str, dict[str, list[Place]]] = {}
    for kernel in among:
        for edit in sites(kernel.source):
            if edit.kind == kind:
                groups.setdefault(edit.what, {}).setdefault(kernel.name, []).append(Place(kernel, edit))
    while groups:
        what = draw.choice(sorted(groups))
        name = draw.choice(sorted(groups[what]))
        places = groups[what][name]
        yield places.pop(draw.randrange(len(places)))
        if not places:
            del groups[what][name]
        if not groups[what]:
            del groups[what]


@dataclass(frozen=True)
class Known:
    """What need not be judged: facts by their key, and the diffs that are argued to be equivalent."""

    facts: dict[str, Fact]
    equivalent: frozenset[str]

    @classmethod
    def of(cls, log: Path | None, argued: Sequence[Fact]) -> Known:
        lines = log.read_text().splitlines() if log and log.exists() else []
        facts = {fact["key"]: fact for fact in map(json.loads, lines)}
        return cls(facts, frozenset(s["diff_sha256"] for s in argued if s["class"] == "equivalent"))


def mutants_of(kind: str, target: str, seed: int, per_kind: int, log: Path | None, known: Known) -> list[Fact]:
    """The facts of `per_kind` judged mutants of a kind, and of those that had to be replaced."""
    judge_, facts, wanted, tries = Judge(target, 60.0), list[Fact](), per_kind, per_kind * _TRIES
    for place in shuffled(kind, list(kernels()), seed):
        if wanted == 0 or tries == 0:
            break
        tries -= 1
        fact = known.facts.get(_key(place, target)) or fact_of(place, judge_)
        if log and fact["key"] not in known.facts:
            with log.open("a") as lines:
                lines.write(json.dumps(fact) + "\n")
        if fact["verdict"] == "none":
            continue
        if hashlib.sha256(fact["diff"].encode()).hexdigest() in known.equivalent:
            fact = {**fact, "verdict": "equivalent"}
        facts.append(fact)
        wanted -= fact["verdict"] in ("killed", "survivor")
    return facts


def _key(place: Place, target: str) -> str:
    text = "\0".join((place.kernel.name, place.kernel.source, place.mutant(), place.edit.kind, place.edit.what, target))
    return hashlib.sha256(text.encode()).hexdigest()


def fact_of(place: Place, judge_: Judge) -> Fact:
    """What became of a mutant; `none` where it is none: the kernel does not pass, the program is the same, or the place
    is never executed."""
    fact: Fact = {
        "key": _key(place, judge_.target),
        "kind": place.edit.kind,
        "what": place.edit.what,
        "task": place.kernel.entry.task.name,
        "file": place.kernel.file,
        "line": place.line(),
        "verdict": "none",
        "outcome": "",
        "message": "",
        "diff": place.diff(),
    }
    original = judge_.original(place.kernel)
    if not original.record.passed:
        return fact
    found = judge_.judged(place.kernel, place.mutant())
    record = found.record
    if found.programs == original.programs or not judge_.executed(place, record):
        return fact
    fact["verdict"] = "survivor" if record.passed else "void" if record.outcome in _VOID else "killed"
    first = next((str(f) for f in record.findings if f.severity == "error"), "")
    fact["outcome"], fact["message"] = record.outcome, " ".join((first or record.message).split())[:240]
    return {**fact, "same_bits": found.outputs == original.outputs} if record.passed else fact


def table(record: Fact) -> str:
    """Killed, survived and what killed, for each kind."""
    lines = ["kind         killed  of  by"]
    for kind, counts in record["kinds"].items():
        by = ", ".join(f"{name} {n}" for name, n in counts["by"].items())
        lines.append(f"{kind:<12} {counts['killed']:>6} {counts['killed'] + counts['survived']:>3}  {by}")
    lines.append(f"{'all':<12} {record['killed']:>6} {record['of']:>3}  {record['rate']:.1%}")
    lines.append(f"replaced, argued to be equivalent: {len(record['equivalent'])}")
    lines += [
        f"survivor: {s['task']} {s['file']}:{s['line']} {s['kind']}, {s['what']}, "
        f"{'the same bits' if s['same_bits'] else 'other bits'}{'' if s['argument'] else '; no argument yet'}"
        for s in record["survivors"]
    ]
    return "\n".join(lines)


def _diffs(facts: Sequence[Fact], verdict: str) -> set[str]:
    return {hashlib.sha256(f["diff"].encode()).hexdigest() for f in facts if f["verdict"] == verdict}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-kind", type=int, default=10)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--target", default="npu1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", type=Path, help="a file that gets each mutant's fact as soon as it is judged")
    parser.add_argument("--ledger", type=Path, help="the committed record, made anew with the arguments it has")
    parser.add_argument("--commit", default="", help="what the simulator was when the mutants ran")
    given = parser.parse_args(arguments)
    draws = json.loads(given.ledger.read_text()) if given.ledger and given.ledger.exists() else {}
    name = f"{given.target}, seed {given.seed}"
    old = draws.get(name, {})
    argued = [*old.get("survivors", ()), *old.get("equivalent", ())]
    known = Known.of(given.log, argued)
    with ProcessPoolExecutor(given.jobs) as pool:
        runs = [
            pool.submit(mutants_of, kind, given.target, given.seed, given.per_kind, given.log, known)
            for kind in given.kinds
        ]
        facts = [fact for run in runs for fact in run.result()]
    record = {
        "commit": given.commit,
        **ledger(facts, old, given.kinds),
        "equivalent": [s for s in argued if s["diff_sha256"] in _diffs(facts, "equivalent")],
    }
    if given.ledger:
        given.ledger.write_text(json.dumps({**draws, name: record}, indent=1) + "\n")
    print(table(record))
    return 1 if any(not s["argument"] for s in record["survivors"]) else 0


if __name__ == "__main__":
    sys.exit(main())
