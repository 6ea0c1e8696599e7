"""Scores, computed from the plan and the records and never stored in them. Every number has a name of its own.

A *unit* is what one sample answers: a task on dynamic shapes, one case of a task on static ones. An attempt on which
kbench failed, which uses an API that is not modelled, or which has not run yet says nothing about the candidate: every
rate is then a pair of bounds, (all of these fail, all of these pass).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from kbench.core.record import Record
from kbench.core.runs.manifest import Manifest
from kbench.core.runs.store import RunFolder
from kbench.core.scoring.speed import EFFICIENCY, FAST, SCORE, SPEEDUP, TIMES, Ratio, Spread, join, ratio
from kbench.core.scoring.tally import Counts, Tally, Unit, tally_run
from kbench.core.scoring.usage import Usage, usage_of
from kbench.core.taxonomy import is_harness

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


# --- the scores ------------------------------------------------------------------------------------------------------


class Bounds(NamedTuple):
    """A rate that lies between these: equal where everything is known."""

    low: float
    high: float


@dataclass(frozen=True)
class Speed:
    """Times of a set of tasks. `timed` attempts passed with a time. `speedup_over_reference` is the time of the task's
    reference kernel over the candidate's, `roofline_efficiency` the roofline's over the candidate's (without launches).
    `fast_p` (p → share of planned attempts that are right and more than p times as fast as the reference) and the
    backend's own `scores` are means over all tasks, in which what failed or has no time counts as 0."""

    timed: int
    speedup_over_reference: Ratio | None
    roofline_efficiency: Ratio | None
    fast_p: Mapping[float, Bounds]
    scores: Mapping[str, Bounds]


@dataclass(frozen=True)
class Group:
    """Rates of a set of tasks. `passed` and `compiled` are shares of planned attempts; `pass_at_k` and `compile_at_k`
    are means over tasks (over the units of a task first); `wilson` is the 95 % interval of the pass rate's bounds.
    `speed` is None where no attempt has a time."""

    tasks: int
    planned: int
    compiled: Bounds
    passed: Bounds
    wilson: tuple[float, float]
    pass_at_k: Mapping[int, Bounds | None]
    compile_at_k: Mapping[int, Bounds | None]
    speed: Speed | None = None


@dataclass(frozen=True)
class Score:
    """Everything that `kbench score` says of a run. Plain counts are attempts, those that begin with `cases_` cases;
    `skipped` is `cases_skipped` under the name that goes with the other plain ones. `speeds`: task → measure → its
    attempts, geometric (times, ratios) or plain (scores) mean, least and most. Where a sample may take several
    attempts, all of these are over samples, each by its best attempt; `passed_within`: attempts → samples that passed
    within so many. `usage` is what completions cost, over every attempt."""

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
    speeds: Mapping[str, Mapping[str, Mapping[str, float]]]
    passed_within: Mapping[int, int]
    schemes: Mapping[str, Mapping[str, Any]]
    usage: Usage
    publishable: bool
    warnings: Sequence[str]

    def to_json(self) -> str:
        return json.dumps(asdict(self), default=str)


