"""No lazy answer passes: each is judged by the very check that judges candidates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kbench.core.cases import Drawn, draw, plan_cases
from kbench.core.check import check
from kbench.core.errors import CheckError
from kbench.core.suite import SuiteTask
from kbench.core.task import Array, Values
from kbench.task_specs import npueval_suite
from tests.task_specs.test_tasks import BUDGET, ENTRIES

#: (expected output, the same output of another seed) → what a lazy kernel leaves there; None where it cannot.
Lazy = Callable[[Array, Array], Array | None]
#: Outputs of at least this many elements must refuse every lazy answer on their own, not only in company.
TELLING = 16


def poison(like: Array) -> Array:
    """What an output holds before anything is written: 0xFF bytes."""
    return np.full(max(like.nbytes, 1), 0xFF, np.uint8)[: like.nbytes].view(like.dtype).reshape(like.shape)


def written(values: Array, count: int) -> Array:
    """The first `count` elements of the right answer; the rest was never written."""
    out = poison(values).reshape(-1)
    out[:count] = values.reshape(-1)[:count]
    return out.reshape(values.shape)


def same(value: float) -> Lazy:
    def answer(expected: Array, other: Array) -> Array | None:
        if not np.isfinite(value) and expected.dtype.kind in "iub":
            return None
        return np.full(expected.shape, value).astype(expected.dtype)

    return answer


def first_element(expected: Array, other: Array) -> Array:
    return np.full(expected.shape, expected.reshape(-1)[0])


def mean(expected: Array, other: Array) -> Array | None:
    if expected.dtype.kind == "b":
        return None
    wide = expected.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    return np.full(expected.shape, finite.mean() if finite.size else 0.0).astype(expected.dtype)


def remembered(expected: Array, other: Array) -> Array:
    return other


def unwritten(expected: Array, other: Array) -> Array:
    return poison(expected)


def half(expected: Array, other: Array) -> Array:
    return written(expected, expected.size // 2)


def all_but_last(expected: Array, other: Array) -> Array:
    return written(expected, expected.size - 1)


def whole_blocks(expected: Array, other: Array) -> Array | None:
    """Only whole 32-byte blocks are copied out, as DataCopy does; no lazy answer where that is all there is."""
    block = 32 // expected.itemsize
    if expected.size % block == 0:
        return None
    return written(expected, expected.size // block * block)


ANSWERS: dict[str, Lazy] = {
    "zeros": same(0.0),
    "ones": same(1.0),
    "nan": same(np.nan),
    "inf": same(np.inf),
    "-inf": same(-np.inf),
    "constant": first_element,
    "mean": mean,
    "remembered": remembered,
    "unwritten": unwritten,
    "half": half,
    "all_but_last": all_but_last,
    "whole_blocks": whole_blocks,
}
#: A constant taken from the reference itself is the definition of a filled tensor, and of an output of one element.
DECLARED_AS = {"constant": "constant", "mean": "constant"}


_DRAWN: dict[int, list[tuple[Drawn, Drawn]]] = {}


def drawn(entry: SuiteTask) -> list[tuple[Drawn, Drawn]]:
    """Every case of the entry within the budget, from two seeds; drawn once for all tests."""
    if id(entry) not in _DRAWN:
        cases = plan_cases(entry, entry.cases, BUDGET).run
        _DRAWN[id(entry)] = [(draw(entry.task, case, 11), draw(entry.task, case, 12)) for case in cases]
    return _DRAWN[id(entry)]


def passes(entry: SuiteTask, right: Drawn, got: Values) -> bool:
    try:
        check(entry.task, right.case, right.inputs, right.expected, got)
    except CheckError:
        return False
    return True


def answered(answer: Lazy, right: Drawn, other: Drawn) -> Values | None:
    got: Values = {}
    for name, expected in right.expected.items():
        known = other.expected[name]
        if isinstance(expected, list) and isinstance(known, list):
            parts = [answer(e, o) for e, o in zip(expected, known, strict=True)]
            if any(p is None for p in parts):
                return None
            got[name] = [p for p in parts if p is not None]
        else:
            assert isinstance(expected, np.ndarray)
            assert isinstance(known, np.ndarray)
            one = answer(expected, known)
            if one is None:
                return None
            got[name] = one
    return got


def size(values: Values) -> int:
    return sum(a.size for v in values.values() for a in (v if isinstance(v, list) else [v]) if a is not None)


@pytest.mark.parametrize("lazy", ANSWERS)
@pytest.mark.parametrize("entry", ENTRIES)
def test_lazy_answer_fails(entry: SuiteTask, lazy: str) -> None:
    if DECLARED_AS.get(lazy) in entry.task.lazy_definition:
        pytest.skip(entry.task.lazy_definition[DECLARED_AS[lazy]])
    refuses(entry, lazy)


@pytest.mark.parametrize("entry", [pytest.param(e, id=n) for n, e in npueval_suite().tasks.items()])
def test_lazy_answers_of_npueval_fail(entry: SuiteTask) -> None:
    for lazy in ANSWERS:
        if DECLARED_AS.get(lazy) not in entry.task.lazy_definition:
            refuses(entry, lazy)
    refuses_copies(entry)
    assert all(passes(entry, right, right.expected) for right, _ in drawn(entry))


def refuses(entry: SuiteTask, lazy: str) -> None:
    verdicts = []
    for right, other in drawn(entry):
        got = answered(ANSWERS[lazy], right, other)
        if got is None:
            continue
        verdict = passes(entry, right, got)
        verdicts.append(verdict)
        telling = size(right.expected) >= TELLING and not entry.task.lazy_definition
        alone = telling and lazy not in ("whole_blocks", "all_but_last", "remembered")
        assert not (verdict and alone), f"{lazy} passes case {right.case.name}"
    assert not verdicts or not all(verdicts), f"{lazy} passes every case"


@pytest.mark.parametrize("entry", ENTRIES)
def test_copy_of_an_input_fails(entry: SuiteTask) -> None:
    refuses_copies(entry)


def refuses_copies(entry: SuiteTask) -> None:
    for tensor in entry.task.inputs:
        if f"copy:{tensor.name}" in entry.task.lazy_definition:
            continue
        assert not all(_copy_passes(entry, right, tensor.name) for right, _ in drawn(entry)), f"a copy of {tensor.name}"


def _copy_passes(entry: SuiteTask, right: Drawn, name: str) -> bool:
    """Whether an output holding the input's values passes; an input of another size is none."""
    value = right.inputs[name]
    got: Values = {}
    for output, expected in right.expected.items():
        if isinstance(value, list) and isinstance(expected, list):
            got[output] = [np.array(v).astype(e.dtype) for v, e in zip(value, expected, strict=True)]
        elif isinstance(value, np.ndarray) and isinstance(expected, np.ndarray) and value.size == expected.size:
            with np.errstate(all="ignore"):
                got[output] = value.astype(expected.dtype).reshape(expected.shape)
        else:
            return False
    return passes(entry, right, got)


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_reference_itself_passes(entry: SuiteTask) -> None:
    for right, _ in drawn(entry):
        assert passes(entry, right, right.expected)
