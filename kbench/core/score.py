"""Scores, computed from the plan and the records and never stored in them. Every number has a name of its own.

A *unit* is what one sample answers: a task on dynamic shapes, one case of a task on static ones. An attempt on which
kbench failed, which uses an API that is not modelled, or which has not run yet says nothing about the candidate: every
rate is then a pair of bounds, (all of these fail, all of these pass).
"""

from __future__ import annotations

import json
import math
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from kbench.core.manifest import Manifest
from kbench.core.record import SCHEMA, CaseResult, Record
from kbench.core.store import RunFolder
from kbench.core.taxonomy import HARNESS_OUTCOMES, is_harness

#: More than this share of attempts without a verdict of the candidate's, and the run must not be published.
MOST_UNKNOWN = 0.01
LEVEL_WEIGHTS = {1: 0.2, 2: 0.3, 3: 0.5}


# --- one record ------------------------------------------------------------------------------------------------------


def reward(record: Record) -> float | None:
    """A staged reward for training, from one record.

    0.0            nothing that could be compiled came out of the completion
    0.1            source files, which do not compile
    0.3            it compiles; it crashes, breaks a rule or is wrong on every case
    0.3 … 0.9      it passes a share of its cases (linear; skipped ones apart)
    1.0            it passes all of them
    None           kbench failed or does not model an API: nobody knows, so do not train on it
    """
    if is_harness(record.outcome):
        return None
    if record.passed:
        return 1.0
    if record.stage in ("generate", "extract"):
        return 0.0
    if record.stage == "compile":
        return 0.1
    ran = [case for case in record.cases if case.outcome != "skipped"]
    share = sum(case.outcome == "passed" for case in ran) / len(ran) if ran else 0.0
    return 0.3 + 0.6 * share


# --- estimators ------------------------------------------------------------------------------------------------------


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """The unbiased estimate of passing within k samples, from c of n that passed (arXiv 2107.03374); None for k > n."""
    if k > n:
        return None
    if n - c < k:
        return 1.0
    return 1.0 - math.prod(1.0 - k / i for i in range(n - c + 1, n + 1))


def wilson(passed: float, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """The Wilson interval of a rate, 95 % by default; (0, 1) where nothing was tried."""
    if n == 0:
        return 0.0, 1.0
    p, z2 = passed / n, z * z
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


# --- what was counted ------------------------------------------------------------------------------------------------


class Unit(NamedTuple):
    task: str
    cases_key: str


@dataclass
class Counts:
    """The attempts of one unit, by what became of them; `ours` are those of a harness outcome."""

    recorded: int = 0
    compiled: int = 0
    passed: int = 0
    ours: int = 0
    cases_ran: int = 0
    cases_passed: int = 0
    cases_skipped: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)

    def add(self, outcome: str, times: int, *, compiled: int, ran: int, passed: int, skipped: int) -> None:
        """Count `times` attempts of one outcome, `compiled` of which compiled, with their cases in all."""
        self.recorded += times
        self.compiled += compiled
        self.passed += times if outcome == "passed" else 0
        self.ours += times if outcome in HARNESS_OUTCOMES else 0
        self.cases_ran += ran
        self.cases_passed += passed
        self.cases_skipped += skipped
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + times


Tally = Mapping[Unit, Counts]


def tally(records: Iterable[Record]) -> Tally:
    """Count records; of two of one attempt, the one that says something about the candidate counts."""
    chosen: dict[tuple[Any, ...], Record] = {}
    for record in records:
        old = chosen.get(record.identity)
        if old is None or is_harness(old.outcome):
            chosen[record.identity] = record
    counts: defaultdict[Unit, Counts] = defaultdict(Counts)
    for record in chosen.values():
        ran, passed, skipped = _count_cases(record.cases)
        counts[Unit(record.task, record.cases_key)].add(
            record.outcome, 1, compiled=int(record.compiled), ran=ran, passed=passed, skipped=skipped
        )
    return counts


def _count_cases(cases: Sequence[CaseResult]) -> tuple[int, int, int]:
    skipped = sum(case.outcome == "skipped" for case in cases)
    return len(cases) - skipped, sum(case.outcome == "passed" for case in cases), skipped