def score(
    manifest: Manifest,
    counted: Tally,
    *,
    run: str = "",
    seconds: float = 0.0,
    ks: Sequence[int] = (1,),
    usage: Usage | None = None,
) -> Score:
    """Every score of a run. Pure: the plan and the counts decide, with the planned samples as the denominator.

    `run` (its folder), `seconds` and `usage` are passed through.
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
        speeds=_speeds(manifest, counted),
        passed_within=_passed_within(manifest, total),
        usage=usage or Usage(),
        schemes={
            "npukernelbench_cases": npukernelbench_cases(manifest, counted),
            "npukernelbench_samples": npukernelbench_samples(manifest, counted),
        },
        publishable=unknown <= MOST_UNKNOWN * manifest.planned,
        warnings=_warnings(manifest, total, skipped, ks),
    )


def score_run(run: RunFolder, ks: Sequence[int] = (1,)) -> Score:
    """Every score of a run on disk.

    Raises:
        StoreError: a record cannot be read.
    """
    counted, usage = tally_run(run), usage_of(run)
    return score(run.manifest, counted, run=str(run.path), seconds=run.seconds(), ks=ks, usage=usage)


def _passed_within(manifest: Manifest, total: Counts) -> dict[int, int]:
    return {
        n: sum(times for attempt, times in total.solved.items() if attempt < n)
        for n in range(1, manifest.attempts_each + 1)
    }


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
    timed, compared = (_attempts_with(total.measures, *names) for names in (TIMES, (SPEEDUP,)))
    if timed < total.passed and timed:
        said.append(f"{total.passed - timed} passed attempts have no time: they count as not fast, and score 0")
    if compared < timed and compared:
        said.append(f"{timed - compared} timed attempts have no reference time to compare with: they count as not fast")
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
        total.measures = join([total.measures, part.measures])
        for outcome, times in part.outcomes.items():
            total.outcomes[outcome] = total.outcomes.get(outcome, 0) + times
        for attempt, times in part.solved.items():
            total.solve(attempt, times)
    return total


def _attempts_with(found: Mapping[str, Spread], *names: str) -> int:
    """Attempts that have one of these measures."""
    return max((found[name].attempts for name in names if name in found), default=0)


def _speeds(manifest: Manifest, counted: Tally) -> dict[str, dict[str, dict[str, float]]]:
    """task → measure → numbers of the attempts that have it."""
    speeds = {}
    for task in manifest.tasks:
        found = _sum(manifest, counted, [task]).measures
        if found:
            speeds[task] = {name: _numbers(name, spread) for name, spread in sorted(found.items())}
    return speeds


def _numbers(name: str, spread: Spread) -> dict[str, float]:
    mean = {"mean": spread.mean} if name.startswith(SCORE) else {"geomean": spread.geomean}
    numbers = {"attempts": spread.attempts, **mean, "least": spread.least, "most": spread.most}
    return {key: float(f"{value:.9g}") for key, value in numbers.items()}  # sums of logarithms are no more exact


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
        speed=_speed(manifest, counted, tasks, total),
    )


def _speed(manifest: Manifest, counted: Tally, tasks: Sequence[str], total: Counts) -> Speed | None:
    timed = _attempts_with(total.measures, *TIMES)
    if not timed:
        return None
    found = [_sum(manifest, counted, [task]).measures for task in tasks]
    scores = sorted(name for name in total.measures if name.startswith(SCORE))
    compared = SPEEDUP in total.measures
    return Speed(
        timed=timed,
        speedup_over_reference=ratio(found, SPEEDUP),
        roofline_efficiency=ratio(found, EFFICIENCY),
        fast_p={p: _over_tasks(manifest, counted, tasks, _faster(p)) for p in FAST} if compared else {},
        scores={name.removeprefix(SCORE): _over_tasks(manifest, counted, tasks, _total(name)) for name in scores},
    )


def _faster(p: float) -> Callable[[Counts], float]:
    return lambda unit: unit.measures[SPEEDUP].over[p] if SPEEDUP in unit.measures else 0.0


def _total(name: str) -> Callable[[Counts], float]:
    return lambda unit: unit.measures[name].total if name in unit.measures else 0.0


def _over_tasks(manifest: Manifest, counted: Tally, tasks: Sequence[str], amount: Callable[[Counts], float]) -> Bounds:
    """The mean over tasks, over a task's units first, of an amount per planned attempt; what failed has none of it, and
    an attempt that nobody knows all of it in the upper bound."""
    n = manifest.samples
    lows, highs = [], []
    for task in tasks:
        units = [counted.get(unit) or Counts() for unit in _units(manifest, task)]
        if units:
            lows.append(_mean([amount(u) / n for u in units]))
            highs.append(_mean([(amount(u) + n - u.recorded + u.ours) / n for u in units]))
    return Bounds(_mean(lows), _mean(highs))


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
