"""The packaged solutions pass their tasks, and each way to break one that a case was written for is caught by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest

import kbench
from kbench.backends.ascend.backend import AscendBackend
from kbench.backends.ascend.references import load
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate, Shapes, Track
from kbench.core.record import Record
from kbench.core.task import Case
from kbench.task_specs import quick_suite

TASKS = quick_suite().tasks
BACKEND = AscendBackend()


def solution(task: str) -> Candidate:
    candidate = load(task)
    assert candidate is not None
    return candidate


def judged(
    task: str,
    candidate: Candidate,
    cases: Sequence[Case],
    track: Track = Track.FULL,
    shapes: Shapes = Shapes.DYNAMIC,
) -> Record:
    settings = Settings(BACKEND.default_target, track=track, shapes=shapes)
    return kbench.evaluate(TASKS[task], candidate, BACKEND, cases=cases, settings=settings)


@pytest.mark.parametrize("task", TASKS)
def test_solution_passes_and_breaks_no_rule(task: str) -> None:
    record = judged(task, solution(task), TASKS[task].cases)
    assert record.outcome == "passed", record.message
    assert not record.findings
    assert not [f for case in record.cases for f in case.findings]


@pytest.mark.parametrize(
    ("track", "shapes"),
    [(Track.FULL, Shapes.STATIC), (Track.KERNEL_ONLY, Shapes.DYNAMIC), (Track.KERNEL_ONLY, Shapes.STATIC)],
)
def test_solution_passes_on_the_other_tracks(track: Track, shapes: Shapes) -> None:
    cases = TASKS["MseLoss"].cases[-1:] if shapes is Shapes.STATIC else TASKS["MseLoss"].cases
    record = judged("MseLoss", solution("MseLoss"), cases, track, shapes)
    assert record.outcome == "passed", record.message


class Mutant(NamedTuple):
    """A solution whose kernel has `instead` where it had `text`, judged on the cases of `dtype` (all where empty)."""

    task: str
    text: str
    instead: str
    outcome: str
    dtype: str = ""


MUTANTS = {
    "only whole blocks are copied out": Mutant(
        "Sqrt",
        "DataCopyPad(yGm[offset], y, bytes);",
        "DataCopy(yGm[offset], y, count / 16 * 16);",
        "unwritten",
        "bfloat16",
    ),
    "whole kilobytes are copied out": Mutant(
        "AddCustom",
        "DataCopyPad(zGm[offset], z, bytes);",
        "DataCopy(zGm[offset], z, (count + 511) / 512 * 512);",
        "rule_violation",  # the next block's bytes
    ),
    "the most negative byte saturates": Mutant("Neg", "Sub(wide, wide, excess, count);", "", "wrong_values", "int8"),
    "words are taken for floats": Mutant(
        "Equal",
        "std::conditional_t<IS_BFLOAT, float, Same>",
        "std::conditional_t<IS_BFLOAT, float, float>",
        "wrong_values",
        "int32",
    ),
    "the high word is the low one": Mutant(
        "Fill", "static_cast<Word>(value >> 32), odd", "static_cast<Word>(value), odd", "wrong_values", "int64"
    ),
    "one mask serves every repeat": Mutant(
        "MulSigmoid", "SELMODE::VSEL_TENSOR_TENSOR_MODE", "SELMODE::VSEL_CMPMASK_SPR", "wrong_values"
    ),
    "the threshold is ignored": Mutant("MulSigmoid", "DoubleFrom(s, factors.t2, count);", "", "wrong_values"),
    "blocks do not wait for each other": Mutant("MseLoss", "SyncAll();", "", "rule_violation", "float32"),
    "the rest of a list is ignored": Mutant(
        "ForeachAbs", "i < tensorNum && start < end", "i < 1", "unwritten", "float16"
    ),
    "the scale is ignored": Mutant(
        "Swish",
        "Muls(denominator, x, -scale, count);",
        "Muls(denominator, x, -1.0f, count);",
        "wrong_values",
        "float16",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_broken_solution_fails(name: str) -> None:
    mutant = MUTANTS[name]
    good = solution(mutant.task)
    path = good.roles["op_kernel"]
    assert mutant.text in good.files[path]
    broken = replace(good, files={**good.files, path: good.files[path].replace(mutant.text, mutant.instead)})
    cases = [c for c in TASKS[mutant.task].cases if mutant.dtype in ("", c.dtypes["T"])]
    record = judged(mutant.task, broken, cases)
    assert record.outcome == mutant.outcome, record.message
