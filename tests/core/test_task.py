"""What a Task refuses, and what a case says of itself."""

from __future__ import annotations

import dataclasses

import pytest

from kbench.core.task import Attr, Case
from kbench.task_specs import npueval_suite


def test_the_dtype_of_an_attribute_is_one_that_there_is() -> None:
    task = npueval_suite().tasks["add_offset_int8"].task
    assert task.attrs == (Attr("offset", "int", -11, "int8"),)
    with pytest.raises(ValueError, match="attribute offset is of 'i8', which is no dtype"):
        dataclasses.replace(task, attrs=(Attr("offset", "int", -11, "i8"),))


def test_a_case_tells_what_its_inputs_are_for() -> None:
    assert Case("a", {"x": (4,)}, attrs={"n": 2}, about="ties").describe() == "x=(4,); n=2; ties"
    assert Case("a", {"x": (4,)}).describe() == "x=(4,)"
