"""Both reference kernels of each NPUEval task, scalar and vectorised: cycles, scores and bounds, side by side.

    python -m benchmarks.aie_references [--target npu1] [--tasks PATTERN] [--json FILE]

Prints a line for each task, how many vectorised kernels take fewer cycles and score higher than the scalar ones, and
what a profile costs. Raises where a kernel has no profile.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from kbench.backends.aie import references
from kbench.backends.aie.backend import AieBackend
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate
from kbench.core.suite import SuiteTask
from kbench.task_specs import npueval_suite

FOLDER = Path(references.__file__).parent
BACKEND = AieBackend()


def profiled(entry: SuiteTask, which: str, settings: Settings) -> dict[str, Any]:
    """The first case of a reference kernel, profiled."""
    name = entry.task.name
    source = (FOLDER / name / f"{which}.cc").read_text()
    candidate = Candidate({f"{name}.cc": source}, {"kernel": f"{name}.cc"}, name)
    case = entry.cases[0]
    inputs = entry.task.draw(case, np.random.default_rng(0))
    with tempfile.TemporaryDirectory() as folder:
        built = BACKEND.compile(candidate, entry, [case], settings, Path(folder))
        result = BACKEND.run(built, entry, case, inputs, settings)
        start = time.process_time()
        profile = BACKEND.profile(built, entry, case, inputs, settings, result)
        seconds = time.process_time() - start
    assert profile is not None
    return {
        "cycles": profile.cycles,
        "scores": profile.scores,
        "bound": profile.bound,
        "efficiency": profile.efficiency,
        "suspect": [hint.rule for hint in profile.suspects],
        "profile_cpu_s": seconds,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--target", default="npu1")
    parser.add_argument("--tasks", default="*")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    settings = Settings(target=given.target)
    BACKEND.prepare(settings)
    found: dict[str, dict[str, Any]] = {}
    for name, entry in npueval_suite().tasks.items():
        if fnmatch.fnmatch(name, given.tasks) and (FOLDER / name / "vector.cc").exists():
            found[name] = {which: profiled(entry, which, settings) for which in ("scalar", "vector")}
            print(line(name, found[name]), flush=True)
    tell(found)
    if given.json:
        given.json.write_text(json.dumps({"target": given.target, "tasks": found}, indent=1) + "\n")
    return 0


def line(name: str, rows: dict[str, Any]) -> str:
    s, v = rows["scalar"], rows["vector"]
    scores = [s["scores"]["vectorization"], v["scores"]["vectorization"], v["scores"]["useful_vector"]]
    cycles = f"{s['cycles']:8.0f} {v['cycles']:7.0f} {s['cycles'] / v['cycles']:8.1f}x"
    return f"{name:32} {cycles} {' '.join(f'{n:6.1%}' for n in scores)} {v['bound']:14} {','.join(v['suspect'])}"


def tell(found: dict[str, dict[str, Any]]) -> None:
    pairs = [(rows["scalar"], rows["vector"]) for rows in found.values()]
    fewer = sum(v["cycles"] < s["cycles"] for s, v in pairs)
    higher = sum(v["scores"]["vectorization"] > s["scores"]["vectorization"] for s, v in pairs)
    both = sum(
        v["cycles"] < s["cycles"] and v["scores"]["vectorization"] > s["scores"]["vectorization"] for s, v in pairs
    )
    suspect = [name for name, rows in found.items() if any(rows[w]["suspect"] for w in ("scalar", "vector"))]
    seconds = [row["profile_cpu_s"] for rows in found.values() for row in rows.values()]
    print(
        f"{len(found)} tasks: vectorised kernels take fewer cycles in {fewer}, score higher in {higher}, both in {both}"
    )
    print(f"suspect: {', '.join(suspect) or 'none'}")
    median, worst = statistics.median(seconds) * 1e3, max(seconds) * 1e3
    print(f"a profile, of processor time: median {median:.0f} ms, worst {worst:.0f} ms")


if __name__ == "__main__":
    sys.exit(main())