_QUERY = """
WITH lines AS (
    SELECT task, cases_key, sample, attempt, stage, outcome, outcome IN {ours} AS ours,
        len([c FOR c IN cases IF c.outcome = 'passed']) AS passed,
        len([c FOR c IN cases IF c.outcome = 'skipped']) AS skipped,
        len(cases) AS cases, schema AS schema
    FROM read_json(?, format = 'newline_delimited', ignore_errors = true, columns = {{
        schema: 'INTEGER', task: 'VARCHAR', cases_key: 'VARCHAR', sample: 'INTEGER', attempt: 'INTEGER',
        stage: 'VARCHAR', outcome: 'VARCHAR', cases: 'STRUCT(outcome VARCHAR)[]'}})
), attempts AS (
    SELECT task, cases_key, max(schema) AS schema,
        arg_min(struct_pack(stage, outcome, ours, passed, skipped, cases), ours) AS kept
    FROM lines GROUP BY task, cases_key, sample, attempt
)
SELECT task, cases_key, kept.outcome, count(*),
    count(*) FILTER (NOT kept.ours AND kept.stage IN ('run', 'check', 'done')),
    sum(kept.cases - kept.skipped), sum(kept.passed), sum(kept.skipped), max(schema)
FROM attempts GROUP BY ALL ORDER BY ALL
"""


def tally_run(run: RunFolder, memory: str = "1GB") -> Tally:
    """The same, of records.jsonl itself: a million records in seconds, and in bounded memory.

    Raises:
        StoreError: a line is damaged or of a newer schema; `RunFolder.records` says which.
    """
    import duckdb

    torn = run.torn()
    query = _QUERY.format(ours=tuple(sorted(HARNESS_OUTCOMES)))
    with tempfile.TemporaryDirectory(prefix="kbench-") as spill, duckdb.connect() as database:
        database.execute(f"SET memory_limit = '{memory}'; SET preserve_insertion_order = false")
        database.execute(f"SET temp_directory = '{spill}'")  # for what exceeds the memory
        rows = database.execute(query, [str(run.records_path)]).fetchall()
    counts: defaultdict[Unit, Counts] = defaultdict(Counts)
    for row in rows:
        task, key, outcome, times, compiled, ran, passed, skipped, schema = row
        if task is None and torn and times == 1:
            continue  # the line that was never finished
        if None in row or schema > SCHEMA:
            return tally(run.records())  # raises, and says which line it is
        cases = {"ran": int(ran), "passed": int(passed), "skipped": int(skipped)}
        counts[Unit(task, key)].add(outcome, times, compiled=compiled, **cases)
    return counts


# --- the scores ------------------------------------------------------------------------------------------------------


class Bounds(NamedTuple):
    """A rate that lies between these: equal where everything is known."""

    low: float
    high: float


@dataclass(frozen=True)
class Group:
    """Rates of a set of tasks. `passed` and `compiled` are shares of planned attempts; `pass_at_k` and `compile_at_k`
    are means over tasks (over the units of a task first); `wilson` is the 95 % interval of the pass rate's bounds."""

    tasks: int
    planned: int
    compiled: Bounds
    passed: Bounds
    wilson: tuple[float, float]
    pass_at_k: Mapping[int, Bounds | None]
    compile_at_k: Mapping[int, Bounds | None]


@dataclass(frozen=True)
class Score:
    """Everything that `kbench score` says of a run. Plain counts are attempts, those that begin with `cases_` cases;
    `skipped` is `cases_skipped` under the name that goes with the other plain ones."""

    run: str
    id: str
    planned: int
    recorded: int
    compiled: int
    passed: int
    skipped: int
    unsupported: int
    harness_errors: int
    seconds: float
    cases_planned: int
    cases_passed: int
    cases_ran: int
    cases_skipped: int
    tasks: Mapping[str, Mapping[str, int]]
    overall: Group
    levels: Mapping[int, Group]
    schemes: Mapping[str, Mapping[str, Any]]
    publishable: bool
    warnings: Sequence[str]

    def to_json(self) -> str:
        return json.dumps(asdict(self), default=str)


