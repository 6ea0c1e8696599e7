"""How a Task looks in plain C: one function over pointers, sizes and numbers.

    void add(const T *x, int64_t x_size, const T *y, int64_t y_size, T *z, int64_t z_size, double alpha)

Tensors in the task's order, each followed by its number of elements, then attributes; a dtype variable is a macro.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kbench.core.errors import HarnessError, UnsupportedApi
from kbench.core.task import Array, Attr, Case, Shape, Task, Tensor, Values

#: kbench dtype → C type.
C_TYPES: dict[str, str] = {
    "float16": "_Float16",
    "bfloat16": "__bf16",
    "float32": "float",
    "float64": "double",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "bool": "_Bool",
    "complex64": "float _Complex",
}


@dataclass(frozen=True)
class Out:
    """An output argument that the function writes from scratch."""

    shape: Shape
    dtype: str


#: An array is passed by pointer, a number by value.
Argument = Array | Out | bool | int | float

_ATTRS = {"bool": "int64_t", "int": "int64_t", "float": "double"}


def signature_of(task: Task) -> str:
    """The declaration, named like the task. Raises UnsupportedApi for tensor lists, optional tensors and text or list
    attributes."""
    parameters = [part for tensor in task.tensors for part in _tensor(tensor)] + [_attr(a) for a in task.attrs]
    return f"void {task.name}({', '.join(parameters)})"


def defines_of(case: Case) -> tuple[str, ...]:
    """The macros of the case's dtype row, `T=float`: cases with equal ones share a build."""
    return tuple(f"{variable}={C_TYPES[dtype]}" for variable, dtype in sorted(case.dtypes.items()))


def arguments_of(task: Task, case: Case, inputs: Values) -> list[Argument]:
    """What `function.call_function` takes for that signature, of one case."""
    shapes = task.out_shapes(case, inputs)
    arguments: list[Argument] = []
    for tensor in task.tensors:
        shape, value = shapes.get(tensor.name), inputs.get(tensor.name)
        if tensor.role == "out" and isinstance(shape, tuple):
            arguments += [Out(shape, task.dtype_of(tensor, case)), math.prod(shape)]
        elif isinstance(value, np.ndarray):
            arguments += [value, value.size]
        else:  # signature_of has refused lists and optional tensors
            raise HarnessError(f"task {task.name}, case {case.name}: no array for {tensor.name}")
    return [*arguments, *task.attr_values(case).values()]


def _tensor(tensor: Tensor) -> tuple[str, str]:
    if tensor.is_list or tensor.optional:
        kind = "tensor list" if tensor.is_list else "optional tensor"
        raise UnsupportedApi(kind, f"{tensor.name}; plain C functions take tensors that are always there")
    const = "const " if tensor.role == "in" else ""
    return f"{const}{C_TYPES.get(tensor.dtype, tensor.dtype)} *{tensor.name}", f"int64_t {tensor.name}_size"


def _attr(attr: Attr) -> str:
    if attr.type not in _ATTRS:
        raise UnsupportedApi(f"attribute of type {attr.type}", f"{attr.name}; plain C functions take numbers")
    return f"{_ATTRS[attr.type]} {attr.name}"
