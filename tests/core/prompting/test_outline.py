"""The head of a file to fill in: an example that is cut from drawn inputs, and every size and value."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from kbench import Attr, Case, Task, Tensor, Tolerance
from kbench.core.prompting.outline import example, outline
from kbench.task_specs import npueval_suite, quick_suite

OURS, QUICK = npueval_suite().tasks, quick_suite().tasks


def of(name: str) -> tuple[Task, Case]:
    entry = (OURS | QUICK)[name]
    return entry.task, entry.cases[0]


def test_an_example_is_a_call_on_the_front_and_its_result() -> None:
    call, result = example(*of("negate_int8")).splitlines()
    numbers = json.loads(call.removeprefix(">>> negate_int8(").removesuffix(")"))
    assert len(numbers) == 8
    assert json.loads(result) == [-n if n > -128 else n for n in numbers]


def test_of_a_matrix_it_is_the_corner() -> None:
    call, result = example(*of("matmul_16x16_int8")).splitlines()
    a, b = json.loads("[" + call.removeprefix(">>> matmul_16x16_int8(").removesuffix(")") + "]")
    assert json.loads(result)[1][2] == max(-128, min(127, sum(x * row[2] for x, row in zip(a[1], b, strict=True))))


def test_there_is_none_where_the_parts_do_not_belong_together() -> None:
    assert example(*of("vectormatrix_mult_int32")) == ""
    assert ">>>" not in outline(*of_all("vectormatrix_mult_int32"))


def of_all(name: str) -> tuple[Task, tuple[Case, ...]]:
    entry = (OURS | QUICK)[name]
    return entry.task, entry.cases


@pytest.mark.parametrize("name", QUICK)
def test_tasks_of_every_kind_have_an_outline(name: str) -> None:
    """Tensor lists, several outputs, axes by the dozen: no example is longer than a few lines of numbers."""
    text = outline(*of_all(name))
    assert text.startswith(QUICK[name].task.summary)
    assert all(f"{t.name} size: " in text for t in QUICK[name].task.tensors)
    assert len(text) < 4500


def test_sizes_and_values_of_all_cases() -> None:
    text = outline(*of_all("add_offset_uint8"))
    assert text.endswith("in_buffer size: 1024\nout_buffer size: 1024\noffset: 2, 128, 255")
    assert outline(*of_all("ForeachAbs")).count("[") >= 2


def behavior(case: Case, inputs: dict) -> dict:
    if inputs["z"] is not None:
        return {"y": inputs["x"] + inputs["z"], "n": np.int32(case.shapes["x"][0])}
    return {"y": inputs["x"] * np.float32(case.attrs["scale"]), "n": np.int32(case.shapes["x"][0])}


SCALE = Task(
    name="scale",
    summary="Scales.",
    tensors=(Tensor("x", dtype="bfloat16"), Tensor("z", dtype="bfloat16", optional=True),
             Tensor("y", "out", dtype="bfloat16"), Tensor("n", "out", dtype="int32")),
    attrs=(Attr("scale", "float", dtype="bfloat16"), Attr("mode", "str", "up")),
    dtypes=({},),
    behavior=behavior,
    out_shapes=lambda case, inputs: {"y": case.shapes["x"], "n": ()},
    draw=lambda case, rng: {"x": rng.normal(size=20).astype(np.float32), "z": None},
    tolerance={"*": {"*": Tolerance(0, 0, "none")}},
)  # fmt: skip


def test_absent_tensors_parameters_by_their_type_and_several_outputs() -> None:
    case = Case("c", {"x": (20,), "z": None}, attrs={"scale": -0.1884765625})
    call, result = example(SCALE, case).splitlines()
    assert call.endswith("], None, -0.188477, 'up')")  # a bfloat16 as its own type prints it
    assert result.endswith("], 8")  # the case that the model sees has the parts' shapes
    assert outline(SCALE, [case]).endswith(
        "x size: 20\nz size: absent\ny size: 20\nn size: 1\nscale: -0.1884765625\nmode: up"
    )


def test_shapes_that_depend_on_values_are_left_out() -> None:
    task = dataclasses.replace(SCALE, out_shapes=lambda case, inputs: {"y": inputs["x"].shape, "n": ()})
    text = outline(task, [Case("c", {"x": (20,), "z": None}, attrs={"scale": 1.0})])
    assert "x size: 20" in text
    assert "y size" not in text
