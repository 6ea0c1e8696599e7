"""Runs: planned first, worked on by processes that may die, resumable at any moment."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from fake_plugin import candidate

from kbench import Shapes
from kbench.core.cases import case_seed
from kbench.core.errors import ConfigError, HarnessError
from kbench.core.runs.campaign import Options, plan, portable
from kbench.core.runs.manifest import Attempt
from kbench.core.runs.resume import require_same
from kbench.core.runs.session import missing, work
from kbench.core.runs.store import RunFolder
from tests.killing import work_until_killed

PLUGINS = ("fake_plugin", "no:aie", "no:ascend", "no:task_specs")


def options(**more):
    return Options(**{"backend": "fake", "suite": "fakes", "plugins": PLUGINS} | more)


def replaying(folder: Path, behaviors, **more):
    """Options under which sample i of every task behaves like behaviors[i]."""
    lines = [
        {"task": task, "sample": i, "files": dict(candidate(b).files)}
        for task in ("absolute", "distance")
        for i, b in enumerate(behaviors)
    ]
    source = folder / "completions.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    given = {"generator": "replay", "generator_options": {"path": str(source)}, "samples": len(behaviors)}
    return options(**given | more)


def done(folder: Path, wanted: Options, jobs=2, **more):
    run = RunFolder.create(folder / "run", plan(wanted))
    seen = []
    work(run, jobs=jobs, watch=seen.append, **more)
    assert [r.identity for r in seen] == [r.identity for r in run.records()]
    return run, {(r.task, r.cases_key, r.sample): r for r in run.records()}


def test_a_run_holds_every_planned_attempt_once(tmp_path):
    run, records = done(tmp_path, replaying(tmp_path, ["good", "zeros", "syntax"]))
    assert run.manifest.planned == len(records) == 6
    outcomes = {key[2]: record.outcome for key, record in records.items()}
    assert outcomes == {0: "passed", 1: "wrong_values", 2: "compile_error"}
    assert not missing(run)
    record = records["absolute", "*", 0]
    assert "y = |x|." in run.text(record.prompt_sha)
    assert json.loads(run.text(record.source_sha))["files"] == dict(candidate("good").files)
    assert record.times.queue_s > 0


def test_the_plan_says_all_before_anything_starts(tmp_path):
    manifest = plan(options(max_elements=100, seed=5, samples=2))
    assert list(manifest.attempts())[:2] == [Attempt("absolute", "*", 0), Attempt("absolute", "*", 1)]
    task = manifest.tasks["absolute"]
    assert list(task.seeds) == ["small", "odd"]
    assert task.seeds["odd"] == case_seed(5, "fakes", "absolute", "odd")
    assert task.skipped == {"large": "size: 8,192 elements, at most 100"}
    assert {"kbench", "python", "numpy"} <= set(manifest.versions)
    RunFolder.create(tmp_path / "run", manifest)
    assert RunFolder.open(tmp_path / "run").manifest == manifest


def test_a_case_that_is_not_every_task_s_is_planned_where_it_is(tmp_path):
    text = 'from fake_plugin import make_case, make_task\nTASK = make_task("{0}", 1)\nCASES = [{1}]\n'
    for name, more in (("both", ', make_case("odd", 3)'), ("one", "")):
        (tmp_path / f"{name}.py").write_text(text.format(name, f'make_case("small", 4){more}'))
    manifest = plan(options(suite=str(tmp_path), cases=["odd"]))
    assert {name: list(task.seeds) for name, task in manifest.tasks.items()} == {"both": ["odd"], "one": []}
    assert manifest.tasks["one"].skipped == {"odd": "the task has no case of this name"}
    assert [attempt.task for attempt in manifest.attempts()] == ["both"]
    require_same(manifest, {"cases": ["odd"]})
    with pytest.raises(ConfigError, match="no case in task 'both' named 'nowhere'"):
        plan(options(suite=str(tmp_path), cases=["nowhere", "odd"]))


def test_static_shapes_plan_one_attempt_for_each_case(tmp_path):
    run, records = done(tmp_path, options(shapes=Shapes.STATIC, max_elements=100, tasks=["absolute"]))
    assert sorted(records) == [("absolute", "odd", 0), ("absolute", "small", 0)]
    assert all(r.passed and len(r.cases) == 1 for r in records.values())
    assert run.manifest.planned == 2


def test_a_worker_that_is_killed_costs_its_attempt_only(tmp_path):
    _, records = done(tmp_path, replaying(tmp_path, ["good", "kill", "good", "bug"]))
    assert len(records) == 8
    killed = records["distance", "*", 1]
    assert killed.outcome == "harness_error"
    assert killed.message == "the worker process was killed by SIGKILL"
    assert (killed.tries, killed.earlier) == (2, ("the worker process was killed by SIGKILL",))
    assert records["distance", "*", 2].passed
    assert records["distance", "*", 3].tries == 2


def test_a_worker_that_does_not_answer_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("kbench.core.runs.pool.GRACE_S", 0.5)
    wanted = replaying(tmp_path, ["stuck", "good"], tasks=["absolute"], timeout_s=0.1)
    _, records = done(tmp_path, wanted)
    message = "the worker did not answer for 2.9 s: its backend hangs"
    stuck = records["absolute", "*", 0]
    assert (stuck.outcome, stuck.message, stuck.earlier) == ("harness_error", message, (message,))
    assert records["absolute", "*", 1].passed


def test_a_failure_of_ours_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setenv("KBENCH_TEST_FLAG", str(tmp_path / "flag"))
    _, records = done(tmp_path, replaying(tmp_path, ["once"], tasks=["absolute"]))
    (record,) = records.values()
    assert (record.outcome, record.tries, record.earlier) == ("passed", 2, ("the server is gone",))


def test_harness_errors_run_again_only_when_asked(tmp_path):
    wanted = replaying(tmp_path, ["good", "broken"])
    run, _ = done(tmp_path, wanted)
    assert not missing(run)
    assert {a.sample for a in missing(run, retry_harness=True)} == {1}
    work(run, jobs=1, watch=lambda record: None, retry_harness=True)
    assert len(list(run.records())) == 6
    assert len(run.recorded()) == 4


def test_a_missing_completion_is_ours_and_says_what_there_is(tmp_path):
    wanted = replaying(tmp_path, ["good"])
    _, records = done(tmp_path, options(samples=2, generator="replay", generator_options=wanted.generator_options))
    record = records["absolute", "*", 1]
    assert (record.outcome, record.tries) == ("harness_error", 1)
    assert "no completion of absolute, sample 1; it has samples 0 of this task" in record.message


def test_verdicts_do_not_depend_on_jobs_or_selection(tmp_path):
    def facts(folder, **more):
        folder.mkdir()
        _, records = done(folder, replaying(folder, ["good", "half"], **more.pop("options", {})), **more)
        return {key: [(c.case, c.outcome, c.message) for c in r.cases] for key, r in records.items()}

    both = facts(tmp_path / "a", jobs=2)
    assert facts(tmp_path / "b", jobs=1) == both
    one = facts(tmp_path / "c", options={"tasks": ["distance"]})
    assert one == {key: value for key, value in both.items() if key[0] == "distance"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"samples": 0}, "--samples 0: at least one sample"),
        ({"timeout_s": 0}, "--timeout 0: "),
        ({"max_elements": 0}, "--max-elements 0: "),
        ({"backend": "fakee"}, "no backend named 'fakee'; did you mean 'fake'"),
        ({"suite": "fake"}, "no suite named 'fake'; did you mean 'fakes'"),
        ({"suite": "./nowhere"}, "no suite folder at ./nowhere"),
        ({"tasks": ["absolut"]}, "no task in suite 'fakes' named 'absolut'; did you mean 'absolute'"),
        ({"tasks": ["zz*"]}, "no task in suite 'fakes' named 'zz*'"),
        ({"cases": ["smal"]}, "no case in task 'absolute' named 'smal'; did you mean 'small'"),
        ({"level": 3}, "no task of level 3 is selected in suite 'fakes'; levels there: 1, 2"),
        ({"target": "fake3"}, "no target of backend 'fake' named 'fake3'"),
        ({"engine": "compile=nativ"}, "did you mean 'native'"),
        ({"engine": "compiler=sim"}, "--engine compiler=sim: expected"),
        ({"generator": "refrence"}, "did you mean 'reference'"),
        ({"generator_options": {"pat": "x"}, "generator": "replay"}, "did you mean 'path'"),
        ({"generator": "replay"}, "needs a path"),
        ({"generator": "replay", "generator_options": {"path": "/nowhere"}}, "nothing to replay at /nowhere"),
        ({"checker": "upstream"}, "no checker for suite 'fakes' named 'upstream'"),
    ],
)
def test_what_does_not_exist_is_refused_before_anything_starts(wrong, message):
    with pytest.raises(ConfigError) as caught:
        plan(options(**wrong))
    assert message in str(caught.value)


def test_names_may_be_patterns_and_cases_counted():
    assert list(plan(options(tasks=["dist*"], cases=[":2"])).tasks["distance"].seeds) == ["small", "odd"]


def test_resume_refuses_to_change_the_plan():
    manifest = plan(options(samples=2))
    require_same(manifest, {"samples": 2, "backend": "fake"})
    with pytest.raises(ConfigError, match="planned with samples 2, and --resume cannot make it 3"):
        require_same(manifest, {"samples": 3})


@pytest.mark.parametrize(
    ("same", "other"),
    [
        ({"suite": "fakes"}, {"suite": "quick"}),
        ({"engine": "sim"}, {"engine": "compile=native"}),
        ({"tasks": ["abs*"]}, {"tasks": ["absolute", "distance"]}),
        ({"tasks": ["absolute"]}, {"tasks": ["dist*"]}),
        ({"level": 1}, {"level": 2}),
        ({"cases": ["small", ":2"]}, {"cases": ["large"]}),
        ({"cases": ["small", "odd"]}, {"cases": [":1"]}),
    ],
)
def test_resume_refuses_another_selection(same, other):
    manifest = plan(options(tasks=["absolute"], cases=[":2"]))
    require_same(manifest, same)
    with pytest.raises(ConfigError, match="--resume cannot"):
        require_same(manifest, other)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_killed_in_the_middle_it_resumes_without_loss_or_repetition(tmp_path):
    wanted = replaying(tmp_path, ["slow"] * 8)
    out = tmp_path / "run"
    manifest = plan(wanted)
    RunFolder.create(out, manifest)
    work_until_killed(out, 3, "jobs=2")
    with (out / "records.jsonl").open("ab") as file:  # the record that was being written
        file.write(b'{"schema": 1, "suite": "fakes", "ta')
    run = RunFolder.open(out)
    before = {r.identity for r in run.records()}
    assert 3 <= len(before) < manifest.planned
    again = []
    work(run, jobs=2, watch=again.append)
    identities = [r.identity for r in run.records()]
    assert len(identities) == len(set(identities)) == manifest.planned
    assert not before & {r.identity for r in again}


def test_a_suite_that_is_gone_stops_the_run_with_a_sentence(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "one.py").write_text(
        "from fake_plugin import make_case, make_task\nTASK = make_task()\nCASES = (make_case('a', 3),)\n"
    )
    run = RunFolder.create(tmp_path / "run", plan(options(suite=str(folder))))
    assert run.manifest.suite == "mine"
    work(run, jobs=1, watch=lambda record: None)
    assert [r.outcome for r in run.records()] == ["passed"]
    (folder / "one.py").rename(tmp_path / "one.py")
    again = RunFolder.create(tmp_path / "again", run.manifest)
    with pytest.raises(HarnessError, match="holds no suite"):
        work(again, jobs=1, watch=lambda record: None)


def test_options_that_name_files_name_them_from_everywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weights.gguf").touch()
    (tmp_path / "vendor" / "model").mkdir(parents=True)
    given = {"model": "weights.gguf", "adapter": "./lora", "base_url": "http://h/v1", "name": "vendor/model", "n": "8"}
    absolute = {"model": str(tmp_path / "weights.gguf"), "adapter": str(tmp_path / "lora")}
    assert portable(given) == given | absolute
