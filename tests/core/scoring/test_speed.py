"""Times in the scores: each measure against numbers worked out by hand, from Python and from the database alike."""

from __future__ import annotations

import json
import math

import pytest

from kbench import Shapes
from kbench.core.profile import Baseline, Profile, Roofline
from kbench.core.record import CaseResult
from kbench.core.runs.store import RunFolder
from kbench.core.score import score
from kbench.core.scoring.speed import SPEEDUP, measures
from kbench.core.scoring.tally import tally, tally_run
from tests.core.test_score import manifest, record, scored


def case(name="0", cycles=100.0, reference=200.0, outcome="passed", **more):
    """A case with times at 1 MHz, so that microseconds are cycles; a roofline of ten cycles."""
    if outcome != "passed":
        return CaseResult(case=name, outcome=outcome)
    roofline = Roofline(limits={"memory": 10, "compute": 5}, basis="task")
    times = {"latency_us": cycles, "cycles": cycles, "clock_mhz": 1}
    profile = Profile(**times, roofline=roofline, scores={"vectorization": 10 / cycles}, **more)
    baseline = Baseline(source_sha="r", latency_us=reference, cycles=reference) if reference else None
    return CaseResult(case=name, outcome="passed", profile=profile, baseline=baseline)


def attempt(outcome, task, sample=0, cases=()):
    found = record(outcome, task, sample, cases=["passed"])
    return found.model_copy(update={"cases": tuple(cases)}) if cases else found


def test_an_attempts_measures_are_means_over_its_cases():
    found = dict(measures(attempt("passed", "t0", cases=[case("a", 100), case("b", 25), case("c", outcome="skipped")])))
    assert found["cycles"] == pytest.approx(50)  # sqrt(100 · 25)
    assert found[SPEEDUP] == pytest.approx(4)  # sqrt(2 · 8)
    assert found["roofline_efficiency"] == pytest.approx(0.2)  # sqrt(0.1 · 0.4)
    assert found["score.vectorization"] == pytest.approx(0.25)  # (0.1 + 0.4) / 2


def test_what_a_case_lacks_the_attempt_lacks():
    found = dict(measures(attempt("passed", "t0", cases=[case("a"), case("b", reference=0)])))
    assert SPEEDUP not in found
    assert found["cycles"] == pytest.approx(100)
    bare = CaseResult(case="c", outcome="passed")
    assert not dict(measures(attempt("passed", "t0", cases=[case("a"), bare])))
    assert not dict(measures(attempt("crash", "t0", cases=[case("a"), case("b", outcome="crash")])))


def test_speedups_are_geometric_means_over_tasks_of_those_that_passed():
    records = [
        attempt("passed", "t0", 0, [case(cycles=100)]),  # 2 ×
        attempt("passed", "t0", 1, [case(cycles=25)]),  # 8 ×
        attempt("passed", "t1", 0, [case(cycles=400)]),  # ½ ×
        attempt("crash", "t1", 1),
        attempt("wrong_values", "t2", 0),
        attempt("wrong_values", "t2", 1),
    ]
    speed = scored(manifest((1, 1, 2), samples=2), records).overall.speed
    assert speed.timed == 3
    ratio = speed.speedup_over_reference
    assert ratio.geomean == pytest.approx(math.sqrt(4 * 0.5))
    assert (ratio.best, ratio.attempts, ratio.tasks) == (8, 3, 2)
    assert speed.roofline_efficiency.geomean == pytest.approx(math.sqrt(0.2 * 0.025))


def test_fast_p_counts_all_that_were_planned_and_is_strict():
    """By hand: of two tasks with two attempts each, speed-ups 2, 8, and 0.5, and one crash."""
    records = [
        attempt("passed", "t0", 0, [case(cycles=100)]),
        attempt("passed", "t0", 1, [case(cycles=25)]),
        attempt("passed", "t1", 0, [case(cycles=400)]),
        attempt("crash", "t1", 1),
    ]
    fast = scored(manifest((1, 1), samples=2), records).overall.speed.fast_p
    assert {p: bounds.low for p, bounds in fast.items()} == {0: 0.75, 0.5: 0.5, 0.8: 0.5, 1: 0.5, 1.5: 0.5, 2: 0.25}
    assert all(bounds.low == bounds.high for bounds in fast.values())


def test_published_fast_p():
    """Kernels of one model and level 1 (100 tasks): 67 right, 12 of them faster than the reference."""
    records = [attempt("passed", f"t{i}", cases=[case(cycles=100 if i < 12 else 250)]) for i in range(67)]
    records += [attempt("wrong_values", f"t{i}") for i in range(67, 100)]
    fast = scored(manifest((1,) * 100), records).overall.speed.fast_p
    assert (fast[0.0].low, fast[1.0].low) == (0.67, 0.12)


