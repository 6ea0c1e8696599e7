"""Which cases run, and from which seeds."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from fake_plugin import make_case, make_entry, make_task

from kbench import SuiteTask
from kbench.core.cases import CaseBank, case_elements, case_seed, draw, plan_cases, select_cases
from kbench.core.errors import ConfigError, HarnessError


def test_seeds_tell_names_and_runs_apart():
    parts = [(0, "s", "t", "c"), (1, "s", "t", "c"), (0, "s2", "t", "c"), (0, "s", "t2", "c"), (0, "s", "t", "c2")]
    assert len({case_seed(*p) for p in [*parts, (0, "st", "", "c"), (0, "s", "t", "c")]}) == 6
    assert all(0 <= case_seed(*p) < 2**63 for p in parts)


def test_the_budget_counts_inputs_and_outputs():
    plan = plan_cases(make_entry(), make_entry().cases, 30)
    assert [c.name for c in plan.run] == ["small", "odd"]
    assert plan.skipped == {"large": "size: 8,192 elements, at most 30"}
    assert [c.name for c in plan_cases(make_entry(), make_entry().cases, 29).run] == ["small"]


def test_cases_that_nobody_can_run_are_shown():
    entry = dataclasses.replace(make_entry(), invalid={"13": "its row is missing"})
    assert plan_cases(entry, entry.cases, 10**6).skipped == {"13": "invalid: its row is missing"}
    nothing = dataclasses.replace(entry, cases=())
    assert plan_cases(nothing, (), 10**6).run == ()


def test_shapes_that_depend_on_values_are_counted_from_the_inputs():
    task = dataclasses.replace(make_task(), out_shapes=lambda case, inputs: {"y": inputs["x"].shape})
    assert case_elements(task, make_case("a", 5), 100) == 10
    assert case_elements(task, make_case("a", 500), 100) == 500  # more than enough already: nothing is drawn


def test_drawn_arrays_are_read_only_and_repeat():
    one, two = (draw(make_task(), make_case("a", 3, 4), 7) for _ in range(2))
    assert np.array_equal(one.inputs["x"], two.inputs["x"])
    assert one.nbytes == 2 * 12 * 4
    with pytest.raises(ValueError, match="read-only"):
        one.inputs["x"][0] = 1


def test_a_reference_without_an_output_is_ours():
    task = dataclasses.replace(make_task(), behavior=lambda case, inputs: {})
    with pytest.raises(HarnessError, match="gives no output y"):
        draw(task, make_case("a", 3), 0)


def test_the_bank_keeps_what_fits():
    calls = []

    def behavior(case, inputs):
        calls.append(case.name)
        return {"y": np.abs(inputs["x"])}

    entry = SuiteTask(dataclasses.replace(make_task(), behavior=behavior), tuple(make_case(n, 100) for n in "abcd"))
    bank = CaseBank(limit_bytes=2000)
    bank.prepare("s", entry, entry.cases, 0)
    assert calls == ["a", "b"]  # half of the room, and then one more
    for case in (*entry.cases, entry.cases[-1]):
        bank.get("s", entry, case, 0)
    assert calls == ["a", "b", "c", "d"]
    bank.get("s", entry, entry.cases[0], 0)
    assert calls == ["a", "b", "c", "d", "a"]


def test_cases_by_name_and_by_number():
    entry = make_entry()
    assert [c.name for c in select_cases(entry, ["large", "small"])] == ["small", "large"]
    assert [c.name for c in select_cases(entry, [":1", "large"])] == ["small", "large"]
    with pytest.raises(ConfigError, match="did you mean 'large'"):
        select_cases(entry, ["larg"])
    with pytest.raises(ConfigError, match="no case of task 'absolute' is selected by :0"):
        select_cases(entry, [":0"])
