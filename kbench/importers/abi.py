"""From the wrapper's kernel call to the operator's arguments.

The rule: the call passes the operator's inputs, its attributes, then the outputs that are not inputs as well, in the
order of the registration. `EXCEPTIONS` holds the operators whose wrapper calls an entry point written by hand with
another order; it is the only place in the importer where operators are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kbench.importers.op_def import OpDef


@dataclass(frozen=True)
class Exceptional:
    """A call of another order: `order` names the registration's argument at each position; `values` translates an
    argument's value (the call passes a code where the operator takes a word); `cast` are converted to a dtype that the
    operator takes; `fill` gives an absent tensor one value, in the shape of another."""

    order: tuple[str, ...]
    values: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)
    cast: frozenset[str] = frozenset()
    fill: Mapping[str, tuple[float, str]] = field(default_factory=dict)


EXCEPTIONS: Mapping[str, Exceptional] = {
    # attributes are left at their defaults
    "GatherV3": Exceptional(("x", "indices", "axis", "y")),
    "MseLossGradV2": Exceptional(
        ("dout", "predict", "label", "reduction", "y"), {"reduction": {0: "none", 1: "mean", 2: "sum"}}
    ),
    # the running statistics are updated in place: no outputs of the call
    "BatchNormV3": Exceptional(
        (
            "x",
            "weight",
            "bias",
            "running_mean",
            "running_var",
            "is_training",
            "momentum",
            "epsilon",
            "y",
            "save_mean",
            "save_rstd",
        ),
        cast=frozenset(("weight", "bias", "running_mean", "running_var", "save_mean", "save_rstd")),
        fill={"weight": (1.0, "running_mean"), "bias": (0.0, "running_mean")},
    ),
    "LayerNormV4": Exceptional(("x", "normalized_shape", "gamma", "beta", "epsilon", "y", "mean", "rstd")),
    "TopKV3": Exceptional(("x", "k", "dim", "largest", "sorted", "values", "indices")),
}


@dataclass(frozen=True)
class Layout:
    """The name of the operator's argument at each position of the kernel call."""

    names: tuple[str, ...]
    api: tuple[str, ...]  # the entry points that take this order; empty: any
    special: Exceptional = Exceptional(())

    def outputs(self, op: OpDef) -> list[int]:
        """Positions that the kernel writes: outputs, and inputs that are outputs by name."""
        written = {o.name for o in op.outputs}
        return [i for i, name in enumerate(self.names) if name in written]

    def position(self, name: str) -> int | None:
        return self.names.index(name) if name in self.names else None


def layout_of(op: OpDef) -> Layout:
    """Where each argument of the operator stands in the kernel call."""
    special = EXCEPTIONS.get(op.name)
    if special is not None:
        return Layout(special.order, (), special)
    taken = {i.name for i in op.inputs}
    new = [o.name for o in op.outputs if o.name not in taken]
    names = (*(i.name for i in op.inputs), *(a.name for a in op.attrs), *new)
    return Layout(names, ("aclnnCustomOp", f"aclnn{op.name}"))


def refusal(op: OpDef, layout: Layout, api: str, count: int) -> str | None:
    """Why a call does not fit the layout, or None."""
    if layout.api and api not in layout.api:
        return f"the wrapper calls {api}, an entry point whose arguments are not known"
    if count != len(layout.names):
        return f"the wrapper passes {count} arguments, the operator {op.name} takes {len(layout.names)}"
    return None


def dtype_row(op: OpDef, given: Mapping[str, str | None], cast: frozenset[str] = frozenset()) -> int | None:
    """The first row of the registration's dtype columns that fits, or None.

    Args:
        given: argument → dtype of the tensor passed, None where it is absent or passed as a number (any row fits).
        cast: arguments that are converted where they must be.
    """
    arguments = [*op.inputs, *op.outputs]
    kept = [a for a in op.inputs if a.name not in cast]
    for wanted in (arguments, op.inputs, kept):  # outputs and casts decide among rows, but may not refuse them all
        for fit in (_same, _same_bytes):
            for row in range(len(arguments[0].dtypes)):
                if all(fit(given.get(a.name), a.dtypes[row]) for a in wanted):
                    return row
    return None


#: dtypes of one byte that the runtime hands over to each other without a conversion.
_BYTES = ("bool", "uint8", "int8")


def _same(given: str | None, expected: str) -> bool:
    return given is None or given == expected


def _same_bytes(given: str | None, expected: str) -> bool:
    return _same(given, expected) or (given == "bool" and expected in _BYTES)
