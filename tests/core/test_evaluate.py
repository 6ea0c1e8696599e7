"""One attempt, from the prompt to the record."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from fake_plugin import FakeBackend, candidate, make_case, make_entry, make_task

import kbench
from kbench import Completion, Generator, Settings, Shapes, SuiteTask
from kbench.core.cases import CasePlan
from kbench.core.errors import ConfigError
from kbench.core.evaluate import MOST_TIMEOUTS, Bench, judge
from kbench.core.runs.manifest import Attempt


def judged(behavior, entry=None, **more):
    return kbench.evaluate(entry or make_entry(), candidate(behavior), FakeBackend(), **more)


@pytest.mark.parametrize(
    ("behavior", "stage", "outcome", "message"),
    [
        ("good", "done", "passed", ""),
        ("syntax", "compile", "compile_error", "kernel.c:1: expected ';'"),
        ("crash", "run", "crash", "case small: the candidate crashed"),
        ("hang", "run", "timeout", "case small: no end in 1 s"),
        ("zeros", "check", "wrong_values", "case small: y[0]: expected 1.4217, got 0 (4 of 4 differ"),
        ("half", "check", "wrong_values", "case odd: y[0, 0]: expected "),
        ("unmodelled", "compile", "unsupported", "unsupported: LoadData3D"),
        ("broken", "run", "harness_error", "the server is gone"),
        ("bug", "run", "harness_error", "ZeroDivisionError: a bug in the backend"),
    ],
)
def test_every_ending_is_a_record(behavior, stage, outcome, message):
    record = judged(behavior)
    assert (record.stage, record.outcome) == (stage, outcome)
    assert record.message.startswith(message)


def test_outputs_that_are_right_over_one_garbage_only_fail():
    record = judged("lucky")
    assert (record.outcome, record.stage) == ("rule_violation", "run")
    case = record.cases[0]
    assert case.message.startswith("kernel.c:1: error: depends on garbage [E53]: y[0]: expected ")
    assert [f.rule for f in case.findings] == ["E53"]


def test_a_failing_case_does_not_stop_the_others():
    assert [(c.case, c.outcome) for c in judged("half").cases] == [
        ("small", "passed"),
        ("odd", "wrong_values"),
        ("large", "passed"),
    ]
    assert {c.outcome for c in judged("crash").cases} == {"crash"}


def test_after_some_timeouts_the_rest_is_not_run():
    entry = SuiteTask(make_task(), tuple(make_case(str(i), 4) for i in range(MOST_TIMEOUTS + 2)))
    messages = [c.message for c in judged("hang", entry).cases]
    assert [m.startswith("not run") for m in messages] == [False] * MOST_TIMEOUTS + [True, True]


def test_large_cases_are_skipped_and_the_smallest_always_runs():
    record = judged("good", max_elements=100)
    assert [(c.case, c.outcome) for c in record.cases] == [("small", "passed"), ("odd", "passed"), ("large", "skipped")]
    assert record.cases[-1].reason == "size: 8,192 elements, at most 100"
    assert [c.case for c in judged("good", max_elements=1).cases if c.outcome == "passed"] == ["small"]


def test_nothing_run_is_never_passed(tmp_path):
    bench = Bench("s", FakeBackend(), Fixed("good"), Settings("fake1"))
    done = judge(Attempt("absolute"), make_entry(), CasePlan(()), bench, tmp_path)
    assert done.record.outcome == "harness_error"
    with pytest.raises(ConfigError, match="has no case to run"):
        judged("good", SuiteTask(make_task(), ()))


class Fixed(Generator):
    name = "fixed"

    def __init__(self, behavior):
        self.completion = Completion(candidate=candidate(behavior))

    def generate(self, request):
        self.request = request
        return self.completion


def test_texts_are_kept_under_their_hashes(tmp_path):
    bench = Bench("s", FakeBackend(), Fixed("syntax"), Settings("fake1"))
    entry = make_entry()
    done = judge(Attempt("absolute", sample=3), entry, CasePlan(entry.cases), bench, tmp_path)
    record = done.record
    assert record.sample == 3
    assert done.texts[record.log_sha] == "a long log"
    assert "y = |x|." in done.texts[record.prompt_sha]
    assert '"kernel.c"' in done.texts[record.source_sha]
    assert record.completion_sha == ""
    assert all((tmp_path / name).exists() for name in ["built"])


def test_the_same_seed_gives_the_same_inputs_whatever_else_runs():
    seen = {}

    class Spy(FakeBackend):
        def run(self, build, entry, case, inputs, settings):
            seen.setdefault(case.name, []).append(inputs["x"].copy())
            return super().run(build, entry, case, inputs, settings)

    entry = make_entry()
    for cases in (entry.cases, entry.cases[::-1], entry.cases[1:2]):
        kbench.evaluate(dataclasses.replace(entry, cases=cases), candidate("good"), Spy())
    for draws in seen.values():
        assert all(np.array_equal(draws[0], other) for other in draws[1:])
    assert not np.array_equal(seen["small"][0], seen["odd"][0].ravel()[:4])
    other = kbench.evaluate(entry, candidate("good"), Spy(), settings=Settings("fake1", seed=1))
    assert other.passed
    assert not np.array_equal(seen["small"][0], seen["small"][-1])


def test_a_backend_cannot_change_the_inputs():
    class Careless(FakeBackend):
        def run(self, build, entry, case, inputs, settings):
            inputs["x"][:] = 0
            return super().run(build, entry, case, inputs, settings)

    record = kbench.evaluate(make_entry(), candidate("good"), Careless())
    assert record.outcome == "harness_error"
    assert "read-only" in record.message


def test_a_broken_reference_is_ours():
    def wrong(case, inputs):
        raise KeyError("gone")

    entry = SuiteTask(dataclasses.replace(make_task(), behavior=wrong), (make_case("a", 2),))
    record = judged("good", entry)
    assert (record.outcome, record.stage) == ("harness_error", "generate")
    assert "the reference of absolute, case a, failed: KeyError: 'gone'" in record.message


def test_static_shapes_ask_for_one_case():
    static = Settings("fake1", shapes=Shapes.STATIC)
    with pytest.raises(ConfigError, match="one case; got 3"):
        judged("good", settings=static)
    entry = make_entry()
    record = judged("good", dataclasses.replace(entry, cases=entry.cases[1:2]), settings=static)
    assert record.cases_key == "odd"


def test_a_completion_may_be_given_as_text():
    record = kbench.evaluate(
        make_task(), "```c\nvoid kernel() {} // good\n```", FakeBackend(), cases=[make_case("a", 3)]
    )
    assert record.passed
    assert kbench.evaluate(make_entry(), "no", FakeBackend()).outcome == "no_code"


def test_unknown_backends_and_targets_are_refused():
    with pytest.raises(ConfigError, match=r"did you mean 'fake[12]'"):
        judged("good", settings=Settings("fake9"))


def test_text_that_no_file_can_hold_ends_in_a_record_like_any_other():
    record = kbench.evaluate(make_entry(), "```c\nvoid kernel() {} // \ud800 good\n```", FakeBackend())
    assert record.passed
    record = kbench.evaluate(make_entry(), "\ud800 I am sorry", FakeBackend())
    assert kbench.Record.model_validate_json(record.model_dump_json(by_alias=True)) == record
