"""What a host program registers: the operator's definition and its tiling structures, read from the program's own dump.

The definition is checked as the operator's build would: an operator that could not be built is a `registration_error`.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kbench.core.errors import CompileError

#: dtype name of kbench → code of ge::DataType. Those that no task uses keep the enumerator's name.
GE_CODES = {
    "float32": 0,
    "float16": 1,
    "int8": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 6,
    "uint16": 7,
    "uint32": 8,
    "int64": 9,
    "uint64": 10,
    "float64": 11,
    "bool": 12,
    "DT_STRING": 13,
    "complex64": 16,
    "complex128": 17,
    "DT_QINT8": 18,
    "DT_QINT16": 19,
    "DT_QINT32": 20,
    "DT_QUINT8": 21,
    "DT_QUINT16": 22,
    "bfloat16": 27,
    "DT_UNDEFINED": 28,
    "int4": 29,
    "DT_UINT1": 30,
    "DT_INT2": 31,
    "complex32": 33,
}
_NAMES = {code: name for name, code in GE_CODES.items()}
_KINDS = {1: "optional", 2: "required", 3: "dynamic"}
_NCHW, _ND, _NCDHW, _NCL = 0, 2, 30, 47  # codes of ge::Format

#: kbench type of an attribute → its value where neither the case nor the definition gives one.
ZERO: dict[str, Any] = {
    "bool": False,
    "int": 0,
    "float": 0.0,
    "str": "",
    "list_bool": [],
    "list_int": [],
    "list_float": [],
}


@dataclass(frozen=True)
class Param:
    """An input or output of the definition.

    Args:
        kind: `required`, `optional` (may be absent) or `dynamic` (a list of tensors).
        host_read: the tiling function sees the values.
        formats: codes of ge::Format that the definition takes, in order.
        shape_on_compute: an output whose shape the kernel decides; it writes the shapes of these to a parameter of
            their own, behind the outputs.
        initial: bytes that are repeated over an output before the kernel starts, where the tiling function asks for it
            (SetNeedAtomic): one value, or one for each of its types in order; none where it is left as it is.
    """

    name: str
    kind: str
    host_read: bool
    formats: tuple[int, ...]
    shape_on_compute: bool = False
    initial: tuple[bytes, ...] = ()

    def format_of(self, rank: int) -> int:
        """The format of a tensor of that many dims: ND where the definition takes it, else what PyTorch's tensors of
        that rank have (NCL, NCHW, NCDHW), else the definition's first."""
        usual = {3: _NCL, 4: _NCHW, 5: _NCDHW}.get(rank, _ND)
        return next((f for f in (_ND, usual) if f in self.formats), self.formats[0])


@dataclass(frozen=True)
class AttrDef:
    """An attribute of the definition; `type` as in `kbench.core.task.Attr`, `default` None where there is none."""

    name: str
    type: str
    required: bool
    default: Any


@dataclass(frozen=True)
class Field:
    """A field of tiling data: `count` 0 is a single value, `struct` names the structure of a nested one."""

    name: str
    type: str
    count: int
    offset: int
    bytes: int
    struct: str = ""


