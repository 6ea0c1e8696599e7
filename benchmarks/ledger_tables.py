"""The tables of docs/imported-suites.md that show the ledgers of the imported benchmark's answers.

python -m benchmarks.ledger_tables     rewrites them
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.upstream import CUBE, LEDGER
from benchmarks.worst import WORST_LEDGER

DOCS = Path(__file__).parents[1] / "docs/imported-suites.md"
Verdicts = Mapping[str, Mapping[str, Any]]


def failing_table(tasks: Verdicts) -> str:
    """The vector answers that do not pass, each with its evidence."""
    vector = {name: v for name, v in tasks.items() if name not in CUBE}
    failing = _failing(vector)
    lines = [
        f"{len(vector) - len(failing)} of {len(vector)} vector answers pass, {len(failing)} do not.",
        "",
        "| answer | verdict | cases that pass | with its fault repaired | evidence |",
        "|---|---|---|---|---|",
    ]
    for name, v in failing.items():
        mended = v.get("repaired")
        repaired = f"{mended['cases_passed']} of {mended['cases_ran']}" if mended else "–"
        lines.append(f"| {name} | {v['outcome']} | {_passed(v)} | {repaired} | {v['why']} |")
    return "\n".join(lines)


def worst_table(ledger: Mapping[str, Any]) -> str:
    """What passes with exact numerics and fails with the worst."""
    counts = []
    for part, words in (("answers", "vector answers"), ("ours", "solutions of our own")):
        verdicts: Verdicts = ledger[part]
        counts.append(f"{len(verdicts) - len(_failing(verdicts))} of {len(verdicts)} {words}")
    lines = [
        f"{' and '.join(counts)} pass so (cases of at most {ledger['max_elements']:,} elements).",
        "",
        "| fails | whose | first | why |",
        "|---|---|---|---|",
    ]
    for part, whose in (("answers", "the benchmark's"), ("ours", "ours")):
        lines += [f"| {n} | {whose} | {_cell(v['first'])} | {v['why']} |" for n, v in _failing(ledger[part]).items()]
    return "\n".join(lines)


def _failing(verdicts: Verdicts) -> dict[str, Mapping[str, Any]]:
    return {name: v for name, v in verdicts.items() if v["outcome"] != "passed"}


def _passed(v: Mapping[str, Any]) -> str:
    return f"{v['cases_passed']} of {v['cases_ran']}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def tables() -> dict[str, str]:
    """Ledger's file name → its table."""
    return {
        LEDGER.name: failing_table(json.loads(LEDGER.read_text())["tasks"]),
        WORST_LEDGER.name: worst_table(json.loads(WORST_LEDGER.read_text())),
    }


def rewritten(text: str) -> str:
    """The page with every table as the ledgers have it."""
    for name, table in tables().items():
        mark = re.escape(f"<!-- table of benchmarks/{name} -->")
        text, count = re.subn(
            rf"({mark}\n).*?(<!-- end -->)", lambda m, t=table: f"{m[1]}{t}\n{m[2]}", text, flags=re.DOTALL
        )
        if count != 1:
            raise SystemExit(f"{DOCS.name} has {count} places for the table of {name}")
    return text


if __name__ == "__main__":
    DOCS.write_text(rewritten(DOCS.read_text()))
