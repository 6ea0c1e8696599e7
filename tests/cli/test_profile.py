"""`kbench profile`: of a candidate, of a reference kernel, and of what a run has recorded."""

from __future__ import annotations

import json

import pytest

from tests.cli.program import kbench, run_fakes, write_replay

HOW = ("--backend", "fake", "--suite", "fakes")


def source(tmp_path, behavior):
    file = tmp_path / f"{behavior}.c"
    file.write_text(f"void kernel() {{}} // {behavior}")
    return file


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run of two tasks: one attempt as fast as the reference, one faster, one wrong."""
    folder = tmp_path_factory.mktemp("runs")
    behaviors = {("absolute", 0): "quick", ("absolute", 1): "half", ("distance", 0): "good", ("distance", 1): "cheat"}
    replay = write_replay(folder / "replay.jsonl", behaviors)
    done = run_fakes(folder / "run", "--samples", 2, "--replay", replay, "--json", "-j", 1)
    assert done.returncode == 0, done.stderr
    return folder / "run", done


def test_a_run_says_its_times_and_what_they_come_to(finished):
    out, done = finished
    assert "speedup_over_reference: 1.28 × (geometric mean over 2 tasks, 3 attempts; best 1.43 ×)" in done.stderr
    assert "fast_0 75.0%" in done.stderr
    result = json.loads(done.stdout)
    assert result["overall"]["speed"]["fast_p"]["1.0"] == [0.5, 0.5]
    assert result["speeds"]["absolute"]["cycles"] == {"attempts": 1, "geomean": 400.0, "least": 400.0, "most": 400.0}
    shown = kbench("profile", out)
    assert shown.returncode == 0, shown.stderr
    rows = [line.split() for line in shown.stdout.splitlines() if line.startswith("absolute")]
    assert rows[0] == ["absolute", "small", "0", "1.4", "µs", "400", "1.43", "×", "50.0%", "memory"]
    assert "roofline_efficiency: " in shown.stdout
    lines = kbench("profile", out, "--json").stdout.splitlines()
    assert [json.loads(line)["task"] for line in lines] == ["absolute", "absolute", "distance", "distance"]


def test_one_task_of_a_run_in_full(finished, tmp_path):
    out, _ = finished
    shown = kbench("profile", out, "absolute", "--listing", "--trace", tmp_path / "t.json", "--cases", ":2,odd")
    assert shown.returncode == 0, shown.stderr
    assert (
        "1.4 µs = 1 µs launch + 400 cycles at 1,000 MHz; bound by memory; 50.0% of the task's roofline" in shown.stdout
    )
    assert "hint: copy more at once (50% of the time)" in shown.stdout
    assert "0: quick odd" in shown.stdout
    trace = json.loads((tmp_path / "t.json").read_text())
    assert trace["otherData"]["case"] == "odd"
    assert {event["name"] for event in trace["traceEvents"] if event["ph"] == "X"} == {"quick (line 1)"}
    assert "suspect: kernel.c:1: useless work" in kbench("profile", out, "distance", "--sample", "1").stdout


def test_a_candidate_is_judged_and_timed(tmp_path):
    done = kbench("profile", source(tmp_path, "quick"), "absolute", *HOW, "--cases", ":1", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert [case["profile"]["cycles"] for case in record["cases"]] == [400]
    assert record["cases"][0]["baseline"]["cycles"] == 1000
    reference = kbench("profile", "reference", "absolute", *HOW)
    assert "1 × the reference's speed" in reference.stdout


def test_a_candidate_that_fails_has_no_time(tmp_path):
    done = kbench("profile", source(tmp_path, "half"), "absolute", *HOW)
    assert done.returncode == 1
    assert "wrong_values" in done.stdout
    told = kbench("profile", source(tmp_path, "untimed"), "absolute", *HOW)
    assert (told.returncode, "no profile: the profiler is gone" in told.stdout) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "absolute", *HOW), "no run folder and no candidate at nowhere"),
        (("reference",), "which task is reference for?"),
        (("reference", "absolut", *HOW), "did you mean 'absolute'"),
        (("reference", "absolute", *HOW, "--cases", "small", "--trace", "/nowhere/t.json"), "cannot write the trace"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(arguments, message):
    done = kbench("profile", *arguments)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_of_a_run_what_cannot_be_changed_is_refused(finished):
    out, _ = finished
    assert "planned with target fake1" in kbench("profile", out, "absolute", "--target", "fake2").stderr
    assert "of one task" in kbench("profile", out, "--listing").stderr
    assert "did you mean 'absolute'" in kbench("profile", out, "absolut").stderr


def test_a_run_without_profiles_is_timed_when_asked(tmp_path):
    done = run_fakes(tmp_path / "run", "--tasks", "absolute", "--no-profile", "--cases", "small", "--json")
    assert json.loads(done.stdout)["overall"]["speed"] is None
    assert "no attempt of this run has a profile" in kbench("profile", tmp_path / "run").stdout
    assert "1,000 cycles" in kbench("profile", tmp_path / "run", "absolute").stdout
    assert run_fakes(tmp_path / "run", "--resume", "--profile").returncode == 2
    assert run_fakes(tmp_path / "run", "--resume", "--no-profile").returncode == 0
