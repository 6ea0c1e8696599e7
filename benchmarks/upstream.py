"""Every answer that NPUKernelBench ships, judged by the Ascend simulator, against the committed ledger of verdicts.

    python benchmarks/upstream.py CHECKOUT [--max-elements 16777216] [--jobs 2] [--tasks NAME …] [--update]

Imports the checkout (the suite folder is kept below `--work` until the importer changes), runs every `answer/0`
unmodified on the `full` track with `dynamic` shapes, and prints where the verdicts differ from `upstream_ledger.json`;
the exit status is 1 when they do. A run that was stopped goes on where it was; `--fresh` starts a new one. `--update`
rewrites the ledger for the tasks that ran and keeps the explanations of verdicts that did not change.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kbench import importers
from kbench.core.candidate import Track
from kbench.core.record import Record
from kbench.core.runs.campaign import Options, plan
from kbench.core.runs.manifest import Manifest
from kbench.core.runs.session import missing, work
from kbench.core.runs.store import RunFolder
from kbench.importers import load_suite_folder
from kbench.importers.npukernelbench import import_suite

LEDGER = Path(__file__).with_name("upstream_ledger.json")
Verdict = dict[str, Any]

#: Answers of matrix operators, which need cube cores. The others are the vector answers.
CUBE = frozenset((
    "BasicMatmul", "BatchedMatmul", "FlashAttentionScoreWithLargeHeadDim", "Gemm", "GroupGemm", "GroupedMatmulSliceK",
    "GroupedMatmulSliceKPerTokenDequant", "GroupedMatmulSliceM", "GroupedMatmulSliceMPerTokenDequant",
    "InplaceFusedMatmulSoftmaxGrad", "MatmulAdd", "MatmulBias", "OptimizedMatmul", "PaddingMatmul", "QuantMatmul",
    "SplitkMatmul",
))  # fmt: skip

#: What the ledger holds of a task besides its verdict.
_BY_HAND = ("why", "repaired")


def imported(checkout: Path, work_folder: Path) -> Path:
    """The suite folder of this checkout, made once by each state of the importer."""
    suite, made_by = work_folder / "suite", work_folder / "suite.importer"
    importer = _importer()
    kept = made_by.is_file() and made_by.read_text() == importer and (suite / "suite.json").is_file()
    if not kept:
        shutil.rmtree(suite, ignore_errors=True)
        done = import_suite(checkout, suite, lambda line: print(line, file=sys.stderr))
        print(f"{done.tasks} tasks, {done.cases} cases, {len(done.invalid)} that cannot be run", file=sys.stderr)
        made_by.write_text(importer)
    return suite


def _importer() -> str:
    """What the importer is made of: a suite that an older one made may hold other tolerances."""
    digest = hashlib.sha256()
    for file in sorted(Path(importers.__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def answered(suite: Path) -> list[str]:
    """The tasks that ship an answer."""
    loaded = load_suite_folder(suite)
    try:
        return [n for n, e in loaded.tasks.items() if e.reference and e.reference("ascend", Track.FULL)]
    finally:
        loaded.close()


def measuring(description: str | None) -> argparse.Namespace:
    """The command line of a script that measures the answers."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--work", type=Path, default=Path("runs/upstream"))
    parser.add_argument("--max-elements", type=int, default=2**24)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tasks", nargs="*", default=[])
    return parser.parse_args()


def every_answer(given: argparse.Namespace) -> Manifest:
    """The plan that judges each answer, or those that were named, as the ledger's verdicts were made."""
    suite = imported(given.checkout, given.work)
    options = Options(
        backend="ascend",
        suite=str(suite),
        tasks=given.tasks or answered(suite),
        target="ascend910_93",
        timeout_s=120.0,
        max_elements=given.max_elements,
    )
    return plan(options)


def judged(run: Path, options: Options, jobs: int) -> list[Record]:
    """The records of the run in this folder, which is begun anew if it was planned otherwise, and finished if it is not
    done."""
    folder = begun(run, plan(options))
    todo = len(missing(folder))
    done = 0

    def watch(record: Record) -> None:
        nonlocal done
        done += 1
        print(f"[{done}/{todo}] {record.task}: {record.outcome} {record.message[:120]}", file=sys.stderr, flush=True)

    if todo:
        work(folder, jobs=jobs, watch=watch)
    return list(folder.records())


