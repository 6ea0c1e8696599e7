"""Times and their scores over attempts: speed-ups, each by its name, fast_p, and a backend's own scores.

A measure of an attempt comes from all cases that it passed: the geometric mean of times and ratios, the plain mean of
scores. Only attempts that passed have measures; one that passed without a time counts as not fast, and in no mean of
times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kbench.core.record import CaseResult, Record

#: p of fast_p: the share of attempts that are right and more than p times as fast as the reference (arXiv 2502.10517).
FAST = (0.0, 0.5, 0.8, 1.0, 1.5, 2.0)
SPEEDUP = "speedup_over_reference"
EFFICIENCY = "roofline_efficiency"
TIMES = ("latency_us", "cycles")
#: Before the name of a backend's score, among measures.
SCORE = "score."

_Number = Callable[[CaseResult], float | None]
_GEOMETRIC: Mapping[str, _Number] = {
    "latency_us": lambda case: case.profile.latency_us if case.profile else None,
    "cycles": lambda case: case.profile.cycles if case.profile else None,
    SPEEDUP: lambda case: case.speedup_over_reference,
    EFFICIENCY: lambda case: case.profile.efficiency if case.profile else None,
}


def measures(record: Record) -> Iterator[tuple[str, float]]:
    """(name, value) of every measure that all passed cases of a passed attempt have."""
    cases = [case for case in record.cases if case.outcome == "passed"] if record.passed else []
    if not cases:
        return
    for name, number in _GEOMETRIC.items():
        values = [number(case) or 0.0 for case in cases]
        if min(values) > 0:
            yield name, math.exp(math.fsum(map(math.log, values)) / len(values))
    scores = [case.profile.scores if case.profile else {} for case in cases]
    for name in set.intersection(*map(set, scores)):
        yield SCORE + name, math.fsum(score[name] for score in scores) / len(scores)


@dataclass
class Spread:
    """One measure over attempts. `logs` sums natural logarithms of those above 0, `over` counts those above each p."""

    attempts: int = 0
    total: float = 0.0
    logs: float = 0.0
    least: float = math.inf
    most: float = 0.0
    over: dict[float, int] = field(default_factory=lambda: dict.fromkeys(FAST, 0))

    def add(self, value: float) -> None:
        logs = math.log(value) if value > 0 else 0.0
        self.join(Spread(1, value, logs, value, value, {p: int(value > p) for p in FAST}))

    def join(self, other: Spread) -> None:
        self.attempts += other.attempts
        self.total += other.total
        self.logs += other.logs
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)
        for p in FAST:
            self.over[p] += other.over[p]

    @property
    def mean(self) -> float:
        return self.total / self.attempts

    @property
    def geomean(self) -> float:
        return math.exp(self.logs / self.attempts)


def join(spreads: Iterable[Mapping[str, Spread]]) -> dict[str, Spread]:
    """Several units' measures as one."""
    total: dict[str, Spread] = {}
    for unit in spreads:
        for name, spread in unit.items():
            total.setdefault(name, Spread()).join(spread)
    return total


# --- in a database of records -----------------------------------------------------------------------------------------

#: What is read of a case, beside its outcome.
CASE_COLUMNS = """
    profile STRUCT(latency_us DOUBLE, cycles DOUBLE, roofline STRUCT(limits MAP(VARCHAR, DOUBLE)),
        scores MAP(VARCHAR, DOUBLE)),
    baseline STRUCT(latency_us DOUBLE, cycles DOUBLE)"""

MACROS = (
    "CREATE MACRO geomean(numbers) AS CASE WHEN list_min([coalesce(x, 0) FOR x IN numbers]) > 0 THEN "
    "exp(list_avg([ln(greatest(x, 1e-300)) FOR x IN numbers])) END",
    "CREATE MACRO capped(number) AS CASE WHEN number > 1 THEN 1 ELSE number END",
    "CREATE MACRO of_name(pairs, name) AS list_extract(map_extract(pairs, name), 1)",
)

#: Of `passed(task, cases_key, cases)`, the passed attempts' passed cases: as `measures` and `Spread` have them.
QUERY = f"""
, ratios AS (
    SELECT task, cases_key, cases,
        geomean([c.profile.latency_us FOR c IN cases]) AS latency_us,
        geomean([c.profile.cycles FOR c IN cases]) AS cycles,
        geomean([coalesce(c.baseline.latency_us / nullif(c.profile.latency_us, 0),
            c.baseline.cycles / nullif(c.profile.cycles, 0)) FOR c IN cases]) AS speedup,
        geomean([capped(list_max(map_values(c.profile.roofline.limits)) / nullif(c.profile.cycles, 0)) FOR c IN cases])
            AS efficiency
    FROM passed
), named AS (
    SELECT task, cases_key, unnest(['latency_us', 'cycles', '{SPEEDUP}', '{EFFICIENCY}']) AS name,
        unnest([latency_us, cycles, speedup, efficiency]) AS value FROM ratios
    UNION ALL
    SELECT task, cases_key, '{SCORE}' || name,
        CASE WHEN len([1 FOR c IN cases IF of_name(c.profile.scores, name) IS NULL]) = 0
            THEN list_avg([of_name(c.profile.scores, name) FOR c IN cases]) END
    FROM (SELECT task, cases_key, cases, unnest(map_keys(cases[1].profile.scores)) AS name FROM passed)
)
SELECT task, cases_key, name, count(*), sum(value), sum(CASE WHEN value > 0 THEN ln(value) ELSE 0 END), min(value),
    max(value), {", ".join(f"count(*) FILTER (value > {p})" for p in FAST)}
FROM named WHERE value IS NOT NULL GROUP BY ALL ORDER BY ALL
"""


def spread_of_row(row: Sequence[float]) -> Spread:
    """The numbers of one row of QUERY, after its names."""
    attempts, total, logs, least, most, *over = row
    return Spread(int(attempts), total, logs, least, most, dict(zip(FAST, map(int, over), strict=True)))


# --- scores of a group of tasks ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ratio:
    """A ratio over the attempts that have one: the geometric mean over tasks of that over a task's attempts, and the
    best attempt. It says nothing about the others: `attempts` of the planned ones have it, in `tasks` tasks."""

    geomean: float
    best: float
    attempts: int
    tasks: int


def ratio(tasks: Iterable[Mapping[str, Spread]], name: str) -> Ratio | None:
    """A measure over tasks; None where no attempt has it."""
    spreads = [task[name] for task in tasks if name in task]
    if not spreads:
        return None
    mean = math.fsum(s.logs / s.attempts for s in spreads) / len(spreads)
    geomean, best = (float(f"{value:.9g}") for value in (math.exp(mean), max(s.most for s in spreads)))
    return Ratio(geomean, best, sum(s.attempts for s in spreads), len(spreads))
