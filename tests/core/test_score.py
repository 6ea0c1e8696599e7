"""Scores: published test values, bounds, and the same counts from Python as from the database."""

from __future__ import annotations

import json

import pytest

from kbench import Settings, Shapes, reward
from kbench.core.record import CaseResult, Record
from kbench.core.runs.manifest import Attempt, Manifest, SettingsFacts, TaskPlan
from kbench.core.runs.store import RunFolder
from kbench.core.score import pass_at_k, score, wilson
from kbench.core.scoring.tally import tally, tally_run
from kbench.core.taxonomy import OUTCOMES


def manifest(levels=(1,), *, cases=1, samples=1, shapes=Shapes.DYNAMIC, skipped=None) -> Manifest:
    seeds = {str(i): i for i in range(cases)}
    return Manifest(
        run="r",
        created="2026-01-01T00:00:00+00:00",
        suite="s",
        suite_source="s",
        backend="fake",
        settings=SettingsFacts.of(Settings("fake1", shapes=shapes)),
        generator="replay",
        samples=samples,
        max_elements=1,
        checker="strict",
        tasks={f"t{i}": TaskPlan(level=n, seeds=seeds, skipped=skipped or {}) for i, n in enumerate(levels)},
        versions={},
        machine={},
    )


def record(outcome="passed", task="t0", sample=0, key="*", cases=("passed",), **more) -> Record:
    stage = OUTCOMES[outcome].stage
    return Record(
        **Attempt(task, key, sample)._asdict(),
        suite="s",
        backend="fake",
        target="fake1",
        engine={},
        track="full",
        shapes="dynamic",
        generator="replay",
        seed=0,
        stage="run" if stage == "harness" else stage,
        outcome=outcome,
        cases=tuple(CaseResult(case=str(i), outcome=c) for i, c in enumerate(cases)),
        **more,
    )


def scored(plan, records, **more):
    return score(plan, tally(records), **more)


@pytest.mark.parametrize(
    ("n", "c", "k", "value"),
    [
        (10, 3, 1, 0.3),
        (10, 3, 5, 0.916667),
        (20, 2, 10, 0.763158),
        (200, 7, 100, 0.992991),
        (10, 0, 5, 0),
        (5, 1, 5, 1),
    ],
)
def test_pass_at_k_is_the_unbiased_estimate(n, c, k, value):
    assert pass_at_k(n, c, k) == pytest.approx(value, abs=1e-6)


def test_pass_at_k_is_undefined_for_more_than_was_sampled():
    assert pass_at_k(3, 3, 4) is None
    result = scored(manifest(samples=2), [record(), record(sample=1)], ks=(1, 2, 5))
    assert result.overall.pass_at_k == {1: (1, 1), 2: (1, 1), 5: None}
    assert "pass@5 is not defined for 2 sample(s) a task" in result.warnings