def test_a_score_is_the_mean_over_all_tasks_with_failures_as_0():
    records = [attempt("passed", "t0", cases=[case(cycles=20)]), attempt("crash", "t1")]
    plan = manifest((1, 1, 2, 2))
    bounds = scored(plan, [*records, attempt("unsupported", "t2")]).overall.speed.scores["vectorization"]
    assert bounds.low == 0.5 / 4
    assert bounds.high == (0.5 + 1 + 1) / 4, "the unsupported one and the one that has not run may have any score"


def test_on_static_shapes_a_tasks_cases_are_averaged_first():
    plan = manifest((1, 1), cases=2, shapes=Shapes.STATIC)
    records = [
        record("passed", "t0", key="0").model_copy(update={"cases": (case("0", 20),)}),
        record("crash", "t0", key="1"),
        record("passed", "t1", key="0").model_copy(update={"cases": (case("0", 10),)}),
        record("passed", "t1", key="1").model_copy(update={"cases": (case("1", 100),)}),
    ]
    scores = scored(plan, records).overall.speed.scores
    assert scores["vectorization"].low == pytest.approx((0.25 + 0.55) / 2)


def test_extreme_speedups_neither_vanish_nor_overflow():
    """A product of 2000 ratios of 0.5 is 0, and one of 2000 threes is infinite."""
    for cycles, expected in ((400, 0.5), (200 / 3, 3)):
        records = [attempt("passed", f"t{i}", cases=[case(cycles=cycles)]) for i in range(2000)]
        speed = scored(manifest((1,) * 2000), records).overall.speed
        assert speed.speedup_over_reference.geomean == pytest.approx(expected)


def test_what_passed_without_a_time_is_told_and_is_not_fast():
    records = [
        attempt("passed", "t0", cases=[case()]),
        attempt("passed", "t1"),
        attempt("passed", "t2", cases=[case(reference=0)]),
    ]
    found = scored(manifest((1, 1, 1)), records)
    assert found.overall.speed.fast_p[0.0].low == pytest.approx(1 / 3)
    assert "1 passed attempts have no time: they count as not fast, and score 0" in found.warnings
    assert "1 timed attempts have no reference time to compare with: they count as not fast" in found.warnings


def test_without_times_there_are_none():
    found = scored(manifest(), [record()])
    assert found.overall.speed is None
    assert found.speeds == {}
    assert found.warnings == []


def numbers(counted):
    """Measures by unit with their numbers, rounded to what additions in another order leave alone."""
    return {
        (unit, name): [float(f"{v:.9g}") for v in (s.attempts, s.total, s.logs, s.least, s.most, *s.over.values())]
        for unit, counts in counted.items()
        for name, s in counts.measures.items()
    }


def test_python_and_the_database_measure_alike(tmp_path):
    plan = manifest((1, 2, 3), samples=3, cases=2)
    records = [
        attempt("passed", "t0", 0, [case("0", 100), case("1", 30)]),
        attempt("passed", "t0", 1, [case("0", 3000), case("1", 70, reference=0)]),
        attempt("passed", "t0", 2, [case("0", 50), CaseResult(case="1", outcome="passed")]),
        attempt("crash", "t1", 0, [case("0"), case("1", outcome="crash")]),
        attempt("harness_error", "t1", 1),
        attempt("passed", "t1", 1, [case("0", 40, counts={"vpu_cycles": 3}), case("1", outcome="skipped")]),
        attempt("passed", "t2", 0),
    ]
    only_cycles = CaseResult(case="0", outcome="passed", profile=Profile(cycles=5, scores={"a": 0, "b": 1}))
    records.append(attempt("passed", "t2", 1, [only_cycles]))
    run = RunFolder.create(tmp_path / "run", plan)
    with run.records_path.open("w") as file:
        file.writelines(r.model_dump_json(by_alias=True) + "\n" for r in records)
        file.write('{"schema": 2, "task": "t0", "cases": [{"outcome": "passed", "profile": {"cyc')
    there, here = numbers(tally_run(run)), numbers(tally(records))
    assert there == here
    assert len(here) == 13
    mine, theirs = (json.loads(score(plan, counted).to_json()) for counted in (tally(records), tally_run(run)))
    assert mine["speeds"]["t2"]["score.b"] == theirs["speeds"]["t2"]["score.b"] == {
        "attempts": 1, "mean": 1.0, "least": 1.0, "most": 1.0
    }  # fmt: skip


def test_profiles_of_any_kind_from_before_do_not_stop_the_database(tmp_path):
    lines = []
    for sample, odd in enumerate([{"cycles": "seven"}, {"cycles": 7, "scores": [1, 2]}, {"roofline": 3}, "fast", None]):
        facts = json.loads(attempt("passed", "t0", sample, [case()]).model_dump_json(by_alias=True))
        facts["schema"] = 1
        facts["cases"][0] |= {"profile": odd, "baseline": None}
        lines.append(json.dumps(facts) + "\n")
    run = RunFolder.create(tmp_path / "run", manifest(samples=5))
    run.records_path.write_text("".join(lines))
    assert score(run.manifest, tally_run(run)).passed == 5
