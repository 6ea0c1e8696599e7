"""A million records: how long `kbench score` takes, and how much memory.

    python benchmarks/score_million.py [--records 1000000] [--cases 8] [--keep FOLDER]

The records are made up, with the fields and texts of real ones (about 8 KB each with 8 cases). Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kbench.core.backend import Settings
from kbench.core.profile import Baseline, Hint, Profile, Roofline, Traffic, Unit
from kbench.core.record import CaseResult, OutputError, Record
from kbench.core.runs.manifest import Attempt, Manifest, SettingsFacts, TaskPlan
from kbench.core.runs.store import RunFolder

OUTCOMES = [("passed", "done", 6), ("wrong_values", "check", 2), ("compile_error", "compile", 2), ("crash", "run", 1)]

#: As long as one of a real kernel: four pipes, traffic, a hint.
PROFILE = Profile(
    latency_us=12.5,
    launch_us=2.5,
    cycles=18500,
    clock_mhz=1850,
    units=tuple(Unit(name=n, busy_cycles=5000, waiting={"issue": 9000}, operations=64) for n in ("S", "V", "MTE2")),
    traffic=(Traffic(path="GM→core", bytes=1 << 20, transfers=64, gb_per_s=104.8),),
    roofline=Roofline(limits={"memory": 1078, "l2": 277, "vector": 100}, basis="kernel"),
    bound="latency",
    hints=(Hint(message="MTE2 is busy 42% of the time with copies of 512 B: use ≥ 16 KiB each"),),
    scores={"vectorization": 0.25},
)
BASELINE = Baseline(source_sha="2" * 64, latency_us=10.0, cycles=13875)


def make_run(folder: Path, records: int, cases: int, tasks: int = 100) -> RunFolder:
    """A run whose records are all there."""
    names = [f"Task{i}" for i in range(tasks)]
    manifest = Manifest(
        run="million",
        created="2026-01-01T00:00:00+00:00",
        suite="synthetic",
        suite_source="synthetic",
        backend="ascend",
        settings=SettingsFacts.of(Settings("ascend910b1")),
        generator="replay",
        samples=records // tasks,
        max_elements=1,
        checker="strict",
        tasks={n: TaskPlan(level=1 + i % 3, seeds={str(c): c for c in range(cases)}) for i, n in enumerate(names)},
        versions={},
        machine={},
    )
    run = RunFolder.create(folder, manifest)
    rng = random.Random(0)
    weights = [weight for _, _, weight in OUTCOMES]
    templates = {outcome: _line(outcome, stage, cases) for outcome, stage, _ in OUTCOMES}
    with run.records_path.open("w") as file:
        for attempt in manifest.attempts():
            outcome = rng.choices(OUTCOMES, weights)[0][0]
            file.write(
                templates[outcome].replace("TASK", attempt.task).replace('"sample":0', f'"sample":{attempt.sample}')
            )
    return run


def _line(outcome: str, stage: str, cases: int) -> str:
    output = OutputError(output="y", outcome=outcome, total=4096, max_abs=1e-3, max_rel=2e-3)
    timed = {"profile": PROFILE, "baseline": BASELINE} if outcome == "passed" else {}
    results = tuple(
        CaseResult(case=str(i), outcome=outcome, outputs=(output,), run_s=0.01, **timed) for i in range(cases)
    )
    record = Record(
        **Attempt("TASK")._asdict(),
        suite="synthetic",
        backend="ascend",
        target="ascend910b1",
        engine={"compile": "sim", "run": "sim", "profile": "sim"},
        track="full",
        shapes="dynamic",
        generator="replay",
        seed=0,
        stage=stage,
        outcome=outcome,
        message="" if outcome == "passed" else "case 3: y[0, 0]: expected 0.12573, got inf (16384 of 16384 differ)",
        cases=results if stage != "compile" else (),
        prompt_sha="0" * 64,
        source_sha="1" * 64,
    )
    return record.model_dump_json(by_alias=True) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--cases", type=int, default=8)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch) / "run"
        if not folder.exists():
            make_run(folder, given.records, given.cases)
        start = time.perf_counter()
        command = [sys.executable, "-m", "kbench.cli", "score", str(folder), "--json", "-k", "1,10"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds = time.perf_counter() - start
        result = json.loads(done.stdout)
        facts = {
            "records": result["recorded"],
            "bytes": (folder / "records.jsonl").stat().st_size,
            "seconds": round(seconds, 2),
            "peak_memory_mib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
            "passed": result["passed"],
        }
        print(json.dumps(facts))


if __name__ == "__main__":
    main()