@dataclass(frozen=True)
class Struct:
    """A tiling structure; every field at its offset, `bytes` a multiple of 8."""

    name: str
    bytes: int
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Registry:
    """The operator as its host side registers it.

    Args:
        rows: the dtypes that one kernel build serves, one tuple for each row: inputs in order, then outputs.
        structs: tiling structures, nested ones first.
        tiling_classes: registered name (`Add`, `Add_1000`, or the made-up name of a nested structure) → structure.
    """

    op: str
    inputs: tuple[Param, ...]
    outputs: tuple[Param, ...]
    attrs: tuple[AttrDef, ...]
    rows: tuple[tuple[str, ...], ...]
    structs: tuple[Struct, ...]
    tiling_classes: Mapping[str, str]
    has_tiling: bool
    infers: bool = False

    @property
    def default_struct(self) -> str | None:
        """The structure that GET_TILING_DATA reads where no tiling key has its own."""
        return self.tiling_classes.get(self.op)

    @property
    def key_structs(self) -> dict[int, str]:
        """Tiling key → its own structure (REGISTER_TILING_DATA_CLASS of `Op_KEY`)."""
        prefix = f"{self.op}_"
        named = ((name.removeprefix(prefix), struct) for name, struct in self.tiling_classes.items())
        return {int(key): struct for key, struct in named if key.isdecimal()}

    @property
    def output_only(self) -> tuple[Param, ...]:
        """Outputs that are not in place: those that do not carry an input's name."""
        taken = {p.name for p in self.inputs}
        return tuple(p for p in self.outputs if p.name not in taken)

    def row_for(self, dtypes: Mapping[str, str]) -> tuple[str, ...]:
        """The first row that holds these dtypes (argument name → dtype; arguments left out may have any).

        Raises:
            CompileError: `registration_error`; no kernel would be built for the case.
        """
        names = [p.name for p in (*self.inputs, *self.outputs)]
        for row in self.rows:
            if all(dtypes.get(name, dtype) == dtype for name, dtype in zip(names, row, strict=True)):
                return row
        wanted = ", ".join(f"{name} {dtype}" for name, dtype in dtypes.items())
        listed = "; ".join(", ".join(row) for row in self.rows[:12]) + ("; …" if len(self.rows) > 12 else "")
        raise refused(f"{self.op}: no row of DataType serves {wanted}; the rows of ({', '.join(names)}) are: {listed}")

    def tiling_json(self) -> dict[str, Any]:
        """What `tiling_header` needs to declare the structures in the kernel, as plain data."""
        structs = [{"name": s.name, "fields": [_field_json(f) for f in s.fields]} for s in self.structs]
        return {"structs": structs, "default": self.default_struct or ""}


def _field_json(field: Field) -> dict[str, Any]:
    plain = {"name": field.name, "count": field.count, "offset": field.offset, "bytes": field.bytes}
    if field.struct:
        return plain | {"type": field.struct, "struct": field.struct}
    return plain | {"type": field.type}


def refused(message: str) -> CompileError:
    """The definition cannot be built, or not for this task."""
    return CompileError(message, outcome="registration_error", component="host")


def read_registry(dump: Mapping[str, Any], soc: str, wanted: str = "") -> Registry:
    """The registry of one operator from a host program's dump.

    Args:
        soc: the chip's name in AddConfig, `ascend910b` or `ascend910_93`.
        wanted: the operator's name; where empty there must be exactly one.

    Raises:
        CompileError: `registration_error` with what the operator's build would refuse.
    """
    op = _pick(dump["ops"], wanted)
    name = op["type"]
    config = _config(op, soc)
    inputs = _override(op["inputs"], config.get("inputs", []))
    outputs = _override(op["outputs"], config.get("outputs", []))
    impl: Mapping[str, Any] = next((i for i in dump["impls"] if i["type"] == name), {})
    reads = impl.get("reads", [])
    return Registry(
        op=name,
        inputs=tuple(_param(p, i in reads) for i, p in enumerate(inputs)),
        outputs=tuple(_param(p, False) for p in outputs),
        attrs=tuple(_attr(name, a) for a in op["attrs"]),
        rows=_rows(name, inputs, outputs),
        structs=tuple(_struct(s) for s in dump["structs"]),
        tiling_classes={c["op"]: c["struct"] for c in dump["tiling_classes"]},
        has_tiling=op["tiling"] or impl.get("tiling", False),
        infers=op.get("inference", False) or impl.get("inference", False),
    )


def _pick(ops: Sequence[Mapping[str, Any]], wanted: str) -> Mapping[str, Any]:
    if not ops:
        raise refused("the host side registers no operator: OP_ADD is missing")
    named = [op for op in ops if op["type"] == wanted] if wanted else ops
    if len(named) != 1:
        listed = ", ".join(op["type"] for op in ops)
        raise refused(f"the host side must register {wanted or 'one operator'}; it registers {listed}")
    return named[0]


def _config(op: Mapping[str, Any], soc: str) -> Mapping[str, Any]:
    found = next((c for c in op["configs"] if c["soc"] == soc), None)
    if found is None:
        listed = ", ".join(c["soc"] for c in op["configs"]) or "none"
        raise refused(f"{op['type']}: AICore().AddConfig names no {soc}; there are: {listed}")
    return dict(found)


