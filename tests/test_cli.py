"""The command line: what it prints where, and with which status it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FAKE = Path(__file__).parent / "core"
PLUGINS = ("-p", "fake_plugin", "-p", "no:aie", "-p", "no:ascend")


def kbench(*arguments, plugins=PLUGINS, cwd=None, **environment):
    path = os.pathsep.join([str(FAKE), *sys.path])
    return subprocess.run(
        [sys.executable, "-m", "kbench.cli", *plugins, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": path, "COLUMNS": "200", "NO_COLOR": "1"} | environment,
    )


def run_fakes(out, *more, **environment):
    return kbench("run", "--backend", "fake", "--suite", "fakes", "--out", out, *more, **environment)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run of two tasks, two samples, of which one is wrong."""
    folder = tmp_path_factory.mktemp("runs")
    lines = [
        {"task": task, "sample": i, "completion": f"```c\nvoid kernel() {{}} // {behavior}\n```"}
        for task in ("absolute", "distance")
        for i, behavior in enumerate(("good", "half"))
    ]
    (folder / "replay.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = folder / "run"
    done = run_fakes(out, "--samples", 2, "--replay", folder / "replay.jsonl", "--max-elements", 100, "--json", "-j", 2)
    assert done.returncode == 0, done.stderr
    return out, done


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


def test_score_says_the_same(finished):
    out, done = finished
    scored = kbench("score", out, "--json", "-k", "1,2,5")
    assert scored.returncode == 0, scored.stderr
    ran, again = json.loads(done.stdout), json.loads(scored.stdout)
    assert {k: v for k, v in again.items() if k not in ("overall", "levels", "warnings")} == {
        k: v for k, v in ran.items() if k not in ("overall", "levels", "warnings")
    }
    assert again["overall"]["pass_at_k"] == {"1": [0.5, 0.5], "2": [1.0, 1.0], "5": None}
    assert kbench("score", out, "-k", "0").returncode == 2


def test_show_tells_a_run_a_task_and_an_attempt(finished):
    out, _ = finished
    assert "2 of 4 attempts passed" in kbench("show", out).stdout
    shown = kbench("show", out, "absolute", "--sample", "1", "--source")
    assert "fakes/absolute sample 1: wrong_values" in shown.stdout
    assert "case odd: wrong_values  y[0, 0]: expected " in shown.stdout
    assert "case large: skipped  size: 8,192 elements, at most 100" in shown.stdout
    assert "--- kernel.c\nvoid kernel() {} // half" in shown.stdout
    assert "--- log\nthe kernel says: minus" in kbench("show", out, "absolute", "--sample", "1", "--log").stdout
    records = [json.loads(line) for line in kbench("show", out, "--json").stdout.splitlines()]
    assert [r["schema"] for r in records] == [2] * 4
    assert "did you mean 'absolute'" in kbench("show", out, "absolut").stderr
    assert "y = |x|." in kbench("show", "absolute", "--suite", "fakes").stdout
    assert kbench("show", "nowhere").returncode == 2


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


def test_list(tmp_path):
    everything = kbench("list", "--suite", "fakes").stdout
    for name in ("fake1", "replay", "reference", "fakes", "quick", "distance"):
        assert name in everything
    assert json.loads(kbench("list", "targets", "--json").stdout) == {"targets": ["fake1", "fake2"]}


def test_prompt_prints_exactly_the_messages():
    options = ("prompt", "absolute", "--backend", "fake", "--suite", "fakes")
    text = kbench(*options).stdout
    messages = json.loads(kbench(*options, "--json").stdout)
    assert [m["role"] for m in messages] == ["system", "user"]
    assert text == "\n".join(f"--- {m['role']}\n\n{m['content']}" for m in messages)
    for shown in (
        "y = |x|.",
        "x=(3, 5)",
        "x=(64, 64)",
        '<file path="kernel.c">',
        "void kernel(const float *x, float *y);",
    ):
        assert shown in text
    static = kbench(*options, "--shapes", "static", "--cases", "odd").stdout
    assert "x=(3, 5)" in static
    assert "x=(64, 64)" not in static


def test_doctor_shows_every_component_and_goes_on():
    done = kbench("doctor", plugins=(*PLUGINS, "-p", "no_such_plugin"))
    assert done.returncode == 0
    assert "plugin 'no_such_plugin'" in done.stdout
    assert "fake runner" in done.stdout
    statuses = {probe["component"]: probe["status"] for probe in json.loads(kbench("doctor", "--json").stdout)}
    assert statuses["kbench"] == statuses["fake runner"] == "ok"
    assert {"compiler", "cache", "sandbox bwrap", "sandbox seccomp"} <= set(statuses)


def test_a_plugin_that_fails_is_a_sentence_with_a_way_out():
    done = kbench("list", plugins=("-p", "no_such_plugin", "-p", "no:aie", "-p", "no:ascend"))
    assert done.returncode == 2
    assert "plugin 'no_such_plugin' (--plugin no_such_plugin) does not import: ModuleNotFoundError" in done.stderr
    assert "kbench --plugin no:no_such_plugin" in done.stderr


def test_help_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['kbench', '--help']\n"
        "from kbench.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pydantic', 'duckdb', 'jinja2', 'pluggy', 'ml_dtypes', 'torch'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_version():
    assert kbench("--version").stdout.startswith("kbench ")


def slow_run(tmp_path, *, samples=8, behavior="slow", **popen):
    lines = [
        {"task": "absolute", "sample": i, "completion": f"```c\nvoid kernel() {{}} // {behavior}\n```"}
        for i in range(samples)
    ]
    (tmp_path / "replay.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = ("--backend", "fake", "--suite", "fakes", "--tasks", "absolute", "--samples", samples)
    command = ["run", *options, "--replay", tmp_path / "replay.jsonl", "--out", tmp_path / "run", "--json"]
    # Tests may run in the background of a shell, whose children do not hear Ctrl-C.
    popen.setdefault("preexec_fn", lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    return subprocess.Popen(
        [sys.executable, "-m", "kbench.cli", *PLUGINS, *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(FAKE), *sys.path])},
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


def test_a_long_preparation_is_told_in_a_file_too(tmp_path):
    done = run_fakes(tmp_path / "run", "--tasks", "absolute", KBENCH_TEST_SLOW_MACHINE="3")
    assert done.returncode == 0, done.stderr
    assert "making ready" in done.stderr.splitlines()[0]
    assert "making ready" not in run_fakes(tmp_path / "quick", "--tasks", "absolute").stderr


@pytest.mark.parametrize(("severity", "status"), [("", 3), ("warning", 3), ("error", 1)])
def test_exec_ends_as_the_program_does(tmp_path, severity, status):
    (tmp_path / "p.fake").write_text(severity)
    done = kbench("exec", "-D", "N=1", tmp_path / "p.fake", "a", "--", "-b")
    assert (done.returncode, done.stdout) == (status, "fake1 p.fake a -b N=1")
    told = [f"p.fake:1: {severity}: seen"] if severity else []
    assert done.stderr.splitlines() == [*told, "ran k on 2 blocks (V 4)"]


def test_exec_names_the_sources_that_it_takes(tmp_path):
    (tmp_path / "p.txt").write_text("")
    done = kbench("exec", tmp_path / "p.txt")
    assert done.returncode == 2
    assert "no backend runs programs of this kind; there are: .fake" in done.stderr


def test_extract_reads_a_run_again_without_a_model(finished, tmp_path):
    out, _ = finished
    done = kbench("extract", out, "--out", tmp_path / "again.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [{"before": "extracted", "now": "extracted", "same": True, "attempts": 4}]
    assert "4 completions extracted, 0 otherwise than when judged" in done.stderr
    lines = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
    assert {line["task"] for line in lines} == {"absolute", "distance"}
    assert "exists; give another --out" in kbench("extract", out, "--out", tmp_path / "again.jsonl").stderr


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