def score(
    manifest: Manifest, counted: Tally, *, run: str = "", seconds: float = 0.0, ks: Sequence[int] = (1,)
) -> Score:
    """Every score of a run. Pure: the plan and the counts decide, with the planned samples as the denominator.

    `run` (its folder) and `seconds` are passed through.
    """
    total = _sum(manifest, counted, manifest.tasks)
    skipped = sum(len(plan.skipped) for plan in manifest.tasks.values()) * manifest.samples
    unsupported = total.outcomes.get("unsupported", 0)
    unknown = manifest.planned - total.recorded + total.ours
    levels = sorted({plan.level for plan in manifest.tasks.values()})
    cases_planned = sum(len(plan.seeds) for plan in manifest.tasks.values()) * manifest.samples
    return Score(
        run=run,
        id=manifest.run,
        planned=manifest.planned,
        recorded=total.recorded,
        compiled=total.compiled,
        passed=total.passed,
        skipped=skipped,
        unsupported=unsupported,
        harness_errors=total.ours - unsupported,
        seconds=round(seconds, 3),
        cases_planned=cases_planned,
        cases_passed=total.cases_passed,
        cases_ran=total.cases_ran,
        cases_skipped=skipped,
        tasks={task: _outcomes(manifest, counted, task) for task in manifest.tasks},
        overall=_group(manifest, counted, list(manifest.tasks), ks),
        levels={n: _group(manifest, counted, _of_level(manifest, n), ks) for n in levels},
        schemes={
            "npukernelbench_cases": npukernelbench_cases(manifest, counted),
            "npukernelbench_samples": npukernelbench_samples(manifest, counted),
        },
        publishable=unknown <= MOST_UNKNOWN * manifest.planned,
        warnings=_warnings(manifest, total, skipped, ks),
    )


def _warnings(manifest: Manifest, total: Counts, skipped: int, ks: Sequence[int]) -> list[str]:
    said = []
    absent, ours = manifest.planned - total.recorded, total.ours
    if absent:
        said.append(f"{absent} of {manifest.planned} planned attempts have no record yet: go on with --resume")
    if ours:
        said.append(
            f"{ours} attempts say nothing about the candidate (unsupported API or harness error): rates are bounds"
        )
    if absent + ours > MOST_UNKNOWN * manifest.planned:
        said.append(f"more than {MOST_UNKNOWN:.0%} of the attempts are unknown: do not publish these scores")
    if skipped:
        said.append(f"{skipped} cases were skipped (size or validity) and are in no denominator")
    too_large = [k for k in ks if k > manifest.samples]
    if too_large:
        named = ", ".join(f"pass@{k}" for k in too_large)
        said.append(f"{named} is not defined for {manifest.samples} sample(s) a task")
    return said


def _units(manifest: Manifest, task: str) -> list[Unit]:
    return [Unit(task, key) for key in manifest.keys(task)]


def _of_level(manifest: Manifest, level: int) -> list[str]:
    return [name for name, plan in manifest.tasks.items() if plan.level == level]


def _sum(manifest: Manifest, counted: Tally, tasks: Iterable[str]) -> Counts:
    total = Counts()
    for unit in (unit for task in tasks for unit in _units(manifest, task)):
        part = counted.get(unit)
        if part is None:
            continue
        for name in ("recorded", "compiled", "passed", "ours", "cases_ran", "cases_passed", "cases_skipped"):
            setattr(total, name, getattr(total, name) + getattr(part, name))
        for outcome, times in part.outcomes.items():
            total.outcomes[outcome] = total.outcomes.get(outcome, 0) + times
    return total


def _outcomes(manifest: Manifest, counted: Tally, task: str) -> dict[str, int]:
    """outcome → attempts of a task; cases left out and attempts without a record are named too."""
    counts = dict(sorted(_sum(manifest, counted, [task]).outcomes.items(), key=lambda item: (-item[1], item[0])))
    planned = len(_units(manifest, task)) * manifest.samples
    if planned > sum(counts.values()):
        counts["not_recorded"] = planned - sum(counts.values())
    if not planned:
        counts["no_case"] = manifest.samples
    return counts


