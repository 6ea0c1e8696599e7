"""What became of the attempts of a plan, counted: from records, or by a query over a file of a million of them."""

from __future__ import annotations

import math
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kbench.core.record import SCHEMA, CaseResult, Record
from kbench.core.runs.store import RunFolder
from kbench.core.scoring.speed import CASE_COLUMNS, MACROS, QUERY, TIMES, Spread, measures, spread_of_row
from kbench.core.taxonomy import HARNESS_OUTCOMES, STAGES, is_harness


class Unit(NamedTuple):
    task: str
    cases_key: str


@dataclass
class Counts:
    """The samples of one unit, by what became of them; `ours` are those of a harness outcome. `solved` counts samples
    by the number of their first attempt that passed. `measures` are the times and scores of those that passed
    (`kbench.core.scoring.speed`)."""

    recorded: int = 0
    compiled: int = 0
    passed: int = 0
    ours: int = 0
    cases_ran: int = 0
    cases_passed: int = 0
    cases_skipped: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    solved: dict[int, int] = field(default_factory=dict)
    measures: dict[str, Spread] = field(default_factory=dict)

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

    def solve(self, attempt: int, times: int = 1) -> None:
        """Count samples whose first attempt that passed has this number."""
        self.solved[attempt] = self.solved.get(attempt, 0) + times


Tally = Mapping[Unit, Counts]


def tally(records: Iterable[Record]) -> Tally:
    """Count samples; of two records of one attempt, the one that says something about the candidate counts, and of a
    sample's attempts the best."""
    chosen: dict[tuple[Any, ...], Record] = {}
    for record in records:
        old = chosen.get(record.identity)
        if old is None or is_harness(old.outcome):
            chosen[record.identity] = record
    samples: defaultdict[tuple[Any, ...], list[Record]] = defaultdict(list)
    for record in chosen.values():
        samples[record.identity[:-1]].append(record)
    counts: defaultdict[Unit, Counts] = defaultdict(Counts)
    for attempts in samples.values():
        best = best_of(attempts)
        if best is None:
            continue
        record, unit = best, counts[Unit(best.task, best.cases_key)]
        ran, passed, skipped = _count_cases(record.cases)
        if record.passed:
            unit.solve(min(r.attempt for r in attempts if r.passed))
        unit.add(record.outcome, 1, compiled=int(record.compiled), ran=ran, passed=passed, skipped=skipped)
        for name, value in measures(record):
            unit.measures.setdefault(name, Spread()).add(value)
    return counts


def best_of(attempts: Sequence[Record]) -> Record | None:
    """The attempt of a sample that counts: of those that passed the fastest, then the first; else the one that came
    furthest, then the last. Where kbench failed on the last one, nobody knows what would have been. None where an
    attempt is still to come and none has passed."""
    passed = [r for r in attempts if r.passed]
    if passed:
        return min(passed, key=lambda r: (_cost(r), r.attempt))
    final = max(attempts, key=lambda r: r.attempt)
    if not final.last:
        return None
    if is_harness(final.outcome):
        return final
    return max(attempts, key=lambda r: (STAGES.index(r.stage), r.attempt))


def _cost(record: Record) -> float:
    """The time of all cases of an attempt that passed, in the first unit that all of them have."""
    profiles = [c.profile for c in record.cases if c.outcome == "passed"]
    for unit in TIMES:
        times = [getattr(p, unit) if p else None for p in profiles]
        known = [t for t in times if t is not None]
        if known and len(known) == len(times):
            return float(sum(known))
    return math.inf


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

_SPEED_QUERY = f"""
WITH lines AS (
    SELECT task, cases_key, sample, attempt, outcome, outcome IN {{ours}} AS ours,
        [c FOR c IN cases IF c.outcome = 'passed'] AS cases
    FROM read_json(?, format = 'newline_delimited', ignore_errors = true, columns = {{{{
        task: 'VARCHAR', cases_key: 'VARCHAR', sample: 'INTEGER', attempt: 'INTEGER', outcome: 'VARCHAR',
        cases: 'STRUCT(outcome VARCHAR, {CASE_COLUMNS})[]'}}}})
), passed AS (
    SELECT task, cases_key, kept.cases AS cases FROM (
        SELECT task, cases_key, arg_min(struct_pack(outcome, cases), ours) AS kept
        FROM lines GROUP BY task, cases_key, sample, attempt)
    WHERE kept.outcome = 'passed' AND task IS NOT NULL
){QUERY}"""


def tally_run(run: RunFolder, memory: str = "1GB") -> Tally:
    """The same, of records.jsonl itself: a million records in seconds, and in bounded memory.

    Raises:
        StoreError: a line is damaged or of a newer schema; `RunFolder.records` says which.
    """
    import duckdb

    torn = run.torn()
    if run.manifest.attempts_each > 1:
        return tally(run.records())
    ours = tuple(sorted(HARNESS_OUTCOMES))
    query = _QUERY.format(ours=ours)
    with tempfile.TemporaryDirectory(prefix="kbench-") as spill, duckdb.connect() as database:
        database.execute(f"SET memory_limit = '{memory}'; SET preserve_insertion_order = false")
        database.execute(f"SET temp_directory = '{spill}'")  # for what exceeds the memory
        rows = database.execute(query, [str(run.records_path)]).fetchall()
        speeds = []
        if run.manifest.settings.settings().profiles:
            for macro in MACROS:
                database.execute(macro)
            speeds = database.execute(_SPEED_QUERY.format(ours=ours), [str(run.records_path)]).fetchall()
    counts: defaultdict[Unit, Counts] = defaultdict(Counts)
    for row in rows:
        task, key, outcome, times, compiled, ran, passed, skipped, schema = row
        if task is None and torn and times == 1:
            continue  # the line that was never finished
        if None in row or schema > SCHEMA:
            return tally(run.records())  # raises, and says which line it is
        cases = {"ran": int(ran), "passed": int(passed), "skipped": int(skipped)}
        counts[Unit(task, key)].add(outcome, times, compiled=compiled, **cases)
        if outcome == "passed":
            counts[Unit(task, key)].solve(0, times)
    for task, key, name, *numbers in speeds:
        counts[Unit(task, key)].measures[name] = spread_of_row(numbers)
    return counts