@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    [
        (0, 10, 0, 0.2775),
        (10, 10, 0.7225, 1),
        (10, 102, 0.0541, 0.1711),
        (40, 100, 0.3094, 0.4980),
        (40, 82, 0.3826, 0.5941),
    ],
)
def test_wilson(passed, n, low, high):
    assert wilson(passed, n) == pytest.approx((low, high), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


def test_npukernelbench_by_cases_as_in_the_paper():
    tasks = [("t0", "passed", 5, 5), ("t1", "wrong_values", 0, 4), ("t2", "wrong_values", 3, 4), ("t3", "crash", 0, 6)]
    plan = manifest((1, 1, 2, 3))
    plan = plan.model_copy(
        update={
            "tasks": {
                t: TaskPlan(level=plan.tasks[t].level, seeds=dict.fromkeys(map(str, range(n)), 0))
                for t, _, _, n in tasks
            }
        }
    )
    records = [record(o, t, cases=["passed"] * p + ["crash"] * (n - p)) for t, o, p, n in tasks]
    scheme = scored(plan, records).schemes["npukernelbench_cases"]
    assert {n: b.low for n, b in scheme["levels"].items()} == {1: 50, 2: 75, 3: 0}
    assert scheme["total"] == pytest.approx((32.5, 32.5))


def test_npukernelbench_by_samples_as_in_its_repository():
    plan = manifest((1, 1, 2, 3), samples=2)
    passed = {("t0", 0), ("t0", 1), ("t1", 0), ("t2", 0)}
    records = [
        record("passed" if (t, s) in passed else "crash", t, s) for t in ("t0", "t1", "t2", "t3") for s in (0, 1)
    ]
    scheme = scored(plan, records).schemes["npukernelbench_samples"]
    assert {n: b.low for n, b in scheme["levels"].items()} == {1: 0.75, 2: 0.5, 3: 0}
    assert scheme["total"].low == pytest.approx(0.2 * 0.75 + 0.3 * 0.5)


def test_a_total_needs_all_three_levels():
    for scheme in scored(manifest((1, 2)), [record(), record(task="t1")]).schemes.values():
        assert scheme["total"] is None
        assert set(scheme["levels"]) == {1, 2}


def test_what_is_unknown_makes_bounds_and_blocks_publishing():
    plan = manifest(samples=4)
    records = [record(), record("crash", sample=1, cases=["crash"]), record("unsupported", sample=2, cases=())]
    result = scored(plan, records, ks=(1, 4))
    assert (result.planned, result.recorded, result.passed, result.unsupported, result.harness_errors) == (
        4,
        3,
        1,
        1,
        0,
    )
    assert result.overall.passed == (0.25, 0.75)
    assert result.overall.pass_at_k[1] == pytest.approx((0.25, 0.75))
    assert result.tasks["t0"] == {"crash": 1, "passed": 1, "unsupported": 1, "not_recorded": 1}
    assert not result.publishable
    assert any("--resume" in w for w in result.warnings)
    assert any("do not publish" in w for w in result.warnings)
    low, high = result.overall.wilson
    assert low == wilson(1, 4)[0]
    assert high == wilson(3, 4)[1]


def test_one_percent_of_unknown_may_be_published():
    records = [record("harness_error" if i == 0 else "passed", sample=i) for i in range(100)]
    result = scored(manifest(samples=100), records)
    assert result.publishable
    assert result.harness_errors == 1
    assert result.overall.passed == (0.99, 1.0)


def test_on_static_shapes_each_case_is_a_unit():
    plan = manifest((1, 1), cases=2, samples=2, shapes=Shapes.STATIC)
    passed = {("t0", "0", 0), ("t0", "0", 1), ("t1", "1", 1)}
    records = [
        record(
            "passed" if (t, k, s) in passed else "crash", t, s, k, cases=["passed" if (t, k, s) in passed else "crash"]
        )
        for t in ("t0", "t1")
        for k in "01"
        for s in (0, 1)
    ]
    result = scored(plan, records, ks=(1, 2))
    assert (result.planned, result.passed) == (8, 3)
    assert result.overall.pass_at_k[1] == pytest.approx(((1 + 0) / 2 / 2 + (0 + 0.5) / 2 / 2,) * 2)
    assert result.overall.pass_at_k[2] == pytest.approx((0.5, 0.5))


def test_skipped_cases_are_counted_and_in_no_denominator():
    plan = manifest(cases=1, samples=2, skipped={"big": "size: 9 elements, at most 1"})
    records = [record(sample=s, cases=["passed", "skipped"]) for s in (0, 1)]
    result = scored(plan, records)
    assert (result.skipped, result.cases_skipped, result.cases_planned, result.cases_passed, result.cases_ran) == (
        2,
        2,
        2,
        2,
        2,
    )
    assert result.schemes["npukernelbench_cases"]["levels"][1] == (100, 100)


def test_a_second_record_of_an_attempt_counts_where_the_first_was_ours():
    records = [record("harness_error", cases=()), record("passed")]
    for order in (records, records[::-1]):
        assert scored(manifest(), order).tasks["t0"] == {"passed": 1}


def test_python_and_the_database_count_alike(tmp_path):
    plan = manifest((1, 2, 3), samples=5)
    outcomes = ["passed", "crash", "compile_error", "unsupported", "harness_error"]
    records = [record(o, t, s, cases=["passed", "skipped"]) for t in plan.tasks for s, o in enumerate(outcomes)]
    records.append(record("passed", "t1", 4))
    run = RunFolder.create(tmp_path / "run", plan)
    with run.records_path.open("w") as file:
        file.writelines(r.model_dump_json(by_alias=True) + "\n" for r in records)
        file.write('{"schema": 1, "task": "t0", "half a li')
    assert tally_run(run) == tally(records)
    assert json.loads(score(plan, tally_run(run)).to_json())["tasks"]["t1"] == score(plan, tally(records)).tasks["t1"]


def test_an_empty_run_has_a_score(tmp_path):
    plan = manifest()
    run = RunFolder.create(tmp_path / "run", plan)
    result = score(plan, tally_run(run))
    assert (result.recorded, result.overall.passed) == (0, (0, 1))


@pytest.mark.parametrize(
    ("outcome", "cases", "value"),
    [
        ("no_code", (), 0.0),
        ("compile_error", (), 0.1),
        ("crash", ("crash", "crash"), 0.3),
        ("wrong_values", ("passed", "wrong_values", "skipped"), 0.6),
        ("passed", ("passed", "skipped"), 1.0),
        ("unsupported", ("passed", "unsupported"), None),
        ("harness_error", (), None),
    ],
)
def test_the_reward_goes_up_in_stages(outcome, cases, value):
    assert reward(record(outcome, cases=cases)) == (None if value is None else pytest.approx(value))