def _group(manifest: Manifest, counted: Tally, tasks: Sequence[str], ks: Sequence[int]) -> Group:
    total = _sum(manifest, counted, tasks)
    planned = sum(len(_units(manifest, task)) for task in tasks) * manifest.samples
    unknown = planned - total.recorded + total.ours
    return Group(
        tasks=len(tasks),
        planned=planned,
        compiled=_rate(total.compiled, unknown, planned),
        passed=_rate(total.passed, unknown, planned),
        wilson=(wilson(total.passed, planned)[0], wilson(total.passed + unknown, planned)[1]),
        pass_at_k={k: _at_k(manifest, counted, tasks, k, "passed") for k in ks},
        compile_at_k={k: _at_k(manifest, counted, tasks, k, "compiled") for k in ks},
    )


def _rate(count: int, unknown: int, planned: int) -> Bounds:
    return Bounds(count / planned, (count + unknown) / planned) if planned else Bounds(0.0, 0.0)


def _at_k(manifest: Manifest, counted: Tally, tasks: Sequence[str], k: int, what: str) -> Bounds | None:
    """The mean over tasks of the mean over a task's units; None where k exceeds the samples."""
    n = manifest.samples
    if k > n:
        return None
    lows, highs = [], []
    for task in tasks:
        units = [counted.get(unit) or Counts() for unit in _units(manifest, task)]
        if units:
            lows.append(_mean([pass_at_k(n, getattr(u, what), k) or 0.0 for u in units]))
            highs.append(_mean([pass_at_k(n, getattr(u, what) + n - u.recorded + u.ours, k) or 0.0 for u in units]))
    return Bounds(_mean(lows), _mean(highs))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def npukernelbench_cases(manifest: Manifest, counted: Tally) -> dict[str, Any]:
    """The paper's score (arXiv 2601.07160, 7.4.3): per task 100 × passed cases / cases, levels are means over tasks,
    the total weighs levels 0.2, 0.3 and 0.5 and exists only where all three were planned. (low, high) bounds."""
    lows: dict[str, float] = {}
    highs: dict[str, float] = {}
    for task, plan in manifest.tasks.items():
        cases = len(plan.seeds) * manifest.samples
        if not cases:
            continue
        total = _sum(manifest, counted, [task])
        planned = len(_units(manifest, task)) * manifest.samples
        unknown = planned - total.recorded + total.ours
        lows[task] = 100 * total.cases_passed / cases
        highs[task] = min(100.0, lows[task] + 100 * unknown * (cases / planned) / cases)
    tasks = {n: [t for t in _of_level(manifest, n) if t in lows] for n in LEVEL_WEIGHTS}
    levels = {
        n: Bounds(_mean([lows[t] for t in names]), _mean([highs[t] for t in names]))
        for n, names in tasks.items()
        if names
    }
    return {"levels": levels, "total": _weighted(levels)}


def npukernelbench_samples(manifest: Manifest, counted: Tally) -> dict[str, Any]:
    """The repository's score (run_multi_test.py): per level the share of attempts that pass, 0 … 1, weighed 0.2, 0.3
    and 0.5; the total exists only where all three levels were planned. (low, high) bounds."""
    levels: dict[int, Bounds] = {}
    for level in LEVEL_WEIGHTS:
        tasks = _of_level(manifest, level)
        if any(_units(manifest, task) for task in tasks):
            levels[level] = _group(manifest, counted, tasks, ()).passed
    return {"levels": levels, "total": _weighted(levels)}


def _weighted(levels: Mapping[int, Bounds]) -> Bounds | None:
    if set(levels) != set(LEVEL_WEIGHTS):
        return None
    low = math.fsum(LEVEL_WEIGHTS[n] * levels[n].low for n in LEVEL_WEIGHTS)
    return Bounds(low, math.fsum(LEVEL_WEIGHTS[n] * levels[n].high for n in LEVEL_WEIGHTS))
