"""What passes is profiled, with the reference kernel's time beside it; a profiler that fails costs no verdict."""

from __future__ import annotations

import pytest
from fake_plugin import FakeBackend, candidate, make_entry

import kbench
from kbench import Record, Settings
from kbench.core.profile import Baseline, Profile
from kbench.core.record import CaseResult


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("KBENCH_CACHE_DIR", str(tmp_path / "cache"))


class Counting(FakeBackend):
    """Counts how often each behavior is run."""

    def __init__(self):
        self.runs = []

    def run(self, build, entry, case, inputs, settings):
        self.runs.append(build.data)
        return super().run(build, entry, case, inputs, settings)


def judged(behavior, backend=None, **more):
    return kbench.evaluate(make_entry(), candidate(behavior), backend or FakeBackend(), **more)


def test_what_passed_has_a_profile_and_the_reference_kernels_time():
    for case in judged("quick").cases:
        assert (case.profile.cycles, case.profile.latency_us) == (400, 1.4)
        assert case.baseline == Baseline(source_sha=candidate("good").sha, latency_us=2.0, cycles=1000)
        assert case.speedup_over_reference == pytest.approx(2 / 1.4)
        assert case.profile_s > 0


def test_the_reference_kernel_is_timed_once_for_each_case():
    backend = Counting()
    for _ in range(3):
        judged("quick", backend)
    assert (backend.runs.count("quick"), backend.runs.count("good")) == (9, 3)
    judged("quick", backend, settings=Settings("fake2"))
    assert backend.runs.count("good") == 6


def test_the_reference_kernel_itself_is_not_run_twice():
    backend = Counting()
    record = judged("good", backend)
    assert backend.runs == ["good"] * 3
    assert {case.speedup_over_reference for case in record.cases} == {1}


class BadReference(Counting):
    """Its reference kernel fails in the way that `word` says."""

    word = "crash"

    def reference(self, entry, track):
        return candidate(self.word) if self.word else None


@pytest.mark.parametrize("word", ["crash", "zeros", "syntax", "unmodelled", "broken", "untimed", ""])
def test_without_a_right_reference_kernel_there_is_no_speedup(word):
    backend = BadReference()
    backend.word = word
    record = judged("quick", backend)
    assert record.passed
    assert [(case.profile.cycles, case.baseline) for case in record.cases] == [(400, None)] * 3
    again = len(backend.runs)
    judged("quick", backend)
    assert len(backend.runs) == again + 3, "a reference kernel that fails is not tried again and again"


def test_what_failed_has_no_time():
    assert [bool(case.profile) for case in judged("half").cases] == [False] * 3
    with pytest.raises(ValueError, match="a profile of a case that is crash"):
        CaseResult(case="a", outcome="crash", profile=Profile(cycles=1))


def test_a_profiler_that_fails_leaves_the_verdict_and_says_why():
    record = judged("untimed")
    assert record.passed
    for case in record.cases:
        assert case.profile is None
        assert [(f.severity, f.rule, f.message) for f in case.findings] == [
            ("note", "no-profile", "no profile: the profiler is gone")
        ]


@pytest.mark.parametrize("found", [{"cycles": -1}, "fast", 1 / 3])
def test_a_profile_of_another_shape_is_refused_and_the_verdict_stands(found):
    class Odd(FakeBackend):
        def profile(self, build, entry, case, inputs, settings, result):
            return found

    record = judged("good", Odd())
    assert record.passed
    assert {case.findings[0].rule for case in record.cases} == {"no-profile"}
    assert record.log_sha, "the traceback is kept"


def test_suspect_figures_are_findings_of_the_case():
    (finding,) = judged("cheat").cases[0].findings
    assert str(finding) == "kernel.c:1: warning: useless work [useless]"


def test_nothing_is_profiled_where_that_is_not_wanted():
    backend = Counting()
    settings = Settings("fake1", engine={"compile": "sim", "run": "sim", "profile": "none"})
    record = judged("quick", backend, settings=settings)
    assert backend.runs == ["quick"] * 3
    assert [case.profile for case in record.cases] == [None] * 3
    assert record.engine["profile"] == "none"


def test_a_record_with_profiles_reads_back_as_it_was_written():
    record = judged("quick")
    assert Record.model_validate_json(record.model_dump_json(by_alias=True)) == record


def test_a_free_profile_of_schema_1_is_read():
    facts = judged("good").model_dump(by_alias=True) | {"schema": 1}
    facts["cases"] = [{**case, "profile": {"cycles": 7, "how": "guessed"}, "baseline": None} for case in facts["cases"]]
    record = Record.model_validate(facts)
    assert [case.profile for case in record.cases] == [Profile(cycles=7)] * 3
