"""What a run's completions cost, and how they ended: over every attempt, those that a repair replaced included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kbench.core.runs.store import RunFolder

#: Numbers of `Completion.usage` that add up.
COUNTED = (
    "requests",
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cost_usd",
)
_TOLD = {"input_tokens": "input tokens", "output_tokens": "output tokens", "reasoning_tokens": "of them reasoning"}


@dataclass(frozen=True)
class Usage:
    """Sums over the attempts of a run.

    `asked` counts completions that were asked for in this run, `cached` those that a cache gave; `totals` sum the usage
    of the first kind (tokens, and US dollars where the generator knows them); `finish_reasons` is over both.
    """

    asked: int = 0
    cached: int = 0
    totals: Mapping[str, float] = field(default_factory=dict)
    finish_reasons: Mapping[str, int] = field(default_factory=dict)

    def words(self) -> str:
        """One line for people; empty where nothing is known but that answers came."""
        if not self.totals and not self.cached and not set(self.finish_reasons) - {"stop"}:
            return ""
        parts = [f"{self.asked:,} completions asked for" + (f", {self.cached:,} from the cache" if self.cached else "")]
        parts += [f"{self.totals[name]:,.0f} {words}" for name, words in _TOLD.items() if self.totals.get(name)]
        if self.totals.get("cost_usd"):
            parts.append(f"${self.totals['cost_usd']:,.4f}")
        ends = ", ".join(f"{reason} {n:,}" for reason, n in self.finish_reasons.items())
        return ", ".join(parts) + (f"; finish reasons: {ends}" if ends else "")


_QUERY = """
SELECT coalesce(cached, false), finish_reason, count(*), {sums}
FROM read_json(?, format = 'newline_delimited', ignore_errors = true,
    columns = {{usage: 'JSON', cached: 'BOOLEAN', finish_reason: 'VARCHAR'}})
WHERE finish_reason IS NOT NULL AND finish_reason <> ''
GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2
"""


def usage_of(run: RunFolder) -> Usage:
    """What the run's records say of their completions; nothing where none was asked for."""
    import duckdb

    sums = ", ".join(f"sum(TRY_CAST(usage->>'{name}' AS DOUBLE))" for name in COUNTED)
    with duckdb.connect() as database:
        rows = database.execute(_QUERY.format(sums=sums), [str(run.records_path)]).fetchall()
    counts = {False: 0, True: 0}
    totals: dict[str, float] = {}
    ends: dict[str, int] = {}
    for cached, reason, times, *numbers in rows:
        counts[cached] += times
        ends[reason] = ends.get(reason, 0) + times
        for name, number in zip(COUNTED, numbers, strict=True):
            if number is not None and not cached:
                totals[name] = round(totals.get(name, 0.0) + number, 9)
    return Usage(counts[False], counts[True], totals, ends)
