"""Reading operator registrations."""

from __future__ import annotations

import io
import os
import tokenize
from pathlib import Path

import pytest

from kbench.core.errors import ConfigError
from kbench.importers import abi
from kbench.importers.abi import dtype_row, layout_of, refusal
from kbench.importers.op_def import OpDef, parse_op_def
from tests.importers.checkout import HOST, TASKS


def op(place: str) -> OpDef:
    task = TASKS[place]
    name = place.rpartition("/")[2]
    return parse_op_def(HOST.format(name=name, body=task["op"], helpers=task.get("helpers", "")), "here")


def test_names_kinds_and_attributes() -> None:
    found = op("level1/Demo/ScaleShift")
    assert found.name == "ScaleShift"
    assert [(i.name, i.kind, i.dtypes) for i in found.inputs] == [
        ("x", "required", ("float16", "float32")),
        ("shift", "optional", ("float16", "float32")),
    ]
    assert [(a.name, a.type, a.default) for a in found.attrs] == [("scale", "float", 1.0)]
    assert op("level3/Demo/AddInto").attrs[0].default == []


def test_dtype_columns_that_are_computed() -> None:
    found = op("level2/Demo/ListStep")
    assert found.inputs[0].kind == "dynamic"
    assert (found.inputs[1].scalar, found.inputs[1].dtypes) == ("one", ("float16", "float32", "float32"))


def test_a_file_without_a_registration_is_refused() -> None:
    with pytest.raises(ConfigError, match="nowhere: no operator is registered"):
        parse_op_def("int x = 3;", "nowhere")


def test_an_unknown_dtype_is_named() -> None:
    with pytest.raises(ConfigError, match="here: x: dtype DT_STRING"):
        parse_op_def(
            HOST.format(name="Op", helpers="", body='this->Input("x").ParamType(REQUIRED).DataType({ge::DT_STRING});'),
            "here",
        )


def test_layout_inputs_attributes_then_new_outputs() -> None:
    found = op("level3/Demo/AddInto")
    layout = layout_of(found)
    assert layout.names == ("acc", "x", "axes", "positive")
    assert layout.outputs(found) == [0, 3]
    assert refusal(found, layout, "aclnnAddInto", 4) is None
    assert "entry point" in str(refusal(found, layout, "aclnnOther", 4))
    assert "passes 3 arguments" in str(refusal(found, layout, "aclnnCustomOp", 3))


def test_dtype_row_fits_what_is_passed() -> None:
    found = op("level2/Demo/ListStep")
    assert dtype_row(found, {"x": "bfloat16", "step": None}) == 2
    assert dtype_row(found, {"x": "float64", "step": None}) is None
    flags = op("level3/Demo/AddInto")
    assert dtype_row(flags, {"acc": "int32", "x": "int32", "positive": "bool"}) == 1


@pytest.mark.skipif("KBENCH_UPSTREAM" not in os.environ, reason="KBENCH_UPSTREAM names no checkout of NPUKernelBench")
def test_every_registration_of_the_real_benchmark() -> None:
    files = sorted(Path(os.environ["KBENCH_UPSTREAM"]).glob("tasks/*/*/*/question/op_host/*.cpp"))
    assert len(files) == 157
    for file in files:
        found = parse_op_def(file.read_text(), str(file))
        assert len({len(a.dtypes) for a in (*found.inputs, *found.outputs)}) == 1, file


@pytest.mark.skipif("KBENCH_UPSTREAM" not in os.environ, reason="KBENCH_UPSTREAM names no checkout of NPUKernelBench")
def test_operators_are_named_in_the_table_of_exceptions_only() -> None:
    names = {p.name for p in Path(os.environ["KBENCH_UPSTREAM"]).glob("tasks/*/*/*")}
    for file in Path(abi.__file__).parent.glob("*.py"):
        tokens = {t.string for t in tokenize.generate_tokens(io.StringIO(file.read_text()).readline)}
        words = {t.strip("\"'") for t in tokens}
        assert words & names == (set(abi.EXCEPTIONS) if file.name == "abi.py" else set()), file
