"""The run folder: whole or said to be half, never guessed at."""

from __future__ import annotations

import errno
import json
import os

import pytest

from kbench.core.errors import ConfigError, StoreError
from kbench.core.runs import store
from kbench.core.runs.store import RunFolder, RunWriter, sha_of
from kbench.core.scoring.tally import tally_run
from tests.core.test_score import manifest, record


@pytest.fixture
def run(tmp_path):
    return RunFolder.create(tmp_path / "run", manifest(samples=5))


def append(run, *records, texts=None):
    with RunWriter(run) as writer:
        for one in records:
            writer.append(one, texts or {})


def test_what_is_written_is_read(run):
    text = "a prompt\r\nwith a lone surrogate \ud800 and \u2028"
    wanted = record(prompt_sha=sha_of(text))
    append(run, wanted, texts={sha_of(text): text})
    again = RunFolder.open(run.path)
    assert again.manifest == run.manifest
    assert list(again.records()) == [wanted]
    assert again.text(sha_of(text)) == text


def test_a_torn_line_is_not_a_record_and_is_cut_off_by_the_next_writer(run):
    append(run, record())
    with run.records_path.open("ab") as file:
        file.write(b'{"schema": 1, "task": "t0", "x')
    assert len(list(run.records())) == 1
    assert run.torn().startswith('{"schema": 1')
    with RunWriter(run) as writer:
        assert writer.repaired == '{"schema": 1, "task": "t0", "x'
        writer.append(record(sample=1), {})
    assert [r.sample for r in run.records()] == [0, 1]
    assert not run.torn()


def test_a_file_that_is_one_torn_line(run):
    run.records_path.write_bytes(b"x" * 200_000)
    assert len(run.torn()) == 200_000
    append(run, record())
    assert len(list(run.records())) == 1


def test_one_process_writes_at_a_time(run):
    with RunWriter(run), pytest.raises(StoreError, match="another kbench process"):
        RunWriter(run)
    append(run, record())


def test_a_full_disk_loses_nothing_that_was_recorded(run, monkeypatch):
    append(run, record())
    with RunWriter(run) as writer:
        real = os.fsync

        def full(fd):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(store.os, "fsync", full)
        with pytest.raises(StoreError, match=r"cannot write to .*: No space left on device.*--resume"):
            writer.append(record(sample=1), {})
        monkeypatch.setattr(store.os, "fsync", real)
        writer.append(record(sample=2), {})
    assert [r.sample for r in run.records()] == [0, 2]
    assert not run.torn()


def test_half_a_line_is_taken_back(run):
    resource = pytest.importorskip("resource")
    append(run, record())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with RunWriter(run) as writer:
        resource.setrlimit(resource.RLIMIT_FSIZE, (run.records_path.stat().st_size + 50, hard))
        try:
            with pytest.raises(StoreError, match=r"cannot write to .*: File too large"):
                writer.append(record(sample=1), {})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        writer.append(record(sample=2), {})
    assert [r.sample for r in run.records()] == [0, 2]


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot make a run folder at .*run: Not a directory; give another --out"):
        RunFolder.create(tmp_path / "file" / "run", manifest())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.mkdir(), "half written: it has no manifest.json"),
        (lambda path: _write(path, "{"), "manifest.json is damaged, not JSON"),
        (lambda path: _write(path, "[]"), "expected an object, got list"),
        (
            lambda path: _write(path, '{"schema": 99}'),
            "has schema 99; this kbench reads up to 2: pip install -U kbench",
        ),
        (lambda path: _write(path, "{}"), "has no schema number"),
        (lambda path: _write(path, '{"schema": 1}'), "is not a plan that kbench can read"),
    ],
)
def test_what_is_no_run_folder_is_said(tmp_path, make, message):
    make(tmp_path / "run")
    with pytest.raises(StoreError) as caught:
        RunFolder.open(tmp_path / "run")
    assert message in str(caught.value)


def test_a_run_folder_that_is_not_there_is_a_mistyped_name(tmp_path):
    with pytest.raises(ConfigError, match="no run folder at"):
        RunFolder.open(tmp_path / "run")


def _write(path, text):
    path.mkdir()
    (path / "manifest.json").write_text(text)


def test_a_run_without_its_records_is_half_written(run):
    run.records_path.unlink()
    for read in (run.torn, lambda: list(run.records()), run.recorded, lambda: tally_run(run)):
        with pytest.raises(StoreError, match=r"half written: it has no records\.jsonl"):
            read()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json\n", "records.jsonl:2 is damaged, not JSON"),
        (json.dumps({"schema": 99}) + "\n", "records.jsonl:2 has schema 99"),
        (json.dumps({"schema": 1, "task": "t0"}) + "\n", "records.jsonl:2 is not a record"),
    ],
)
def test_a_damaged_or_newer_record_is_named(run, line, message):
    append(run, record())
    with run.records_path.open("a") as file:
        file.write(line)
    for read in (lambda: list(run.records()), lambda: tally_run(run)):
        with pytest.raises(StoreError) as caught:
            read()
        assert message in str(caught.value)


def test_a_run_is_never_written_over(run, tmp_path):
    with pytest.raises(StoreError, match="--resume"):
        RunFolder.create(run.path, manifest())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("")
    with pytest.raises(StoreError, match="is not a run folder"):
        RunFolder.create(tmp_path / "other", manifest())


def test_a_lost_text_is_said(run):
    with pytest.raises(StoreError, match="has lost the text"):
        run.text("ab" * 32)


def test_sessions_add_up(run):
    with RunWriter(run) as writer:
        for name, seconds in (("a", 1), ("a", 5), ("b", 2.5)):
            writer.session({"session": name, "seconds": seconds, "ended": False})
    assert run.seconds() == 7.5


def test_a_torn_session_note_is_passed_over(run):
    with (run.path / "sessions.jsonl").open("a") as file:
        file.write('{"session": "a", "seco')
    with RunWriter(run) as writer:
        for seconds in (1, 5):
            writer.session({"session": "b", "seconds": seconds, "ended": False})
    assert run.seconds() == 5
