"""One kernel call, as the reference server describes it, and the operator's arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kbench.importers import abi
from kbench.importers.op_def import Argument, OpDef
from kbench.importers.reference_server import ReferenceError

Json = dict[str, Any]


def bind(op: OpDef, layout: abi.Layout, call: Json) -> Json:
    """Shapes, dtypes and attributes of a case from the kernel call.

    Raises:
        ReferenceError: the call does not fit the operator.
    """
    arguments = call["args"]
    wrong = abi.refusal(op, layout, call["api"], len(arguments))
    if wrong:
        raise ReferenceError(wrong)
    given = dict(zip(layout.names, arguments, strict=True))
    row = abi.dtype_row(op, {name: dtype_of(value) for name, value in given.items()}, layout.special.cast)
    if row is None:
        passed = ", ".join(f"{a.name} {dtype_of(given.get(a.name)) or '-'}" for a in op.inputs)
        raise ReferenceError(f"no dtype row of {op.name} takes {passed}")
    given |= {n: given[like] for n, (_, like) in layout.special.fill.items() if given[n]["kind"] == "none"}
    covered = {layout.names[position] for position, _ in call["covered"]}
    written = {o.name for o in op.outputs}
    back = {layout.names[p] for p in call["returned"]} & {i.name for i in op.inputs}
    outputs = [*(o.name for o in op.outputs), *sorted(back - written)]
    return {
        "row_index": row,
        "shapes": {a.name: shapes_of(a, given.get(a.name)) for a in op.inputs},
        "out_shapes": {n: shapes_of(argument_of(op, n), given[n]) for n in outputs if n in given},
        "attrs": attrs_of(op, layout, given),
        "in_place": sorted(back | (written & {i.name for i in op.inputs})),
        "unchecked": [n for n in outputs if n not in covered],
        "whole": call["whole"],
        "zeroed": sorted(layout.names[position] for position in call["zeroed"]),
    }


def argument_of(op: OpDef, name: str) -> Argument:
    return next(a for a in (*op.outputs, *op.inputs) if a.name == name)


def dtype_of(value: Json | None) -> str | None:
    """The dtype of a tensor or of the tensors of a list; None for numbers and what is absent."""
    if value is None or value["kind"] not in ("tensor", "list"):
        return None
    if value["kind"] == "tensor":
        return str(value["dtype"])
    return dtype_of(value["items"][0]) if value["items"] else None


def shapes_of(argument: Argument, value: Json | None) -> Any:
    """A shape, a list of shapes, or None. Numbers reach the kernel as a tensor of one dimension."""
    if value is None or value["kind"] == "none":
        return None
    if value["kind"] == "tensor":
        return [value["shape"]] if argument.kind == "dynamic" else value["shape"]
    if value["kind"] == "list":
        if argument.kind == "dynamic":
            return [item["shape"] for item in value["items"]]
        return [len(value["items"])]
    return [1]


def attrs_of(op: OpDef, layout: abi.Layout, given: Mapping[str, Json]) -> Json:
    """The attributes of a call, in the operator's types; those that it does not pass are left out."""
    found: Json = {}
    for attr in op.attrs:
        value = plain(given.get(attr.name))
        value = layout.special.values.get(attr.name, {}).get(value, value) if not isinstance(value, list) else value
        if value is not None:
            found[attr.name] = _typed(attr.type, value)
    return found


def plain(value: Json | None) -> Any:
    """The value of a number, word or list of numbers in the call; None where it is absent."""
    if value is None or value["kind"] == "none":
        return None
    if value["kind"] == "list":
        return [plain(v) for v in value["items"]]
    if value["kind"] == "tensor":
        raise ReferenceError("the wrapper passes a tensor where the operator takes an attribute")
    return value["value"]


def _typed(kind: str, value: Any) -> Any:
    one = {"int": int, "float": float, "bool": bool, "str": str}
    if kind in one:
        return one[kind](value)
    return [one[kind.removeprefix("list_")](v) for v in value]
