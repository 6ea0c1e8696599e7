"""The cycle model against what others published.

    python benchmarks/aie_cycles.py peano [--half training|test] [--rows] [--markdown]
    python benchmarks/aie_cycles.py published [--markdown]

`peano`: block lengths and initiation intervals that Xilinx/llvm-aie keeps as expected output of its tests
(`tests/backends/aie/schedule/peano_rows`). The halves were drawn by `peano_split.py` before the scheduler had seen a
row; only the training half may be looked at while the model is tuned. An error is (modelled - Peano) / Peano.

`published`: counts that were measured on devices or read off published listings, for kernels written here.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.peano_split import half
from kbench.backends.aie.sim.schedule import schedule
from tests.backends.aie.schedule.machine import timing
from tests.backends.aie.schedule.rows import Row
from tests.backends.aie.schedule.translate import function


@dataclass(frozen=True)
class Compared:
    """A row of Peano's beside the model."""

    row: Row
    modelled: int
    stages: int | None
    note: str

    @property
    def error(self) -> float:
        return (self.modelled - self.row.expected) / self.row.expected


def compared(row: Row) -> Compared:
    """What the model makes of a row."""
    found = schedule(function(row), row.target)
    if row.kind == "block":
        return Compared(row, settled(found, "block"), None, "")
    loop = found.loops["loop"]
    return Compared(row, loop.ii, loop.stages, f"{loop.kind}, {loop.bound}: {loop.reason}")


def settled(found: Any, label: str) -> int:
    """Bundles of a block up to the one in which its last result has arrived: the tests end their functions there."""
    bundles = found.blocks[label].bundles
    ends = [
        cycle + timing(found.machine, issue.operation.name).settles
        for cycle, bundle in enumerate(bundles)
        for issue in bundle
    ]
    return max([len(bundles), *ends])


def summary(found: Sequence[Compared]) -> dict[str, float]:
    """Rows, median and 90th percentile of the errors' sizes, and the shares of rows that are exact and within 30 %."""
    sizes = sorted(abs(c.error) for c in found)
    return {
        "rows": len(sizes),
        "exact": sum(size == 0 for size in sizes),
        "median": statistics.median(sizes),
        "p90": sizes[math.ceil(0.9 * len(sizes)) - 1],
        "within 30 %": sum(size <= 0.3 for size in sizes) / len(sizes),
        "bias": statistics.mean(c.error for c in found),
    }


def peano(name: str, rows: bool, markdown: bool) -> None:
    """Prints the half's table and its summary."""
    found = [compared(row) for row in half(name)]
    if rows or markdown:
        _table(found, markdown)
    told = summary(found)
    print(
        ", ".join(f"{key} {value:.1%}" if isinstance(value, float) else f"{key} {value}" for key, value in told.items())
    )


def _table(found: Sequence[Compared], markdown: bool) -> None:
    if markdown:
        print("| row | core | test | what | Peano | model | error |\n|---|---|---|---|---:|---:|---:|")
    for c in found:
        row = c.row
        what = {"block": "bundles", "plain": "bundles a trip", "loop": "interval"}[row.kind]
        if markdown:
            test = f"`{row.source}` {row.function}"
            print(f"| {row.name} | {row.target} | {test} | {what} | {row.expected} | {c.modelled} | {c.error:+.0%} |")
        else:
            stages = f" stages {row.stages}/{c.stages}" if row.kind == "loop" else ""
            print(f"{row.name:36} {what:15} {row.expected:4} {c.modelled:4} {c.error:+5.0%}{stages}  {c.note}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    rows = parts.add_parser("peano")
    rows.add_argument("--half", choices=("training", "test"), default="training")
    rows.add_argument("--rows", action="store_true", help="each row")
    rows.add_argument("--markdown", action="store_true", help="as the table of docs/aie-cycles.md")
    options = parser.parse_args()
    peano(options.half, options.rows, options.markdown)


if __name__ == "__main__":
    main()
