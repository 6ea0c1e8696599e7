"""The cycle model against what others published.

    python -m benchmarks.aie_cycles peano [--half training|test] [--markdown]
    python -m benchmarks.aie_cycles published|families|additions [--markdown]
    python -m benchmarks.aie_cycles docs

`peano`: block lengths and initiation intervals that Xilinx/llvm-aie keeps as expected output of its tests
(`tests/backends/aie/schedule/peano_rows`). The halves were drawn by `peano_split.py` before the scheduler had seen a
row; only the training half may be looked at while the model is tuned. An error is (modelled - Peano) / Peano.

`published`: counts that were measured on devices or read off published listings, for kernels written here
(`aie_published.py`). `families`: one operation in four forms, on both targets, where the order is known. `additions`:
what the plain vector addition scores under the three weightings of vector operations. `docs`: all tables of
docs/aie-cycles.md, anew.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.aie_published import HEADER, Family, families, published
from benchmarks.peano_split import half
from kbench import evaluate
from kbench.backends.aie.sim.schedule import schedule
from kbench.core.backend import Settings
from kbench.core.profile import Profile
from kbench.core.suite import SuiteTask
from tests.backends.aie.schedule.machine import timing
from tests.backends.aie.schedule.rows import Row
from tests.backends.aie.schedule.translate import function

PAGE = Path(__file__).parents[1] / "docs" / "aie-cycles.md"
TARGETS = ("npu1", "npu2")
FORMS = ("scalar", "vector", "restrict", "pipelined")
Cells = Sequence[Any]

# --- Peano's schedules ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compared:
    """A row of Peano's beside the model."""

    row: Row
    modelled: int
    note: str

    @property
    def error(self) -> float:
        return (self.modelled - self.row.expected) / self.row.expected


def compared(row: Row) -> Compared:
    """What the model makes of a row."""
    found = schedule(function(row), row.target)
    if row.kind == "block":
        return Compared(row, settled(found, "block"), "")
    loop = found.loops["loop"]
    stages = f" in {loop.stages} stages (Peano: {row.stages})" if row.stages else ""
    return Compared(row, loop.ii, f"{loop.kind}{stages}: {loop.reason}")


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
    """Rows, median and 90th percentile of the errors' sizes, and how many rows are exact or within 30 %."""
    sizes = sorted(abs(c.error) for c in found)
    return {
        "rows": len(sizes),
        "exact": sum(size == 0 for size in sizes),
        "median": statistics.median(sizes),
        "p90": sizes[math.ceil(0.9 * len(sizes)) - 1],
        "within 30 %": sum(size <= 0.3 for size in sizes) / len(sizes),
        "bias": statistics.mean(c.error for c in found),
    }


def peano_rows(name: str, notes: bool) -> Iterator[Cells]:
    """The table of a half."""
    yield "row", "core", "test", "what", "Peano", "model", "error", *(["why"] if notes else [])
    for row in half(name):
        c = compared(row)
        what = {"block": "bundles", "plain": "bundles a trip", "loop": "interval"}[row.kind]
        test = f"`{row.source}` {row.function}" if not notes else row.source.rpartition("/")[2]
        yield (
            row.name,
            row.target,
            test,
            what,
            row.expected,
            c.modelled,
            _percent(c.error),
            *([c.note] if notes else []),
        )


def peano_summaries() -> Iterator[Cells]:
    """The table of both halves' summaries."""
    yield "half", "rows", "exact", "median error", "90th percentile", "within 30 %", "mean error"
    for name in ("test", "training"):
        told = summary([compared(row) for row in half(name)])
        sizes = [f"{told[key]:.1%}" for key in ("median", "p90", "within 30 %")]
        yield name, told["rows"], told["exact"], *sizes, f"{told['bias']:+.1%}"


def _percent(error: float) -> str:
    return f"{error:+.0%}" if round(error, 2) else "0"


# --- kernels ----------------------------------------------------------------------------------------------------------


def profiled(task: SuiteTask, source: str, target: str) -> Profile:
    """The profile of a kernel, which must pass. Raises RuntimeError where it does not."""
    record = evaluate(task, f"```cpp\n{HEADER}{source}```\n", "aie", settings=Settings(target=target))
    profile = record.cases[0].profile if record.cases else None
    if profile is None or profile.cycles is None:
        raise RuntimeError(f"{task.task.name}: {record.outcome}: {record.message}")
    return profile


