"""Whole runs against a server that goes wrong: nothing is lost, nothing invented, nothing asked for twice."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from kbench.core.errors import HarnessError
from kbench.core.generator import Sampling
from kbench.core.runs.campaign import Options, plan
from kbench.core.runs.session import missing, work
from kbench.core.runs.store import RunFolder
from kbench.generators import http
from tests.generators.fault_server import FaultServer
from tests.killing import work_until_killed

PLUGINS = ("fake_plugin", "no:aie", "no:ascend", "no:task_specs")
TASKS = 2  # of the suite `fakes`


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "core"))  # fake_plugin; workers get the same path
    monkeypatch.setattr(http, "_FIRST_WAIT_S", 0.01)


def good(body) -> str:
    """A completion that passes, and says whose it is."""
    return f'sample {body["seed"]}\n<file path="kernel.c">\nvoid kernel() {{}} // good\n</file>\n'


def options(server: FaultServer, samples: int, **more) -> Options:
    asked = {"model": "tiny", "base_url": server.url, "idle_s": "4", "total_s": "30", **more.pop("asked", {})}
    return Options(
        backend="fake",
        suite="fakes",
        plugins=PLUGINS,
        samples=samples,
        generator="openai",
        generator_options=asked,
        **more,
    )


def run_of(folder: Path, wanted: Options) -> RunFolder:
    return RunFolder.create(folder / "run", plan(wanted))


def go_on(run: RunFolder, **more) -> list:
    work(run, jobs=1, watch=lambda record: None, **{"cache": False, **more})
    return list(run.records())


def require_whole(run: RunFolder, samples: int) -> None:
    """Every planned attempt has one record, and each record its own answer."""
    records = list(run.records())
    assert Counter(r.identity for r in records) == Counter(
        ("fakes", task, "*", sample, 0) for task in ("absolute", "distance") for sample in range(samples)
    )
    for record in records:
        assert run.text(record.completion_sha).startswith(f"sample {record.sample}\n")


AT_ONCE = ("429", "429:0", "status:500", "cut", "malformed", "page", "no_choice")
#: `hang` and `hang_within` take `idle_s` each until they are noticed.
STREAMED = (*AT_ONCE[:-1], "hang", "hang_within", "ends_early", "error_within")


@pytest.mark.parametrize("stream", ["yes", "no"])
def test_faults_that_pass_leave_no_trace_but_their_count(serve, tmp_path, stream):
    faults = STREAMED if stream == "yes" else AT_ONCE
    server = serve(*faults, answer=good)
    run = run_of(tmp_path, options(server, 4, asked={"stream": stream, "tries": "20"}))
    records = go_on(run, concurrency=3)
    require_whole(run, 4)
    assert {r.outcome for r in records} == {"passed"}
    assert sum(r.usage["requests"] for r in records) == len(server.bodies) == 4 * TASKS + len(faults)


def test_answers_that_hold_nothing_are_the_models(serve, tmp_path):
    server = serve("null", "reasoning_only", "too_long", answer=good)
    records = go_on(run_of(tmp_path, options(server, 2)), concurrency=1)
    assert Counter(r.outcome for r in records) == Counter(
        {"empty_response": 1, "only_reasoning": 1, "context_limit": 1, "passed": 1}
    )
    assert not {"harness_error"} & {r.outcome for r in records}


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("status:500", "server_error after 2 tries"),
        ("wrong_model:huge", "answers as 'huge'"),
        ("bad_key", "the key in OPENAI_API_KEY"),
    ],
)
def test_a_server_that_fails_for_good_stops_the_run(serve, tmp_path, fault, told):
    down = True
    server = serve(answer=good, faults_of=lambda body: fault if down and body["seed"] else "")
    run = run_of(tmp_path, options(server, 4, sampling=Sampling(temperature=0.5), asked={"tries": "2"}))
    with pytest.raises(HarnessError, match=told) as raised:
        go_on(run, concurrency=2)
    assert "kbench run --resume --out" in str(raised.value)
    before = list(run.records())
    assert {r.outcome for r in before} <= {"passed"}
    down = False
    go_on(run, concurrency=2)
    require_whole(run, 4)
    again = Counter(body["seed"] for body in server.bodies if not body["seed"])
    assert again.total() == TASKS  # what was answered before the server failed is not asked for again


def test_nobody_listens_and_then_somebody_does(serve, tmp_path):
    server = serve(answer=good)
    run = run_of(tmp_path, options(server, 2, asked={"tries": "2"}))
    manifest = run.manifest.model_copy(
        update={"generator_options": {**run.manifest.generator_options, "base_url": "http://127.0.0.1:9/v1"}}
    )
    with pytest.raises(HarnessError, match="unreachable after 2 tries"):
        go_on(RunFolder(run.path, manifest))
    assert not list(run.records())
    go_on(run)
    require_whole(run, 2)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_killed_in_the_middle_no_answer_is_asked_for_twice(serve, tmp_path):
    server = serve(answer=good, faults_of=lambda body: "429" if server.asked_for().total() % 3 == 0 else "")
    samples, concurrency = 12, 4
    run = run_of(tmp_path, options(server, samples))
    no_waits = "from kbench.generators import http; http._FIRST_WAIT_S = 0.01; "
    work_until_killed(run.path, 5, "jobs=1, cache=False, concurrency=4", no_waits)
    assert missing(run)
    go_on(run, concurrency=concurrency)
    require_whole(run, samples)
    assert server.served - TASKS * samples <= concurrency  # those on their way when the process was killed


def test_many_at_once_stay_bounded(serve, tmp_path):
    server = serve(answer=good)
    run = run_of(tmp_path, options(server, 20))
    go_on(run, concurrency=8)
    require_whole(run, 20)
    assert 1 < server.most_at_once <= 8


def test_greedy_answers_repeat_and_the_cache_asks_nobody(serve, tmp_path, monkeypatch):
    monkeypatch.setenv("KBENCH_CACHE_DIR", str(tmp_path / "cache"))
    server = serve(answer=good)
    texts, asked = [], []
    for name, cache in (("one", False), ("two", False), ("filled", True), ("cached", True)):
        before = len(server.bodies)
        run = run_of(tmp_path / name, options(server, 4, sampling=Sampling(temperature=0.0)))
        texts.append({r.identity: run.text(r.completion_sha) for r in go_on(run, cache=cache)})
        asked.append(len(server.bodies) - before)
    assert texts[0] == texts[1] == texts[2] == texts[3]
    assert asked == [4 * TASKS, 4 * TASKS, 4 * TASKS, 0]
