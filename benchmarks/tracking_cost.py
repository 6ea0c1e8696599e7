"""What it costs to look for missing synchronisation and to model the time: each launch of each answer that
NPUKernelBench ships, with neither, either and both.

    python benchmarks/tracking_cost.py CHECKOUT [--work runs/upstream] [--max-elements 16777216] [--jobs 2]
        [--tasks NAME …]

Uses the suite folder that `upstream.py` imports. Every launch that passes is made again with each variant of VARIANTS,
in an order that turns with each launch; a launch is a process, its sandbox, and the copies of inputs and outputs. The
kernels' own shares are larger than these ratios where they are short. Prints the sums, the median ratio of the tasks,
the ten tasks that pay most, and what the whole verdicts take (compiling, references and checks included, without the
launches that are made again) against what they would take if their launches had neither.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from upstream import every_answer, measuring

from kbench.backends.ascend.sim import kernel
from kbench.core.evaluate import judge
from kbench.core.runs.manifest import Attempt, Manifest
from kbench.core.runs.workbench import Workbench

#: What a launch is changed to.
VARIANTS: dict[str, dict[str, Any]] = {
    "off": {"hazards": False, "time": False},
    "hazards": {"hazards": True, "time": False},
    "time": {"hazards": False, "time": True},
    "both": {"hazards": True, "time": True},
}
WHOLE = "whole"
_seconds: Counter[str] = Counter()
_launches = 0
_work: Workbench


def start(manifest: Manifest) -> None:
    global _work
    _work = Workbench.open(manifest)
    _work.bench.backend.prepare(_work.bench.settings)
    kernel.run_kernel = _compared(kernel.run_kernel)


def _compared(original: Callable[..., Any]) -> Callable[..., Any]:
    """The same launch, then again with each variant on the clock."""

    def call(program: Path, launch: kernel.Launch, **options: Any) -> Any:
        global _launches
        result = original(program, launch, **options)
        names = list(VARIANTS)
        turn = _launches % len(names)
        _launches += 1
        for name in names[turn:] + names[:turn]:
            begun = time.perf_counter()
            original(program, replace(launch, **VARIANTS[name]), **options)
            _seconds[name] += time.perf_counter() - begun
        return result

    return call


def measured(attempt: Attempt) -> tuple[str, str, dict[str, float]]:
    """The task, its outcome, and the seconds of each variant and of the whole verdict."""
    _seconds.clear()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="kbench-") as scratch:
        found = judge(attempt, _work.entry(attempt), _work.cases(attempt), _work.bench, Path(scratch))
    whole = time.perf_counter() - begun - sum(_seconds.values())
    return attempt.task, found.record.outcome, {**_seconds, WHOLE: whole}


def main() -> None:
    given = measuring(__doc__)
    manifest = every_answer(given)
    with ProcessPoolExecutor(given.jobs, initializer=start, initargs=(manifest,)) as pool:
        rows = [r for r in pool.map(measured, list(manifest.attempts())) if r[1] == "passed"]
    report(rows)


def report(rows: list[tuple[str, str, dict[str, float]]]) -> None:
    base = next(iter(VARIANTS))
    print(f"{len(rows)} answers that pass")
    for name in VARIANTS:
        total = sum(row[2][name] for row in rows)
        ratio = total / sum(row[2][base] for row in rows)
        median = statistics.median(row[2][name] / row[2][base] for row in rows)
        print(f"  {name:10} {total:8.1f} s  {ratio:5.2f} of {base} in all, {median:5.2f} in the median task")
    whole, both, off = (sum(row[2][name] for row in rows) for name in (WHOLE, "both", base))
    print(f"  verdicts   {whole:8.1f} s  {whole / (whole - both + off):5.3f} of the same without either")
    for name in list(VARIANTS)[1:]:
        print(f"most for {name}:")
        for task, _, seconds in sorted(rows, key=lambda r: -r[2][name] / r[2][base])[:10]:
            print(f"  {seconds[name] / seconds[base]:5.2f}  {task} ({seconds[base]:.2f} s)")


if __name__ == "__main__":
    main()
