"""A record holds facts that fit together, and reads back as it was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from kbench import Finding, Record
from tests.core.test_score import record

COMMITTED = Path(__file__).parent / "data"


def test_it_reads_back_as_it_was_written():
    finding = Finding(severity="error", message="x", rule="E2", file="k.cpp", line=3)
    wanted = record("crash", cases=["crash"], findings=(finding,), message="lone \ud800")
    line = wanted.model_dump_json(by_alias=True)
    assert json.loads(line)["schema"] == 2
    assert Record.model_validate_json(line) == wanted
    assert str(finding) == "k.cpp:3: error: x [E2]"


@pytest.mark.parametrize(
    "wrong",
    [{"outcome": "great"}, {"outcome": "passed", "cases": ()}, {"surprise": 1}],
)
def test_facts_that_do_not_fit_are_refused(wrong):
    with pytest.raises(ValidationError):
        Record.model_validate(record().model_dump(by_alias=True) | wrong)


def test_passed_needs_a_case_that_ran():
    with pytest.raises(ValidationError, match="cannot have passed"):
        record("passed", cases=["skipped"])


def test_what_counts_as_compiled():
    assert [record(o).compiled for o in ("passed", "crash", "wrong_values", "compile_error", "no_code")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert not record("unsupported", cases=()).compiled


@pytest.mark.parametrize("folder", sorted(COMMITTED.glob("run-schema-*")), ids=lambda f: f.name)
def test_a_run_folder_of_every_schema_loads_for_ever(folder):
    from kbench.core.runs.store import RunFolder
    from kbench.core.score import score
    from kbench.core.scoring.tally import tally_run

    run = RunFolder.open(folder)
    records = list(run.records())
    assert len(records) == run.manifest.planned
    assert all(run.text(r.prompt_sha) for r in records)
    expected = json.loads((folder / "expected.json").read_text())
    found = json.loads(score(run.manifest, tally_run(run)).to_json())
    assert {key: found[key] for key in expected} == expected
