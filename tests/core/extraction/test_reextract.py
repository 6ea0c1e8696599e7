"""An old run's completions, extracted by today's rules."""

from __future__ import annotations

import json
from pathlib import Path

from kbench.core.extraction.reextract import reextract
from kbench.core.runs.store import RunFolder
from tests.core.runs.test_loop import run_of, scripted

COMMITTED = Path(__file__).parents[1] / "data"


def test_nothing_changes_where_the_rules_did_not(tmp_path):
    run, _ = run_of(
        tmp_path, scripted(tmp_path, [["text:I am sorry, I cannot", "good"], ["zeros", "zeros"]], attempts=2)
    )
    found = list(reextract(run))
    assert all(one.same for one in found)
    outcomes = {(one.attempt.sample, one.attempt.attempt): (one.before, one.now) for one in found}
    assert outcomes == {
        (0, 0): ("refusal", "refusal"),
        (0, 1): ("extracted", "extracted"),
        (1, 0): ("extracted", "extracted"),
        (1, 1): ("extracted", "extracted"),
    }


def test_what_today_s_rules_read_otherwise_is_told_and_can_be_judged(tmp_path, monkeypatch):
    """The run was made by an extraction that found nothing in an answer without a fence."""
    import kbench.core.evaluate as evaluate
    from kbench.core.errors import ExtractError

    real = evaluate.extract

    def older(completion, interface):
        if completion.text and "```" not in completion.text:
            raise ExtractError("no fenced block", outcome="no_code")
        return real(completion, interface)

    (tmp_path / "old").mkdir()
    options = scripted(tmp_path / "old", [["text:void kernel() {} // good\n"], ["good"]])
    monkeypatch.setattr(evaluate, "extract", older)
    run = judged_here(tmp_path / "old", options)
    monkeypatch.undo()
    assert [r.outcome for r in run.records()] == ["no_code", "passed"]
    found = list(reextract(run))
    assert [(one.before, one.now, one.same) for one in found] == [
        ("no_code", "extracted", False),
        ("extracted", "extracted", True),
    ]
    line = found[0].to_line()
    assert (line["files"], line["sample"], line["attempt"]) == ({"kernel.c": "void kernel() {} // good\n"}, 0, 0)
    again = tmp_path / "again.jsonl"
    again.write_text("".join(json.dumps(one.to_line()) + "\n" for one in found))
    replayed = scripted(tmp_path, [["good"]] * 2, generator="replay")
    replayed = type(replayed)(**{**vars(replayed), "generator_options": {"path": str(again)}})
    run, _ = run_of(tmp_path, replayed)
    assert [r.outcome for r in run.records()] == ["passed"] * 2


def judged_here(folder, options):
    """A run whose attempts are judged in this process, with whatever was patched in it."""
    import tempfile

    from kbench.core.evaluate import judge
    from kbench.core.runs.campaign import plan
    from kbench.core.runs.store import RunWriter
    from kbench.core.runs.workbench import Workbench

    run = RunFolder.create(folder / "run", plan(options))
    work = Workbench.open(run.manifest)
    with RunWriter(run) as writer, tempfile.TemporaryDirectory() as scratch:
        for attempt in run.manifest.attempts():
            done = judge(attempt, work.entry(attempt), work.cases(attempt), work.bench, Path(scratch))
            writer.append(done.record, done.texts)
    work.close()
    return run


def test_a_committed_run_is_extracted_as_it_was(monkeypatch):
    run = RunFolder.open(COMMITTED / "run-schema-1")
    found = list(reextract(run))
    assert all(one.same for one in found), [one for one in found if not one.same]