def _override(params: Sequence[Any], of_config: Sequence[Any]) -> list[Any]:
    """A chip's own definition of an argument replaces the general one, field by field."""
    own = {p["name"]: p for p in of_config}
    known = [p | {k: v for k, v in own.get(p["name"], {}).items() if v} for p in params]
    return known + [p for p in of_config if p["name"] not in {q["name"] for q in params}]


def _param(param: Mapping[str, Any], declared_read: bool) -> Param:
    read = param["value_depend"] or param["scalar"] or param["scalar_list"] or declared_read
    formats = (*param["formats"], *param["format_list"]) or (_ND,)
    kind = _KINDS.get(param["kind"], "required")
    return Param(
        param["name"],
        kind,
        read,
        tuple(dict.fromkeys(formats)),
        param.get("shape_on_compute", False),
        tuple(bytes.fromhex(value) for value in param.get("initial", ())),
    )


def _attr(op: str, attr: Mapping[str, Any]) -> AttrDef:
    kind = attr["type"]
    if not kind:
        raise refused(f"{op}: attribute {attr['name']} has no type; call Int, Float, Bool, String or a List of them")
    reals = [struct.unpack("<f", struct.pack("<I", bits))[0] for bits in attr["float_bits"]]
    integers = [bool(i) if "bool" in kind else i for i in attr["integers"]]
    values = {"float": reals, "list_float": reals, "str": [attr["text"]]}.get(kind, integers)
    default = (values if kind.startswith("list_") else values[0]) if attr["has_default"] else None
    return AttrDef(attr["name"], kind, attr["required"], default)


def _struct(entry: Mapping[str, Any]) -> Struct:
    fields = (
        Field(f["name"], f["type"], f["count"], f["offset"], f["bytes"], f["type"] if f["nested"] else "")
        for f in entry["fields"]
    )
    return Struct(entry["name"], entry["bytes"], tuple(fields))


def _rows(op: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> tuple[tuple[str, ...], ...]:
    """DataType lists are zipped by position; every entry of a DataTypeList is combined with each of these rows."""
    params = [("input", p) for p in inputs] + [("output", p) for p in outputs]
    length = _zip_length(op, params)
    by_name = {p["name"]: p for _, p in params}
    lists = [p for _, p in params if p["type_list"]]
    rows = []
    for at in range(length):
        for chosen in itertools.product(*(p["type_list"] for p in lists)):
            picked = {p["name"]: code for p, code in zip(lists, chosen, strict=True)}
            rows.append(tuple(_dtype(op, p, by_name, at, picked) for _, p in params))
    return tuple(dict.fromkeys(rows))


def _zip_length(op: str, params: Sequence[tuple[str, Any]]) -> int:
    """The common length of all DataType lists, which Format and UnknownShapeFormat lists share."""
    length, first = 0, ""
    for role, param in params:
        where = f"{op}: {role} {param['name']}"
        if not (param["types"] or param["type_list"] or param["follow"]):
            raise refused(f"{where} has no DataType")
        for call, entries in (
            ("DataType", param["types"]),
            ("Format", param["formats"]),
            ("UnknownShapeFormat", param["unknown_formats"]),
        ):
            if entries and length == 0:
                length, first = len(entries), f"{call} of {role} {param['name']}"
            if entries and len(entries) != length:
                raise refused(
                    f"{where}: {call} has {len(entries)} entries, {first} has {length}; lists are zipped by position"
                )
    return length or 1


def _dtype(op: str, param: Mapping[str, Any], by_name: Mapping[str, Any], at: int, picked: Mapping[str, int]) -> str:
    seen = {param["name"]}
    while param["follow"] and not param["types"] and not param["type_list"]:
        leader = by_name.get(param["follow"])
        if leader is None or leader["name"] in seen:
            raise refused(f"{op}: {param['name']} follows {param['follow']}, which is no other argument")
        seen.add(leader["name"])
        param = leader
    code = picked[param["name"]] if param["type_list"] else param["types"][at]
    return _NAMES.get(code, f"DT_{code}")
