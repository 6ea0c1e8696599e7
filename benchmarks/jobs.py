"""`kbench run --jobs 2` against `--jobs 1`: the ratio of their throughputs, warm.

    python benchmarks/jobs.py [--backend ascend] [--suite quick] [--samples 8] [--rounds 2]

Reference candidates, made different by a comment so that no result comes from the cache of objects. Each round runs
both in turn; throughput is attempts a second of the whole run, the workers' start included. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import tempfile
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from kbench.core.candidate import Candidate
from kbench.core.evaluate import reference_of
from kbench.core.runs.campaign import Options, plan
from kbench.core.runs.manifest import Attempt
from kbench.core.runs.session import work
from kbench.core.runs.store import RunFolder
from kbench.core.runs.workbench import Workbench

_fresh = count()


def references(options: Options) -> dict[str, Candidate]:
    """The reference candidate of each task."""
    work = Workbench.open(plan(options))
    backend, track = work.bench.backend, work.bench.settings.track
    found = {task: reference_of(work.entry(Attempt(task)), backend, track) for task in work.manifest.tasks}
    return {task: candidate for task, candidate in found.items() if candidate is not None}


def write_completions(file: Path, known: Mapping[str, Candidate], samples: int) -> None:
    with file.open("w") as lines:
        for task, candidate in known.items():
            for sample in range(samples):
                files = {path: f"{text}\n// {next(_fresh)} {file}\n" for path, text in candidate.files.items()}
                facts = {"task": task, "sample": sample, "files": files}
                lines.write(json.dumps(facts | {"roles": dict(candidate.roles), "entry": candidate.entry}) + "\n")


def attempts_per_second(options: Options, known: Mapping[str, Candidate], jobs: int) -> float:
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "completions.jsonl"
        write_completions(file, known, options.samples)
        given = {"generator": "replay", "generator_options": {"path": str(file)}}
        run = RunFolder.create(Path(scratch) / "run", plan(Options(**vars(options) | given)))
        outcomes: list[str] = []
        work(run, jobs=jobs, watch=lambda record: outcomes.append(record.outcome))
        wrong = [outcome for outcome in outcomes if outcome != "passed"]
        if wrong:
            raise SystemExit(f"{len(wrong)} of {len(outcomes)} attempts did not pass: {sorted(set(wrong))}")
        return len(outcomes) / run.seconds()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default="ascend")
    parser.add_argument("--suite", default="quick")
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    options = Options(backend=given.backend, suite=given.suite, samples=given.samples)
    known = references(options)
    attempts_per_second(Options(**vars(options) | {"samples": 1}), known, 1)  # warms the caches
    rounds = [[attempts_per_second(options, known, jobs) for jobs in (1, 2)] for _ in range(given.rounds)]
    one, two = (statistics.median(column) for column in zip(*rounds, strict=True))
    peak = {name: resource.getrusage(who).ru_maxrss // 1024 for name, who in _PROCESSES.items()}
    facts = {"attempts_per_s_1": round(one, 2), "attempts_per_s_2": round(two, 2), "ratio": round(two / one, 2)}
    print(json.dumps(facts | {"peak_memory_mib": peak}))


_PROCESSES = {"parent": resource.RUSAGE_SELF, "largest_child": resource.RUSAGE_CHILDREN}


if __name__ == "__main__":
    main()
