"""Where the time goes: every answer that NPUKernelBench ships, end to end, by stage.

    python benchmarks/stages.py CHECKOUT [--work runs/upstream] [--jobs 2] [--tasks NAME …]

Uses the suite folder that `upstream.py` imports, and the same options. Each worker process judges whole tasks with its
own clock around the stages; waiting for the sandbox, the compiler and the kernel's process counts for the stage that
waits. Prints the share of each stage and the slowest ten tasks with the stage that bounds each.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from upstream import every_answer, measuring

from kbench.backends.ascend.sim import host, kernel
from kbench.core.cases import CaseBank
from kbench.core.evaluate import judge
from kbench.core.runs.manifest import Attempt, Manifest
from kbench.core.runs.workbench import Workbench

_OTHER = "everything else"
_seconds: Counter[str] = Counter()
_bench: Workbench


def clocked(owner: Any, name: str, stage: str) -> None:
    """Count the time of every call of this function for a stage."""
    original: Callable[..., Any] = getattr(owner, name)

    def call(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        try:
            return original(*args, **kwargs)
        finally:
            _seconds[stage] += time.perf_counter() - start

    setattr(owner, name, call)


def start(manifest: Manifest) -> None:
    global _bench
    _bench = Workbench.open(manifest)
    _bench.bench.backend.prepare(_bench.bench.settings)  # the prebuilt libraries are not the candidates' time
    clocked(host, "build_host", "host compile")
    clocked(kernel, "build_kernel", "kernel compile")
    clocked(host, "run_tiling", "tiling")
    clocked(kernel, "run_kernel", "simulation")
    clocked(CaseBank, "get", "inputs and reference")
    checker = _bench.bench.checker

    def check(*args: Any) -> Any:
        begun = time.perf_counter()
        try:
            return checker(*args)
        finally:
            _seconds["check"] += time.perf_counter() - begun

    object.__setattr__(_bench.bench, "checker", check)


def measured(attempt: Attempt) -> tuple[str, str, int, dict[str, float]]:
    """The task, its outcome, the cases that ran, and the seconds of each stage."""
    _seconds.clear()
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="kbench-") as scratch:
        found = judge(attempt, _bench.entry(attempt), _bench.cases(attempt), _bench.bench, Path(scratch))
    total = time.perf_counter() - begun
    _seconds[_OTHER] = total - sum(_seconds.values())
    ran = sum(case.outcome != "skipped" for case in found.record.cases)
    return attempt.task, found.record.outcome, ran, dict(_seconds)


def main() -> None:
    given = measuring(__doc__)
    manifest = every_answer(given)
    begun = time.perf_counter()
    with ProcessPoolExecutor(given.jobs, initializer=start, initargs=(manifest,)) as pool:
        rows = list(pool.map(measured, list(manifest.attempts())))
    wall = time.perf_counter() - begun
    totals: Counter[str] = Counter()
    for _, _, _, seconds in rows:
        totals.update(seconds)
    spent = sum(totals.values())
    ran = sum(row[2] for row in rows)
    print(f"{len(rows)} tasks, {ran} cases: {wall:.0f} s on {given.jobs} processes, {spent:.0f} s in them")
    for stage, seconds in totals.most_common():
        print(f"  {seconds / spent:6.1%}  {seconds:7.1f} s  {stage}")
    print("slowest:")
    for task, outcome, cases, by_stage in sorted(rows, key=lambda r: -sum(r[3].values()))[:10]:
        total = sum(by_stage.values())
        bound, most = max(by_stage.items(), key=lambda item: item[1])
        print(f"  {total:6.1f} s  {task} ({outcome}, {cases} cases): {most / total:.0%} {bound}")


if __name__ == "__main__":
    main()