def published_rows() -> Iterator[Cells]:
    """Every published count: modelled, error, limit, and the vector cycles of both."""
    yield "row", "kernel", "compiler", "published", "model", "error", "limit", "vector cycles", "model"
    for row in published():
        profile = profiled(row.task, row.source, "npu1")
        cycles = profile.cycles or 0
        vector = round(profile.scores["vectorization"] * cycles)
        error = _percent((cycles - row.cycles) / row.cycles)
        limit = f"{row.limit:.0%}" if row.limit else "shown only"
        counts = (f"{row.cycles:,}", f"{cycles:,.0f}", error, limit, row.vector_cycles, vector)
        yield row.number, row.title, f"{row.compiler}, {row.kind}", *counts


def measured(family: Family) -> dict[tuple[str, str], Profile]:
    """The profiles of a family by (form, target)."""
    forms = family.forms()
    return {(form, target): profiled(family.task, forms[form], target) for form in FORMS for target in TARGETS}


def out_of_order(found: dict[tuple[str, str], Profile]) -> list[str]:
    """What is not as it must be: scalar slower than vector, `__restrict` and pipelining no slower than without, npu2 no
    slower than npu1."""
    cycles = {key: profile.cycles or 0 for key, profile in found.items()}
    wrong = [f"{form}: npu2 is slower than npu1" for form in FORMS if cycles[form, "npu2"] > cycles[form, "npu1"]]
    for target in TARGETS:
        if cycles["scalar", target] <= cycles["vector", target]:
            wrong.append(f"{target}: scalar is not slower than vector")
        for slower, faster in (("vector", "restrict"), ("restrict", "pipelined")):
            if cycles[slower, target] < cycles[faster, target]:
                wrong.append(f"{target}: {faster} is slower than {slower}")
    return wrong


def family_rows() -> Iterator[Cells]:
    """Cycles and vectorization of every form. Raises RuntimeError where the order is wrong."""
    yield "operation", "target", "scalar", "vector", "`__restrict`", "pipelined"
    for family in families():
        found = measured(family)
        if wrong := out_of_order(found):
            raise RuntimeError(f"{family.name}: {'; '.join(wrong)}")
        for target in TARGETS:
            profiles = [found[form, target] for form in FORMS]
            yield family.name, target, *(f"{p.cycles:,.0f} ({p.scores['vectorization']:.0%})" for p in profiles)


def addition_rows() -> Iterator[Cells]:
    """The scores of vector additions on npu1, without and with `__restrict`."""
    yield "addition", "form", "cycles", "strict", "default", "loose"
    for family in families():
        for form in FORMS[1:] if family.name.startswith("add") else ():
            profile = profiled(family.task, family.forms()[form], "npu1")
            names = ("vectorization_strict", "vectorization", "vectorization_loose")
            scores = [f"{profile.scores[name]:.0%}" for name in names]
            yield f"{family.dtype}, {family.lanes} lanes", form, f"{profile.cycles:,.0f}", *scores


# --- output -----------------------------------------------------------------------------------------------------------


def markdown(rows: Iterable[Cells]) -> list[str]:
    """A table as docs/aie-cycles.md has it."""
    head, *body = [[str(cell) for cell in row] for row in rows]
    numeric = [all(re.fullmatch(r"[-+\d,.]+( ?%)?", row[i]) for row in body) for i in range(len(head))]
    rule = ["---:" if right else "---" for right in numeric]
    return ["| " + " | ".join(cells) + " |" for cells in (head, rule, *body)]


def plain(rows: Iterable[Cells]) -> list[str]:
    """A table for a terminal."""
    body = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in body) for i in range(len(body[0]))]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in body]


def write_page() -> None:
    """Puts every table anew between its marks in docs/aie-cycles.md."""
    text = PAGE.read_text()
    tables = {
        "summary": peano_summaries(),
        "test": peano_rows("test", notes=False),
        "training": peano_rows("training", notes=False),
        "published": published_rows(),
        "families": family_rows(),
        "additions": addition_rows(),
    }
    for name, rows in tables.items():
        between = re.compile(rf"(<!-- table {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not between.search(text):
            raise RuntimeError(f"{PAGE} has no marks for the table {name}")
        lines = "".join(f"{line}\n" for line in markdown(rows))
        text = between.sub(lambda found, lines=lines: found[1] + lines + found[2], text)
    PAGE.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("peano", "published", "families", "additions", "docs"))
    parser.add_argument("--half", choices=("training", "test"), default="training")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    if options.part == "docs":
        write_page()
        return
    tables = {"published": published_rows, "families": family_rows, "additions": addition_rows}
    rows = peano_rows(options.half, not options.markdown) if options.part == "peano" else tables[options.part]()
    print("\n".join((markdown if options.markdown else plain)(rows)))
    if options.part == "peano":
        told = summary([compared(row) for row in half(options.half)])
        print(", ".join(f"{k} {v:.1%}" if isinstance(v, float) else f"{k} {v}" for k, v in told.items()))


if __name__ == "__main__":
    main()
