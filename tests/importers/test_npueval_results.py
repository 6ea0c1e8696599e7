"""Result files of a device, and a run that judged the same kernels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kbench.cli import app
from kbench.core.errors import ConfigError
from kbench.core.record import CaseResult, Record
from kbench.importers.npueval_results import PUBLISHED, compare, read_results

STATS = {"max_absolute_error": 3.5}


def results(folder: Path, files: dict[str, dict[str, Any]]) -> Path:
    for name, facts in files.items():
        (folder / f"{name}_wrapper.json").write_text(json.dumps(facts))
    return folder


def record(task: str, outcome: str, message: str = "", **cases: str) -> Record:
    stages = {"passed": "done", "compile_error": "compile"}
    return Record(
        suite="npueval", task=task, backend="aie", target="npu1", engine={}, track="full", shapes="dynamic",
        generator="replay", seed=0, stage=stages.get(outcome, "check"), outcome=outcome, message=message,
        cases=tuple(CaseResult(case=name, outcome=verdict) for name, verdict in cases.items()),
    )  # fmt: skip


def test_how_a_kernel_failed_is_read_from_what_there_is(tmp_path: Path) -> None:
    unbound = "cannot access local variable 'eval_output' where it is not associated with a value"
    found = read_results(
        results(
            tmp_path,
            {
                "right": {"result": "Pass", "stats": STATS, "total_cycles": 35, "vector_cycles": 2},
                "wrong": {"result": "Fail", "stats": STATS, "total_cycles": float("inf"), "vector_cycles": 0},
                "syntax": {"result": "Fail", "Error": "\nno member named 'foo'\nmore"},
                "linked": {"result": "Fail", "Error": "Build failed with return code 1", "Trace": "…"},
                "traced": {"result": "Fail", "Error": unbound, "Trace": "…"},
                "divided": {"result": "Fail", "Error": "division by zero", "Trace": "…", "stats": STATS},
                "silent": {"result": "Fail"},
            },
        )
    )
    assert {name: (result.passed, result.why.partition(":")[0]) for name, result in found.items()} == {
        "right": (True, ""),
        "wrong": (False, "wrong values, largest error 3.5"),
        "syntax": (False, "compilation"),
        "linked": (False, "build or run"),
        "traced": (None, "the harness broke off"),
        "divided": (None, "the harness broke off"),
        "silent": (False, "no code"),
    }
    assert found["syntax"].why == "compilation: no member named 'foo'"
    assert (found["right"].cycles, found["right"].vector_cycles, found["wrong"].cycles) == (35.0, 2.0, None)


def test_where_verdicts_differ(tmp_path: Path) -> None:
    passed = {"result": "Pass"}
    failed = {"result": "Fail", "stats": STATS}
    broken = {"result": "Fail", "stats": STATS, "Trace": "…", "Error": "?"}
    theirs = read_results(
        results(
            tmp_path,
            {"same": passed, "both": failed, "stricter": passed, "other": failed, "broken": broken, "unasked": passed}
            | {"unmodelled": passed},
        )
    )
    found = compare(
        [
            record("same", "passed", **{PUBLISHED: "passed"}),
            record("both", "wrong_values", "y[0]: no", **{PUBLISHED: "wrong_values"}),
            record("stricter", "wrong_values", "case tails: y[3]", **{PUBLISHED: "passed", "tails": "wrong_values"}),
            record("other", "passed", **{PUBLISHED: "passed"}),
            record("other", "compile_error", "k.cc:3: no such name"),
            record("broken", "passed", **{PUBLISHED: "passed"}),
            record("unmodelled", "unsupported", "unsupported: fft"),
        ],
        theirs,
    )
    assert {kernel.kernel: kernel.kind for kernel in found} == {
        "both": "same", "broken": "unknown", "other": "different", "same": "same", "stricter": "other_cases",
        "unmodelled": "unknown",
    }  # fmt: skip
    told = {kernel.kernel: str(kernel) for kernel in found}
    assert told["other"] == (
        "other: 1 of 2 pass here (k.cc:3: no such name); failed on the device (wrong values, largest error 3.5)"
    )
    assert told["stricter"] == (
        "stricter: 0 of 1 pass here (case tails: y[3]); passed on the device; "
        "the published vector alone has the device's verdict here too"
    )


RUN = Path(__file__).parents[1] / "core/data/run-schema-1"


def test_a_run_is_compared_with_results(tmp_path: Path) -> None:
    results(tmp_path, {"absolute": {"result": "Fail", "total_cycles": 7}, "nobody_ran": {"result": "Pass"}})
    done = CliRunner().invoke(app, ["compare", str(RUN), str(tmp_path)])
    assert done.exit_code == 0, done.output
    line, last = done.stdout.splitlines()
    assert line.startswith("absolute: ")
    assert line.endswith("failed on the device (no code)")
    assert last.startswith("1 kernels in both: 0 agree, 1 differ; ")
    assert last.endswith("1 only in the results (checker strict)")
    as_json = CliRunner().invoke(app, ["compare", str(RUN), str(tmp_path), "--json"])
    assert json.loads(as_json.stdout)["absolute"]["cycles"] == 7.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '{"result": "Maybe"}',
            r"_wrapper\.json:1: expected 'result' to be 'Pass' or 'Fail', got 'Maybe'; take the file",
        ),
        ('{"verdict": 1}', r"_wrapper\.json:1: expected 'result' to be 'Pass' or 'Fail', got only 'verdict'; take"),
        ('{\n"result": }', r"_wrapper\.json:2: expected a result of NPUEval, a JSON object; got no JSON \(.*\); take"),
        ("[1]", r"_wrapper\.json:1: expected a result of NPUEval, a JSON object; got a list; take"),
        ('{"result": "Pass", "total_cycles": "7"}', r"expected 'total_cycles' to be a number, got '7'"),
    ],
)
def test_results_that_are_none(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "abs_int8_wrapper.json").write_text(text)
    with pytest.raises(ConfigError, match=told):
        read_results(tmp_path)


def test_folders_that_hold_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"expected NAME_wrapper\.json.*kbench run --replay"):
        read_results(tmp_path)
    with pytest.raises(ConfigError, match="gone: expected a folder of NPUEval's results, got nothing"):
        read_results(tmp_path / "gone")
