"""The ledgers of the imported benchmark's answers: explained where they fail, and shown in the documentation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ledger_tables import DOCS, failing_table, rewritten
from benchmarks.upstream import CUBE, LEDGER, begun, update
from benchmarks.upstream_repairs import REPAIRS
from benchmarks.worst import WORST_LEDGER
from kbench.core.runs.campaign import Options, plan

TASKS = json.loads(LEDGER.read_text())["tasks"]
WORST = json.loads(WORST_LEDGER.read_text())


def test_the_page_shows_the_ledgers() -> None:
    assert rewritten(DOCS.read_text()) == DOCS.read_text()


def test_every_answer_that_fails_is_explained() -> None:
    assert set(TASKS) > CUBE
    failing = {name: v for name, v in TASKS.items() if v["outcome"] != "passed"}
    assert [name for name, v in failing.items() if not v["why"]] == []
    assert {name for name, v in failing.items() if v["outcome"] == "unsupported"} <= CUBE
    assert {name for name, v in failing.items() if "repaired" in v} == set(REPAIRS)


@pytest.mark.parametrize("part", ["answers", "ours"])
def test_every_answer_that_fails_at_the_bound_is_explained(part: str) -> None:
    assert [name for name, v in WORST[part].items() if v["outcome"] != "passed" and not v["why"]] == []


def verdict(outcome: str, **more: Any) -> dict[str, Any]:
    return {"outcome": outcome, "first": "", "cases_passed": 1, "cases_ran": 2, "cases_skipped": 0, **more}


def test_an_explanation_stays_while_the_class_of_the_verdict_does() -> None:
    old = {"A": verdict("crash", why="known", repaired={"cases_passed": 2, "cases_ran": 2})}
    assert update(old, {"A": verdict("crash")}) == old
    assert update(old, {"A": verdict("passed")}) == {"A": verdict("passed", why="")}
    assert update({}, {"B": verdict("unsupported", first="Mmad")})["B"]["why"] == "not modelled yet: Mmad"


def test_a_row_of_the_table() -> None:
    table = failing_table(
        {"A": verdict("crash", why="a fault"), "B": verdict("passed", why=""), "Gemm": verdict("crash")}
    )
    assert table.startswith("1 of 2 vector answers pass, 1 do not.")
    assert table.endswith("| A | crash | 1 of 2 | – | a fault |")


def test_a_run_that_was_planned_otherwise_is_begun_anew(tmp_path: Path) -> None:
    small = Options(backend="ascend", suite="quick", tasks=["AddCustom"], max_elements=1024)
    first = begun(tmp_path / "run", plan(small)).manifest
    assert begun(tmp_path / "run", plan(small)).manifest == first
    assert begun(tmp_path / "run", plan(replace(small, max_elements=4096))).manifest.max_elements == 4096
