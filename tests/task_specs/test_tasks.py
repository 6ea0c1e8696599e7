"""What every built-in task must be: deterministic, pure, of the declared shapes and dtypes, and of distinct cases."""

from __future__ import annotations

import numpy as np
import pytest

from kbench.core.cases import arrays, draw, plan_cases
from kbench.core.suite import SuiteTask
from kbench.core.task import Case, Shapes, Task, Value, dtype_name, elements
from kbench.task_specs import npukernelbench_suite, quick_suite

SUITES = {suite.name: suite for suite in (quick_suite(), npukernelbench_suite())}
#: Cases that the lints draw: the budget keeps a test run short.
BUDGET = 2**18
CASES = [
    pytest.param(entry.task, case, id=f"{suite.name}/{name}/{case.name}")
    for suite in SUITES.values()
    for name, entry in suite.tasks.items()
    for case in plan_cases(entry, entry.cases, BUDGET).run
]
ENTRIES = [
    pytest.param(entry, id=f"{suite.name}/{name}") for suite in SUITES.values() for name, entry in suite.tasks.items()
]


def test_twelve_tasks_on_two_levels() -> None:
    for suite in SUITES.values():
        assert len(suite.tasks) == 12
        assert {entry.task.level for entry in suite.tasks.values()} == {1, 2}


@pytest.mark.parametrize(("task", "case"), CASES)
def test_deterministic_and_pure(task: Task, case: Case) -> None:
    first, again, other = draw(task, case, 5), draw(task, case, 5), draw(task, case, 6)
    for values, repeated in ((first.inputs, again.inputs), (first.expected, again.expected)):
        for a, b in zip(arrays(values), arrays(repeated), strict=True):
            assert a.tobytes() == b.tobytes()
    changed = [a.tobytes() != b.tobytes() for a, b in zip(arrays(first.inputs), arrays(other.inputs), strict=True)]
    assert any(changed) or case.dtypes.get("T") == "bool"


@pytest.mark.parametrize(("task", "case"), CASES)
def test_declared_shapes_and_dtypes_hold(task: Task, case: Case) -> None:
    drawn = draw(task, case, 5)
    assert set(drawn.inputs) == {t.name for t in task.inputs}
    assert set(drawn.expected) == {t.name for t in task.outputs}
    for tensor in task.inputs:
        _matches(drawn.inputs[tensor.name], case.shapes[tensor.name], task.dtype_of(tensor, case))
    shapes = task.out_shapes(case, drawn.inputs)
    for tensor in task.outputs:
        _matches(drawn.expected[tensor.name], shapes[tensor.name], task.dtype_of(tensor, case))
        task.tolerance_of(tensor.name, task.dtype_of(tensor, case))


def _matches(value: Value, shapes: Shapes, dtype: str) -> None:
    given = value if isinstance(value, list) else [value]
    wanted = shapes if isinstance(shapes, list) else [shapes]
    assert isinstance(value, list) == isinstance(shapes, list)
    for array, shape in zip(given, wanted, strict=True):
        assert isinstance(array, np.ndarray)
        assert array.shape == shape
        assert dtype_name(array.dtype) == dtype


@pytest.mark.parametrize("entry", ENTRIES)
def test_cases_are_distinct_and_cover_every_dtype_row(entry: SuiteTask) -> None:
    names = [case.name for case in entry.cases]
    assert len(set(names)) == len(names)
    rows = {tuple(sorted(row.items())) for row in entry.task.dtypes}
    assert {tuple(sorted(case.dtypes.items())) for case in entry.cases} == rows
    attrs = {a.name for a in entry.task.attrs}
    for case in entry.cases:
        assert set(case.attrs) <= attrs
        assert None not in entry.task.attr_values(case).values()


@pytest.mark.parametrize("entry", ENTRIES)
def test_output_shapes_need_no_draw(entry: SuiteTask) -> None:
    for case in entry.cases:
        assert elements(case, entry.task.out_shapes(case, {})) > 0


@pytest.mark.parametrize("entry", [pytest.param(e, id=n) for n, e in SUITES["quick"].tasks.items()])
def test_quick_is_small(entry: SuiteTask) -> None:
    assert 3 <= len(entry.cases) <= 8
    assert all(elements(case, entry.task.out_shapes(case, {})) <= 2**18 for case in entry.cases)


@pytest.mark.parametrize("entry", ENTRIES)
def test_some_case_has_a_tail_and_some_case_many_blocks(entry: SuiteTask) -> None:
    sizes = [elements(case, entry.task.out_shapes(case, {})) for case in entry.cases]
    inputs = [elements(case, {}) for case in entry.cases]
    assert any(size % 2 for size in (*sizes, *inputs))
    assert max(sizes) >= 2**15


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_task_says_what_it_is(entry: SuiteTask) -> None:
    task = entry.task
    assert task.summary.endswith(".")
    assert task.formula
    assert task.category
    for table in task.tolerance.values():
        for tolerance in table.values():
            assert len(tolerance.reason) > 10
