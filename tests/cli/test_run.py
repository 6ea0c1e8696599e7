"""`kbench run`: what it prints where, and with which status it ends."""

from __future__ import annotations

import json

import pytest

from tests.cli.program import kbench, run_fakes


def test_run_ends_with_one_object(finished):
    out, done = finished
    result = json.loads(done.stdout)
    counts = {key: result[key] for key in ("planned", "compiled", "passed", "skipped", "unsupported", "harness_errors")}
    assert counts == {
        "planned": 4, "compiled": 4, "passed": 2, "skipped": 4, "unsupported": 0, "harness_errors": 0
    }  # fmt: skip
    cases = {key: value for key, value in result.items() if key.startswith("cases_")}
    assert cases == {"cases_planned": 8, "cases_ran": 8, "cases_passed": 6, "cases_skipped": 4}
    assert result["tasks"]["absolute"] == {"passed": 1, "wrong_values": 1}
    assert result["run"] == str(out)
    assert result["seconds"] > 0


def test_tables_go_to_standard_error(finished):
    _, done = finished
    assert "absolute  1      2         1       wrong_values" in done.stderr
    assert "2 of 4 attempts passed, 4 compiled; 6 of 8 cases passed" in done.stderr
    assert "1 of 3" in done.stderr  # cases skipped


def test_resume_does_what_is_missing_and_no_more(finished):
    out, _ = finished
    records = (out / "records.jsonl").read_bytes()
    again = run_fakes(out, "--resume", "--samples", 2, "--json")
    assert again.returncode == 0
    assert "0 of 4 attempts to do" in again.stderr
    assert json.loads(again.stdout)["passed"] == 2
    assert (out / "records.jsonl").read_bytes() == records
    refused = run_fakes(out, "--resume", "--samples", 3)
    assert refused.returncode == 2
    assert "planned with samples 2" in refused.stderr
    assert run_fakes(out).returncode == 1


def test_resume_keeps_to_the_cache_as_planned(tmp_path):
    run_fakes(tmp_path / "run", "--no-cache")
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["cache"] is False
    refused = run_fakes(tmp_path / "run", "--resume", "--cache")
    assert "planned with cache False, and --resume cannot make it True" in refused.stderr
    assert run_fakes(tmp_path / "run", "--resume", "--no-cache").returncode == 0


def test_without_out_runs_go_to_runs_and_resume_takes_the_last(tmp_path):
    options = ("--backend", "fake", "--suite", "fakes", "--tasks", "absolute")
    assert kbench("run", *options, cwd=tmp_path).returncode == 0
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.endswith("-fakes-fake")
    resumed = kbench("run", "--resume", cwd=tmp_path)
    assert (resumed.returncode, "0 of 1 attempts to do" in resumed.stderr) == (0, True)
    assert "no run in runs/" in kbench("run", "--resume", cwd=folder).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--backend", "fake", "--samples", "0"), "--samples 0: at least one sample is needed"),
        (("--backend", "fake", "--jobs", "0"), "--jobs 0: at least one worker"),
        (("--backend", "fakee"), "no backend named 'fakee'; did you mean 'fake'? There are: fake"),
        (("--backend", "fake", "--suite", "fake"), "did you mean 'fakes'"),
        (("--backend", "fake", "--suite", "fakes", "--tasks", "absolut"), "did you mean 'absolute'"),
        (("--backend", "fake", "--suite", "fakes", "--target", "fake3"), "no target of backend 'fake' named 'fake3'"),
        (("--suite", "fakes"), "--backend is needed; there are: fake"),
        (("--backend", "fake", "--generator-option", "x"), "expected NAME=VALUE"),
        (("--backend", "fake", "--generator", "reference", "--replay", "x"), "--replay goes with --generator replay"),
        (("--backend", "fake", "--track", "none"), "--track"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(tmp_path, arguments, message):
    done = kbench("run", "--out", tmp_path / "run", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    done = run_fakes(tmp_path / "file" / "run")
    assert done.returncode == 1
    assert "cannot make a run folder at" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_machine_on_which_nothing_works_says_so_before_anything_is_planned(tmp_path):
    done = kbench(
        "run", "--backend", "fake", "--suite", "fakes", "--out", tmp_path / "run", KBENCH_TEST_BARE_MACHINE="1"
    )
    assert done.returncode == 1
    assert "kbench: no compiler here: pip install one" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_long_preparation_is_told_in_a_file_too(tmp_path):
    done = run_fakes(tmp_path / "run", "--tasks", "absolute", KBENCH_TEST_SLOW_MACHINE="3")
    assert done.returncode == 0, done.stderr
    assert "making ready" in done.stderr.splitlines()[0]
    assert "making ready" not in run_fakes(tmp_path / "quick", "--tasks", "absolute").stderr


def test_attempts_are_made_shown_and_scored(tmp_path):
    lines = [
        {"task": "absolute", "attempt": i, "completion": f"```c\nvoid kernel() {{}} // {behavior}\n```"}
        for i, behavior in enumerate(("syntax", "half", "good"))
    ]
    (tmp_path / "replay.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = ("--tasks", "absolute", "--replay", tmp_path / "replay.jsonl", "--attempts", 3, "--json")
    done = run_fakes(tmp_path / "run", *options)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["planned"], result["passed"], result["passed_within"]) == (1, 1, {"1": 0, "2": 0, "3": 1})
    assert "1 of 1 samples (up to 3 attempts each) to do" in done.stderr
    assert "absolute sample 0 attempt 1: wrong_values" in done.stderr
    assert "samples that passed within so many attempts, of 1: 1: 0, 2: 0, 3: 1" in done.stderr
    shown = kbench("show", tmp_path / "run", "absolute").stdout
    assert "fakes/absolute sample 0 attempt 0: compile_error" in shown
    assert "feedback: " in shown
    refused = run_fakes(tmp_path / "run", "--resume", "--attempts", 4)
    assert "planned with attempts 3, and --resume cannot make it 4" in refused.stderr


def test_how_a_model_is_asked_is_planned_and_refused_where_it_makes_no_sense(tmp_path):
    done = kbench("prompt", "absolute", "--backend", "fake", "--suite", "fakes", "--style", "cot")
    assert "Reason before you write code" in done.stdout
    for options, message in (
        (("--temperature", "-1"), "--temperature -1"),
        (("--style", "cott"), "no style of prompts named 'cott'"),
        (("--templates", "nowhere"), "no folder or plugin with templates named 'nowhere'"),
        (("--optimise",), "--optimise goes on after a success: it needs --attempts 2 or more"),
        (("--model", "m"), "no option of generator 'reference' named 'model'"),
        (("--concurrency", "0"), "--concurrency 0: at least one request"),
    ):
        refused = run_fakes(tmp_path / options[0], *options)
        assert (refused.returncode, message in refused.stderr) == (2, True), refused.stderr