def begun(run: Path, planned: Manifest) -> RunFolder:
    if (run / "manifest.json").is_file():
        folder = RunFolder.open(run)
        own = {"run", "created", "machine"}
        if folder.manifest.model_dump(exclude=own) == planned.model_dump(exclude=own):
            return folder
        shutil.rmtree(run)
    return RunFolder.create(run, planned)


def verdict(record: Record) -> Verdict:
    """What the ledger keeps of a record: the class, the first thing that went wrong, and how many cases passed."""
    counts = Counter(case.outcome for case in record.cases)
    ran = sum(n for outcome, n in counts.items() if outcome != "skipped")
    error = next((str(f) for f in record.findings if f.severity == "error"), "")
    first = record.unsupported[0] if record.unsupported else error or record.message
    return {
        "outcome": record.outcome,
        "first": "" if record.passed else " ".join(first.split())[:240],
        "cases_passed": counts["passed"],
        "cases_ran": ran,
        "cases_skipped": counts["skipped"],
    }


def differences(old: Mapping[str, Verdict], new: Mapping[str, Verdict]) -> list[str]:
    """One line for each task whose verdict is not the ledger's."""
    lines = []
    for task, now in new.items():
        before = {k: v for k, v in old.get(task, {}).items() if k not in _BY_HAND}
        if before != now:
            lines.append(f"{task}: {_told(before) if before else 'not in the ledger'} → {_told(now)}")
    return lines


def _told(facts: Mapping[str, Any]) -> str:
    first = f", {facts['first']}" if facts["first"] else ""
    return f"{facts['outcome']} ({facts['cases_passed']}/{facts['cases_ran']} cases{first})"


def update(old: Mapping[str, Verdict], new: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """The ledger with these verdicts; explanation and repair stay while the class of the verdict does."""
    merged = dict(old)
    for task, now in new.items():
        before = old.get(task, {})
        kept = {k: before[k] for k in _BY_HAND if k in before and before["outcome"] == now["outcome"]}
        missing = {"why": f"not modelled yet: {now['first']}"} if now["outcome"] == "unsupported" else {}
        merged[task] = {**now, "why": "", **kept, **missing}
    return dict(sorted(merged.items()))


def write_ledger(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--max-elements", type=int, default=2**24)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120.0)
    parser.add_argument("--tasks", nargs="*", default=[])
    parser.add_argument("--target", default="ascend910_93", help="the chip that the benchmark is written for")
    parser.add_argument("--work", type=Path, default=Path("runs/upstream"))
    parser.add_argument("--numerics", default="exact", help="exact or worst")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--update", action="store_true")
    given = parser.parse_args(arguments)

    suite = imported(given.checkout, given.work)
    run = given.work / "run"
    if given.fresh:
        shutil.rmtree(run, ignore_errors=True)
    options = Options(
        backend="ascend",
        suite=str(suite),
        tasks=given.tasks or answered(suite),
        target=given.target,
        timeout_s=given.timeout,
        max_elements=given.max_elements,
        numerics=given.numerics,
    )
    new = {r.task: verdict(r) for r in judged(run, options, given.jobs)}
    ledger = json.loads(LEDGER.read_text()) if LEDGER.is_file() else {"tasks": {}}
    changed = differences(ledger["tasks"], new)
    for line in changed:
        print(line)
    counts = Counter(v["outcome"] for v in new.values())
    print(f"{counts['passed']} of {len(new)} answers pass: " + ", ".join(f"{k} {n}" for k, n in counts.most_common()))
    if given.update:
        source = json.loads((suite / "suite.json").read_text())["source"]
        known = ledger.get("source", {})
        if not source["commit"] and source["sha256"] == known.get("sha256"):
            source = known  # a copy without its history, of the same files
        facts = {"source": source, "target": given.target, "max_elements": given.max_elements}
        write_ledger(LEDGER, {**facts, "tasks": update(ledger["tasks"], new)})
        return 0
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
