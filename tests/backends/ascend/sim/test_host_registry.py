"""The definition as the operator's build would read it: rows, defaults, tiling structures, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from kbench.backends.ascend.sim.host_registry import Registry, read_registry
from kbench.core.errors import CompileError

FLOAT, HALF, INT32, BF16 = 0, 1, 3, 27


def param(name: str, types: list[int] | None = None, **more: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": name,
        "kind": 2,
        "types": types or [],
        "type_list": [],
        "formats": [],
        "format_list": [],
        "unknown_formats": [],
        "follow": "",
        "value_depend": False,
        "scalar": False,
        "scalar_list": False,
        "shape_on_compute": False,
    }
    return entry | more


def dump(inputs: list[dict[str, Any]], outputs: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    op: dict[str, Any] = {
        "type": "Demo",
        "inputs": inputs,
        "outputs": outputs or [],
        "attrs": [],
        "configs": [{"soc": "ascend910b"}],
        "tiling": True,
    }
    whole: dict[str, Any] = {"ops": [op | more], "impls": [], "structs": [], "tiling_classes": []}
    return whole


def read(*args: Any, **more: Any) -> Registry:
    return read_registry(dump(*args, **more), "ascend910b")


def refusal(whole: dict[str, Any], soc: str = "ascend910b") -> str:
    with pytest.raises(CompileError) as caught:
        read_registry(whole, soc)
    assert caught.value.outcome == "registration_error"
    return str(caught.value)


def test_data_types_are_zipped_by_position() -> None:
    registry = read([param("x", [HALF, FLOAT]), param("n", [INT32, INT32])], [param("y", [HALF, FLOAT])])
    assert registry.rows == (("float16", "int32", "float16"), ("float32", "int32", "float32"))


def test_a_data_type_list_is_combined_with_every_row() -> None:
    registry = read([param("x", [HALF, FLOAT]), param("n", type_list=[INT32, 9])])
    assert registry.rows == (
        ("float16", "int32"),
        ("float16", "int64"),
        ("float32", "int32"),
        ("float32", "int64"),
    )


def test_an_argument_follows_another() -> None:
    registry = read([param("x", [HALF, BF16])], [param("y", follow="x"), param("z", follow="y")])
    assert registry.rows == (("float16",) * 3, ("bfloat16",) * 3)


def test_following_in_a_circle_is_refused() -> None:
    message = refusal(dump([param("x", follow="y")], [param("y", follow="x")]))
    assert "which is no other argument" in message


def test_lists_of_different_lengths_are_refused() -> None:
    message = refusal(dump([param("x", [HALF, FLOAT]), param("n", [INT32])]))
    assert message == ("Demo: input n: DataType has 1 entries, DataType of input x has 2; lists are zipped by position")


def test_formats_count_like_data_types() -> None:
    assert "Format has 1 entries" in refusal(dump([param("x", [HALF, FLOAT], formats=[2])]))


def test_an_argument_without_data_type_is_refused() -> None:
    assert refusal(dump([param("x")])) == "Demo: input x has no DataType"


def test_a_host_without_an_operator_is_refused() -> None:
    message = refusal({"ops": [], "impls": [], "structs": [], "tiling_classes": []})
    assert message == "the host side registers no operator: OP_ADD is missing"


def test_the_asked_operator_must_be_there() -> None:
    with pytest.raises(CompileError, match="must register Other; it registers Demo"):
        read_registry(dump([param("x", [HALF])]), "ascend910b", "Other")


def test_the_chip_must_be_configured() -> None:
    message = refusal(dump([param("x", [HALF])]), "ascend910_93")
    assert message == "Demo: AICore().AddConfig names no ascend910_93; there are: ascend910b"


def test_a_chip_s_own_definition_replaces_the_general_one() -> None:
    configs = [{"soc": "ascend310p"}, {"soc": "ascend910b", "inputs": [param("x", [BF16])], "outputs": []}]
    registry = read([param("x", [HALF], kind=1)], [param("y", [HALF])], configs=configs)
    assert registry.rows == (("bfloat16", "float16"),)


def attr(kind: str, **more: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": "a",
        "type": kind,
        "required": False,
        "has_default": True,
        "integers": [],
        "float_bits": [],
        "text": "",
    }
    return entry | more


@pytest.mark.parametrize(
    ("entry", "default"),
    [
        (attr("int", integers=[-3]), -3),
        (attr("bool", integers=[1]), True),
        (attr("float", float_bits=[0x3F000000]), 0.5),
        (attr("str", text="mean"), "mean"),
        (attr("list_int", integers=[1, 2]), [1, 2]),
        (attr("list_bool", integers=[1, 0]), [True, False]),
        (attr("list_float", float_bits=[0x3F800000]), [1.0]),
        (attr("int", has_default=False), None),
    ],
)
def test_attributes_keep_type_and_default(entry: dict[str, Any], default: Any) -> None:
    (found,) = read([param("x", [HALF])], attrs=[entry]).attrs
    assert (found.type, found.default) == (entry["type"], default)
    assert type(found.default) is type(default)


def test_an_attribute_without_type_is_refused() -> None:
    assert "attribute a has no type" in refusal(dump([param("x", [HALF])], attrs=[attr("")]))


def test_rows_are_found_by_argument() -> None:
    registry = read([param("x", [HALF, FLOAT])], [param("y", [FLOAT, FLOAT])])
    assert registry.row_for({"x": "float32"}) == ("float32", "float32")
    with pytest.raises(CompileError, match="no row of DataType serves x bfloat16"):
        registry.row_for({"x": "bfloat16"})


def test_in_place_outputs_carry_an_input_s_name() -> None:
    registry = read([param("x", [HALF])], [param("x", [HALF]), param("y", [HALF])])
    assert [p.name for p in registry.output_only] == ["y"]


def test_a_tiling_key_may_have_its_own_structure() -> None:
    whole = dump([param("x", [HALF])])
    whole["tiling_classes"] = [
        {"op": "Demo", "struct": "Common"},
        {"op": "Demo_12", "struct": "Special"},
        {"op": "PartOp", "struct": "Part"},
    ]
    registry = read_registry(whole, "ascend910b")
    assert registry.default_struct == "Common"
    assert registry.key_structs == {12: "Special"}


def test_values_are_read_where_the_definition_says_so() -> None:
    whole = dump([param("x", [HALF]), param("n", [INT32], value_depend=True), param("m", [INT32])])
    whole["impls"] = [{"type": "Demo", "tiling": True, "reads": [2]}]
    assert [p.host_read for p in read_registry(whole, "ascend910b").inputs] == [False, True, True]


def test_the_format_is_nd_where_the_definition_takes_it() -> None:
    nchw, nd, ncdhw, nz = 0, 2, 30, 29
    registry = read([param("x", [HALF] * 3, formats=[nz, nchw, nd]), param("z", [HALF] * 3, formats=[nz, nchw, ncdhw])])
    assert [[p.format_of(rank) for rank in (1, 4, 5)] for p in registry.inputs] == [[nd, nd, nd], [nz, nchw, ncdhw]]
    assert read([param("x", [HALF])]).inputs[0].format_of(4) == nd


def test_initial_values_of_outputs_are_bytes() -> None:
    types = [0, 2]
    registry = read([param("x", types)], [param("y", types, initial=["0000803f", "01"]), param("z", types)])
    assert [p.initial for p in registry.outputs] == [(b"\x00\x00\x80\x3f", b"\x01"), ()]
