"""Answers that pass with exact numerics, judged with the worst that the documentation allows: a ledger of both.

    python -m benchmarks.worst CHECKOUT [--work runs/upstream] [--max-elements 16777216] [--tasks NAME …] [--update]

`--numerics worst` moves each result of an operation that the device approximates to the edge of its bound (or of our
choice where no page has one: the simulator's README says which). This judges the benchmark's vector answers that pass
in `upstream_ledger.json` and whose source names such an operation (the others give the same bits), and our own
solutions of the suite `quick`. A run that was stopped goes on where it was; `--fresh` starts a new one. Prints where
the verdicts differ from `upstream_worst_ledger.json` and exits with 1 where they do; `--update` rewrites it and keeps
its explanations.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.upstream import CUBE, LEDGER, differences, imported, judged, update, verdict, write_ledger
from kbench.core.candidate import Track
from kbench.core.runs.campaign import Options
from kbench.core.suite import SuiteTask
from kbench.importers import load_suite_folder
from kbench.task_specs import quick_suite

WORST_LEDGER = Path(__file__).with_name("upstream_worst_ledger.json")
OURS = "quick"


#: The operations whose results move, and the compiler's intrinsics for the basic ones.
_APPROXIMATED = re.compile(
    r"\b(?:Exp|Ln|Sqrt|Div|Reciprocal|Rsqrt|vexp|vln|vsqrt|vdiv|vrec|vrsqrt|"
    r"A?(?:Sin|Cos|Tan)h?|Digamma|Erfc?|Lgamma|Log(?:2|10)?|Power|Sigmoid|Silu|Swish|Gelu|FasterGelu|SwiGLU|GeGLU|"
    r"Asinh?|Acosh?|Atanh?|SoftMax\w*|SimpleSoftMax|SoftmaxFlash\w*|LogSoftMax|LayerNorm\w*|RmsNorm|BatchNorm|DeepNorm|"
    r"GroupNorm|Normalize|Welford\w*)\s*[<(,>]"
)


def approximating(suite: Path) -> list[str]:
    """The vector answers that pass with exact numerics and name an operation that the device approximates."""
    tasks: Mapping[str, Any] = json.loads(LEDGER.read_text())["tasks"]
    loaded = load_suite_folder(suite)
    try:
        passing = [n for n, v in tasks.items() if v["outcome"] == "passed" and n not in CUBE and n in loaded.tasks]
        return [n for n in passing if _names_one(loaded.tasks[n])]
    finally:
        loaded.close()


def _names_one(entry: SuiteTask) -> bool:
    answer = entry.reference("ascend", Track.FULL) if entry.reference else None
    return answer is not None and any(_APPROXIMATED.search(text) for text in answer.files.values())


def worst_of(options: Options, run: Path, jobs: int) -> dict[str, dict[str, Any]]:
    return {r.task: verdict(r) for r in judged(run, options, jobs)}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--max-elements", type=int, default=2**24)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120.0)
    parser.add_argument("--tasks", nargs="*", default=[])
    parser.add_argument("--target", default="ascend910_93")
    parser.add_argument("--work", type=Path, default=Path("runs/upstream"))
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--update", action="store_true")
    given = parser.parse_args(arguments)

    common: dict[str, Any] = {
        "backend": "ascend",
        "target": given.target,
        "timeout_s": given.timeout,
        "max_elements": given.max_elements,
        "numerics": "worst",
    }
    suite = imported(given.checkout, given.work)
    names = {"answers": approximating(suite), "ours": list(quick_suite().tasks)}
    asked = {part: [n for n in known if n in (given.tasks or known)] for part, known in names.items()}
    theirs = Options(suite=str(suite), tasks=asked["answers"], **common)
    own = Options(suite=OURS, tasks=asked["ours"], **common)
    ledger = json.loads(WORST_LEDGER.read_text()) if WORST_LEDGER.is_file() else {"answers": {}, "ours": {}}
    status = 0
    for part, options in (("answers", theirs), ("ours", own)):
        if not options.tasks:
            continue
        run = given.work / f"run-worst-{part}"
        if given.fresh:
            shutil.rmtree(run, ignore_errors=True)
        new = worst_of(options, run, given.jobs)
        changed = differences(ledger[part], new)
        print("\n".join(changed), end="\n" if changed else "")
        print(f"{part}: {sum(v['outcome'] == 'passed' for v in new.values())} of {len(new)} pass with worst numerics")
        status |= bool(changed)
        ledger[part] = update(ledger[part], new)
    if given.update:
        facts = {"target": given.target, "max_elements": given.max_elements}
        write_ledger(WORST_LEDGER, ledger | facts)
        return 0
    return status


if __name__ == "__main__":
    sys.exit(main())
