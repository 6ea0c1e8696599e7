"""A run that is stopped, or whose disk fills up, loses nothing and can go on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.program import command, kbench, searching, write_replay


def slow_run(tmp_path, *, samples=8, behavior="slow", **popen):
    replay = write_replay(tmp_path / "replay.jsonl", {("absolute", i): behavior for i in range(samples)})
    options = ("--backend", "fake", "--suite", "fakes", "--tasks", "absolute", "--samples", samples)
    # Tests may run in the background of a shell, whose children do not hear Ctrl-C.
    popen.setdefault("preexec_fn", lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    return subprocess.Popen(
        command("run", *options, "--replay", replay, "--out", tmp_path / "run", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=searching(),
        **popen,
    )


def wait_for_records(process, folder, count):
    records = folder / "records.jsonl"
    while not records.exists() or records.read_bytes().count(b"\n") < count:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_leaves_a_run_that_can_go_on(tmp_path):
    process = slow_run(tmp_path)
    wait_for_records(process, tmp_path / "run", 2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"kbench run --resume --out {tmp_path / 'run'}" in said.replace("\n", "")
    assert "Traceback" not in said
    done = kbench("run", "--resume", "--out", tmp_path / "run", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["passed"] == 8


@pytest.mark.skipif(sys.platform == "win32", reason="rlimits")
def test_a_disk_that_fills_up_is_said_and_loses_nothing(tmp_path):
    import resource

    def small_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))

    process = slow_run(tmp_path, samples=30, behavior="good", preexec_fn=small_disk)
    out, said = process.communicate(timeout=120)
    assert (process.returncode, out) == (1, "")
    assert "cannot write to" in said
    assert "--resume" in said
    assert "Traceback" not in said
    before = (tmp_path / "run" / "records.jsonl").read_bytes()
    assert before.endswith(b"\n")
    done = kbench("run", "--resume", "--out", tmp_path / "run", "--json")
    assert json.loads(done.stdout)["passed"] == 30
    assert (tmp_path / "run" / "records.jsonl").read_bytes().startswith(before)
