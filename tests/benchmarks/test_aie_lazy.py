"""Lazy kernels: what they are, and that the committed outcomes leave none that passes."""

from __future__ import annotations

import json

import pytest

from benchmarks.aie_lazy import ANSWERS, LEDGER, judged, kernel
from kbench.task_specs import npueval_suite

TASKS = npueval_suite().tasks


def test_no_lazy_answer_of_any_task_passed() -> None:
    ledger = json.loads(LEDGER.read_text())
    assert set(ledger) == set(TASKS)
    for name, found in ledger.items():
        assert set(found) == {a for a in ANSWERS if kernel(TASKS[name], a) is not None}
        assert "passed" not in found.values()
        assert not {"compile_error", "harness_error", "unsupported", "crash"} & set(found.values()), name


@pytest.mark.parametrize("name", ["relu_int8", "dotproduct_bfloat16", "log2_bfloat16"])
def test_they_are_judged_as_the_ledger_says(name: str) -> None:
    ledger = json.loads(LEDGER.read_text())[name]
    for answer in ("nothing", "zeros", "remembered", "all but the last"):
        if answer in ledger:
            assert judged(TASKS[name], answer, "npu2") == ledger[answer]


def test_declared_definitions_are_no_lazy_answers() -> None:
    assert kernel(TASKS["cast_int8_to_int32"], "first input") is None
    assert kernel(TASKS["relu_int8"], "first input") is not None
    assert kernel(TASKS["relu_int8"], "second input") is None
    assert kernel(TASKS["relu_int8"], "inf") is None
