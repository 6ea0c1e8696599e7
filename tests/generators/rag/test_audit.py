"""A run's prompts, looked at again."""

from __future__ import annotations

import json
import shutil

import pytest
from typer.testing import CliRunner

from kbench.cli import app
from kbench.core.errors import ConfigError
from kbench.core.plugins import registry
from kbench.core.runs.store import RunFolder
from kbench.generators.rag.audit import audit
from kbench.generators.rag.commands import Corpus, index

PLUGIN = "tests.generators.rag.shelf_plugin"
KNOWN = registry(use_entry_points=False, plugins=[PLUGIN])
CORPUS = Corpus(backends=("shelf",), references=True, suites=("shelf",))


def run(*arguments: str):
    return CliRunner().invoke(app, ["--plugin", PLUGIN, *map(str, arguments)], catch_exceptions=False)


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A run whose model was shown examples from an index, and answered without code: nothing is compiled."""
    folder = tmp_path_factory.mktemp("audit")
    index(folder / "i.duckdb", CORPUS, KNOWN, "none").close()
    (folder / "answers").mkdir()
    for task in ("relu_float32", "exp_float32"):
        (folder / "answers" / f"{task}.md").write_text("I have no code for you.")
    asked = ["--backend", "shelf", "--tasks", "relu_float32,exp_float32"]
    asked += ["--replay", folder / "answers", "--rag", folder / "i.duckdb"]
    done = run("run", *asked, "--jobs", "1", "--out", folder / "run")
    assert done.exit_code == 0, done.output
    return folder


def test_the_record_says_what_was_retrieved_and_the_prompt_shows_it(judged):
    folder = RunFolder.open(judged / "run")
    records = {record.task: record for record in folder.records()}
    assert {record.outcome for record in records.values()} == {"no_code"}
    (facts,) = records["relu_float32"].retrieved
    assert facts["shown"][0]["source"] == "shelf/leaky_relu_float32/kernel.c"
    assert len(facts["shown"]) == 2
    assert "void leaky_relu_float32(" in folder.text(records["relu_float32"].prompt_sha)
    assert "void relu_float32(float" not in folder.text(records["relu_float32"].prompt_sha)


def test_nothing_that_was_shown_is_a_solution(judged):
    found = list(audit(judged / "run", judged / "i.duckdb", KNOWN))
    assert len(found) == 4
    assert not [one for one in found if one.wrong]
    done = run("rag", "audit", judged / "run", judged / "i.duckdb")
    assert done.exit_code == 0, done.output
    assert "4 examples shown, 0 that may not be; the nearest: " in done.output


def test_what_may_not_have_been_shown_is_told(judged, tmp_path):
    """Records that claim something else was shown: the task's own solution, and a passage that nobody was sent."""
    lines = (judged / "run" / "records.jsonl").read_text().splitlines()
    found = index(tmp_path / "same", CORPUS, KNOWN, "none")
    by_task = {p.task: p for p in found.passages().values()}
    found.close()
    forged = []
    for line in lines:
        record = json.loads(line)
        shown = record["retrieved"][0]["shown"]
        seen = {hit["source"] for hit in shown}
        unseen = [p for p in by_task.values() if p.task != record["task"] and p.source not in seen]
        other = by_task["relu_float32"] if record["task"] == "relu_float32" else unseen[0]
        shown[0] |= {"sha": other.sha, "source": other.source}
        shown[1] |= {"sha": "0" * 64}
        forged.append(json.dumps(record))
    shutil.copytree(judged / "run", tmp_path / "run")
    (tmp_path / "run" / "records.jsonl").write_text("\n".join(forged) + "\n")
    done = run("rag", "audit", tmp_path / "run", judged / "i.duckdb")
    assert done.exit_code == 1
    assert "relu_float32 sample 0: shelf/relu_float32/kernel.c: may not be shown: own" in done.output
    assert "/kernel.c: the prompt as sent does not show it as it is in the index" in done.output
    assert done.output.count("the index holds no such passage") == 2


def test_what_cannot_be_audited(judged, tmp_path):
    (tmp_path / "k.cc").write_text("void f() { g(); }")
    index(tmp_path / "other", Corpus(folders=(tmp_path / "k.cc",), backends=("shelf",)), KNOWN, "none").close()
    with pytest.raises(ConfigError, match="was shown what another index holds"):
        list(audit(judged / "run", tmp_path / "other", KNOWN))


@pytest.mark.parametrize("generator", ["rag", "reference"])
def test_an_index_goes_with_a_generator_that_asks(judged, generator):
    asked = ("--backend", "shelf", "--rag", judged / "i.duckdb", "--generator", generator)
    done = run("run", *asked, "--out", judged / "never")
    assert done.exit_code == 2
    assert f"--rag goes with --generator NAME, one that asks a model, not with {generator}" in done.output
