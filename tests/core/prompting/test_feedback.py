"""What a model is told: what helps, in its own lines, and nothing of this machine or of the verdict's values."""

from __future__ import annotations

import pytest
from fake_plugin import FakeBackend, make_entry

from kbench import Finding, Settings
from kbench.core.bench import Bench, Loop
from kbench.core.prompting.feedback import MOST_PROBLEMS, Judged, feedback, problems
from kbench.core.record import CaseResult, OutputError
from kbench.generators.reference import Reference
from tests.core.prompting.test_prompt import INTERFACE

FILES = {"kernel.c": "int a;\nint b\nint c;\n"}
BENCH = Bench("s", FakeBackend(), Reference(), Settings("fake1"), loop=Loop(3))


def told(stage, outcome, message="", findings=(), cases=()):
    judged = Judged(stage, outcome, message, findings, cases, FILES, attempt=0)
    return feedback(judged, make_entry(), INTERFACE, BENCH, None)


def finding(message="expected ';'", line=2, **more):
    return Finding(**{"severity": "error", "message": message, "file": "kernel.c", "line": line} | more)


def test_an_error_comes_with_its_line():
    text = told("compile", "compile_error", findings=[finding()])
    assert "That does not compile." in text
    assert "kernel.c:2: expected ';'\n    2 | int b" in text
    assert "`kernel.c`, `kernel.h`, with nothing left out" in text


def test_lines_are_counted_as_compilers_count_them():
    text = "// a form feed \x0c and a separator \u2028\nint x = y;\n"
    (told,) = problems([Finding(severity="error", message="no y", file="kernel.c", line=2)], {"kernel.c": text})
    assert told == "kernel.c:2: no y\n    2 | int x = y;"


def test_errors_are_told_once_and_not_all_and_warnings_only_alone():
    many = [finding(f"error {i}") for i in range(20)]
    lines = problems([finding("w", severity="warning"), *many, *many], FILES)
    assert len(lines) == MOST_PROBLEMS + 1
    assert lines[-1] == "… and 12 more"
    assert not any("w" in line.split("|")[0] for line in lines)
    assert problems([finding("w", severity="warning")], FILES)[0].startswith("kernel.c:2: w")


def test_no_path_of_this_machine_is_told():
    where = "/home/someone/.cache/kbench/ab12/include/kernel_operator.h"
    text = told(
        "compile", "compile_error", findings=[finding(f"in file included from {where}:3: no member", file=where)]
    )
    assert "/home" not in text
    assert "included from kernel_operator.h:3: no member" in text
    assert "a/b + c / d" in told("compile", "compile_error", findings=[finding("a/b + c / d")])


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("in file:///home/a/b/add.cpp", "in add.cpp"),
        ("error:/home/a/b/add.cpp:3: no", "error:add.cpp:3: no"),
        ("https://host/a/b/page, op_kernel/add.cpp, 1/2/3", "https://host/a/b/page, op_kernel/add.cpp, 1/2/3"),
    ],
)
def test_paths_in_messages(message, told):
    (problem,) = problems([Finding(severity="error", message=message)], {})
    assert told in problem


def test_a_compiler_without_findings_is_quoted():
    assert "the compiler fails: boom" in told("compile", "compile_error", "the compiler fails: boom")


@pytest.mark.parametrize("outcome", ["truncated", "repetition", "only_reasoning"])
def test_an_answer_that_was_cut_off_should_be_shorter(outcome):
    assert "Be brief" in told("extract", outcome, "the completion stops")
    assert "holds nothing that could be compiled" in told("extract", "no_code", "no block")


def test_cases_that_fail_alike_are_told_once():
    cases = [CaseResult(case=name, outcome="crash", message="null pointer") for name in ("small", "odd")]
    text = told("run", "crash", cases=[*cases, CaseResult(case="large", outcome="passed")])
    assert "1 of 3 cases pass" in text
    assert "- case small (x=(4,); T=float32), case odd (x=(3, 5); T=float32): null pointer" in text
    assert text.count("null pointer") == 1


def test_values_of_the_verdict_are_counted_not_told():
    output = OutputError(
        output="y", outcome="wrong_values", mismatched=3, total=4, max_abs=0.5, first="y[0]: expected 1.4217, got 0"
    )
    case = CaseResult(case="small", outcome="wrong_values", message=output.first, outputs=(output,))
    text = told("check", "wrong_values", cases=[case])  # no build to run on other inputs
    assert "1.4217" not in text
    assert "y: 3 of 4 elements are wrong, by up to 0.5" in text
    shape = output.model_copy(update={"outcome": "wrong_shape", "first": "y: expected shape (4,), got (3,)"})
    text = told("check", "wrong_shape", cases=[case.model_copy(update={"outputs": (shape,)})])
    assert "y: expected shape (4,), got (3,)" in text


def test_a_rule_that_is_broken_is_told_without_the_value_that_showed_it():
    case = CaseResult(
        case="small",
        outcome="rule_violation",
        message="kernel.c:1: error: depends on garbage [E53]: y[0]: expected 1.4217, got 3",
        findings=(finding("depends on garbage", 1, rule="E53"),),
    )
    text = told("run", "rule_violation", cases=[case])
    assert "1.4217" not in text
    assert "kernel.c:1: depends on garbage\n    1 | int a;" in text
