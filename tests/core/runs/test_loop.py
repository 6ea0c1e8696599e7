"""Asking: attempts that learn from the one before, completions that are kept, servers that fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from fake_models import answer
from rich.console import Console

from kbench.core.bench import messages_of
from kbench.core.errors import ConfigError, ServerError, StoreError
from kbench.core.generation.asking import Turn, with_turns
from kbench.core.generator import Message, Sampling
from kbench.core.report import summary
from kbench.core.runs.campaign import Options, plan
from kbench.core.runs.manifest import Attempt
from kbench.core.runs.resume import require_same
from kbench.core.runs.session import missing, work
from kbench.core.runs.store import RunFolder, RunWriter
from kbench.core.score import score
from kbench.core.scoring.tally import best_of, tally, tally_run
from kbench.core.scoring.usage import usage_of
from tests.killing import work_until_killed

PLUGINS = ("fake_plugin", "fake_models", "no:aie", "no:ascend", "no:task_specs")


def scripted(folder: Path, steps, **more) -> Options:
    """Options for a run whose sample i of the task `absolute` follows steps[i]."""
    (folder / "script.json").write_text(json.dumps({"absolute": {str(i): s for i, s in enumerate(steps)}}))
    given = {
        "script": str(folder / "script.json"),
        "log": str(folder / "log.jsonl"),
        **more.pop("generator_options", {}),
    }
    return Options(
        **{"backend": "fake", "suite": "fakes", "tasks": ["absolute"], "plugins": PLUGINS, "generator": "scripted"}
        | {"generator_options": given, "samples": len(steps)}
        | more
    )


def log(folder: Path) -> list[dict]:
    file = folder / "log.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def run_of(folder: Path, options: Options, **more):
    run = RunFolder.create(folder / "run", plan(options))
    work(run, jobs=1, watch=lambda record: None, **{"cache": False} | more)
    return run, {(r.sample, r.attempt): r for r in run.records()}


def test_a_failed_attempt_is_followed_by_one_that_knows_why(tmp_path):
    run, records = run_of(tmp_path, scripted(tmp_path, [["syntax", "zeros", "good", "good"], ["good"]], attempts=4))
    assert {key: (r.outcome, r.last) for key, r in records.items()} == {
        (0, 0): ("compile_error", False),
        (0, 1): ("wrong_values", False),
        (0, 2): ("passed", True),
        (1, 0): ("passed", True),
    }
    assert not missing(run)
    second = messages_of(run.text(records[0, 2].prompt_sha))
    assert [m.role for m in second] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert second[2].content == answer("syntax")
    assert "kernel.c:1: expected ';'" in second[3].content
    assert second[3].content == run.text(records[0, 0].feedback_sha)
    assert second[5].content == run.text(records[0, 1].feedback_sha)
    record = records[1, 0]
    assert (record.model, record.finish_reason, record.usage) == ("scripted-1", "stop", {"output_tokens": 7})
    assert run.text(record.reasoning_sha) == "hm"
    assert record.template.startswith("2-")
    assert record.times.generate_s > 0


def test_wrong_values_are_shown_on_other_inputs_than_those_of_the_verdict(tmp_path):
    run, records = run_of(tmp_path, scripted(tmp_path, [["zeros", "good"]], attempts=2))
    told = run.text(records[0, 0].feedback_sha)
    assert "case small (x=(4,); T=float32): y[0]: expected " in told
    assert "on other inputs" in told
    for case in records[0, 0].cases:
        for output in case.outputs:
            assert output.first
            assert output.first not in told
            assert output.first.split("expected ")[1].split(",")[0] not in told


def test_a_sample_is_scored_by_its_best_attempt(tmp_path):
    steps = [["syntax", "good"], ["good", "good"], ["syntax", "zeros"], ["zeros", "unmodelled"]]
    run, _ = run_of(tmp_path, scripted(tmp_path, steps, attempts=2))
    counted = score(run.manifest, tally_run(run), usage=usage_of(run))
    assert (counted.planned, counted.passed, counted.compiled, counted.unsupported) == (4, 2, 3, 1)
    assert counted.tasks["absolute"] == {"passed": 2, "unsupported": 1, "wrong_values": 1}
    assert counted.passed_within == {1: 1, 2: 2}
    assert (counted.usage.asked, counted.usage.totals["output_tokens"]) == (7, 49)
    assert counted.usage.finish_reasons == {"stop": 7}
    console = Console(width=140, record=True)
    console.print(summary(run.manifest, counted))
    shown = console.export_text()
    assert "samples that passed within so many attempts, of 4: 1: 1, 2: 2" in shown
    assert "7 completions asked for, 49 output tokens" in shown
    assert "2 of 4 samples passed" in shown


def test_a_sample_whose_next_attempt_is_still_to_come_is_unknown(tmp_path):
    run, _ = run_of(tmp_path, scripted(tmp_path, [["syntax", "good"]], attempts=2))
    first = next(iter(run.records()))
    assert tally([first]) == {}
    counted = score(run.manifest, tally([first]))
    assert (counted.recorded, counted.overall.passed) == (0, (0.0, 1.0))


def test_to_optimise_is_to_go_on_after_a_success(tmp_path):
    _, records = run_of(tmp_path, scripted(tmp_path, [["good", "syntax", "good"]], attempts=3, optimise=True))
    assert [r.outcome for r in records.values()] == ["passed", "compile_error", "passed"]
    assert [r.last for r in records.values()] == [False, False, True]
    assert "Now make it faster" in log(tmp_path)[1]["last"]
    with pytest.raises(ConfigError, match="--attempts 2 or more"):
        plan(scripted(tmp_path, [["good"]], attempts=1, optimise=True))


def test_the_fastest_attempt_counts_and_hints_are_told(tmp_path):
    """`quick` takes 400 cycles, `good` 1000 (fake_plugin)."""
    steps = [["good", "quick", "good"]]
    run, records = run_of(tmp_path, scripted(tmp_path, steps, attempts=3, optimise=True))
    told = run.text(records[0, 0].feedback_sha)
    assert "- case small: 2 µs, 1000 cycles" in told
    assert "What makes it slow:\n\n- copy more at once" in told
    best = best_of(list(records.values()))
    assert best is not None
    assert best.attempt == 1
    counted = score(run.manifest, tally_run(run))
    assert counted.passed_within == {1: 1, 2: 1, 3: 1}
    assert counted.speeds["absolute"]["cycles"]["least"] == 400


def test_a_plugin_that_exits_stops_the_run(tmp_path):
    run = RunFolder.create(tmp_path / "run", plan(scripted(tmp_path, [["!exit"], ["good"]])))
    with pytest.raises(ServerError, match=r"the generator ends: SystemExit\(3\)"):
        work(run, jobs=1, watch=lambda record: None, cache=False)


def test_a_disk_that_is_full_says_so_and_keeps_what_came_before(tmp_path, monkeypatch):
    run = RunFolder.create(tmp_path / "run", plan(scripted(tmp_path, [["good"]] * 3)))
    kept = RunWriter.keep_completion

    def full(self, attempt, facts, texts):
        if attempt.sample == 1:
            raise StoreError("cannot write: no space left")
        kept(self, attempt, facts, texts)

    monkeypatch.setattr(RunWriter, "keep_completion", full)
    with pytest.raises(StoreError, match="no space left"):
        work(run, jobs=1, watch=lambda record: None, cache=False)
    monkeypatch.undo()
    work(run, jobs=1, watch=lambda record: None, cache=False)
    assert sorted(r.sample for r in run.records()) == [0, 1, 2]


def test_what_the_candidate_cannot_mend_ends_its_attempts(tmp_path):
    steps = [["unmodelled", "good"], ["!context", "good"], ["!config", "good"], ["broken", "good"]]
    _, records = run_of(tmp_path, scripted(tmp_path, steps, attempts=2))
    outcomes = {key: (r.outcome, r.stage, r.last) for key, r in records.items()}
    assert outcomes == {
        (0, 0): ("unsupported", "compile", True),
        (1, 0): ("context_limit", "generate", True),
        (2, 0): ("harness_error", "generate", True),
        (3, 0): ("harness_error", "run", True),
    }


def test_a_conversation_that_is_too_long_loses_its_oldest_turns(tmp_path):
    _, records = run_of(tmp_path, scripted(tmp_path, [["syntax", "zeros", "!long"]], attempts=3))
    assert records[0, 2].passed
    assert [len(entry["roles"]) for entry in log(tmp_path)] == [2, 4, 6, 4]


def test_thoughts_are_not_sent_back_and_loops_are_cut():
    turns = [Turn("<think>hm</think>code", "no"), Turn("", "again"), Turn("and so on, " * 9000, "stop"), Turn("x", "y")]
    said = with_turns([Message("user", "q")], turns)
    assert [m.role for m in said] == ["user", *["assistant", "user"] * 4]
    assert (said[1].content, said[3].content) == ("code", "(no answer)")
    assert said[5].content.endswith("… (cut)")
    assert len(said[5].content) < 2100


def test_a_bug_of_a_plugin_is_a_record_with_its_traceback(tmp_path):
    run, records = run_of(tmp_path, scripted(tmp_path, [["!bug"]]))
    assert records[0, 0].message == "KeyError: 'a bug of the plugin'"
    assert "in _answer" in run.text(records[0, 0].log_sha)
    assert len(log(tmp_path)) == 2  # tried once more


def test_a_server_that_fails_stops_the_run_which_can_go_on(tmp_path):
    options = scripted(tmp_path, [["good"], ["good"], ["!server"], ["good"], ["good"]])
    run = RunFolder.create(tmp_path / "run", plan(options))
    with pytest.raises(ServerError, match=r"the key is refused; . of 5 samples are recorded.*run --resume --out"):
        work(run, jobs=1, watch=lambda record: None, cache=False)
    recorded = {r.sample for r in run.records()}
    assert recorded <= {0, 1, 3, 4}
    assert 2 in {a.sample for a in missing(run)}
    scripted(tmp_path, [["good"]] * 5)
    work(run, jobs=1, watch=lambda record: None, cache=False)
    assert [r.outcome for r in sorted(run.records(), key=lambda r: r.sample)] == ["passed"] * 5
    asked = [entry["sample"] for entry in log(tmp_path)]
    assert sorted(asked) == [0, 1, 2, 2, 3, 4]  # only the one that failed was asked again


def test_a_failure_of_ours_is_tried_once_more_before_the_run_stops(tmp_path):
    run = RunFolder.create(tmp_path / "run", plan(scripted(tmp_path, [["!harness"]])))
    with pytest.raises(ServerError, match="the line broke; 0 of 1 samples"):
        work(run, jobs=1, watch=lambda record: None, cache=False)
    assert len(log(tmp_path)) == 2
    assert not list(run.records())


def test_the_same_question_is_asked_once_and_samples_are_samples(tmp_path, monkeypatch):
    monkeypatch.setenv("KBENCH_CACHE_DIR", str(tmp_path / "cache"))
    options = scripted(tmp_path, [["syntax", "good"], ["good"]], attempts=2, generator_options={"cached": "yes"})
    for name, cache, asked in (("a", False, 3), ("b", False, 6), ("c", True, 9), ("d", True, 9)):
        run = RunFolder.create(tmp_path / name, plan(options))
        work(run, jobs=1, watch=lambda record: None, cache=cache)
        assert len(log(tmp_path)) == asked
        records = list(run.records())
        assert [(r.outcome, r.sample) for r in records if r.last] == [("passed", 0), ("passed", 1)] or len(records) == 3
        assert {r.cached for r in records} == {name == "d"}
    seeds = {(entry["sample"], entry["attempt"]): entry["seed"] for entry in log(tmp_path)}
    assert seeds == {(0, 0): 0, (0, 1): 0, (1, 0): 1}


def test_other_settings_are_another_question(tmp_path, monkeypatch):
    monkeypatch.setenv("KBENCH_CACHE_DIR", str(tmp_path / "cache"))
    for number, sampling in enumerate(
        (Sampling(), Sampling(temperature=0.0), Sampling(max_tokens=9), Sampling(seed=3))
    ):
        options = scripted(tmp_path, [["good"]], generator_options={"cached": "yes"}, sampling=sampling)
        work(RunFolder.create(tmp_path / str(number), plan(options)), jobs=1, watch=lambda record: None)
        assert len(log(tmp_path)) == number + 1


def test_requests_are_made_at_once_and_in_batches(tmp_path):
    options = scripted(tmp_path, [["good"]] * 6, generator_options={"batch": "4"})
    run_of(tmp_path, options)
    assert [entry["batch"] for entry in log(tmp_path) if "batch" in entry] == [4, 2]


def test_never_more_than_its_room_is_on_its_way(tmp_path):
    """With one thread and one worker there is room for six, however fast the generator is."""
    on_the_way, most = 0, 0

    def asked(answered):
        nonlocal on_the_way, most
        on_the_way += 1
        most = max(most, on_the_way)

    def watch(record):
        nonlocal on_the_way
        on_the_way -= 1

    run = RunFolder.create(tmp_path / "run", plan(scripted(tmp_path, [["good"]] * 20)))
    work(run, jobs=1, watch=watch, asked=asked, cache=False)
    assert (len(list(run.records())), most <= 6) == (20, True)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_killed_in_the_middle_it_asks_for_nothing_twice(tmp_path):
    options = scripted(tmp_path, [["slow"]] * 3 + [["zeros", "slow"]] * 3, attempts=2)
    out = tmp_path / "run"
    manifest = plan(options)
    RunFolder.create(out, manifest)
    work_until_killed(out, 3, "jobs=1, cache=False")
    answered = len((out / "completions.jsonl").read_bytes().splitlines())
    with (out / "completions.jsonl").open("ab") as file:  # the answer that was being kept
        file.write(b'{"attempt": {"task": "absol')
    run = RunFolder.open(out)
    assert answered > len(list(run.records())) >= 3
    work(run, jobs=1, watch=lambda record: None, cache=False)
    assert not missing(run)
    assert [r.outcome for r in run.records() if r.last] == ["passed"] * 6
    asked = [(e["sample"], e["attempt"]) for e in log(tmp_path)]
    twice = {one for one in asked if asked.count(one) > 1}
    assert len(twice) <= 1  # the request that was on its way when the process was killed
    for line in (out / "completions.jsonl").read_text().splitlines():
        json.loads(line)


def test_a_plan_keeps_how_its_models_are_asked(tmp_path):
    sampling = Sampling(temperature=0.5, max_tokens=9, stop=("END",))
    manifest = plan(scripted(tmp_path, [["good"]], attempts=3, sampling=sampling, style="cot"))
    assert (manifest.attempts_each, manifest.style, manifest.sampling.temperature) == (3, "cot", 0.5)
    assert type(manifest).model_validate_json(manifest.model_dump_json(by_alias=True)) == manifest
    assert manifest.sampling.words() == "temperature 0.5, max_tokens 9, stop ('END',)"
    assert list(manifest.attempts()) == [Attempt("absolute")]
    require_same(manifest, {"sampling": Sampling(temperature=0.5), "attempts": 3, "style": "cot"})
    message = "planned with sampling temperature 0.5.*, and --resume cannot make it temperature 0.7"
    with pytest.raises(ConfigError, match=message):
        require_same(manifest, {"sampling": Sampling(temperature=0.7)})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"attempts": 0}, "--attempts 0"),
        ({"sampling": Sampling(temperature=-1)}, "--temperature -1"),
        ({"sampling": Sampling(top_p=1.5)}, "--top-p 1.5"),
        ({"sampling": Sampling(max_tokens=0)}, "--max-tokens 0"),
        ({"templates": "nowhere"}, "no folder or plugin with templates named 'nowhere'"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, wrong, message):
    with pytest.raises(ConfigError) as caught:
        plan(scripted(tmp_path, [["good"]], **wrong))
    assert message in str(caught.value)
