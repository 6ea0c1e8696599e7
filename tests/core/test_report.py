"""Tables for people."""

from __future__ import annotations

from rich.console import Console

from kbench import Finding
from kbench.core.record import CaseResult, OutputError
from kbench.core.report import attempt_lines, percent, summary
from kbench.core.score import Bounds, score
from kbench.core.scoring.tally import tally
from tests.core.test_score import manifest, record


def text(renderable) -> str:
    console = Console(width=160, no_color=True)
    with console.capture() as captured:
        console.print(renderable)
    return captured.get()


def test_the_summary_has_a_row_for_each_task_and_level():
    plan = manifest((1, 2), samples=2, skipped={"big": "size: 9 elements, at most 1"})
    records = [record(), record("crash", sample=1, cases=["crash"]), record("unsupported", task="t1", cases=())]
    shown = text(summary(plan, score(plan, tally(records), seconds=2)))
    for part in (
        "t0    1      2         1       crash",
        "t1    2      2         0       unsupported, not_recorded",
        "1 of 2",
        "1      1      2         100.0%          50.0%",
        "2      1      2         0.0% … 100.0%   0.0% … 100.0%",
        "note: 1 of 4 planned attempts have no record yet",
        "note: more than 1% of the attempts are unknown: do not publish these scores",
        "1 of 4 attempts passed",
    ):
        assert part in shown, shown
    assert "npukernelbench" not in shown  # its total needs all three levels


def test_a_scheme_is_shown_where_all_its_levels_were_planned():
    plan = manifest((1, 2, 3))
    records = [record(), record("crash", task="t1", cases=["crash"]), record("crash", task="t2", cases=["crash"])]
    shown = text(summary(plan, score(plan, tally(records), seconds=2)))
    assert "npukernelbench_cases: 20 (L1 100, L2 0, L3 0)" in shown


def test_rates_with_and_without_bounds():
    assert percent(Bounds(0.5, 0.5)) == "50.0%"
    assert percent(Bounds(0.25, 0.5)) == "25.0% … 50.0%"
    assert percent(None) == "–"


def test_an_attempt_shows_its_diagnostics_at_the_candidates_own_line():
    finding = Finding(severity="error", message="DataCopy: 30 bytes", rule="E3", file="op_kernel/k.cpp", line=12)
    wrong = OutputError(output="z", outcome="wrong_values", first="z[0]: expected 1, got 2 (1 of 1 differ)")
    case = CaseResult(case="a", outcome="rule_violation", message="stopped", findings=(finding,) * 20, outputs=(wrong,))
    lines = [str(line) for line in attempt_lines(record("rule_violation").model_copy(update={"cases": (case,)}))]
    assert lines[0] == "s/t0 sample 0: rule_violation"
    assert "  case a: rule_violation  stopped" in lines
    assert "    z[0]: expected 1, got 2 (1 of 1 differ)" in lines
    assert lines.count("    op_kernel/k.cpp:12: error: DataCopy: 30 bytes [E3]") == 12
    assert "    … 8 more findings in the record" in lines
