"""Read an AscendC operator registration: names, kinds, dtypes and attributes, without a compiler.

The constructor of the `OpDef` class is interpreted (see `cpp`), so that dtype columns computed by loops and helper
functions come out as they do on the host. `kbench.backends.ascend` builds the same file for the same answer; this
reader exists because importing a benchmark must not need a toolchain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kbench.core.errors import ConfigError
from kbench.importers import cpp

#: dtype names of the registration → kbench's.
GE_DTYPES = {
    "DT_FLOAT16": "float16",
    "DT_BF16": "bfloat16",
    "DT_FLOAT": "float32",
    "DT_DOUBLE": "float64",
    "DT_INT8": "int8",
    "DT_INT16": "int16",
    "DT_INT32": "int32",
    "DT_INT64": "int64",
    "DT_UINT8": "uint8",
    "DT_UINT16": "uint16",
    "DT_UINT32": "uint32",
    "DT_UINT64": "uint64",
    "DT_BOOL": "bool",
    "DT_COMPLEX64": "complex64",
}

_ATTR_TYPES = {
    "Int": "int",
    "Float": "float",
    "Bool": "bool",
    "String": "str",
    "ListInt": "list_int",
    "ListFloat": "list_float",
    "ListBool": "list_bool",
}


@dataclass(frozen=True)
class Argument:
    """An input or output. `kind` is `required`, `optional` or `dynamic` (a tensor list); `dtypes` has one entry for
    each row that the operator is built for; `scalar` says that the caller passes a number (`one`) or numbers (`list`)
    that reach the kernel as a tensor; `host_value` that the host reads its values."""

    name: str
    kind: str
    dtypes: tuple[str, ...]
    scalar: str = ""
    host_value: bool = False


@dataclass(frozen=True)
class Attribute:
    """An attribute; `default` None means that the caller must give it."""

    name: str
    type: str
    default: Any = None


@dataclass(frozen=True)
class OpDef:
    """One registered operator."""

    name: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    attrs: tuple[Attribute, ...]


class _Chain:
    """One `Input`, `Output`, `Attr` or `AICore`: every call is noted and gives the chain back."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.calls: dict[str, list[Any]] = {}


class _Builder:
    """What `this` is in the constructor."""

    def __init__(self) -> None:
        self.chains: dict[str, list[_Chain]] = {"Input": [], "Output": [], "Attr": []}


class _Registration(cpp.Host):
    """Constants keep their last name (`ge::DT_BF16` is `DT_BF16`); objects record what is called on them."""

    def name(self, name: str) -> Any:
        return name.rpartition("::")[2]

    def make(self, kind: str, arguments: list[Any] | None) -> Any:
        if arguments is None:
            return _Chain()
        raise KeyError(kind)

    def method(self, value: Any, name: str, template: str, arguments: list[Any]) -> Any:
        if isinstance(value, _Builder):
            chain = _Chain(arguments[0] if arguments else "")
            value.chains.setdefault(name, []).append(chain)
            return chain
        if isinstance(value, _Chain):
            value.calls[name] = arguments
            return value
        raise KeyError(name)


def parse_op_def(source: str, where: str) -> OpDef:
    """The operator that `source` registers by `OP_ADD`.

    Raises:
        ConfigError: no registration, or one outside what the reader understands; the message names `where`.
    """
    try:
        program = cpp.read_program(source)
        name = next((a[0].text for n, a in program.calls if n == "OP_ADD" and a), "")
        if name not in program.constructors:
            raise ConfigError(f"{where}: no operator is registered here (OP_ADD of a class with a constructor)")
        builder = _Builder()
        cpp.Interpreter(program, _Registration()).construct(name, builder)
    except cpp.CppError as error:
        raise ConfigError(f"{where}: {error}") from None
    chains = builder.chains
    return OpDef(
        name=name,
        inputs=tuple(_argument(c, where) for c in chains["Input"]),
        outputs=tuple(_argument(c, where) for c in chains["Output"]),
        attrs=tuple(_attribute(c, where) for c in chains["Attr"]),
    )


def _argument(chain: _Chain, where: str) -> Argument:
    column = (chain.calls.get("DataType") or chain.calls.get("DataTypeList") or [[]])[0]
    unknown = [d for d in column if d not in GE_DTYPES]
    if unknown or not column:
        raise ConfigError(f"{where}: {chain.name}: dtype {unknown[0] if unknown else 'missing'} is not understood")
    kind = (chain.calls.get("ParamType") or ["REQUIRED"])[0].lower()
    scalar = "one" if "Scalar" in chain.calls else "list" if "ScalarList" in chain.calls else ""
    dtypes = tuple(GE_DTYPES[d] for d in column)
    return Argument(chain.name, kind, dtypes, scalar, host_value="ValueDepend" in chain.calls)


def _attribute(chain: _Chain, where: str) -> Attribute:
    for call, kind in _ATTR_TYPES.items():
        if call in chain.calls:
            given = chain.calls[call]
            required = chain.calls.get("AttrType") == ["REQUIRED"]
            default = None if required or not given else given[0]
            return Attribute(
                chain.name, kind, [] if kind.startswith("list") and not required and not given else default
            )
    raise ConfigError(f"{where}: attribute {chain.name} has no type")
