"""A task: one operator, told once, for every accelerator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Value = Array | list[Array] | None  # a tensor, a tensor list, or an optional tensor that is absent
Values = dict[str, Value]
Shape = tuple[int, ...]
Shapes = Shape | list[Shape] | None

#: dtype names of kbench → NumPy dtype. Names follow PyTorch; bfloat16 is ml_dtypes'.
DTYPES: dict[str, np.dtype[Any]] = {
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
    "int8": np.dtype(np.int8),
    "int16": np.dtype(np.int16),
    "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64),
    "uint8": np.dtype(np.uint8),
    "uint16": np.dtype(np.uint16),
    "uint32": np.dtype(np.uint32),
    "uint64": np.dtype(np.uint64),
    "bool": np.dtype(np.bool_),
    "complex64": np.dtype(np.complex64),
}


def dtype_name(dtype: Any) -> str:
    """The kbench name of a NumPy dtype. Raises KeyError for a dtype that no task may use."""
    wanted = np.dtype(dtype)
    for name, known in DTYPES.items():
        if known == wanted:
            return name
    raise KeyError(f"dtype {wanted} is not one of {', '.join(DTYPES)}")


@dataclass(frozen=True)
class Tensor:
    """An argument of the operator.

    Args:
        name: as in the operator's interface; a valid C identifier.
        role: `in`, `out`, or `inout` (in place: read and written).
        dtype: a dtype name of `DTYPES`, or a variable (`T`) that the case binds in `Case.dtypes`.
        is_list: a list of tensors whose length and shapes the case gives.
        optional: may be absent (its shape in the case is None).
        host_value: its values are read on the host, to decide the launch or the output's shape.
        zeroed: an output that the caller fills with zeros before the launch, so that the kernel may add to it.
    """

    name: str
    role: Literal["in", "out", "inout"] = "in"
    dtype: str = "T"
    is_list: bool = False
    optional: bool = False
    host_value: bool = False
    zeroed: bool = False


@dataclass(frozen=True)
class Attr:
    """A compile-time or host-side attribute; `default` None means that every case must give it.

    `dtype` (a name of `DTYPES`) is the value's own type where the operator fixes it: that of the kernel's argument on
    accelerators whose kernels take numbers beside buffers.
    """

    name: str
    type: Literal["bool", "int", "float", "str", "list_bool", "list_int", "list_float"]
    default: Any = None
    dtype: str = ""


@dataclass(frozen=True)
class Case:
    """One binding of a task: input shapes (by tensor name), dtype variables and attribute values.

    `values` fixes the values of host-read inputs (`Tensor.host_value`), which decide shapes as attributes do.
    `tolerance` (by output, `*` for any) goes before the task's, for benchmarks whose tolerance depends on the case;
    outputs in `unchecked` are the operator's but the reference says nothing about them. `about` says what the inputs of
    this case are drawn for, where cases differ in nothing else.
    """

    name: str
    shapes: Mapping[str, Shapes]
    dtypes: Mapping[str, str] = field(default_factory=dict)
    attrs: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Sequence[int]] = field(default_factory=dict)
    tolerance: Mapping[str, Tolerance] = field(default_factory=dict)
    unchecked: tuple[str, ...] = ()
    about: str = ""

    def describe(self) -> str:
        shapes = ", ".join(f"{k}={v}" for k, v in self.shapes.items())
        dtypes = ", ".join(f"{k}={v}" for k, v in self.dtypes.items())
        attrs = ", ".join(f"{k}={v!r}" for k, v in self.attrs.items())
        values = ", ".join(f"values of {k}: {list(v)}" for k, v in self.values.items())
        return "; ".join(part for part in (shapes, dtypes, attrs, values, self.about) if part)


@dataclass(frozen=True)
class Tolerance:
    """|got − expected| ≤ atol + rtol·|expected| for each element; `reason` says where the numbers come from.

    With `either`, the larger of the two bounds counts, not their sum: |got − expected| ≤ max(atol, rtol·|expected|).

    `exact` means bit-for-bit (integers, booleans, pure moves; NaN matches NaN). Where the reference is not finite, the
    output must be the same infinity, or NaN where the reference is NaN.
    """

    atol: float
    rtol: float
    reason: str
    either: bool = False

    @property
    def exact(self) -> bool:
        return self.atol == 0 and self.rtol == 0

    def bound(self, size: NDArray[Any]) -> NDArray[Any]:
        """The largest error allowed where the expected value has this magnitude."""
        if self.either:
            return np.maximum(size * self.rtol, self.atol)
        return size * self.rtol + self.atol


#: (expected, got) → None when right, else what is wrong in words. For outputs that no tolerance can judge.
Comparer = Callable[[Array, Array], str | None]


@dataclass(frozen=True)
class Task:
    """An operator for every accelerator. Names no backend.

    Args:
        name: the identity within a suite, as in the benchmark it comes from.
        summary: one sentence; formula: the definition, in LaTeX or plain text.
        tensors: arguments in the operator's order, inputs before outputs.
        dtypes: the legal rows of dtype variables, e.g. ({"T": "float16"}, {"T": "float32"}).
        behavior: (case, inputs) → outputs by name (`out` and `inout`), computed wider than the output's dtype and
            returned in the declared dtype, or wider where the tolerance is meant so. Must not change its inputs.
        out_shapes: (case, inputs) → shape of each output; may be maxima where the kernel decides the length.
        draw: (case, rng) → inputs by name. Seeded by the caller; must use `rng` only.
        tolerance: output name → dtype name → Tolerance ("*" for any dtype or any output).
        comparers: output name → Comparer, instead of a tolerance.
        lazy_definition: lazy answers that happen to be right, by name (`zeros`, `ones`, `constant`, `copy:<input>`),
            each with the reason; all others must fail on at least one case.
    """

    name: str
    summary: str
    tensors: tuple[Tensor, ...]
    behavior: Callable[[Case, Values], Values]
    out_shapes: Callable[[Case, Values], dict[str, Shapes]]
    draw: Callable[[Case, np.random.Generator], Values]
    tolerance: Mapping[str, Mapping[str, Tolerance]]
    dtypes: tuple[Mapping[str, str], ...]
    formula: str = ""
    level: int = 1
    category: str = ""
    attrs: tuple[Attr, ...] = ()
    comparers: Mapping[str, Comparer] = field(default_factory=dict)
    lazy_definition: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for name in [t.name for t in self.tensors] + [a.name for a in self.attrs]:
            if not name.isidentifier() or name in seen:
                raise ValueError(f"task {self.name}: argument {name!r} is not an identifier, or is named twice")
            seen.add(name)
        variables = {v for row in self.dtypes for v in row}
        for tensor in self.tensors:
            if tensor.dtype not in DTYPES and tensor.dtype not in variables:
                raise ValueError(f"task {self.name}: dtype {tensor.dtype!r} of {tensor.name} is bound by no row")
        for attr in self.attrs:
            if attr.dtype and attr.dtype not in DTYPES:
                raise ValueError(f"task {self.name}: attribute {attr.name} is of {attr.dtype!r}, which is no dtype")

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.tensors if t.role in ("in", "inout"))

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.tensors if t.role in ("out", "inout"))

    def tensor(self, name: str) -> Tensor:
        return next(t for t in self.tensors if t.name == name)

    def dtype_of(self, tensor: Tensor, case: Case) -> str:
        """The dtype name of a tensor in a case."""
        return case.dtypes.get(tensor.dtype, tensor.dtype)

    def attr_values(self, case: Case) -> dict[str, Any]:
        """Every attribute's value in the case, defaults filled in."""
        return {a.name: case.attrs.get(a.name, a.default) for a in self.attrs}

    def tolerance_of(self, output: str, dtype: str, case: Case | None = None) -> Tolerance:
        """The case's own tolerance for an output where it has one, else the task's for that dtype."""
        own = None if case is None else case.tolerance.get(output) or case.tolerance.get("*")
        if own is not None:
            return own
        table = self.tolerance.get(output) or self.tolerance.get("*") or {}
        found = table.get(dtype) or table.get("*")
        if found is None:
            raise KeyError(f"task {self.name}: no tolerance for output {output!r} of dtype {dtype}")
        return found


def elements(case: Case, out_shapes: Mapping[str, Shapes]) -> int:
    """Elements of all inputs and outputs of a case: what the case budget counts."""
    total = 0
    for shapes in (*case.shapes.values(), *out_shapes.values()):
        if shapes is None:
            continue
        each: Sequence[Shape] = shapes if isinstance(shapes, list) else [shapes]
        total += sum(int(np.prod(s, dtype=np.int64)) for s in each)
    return total
