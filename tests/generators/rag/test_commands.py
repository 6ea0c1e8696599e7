"""`kbench rag`: an index of folders and known solutions, and a look at what it finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kbench.cli import app
from kbench.core.errors import ConfigError
from kbench.core.plugins import registry
from kbench.generators.rag import commands
from kbench.generators.rag.commands import Corpus, Question, index, query


@pytest.fixture(scope="module")
def known():
    return registry(use_entry_points=False)


@pytest.fixture(scope="module")
def solved(tmp_path_factory, known):
    """An index of the known solutions of the quick suite on Ascend, for BM25 alone."""
    path = tmp_path_factory.mktemp("rag") / "corpus.duckdb"
    index(path, Corpus(backends=("ascend",), references=True, suites=("quick",)), known, "none").close()
    return path


def test_kin_of_a_task_is_shown_and_its_solution_is_not(solved, known):
    found = query(solved, Question(task="Sqrt", suite="quick", backend="ascend"), known, count=3)
    assert "Sqrt" not in {hit.passage.task for hit in found.shown}
    assert "Sqrt" in {hit.passage.task for hit in found.withheld}
    assert len(found.known) >= 3  # kernel, host and tiling


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """No table is folded, whatever the terminal of whoever runs the tests."""
    monkeypatch.setenv("COLUMNS", "200")


def test_the_command_shows_what_was_found_and_why(solved):
    asked = ["rag", "query", str(solved), "--task", "Gelu", "--suite", "quick", "--backend", "ascend", "--count", "1"]
    done = CliRunner().invoke(app, [*asked, "--withheld"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "withheld: own" in done.output
    facts = json.loads(CliRunner().invoke(app, [*asked, "--json"], catch_exceptions=False).stdout)
    assert len(facts["shown"]) == 1
    assert facts["shown"][0]["text"]


def test_the_command_indexes_folders(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "k.cc").write_text("void softsign(float *x) { x[0] = x[0] / (1 + x[0]); }")
    path = tmp_path / "i.duckdb"
    made = ["rag", "index", str(path), str(tmp_path / "mine"), "--backend", "aie", "--embedder", "none"]
    done = CliRunner().invoke(app, made, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "1 passages, 1 chunks" in done.output
    done = CliRunner().invoke(app, ["rag", "query", str(path), "softsign", "--show"], catch_exceptions=False)
    assert "mine/k.cc" in done.output
    assert "x[0] / (1 + x[0])" in done.output


def test_without_a_model_of_vectors_it_says_what_they_need(tmp_path, known, monkeypatch):
    monkeypatch.setattr(commands, "find_spec", lambda name: None)
    (tmp_path / "k.cc").write_text("void f() { g(); }")
    told = []
    made = index(
        tmp_path / "i.duckdb", Corpus(folders=(tmp_path / "k.cc",), backends=("aie",)), known, "auto", told.append
    )
    assert made.embedder == ""
    made.close()
    assert told == [told[0]]
    assert "pip install 'kbench[rag]'" in told[0]


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (Corpus(), "nothing to index: give folders, or --references"),
        (Corpus(backends=("asc",), references=True), "no backend named 'asc'"),
        (Corpus(folders=(Path("k.cc"),)), "say which accelerator the folders are for: --backend NAME"),
    ],
)
def test_what_cannot_be_indexed(tmp_path, known, corpus, message):
    with pytest.raises(ConfigError, match=message):
        index(tmp_path / "i", corpus, known, "none")


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (Question(), "nothing to look for: give a text, or --task NAME"),
        (Question(task="Sqr", suite="quick"), "no task in suite 'quick' named 'Sqr'; did you mean"),
    ],
)
def test_what_cannot_be_asked(solved, known, question, message):
    with pytest.raises(ConfigError, match=message):
        query(solved, question, known)
