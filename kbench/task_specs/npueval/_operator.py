"""One kernel call on whole buffers: how an operator of NPUEval is told as a Task with its cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kbench.core.task import Array, Attr, Case, Shape, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.npueval._inputs import Draw
from kbench.task_specs.numerics import rounded, wide

ELEMENTWISE = "Element-wise & Activation"
SPATIAL = "Spatial & Linear algebra"
REDUCTION = "Reduction, Statistics & Loss"
BITWISE = "Bitwise, Comparison, Casting & Data movement"

EXACT = Tolerance(0.0, 0.0, "integers, truth values and indices are exact")
PERCENT = Tolerance(1e-2, 1e-2, "as published: arithmetic in bfloat16, in any order")
TWO_PERCENT = Tolerance(2e-2, 2e-2, "as published: a function by table or polynomial, result in bfloat16")
THREE_PERCENT = Tolerance(3e-2, 3e-2, "as published: several bfloat16 steps, or a function by table or polynomial")

#: The reason why a constant is no lazy answer where there is one element.
ONE_ELEMENT = {"constant": "the output has one element; that it differs from case to case makes it a task"}


@dataclass(frozen=True)
class Buffer:
    """A whole buffer of a kernel."""

    dtype: str
    shape: Shape


@dataclass(frozen=True)
class Param:
    """A runtime parameter: the type in which the kernel receives it and its published value."""

    dtype: str
    value: float


@dataclass(frozen=True)
class Inputs:
    """The inputs of one case: what they are drawn for, how, and the values of parameters that are not the published."""

    about: str
    draw: Draw
    params: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Operator:
    """An operator with one output.

    Args:
        inputs, output: buffers by name; `output` holds exactly one.
        model: (*inputs, **params) → the output in its dtype.
        params: runtime parameters by name, in the kernel's order.
        lazy: as `Task.lazy_definition`.
    """

    summary: str
    formula: str
    category: str
    inputs: Mapping[str, Buffer]
    output: Mapping[str, Buffer]
    model: Callable[..., Array]
    tolerance: Tolerance = EXACT
    params: Mapping[str, Param] = field(default_factory=dict)
    lazy: Mapping[str, str] = field(default_factory=dict)

    def told(self, name: str, cases: Mapping[str, Inputs]) -> tuple[Task, tuple[Case, ...]]:
        """The Task and its cases, in this order."""
        ((output, result),) = self.output.items()

        def behavior(case: Case, inputs: Values) -> Values:
            params = {a.name: case.attrs.get(a.name, a.default) for a in attrs}
            return {output: self.model(*(inputs[n] for n in self.inputs), **params)}

        def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
            return {output: result.shape}

        def draw(case: Case, rng: np.random.Generator) -> Values:
            return dict(zip(self.inputs, cases[case.name].draw(rng), strict=True))

        attrs = tuple(
            Attr(n, "int" if isinstance(p.value, int) else "float", p.value, p.dtype) for n, p in self.params.items()
        )
        task = Task(
            name=name,
            summary=self.summary,
            formula=self.formula,
            level=1 if self.category in (ELEMENTWISE, BITWISE) else 2,
            category=self.category,
            tensors=(*(Tensor(n, "in", b.dtype) for n, b in self.inputs.items()), Tensor(output, "out", result.dtype)),
            attrs=attrs,
            dtypes=({},),
            behavior=behavior,
            out_shapes=out_shapes,
            draw=draw,
            tolerance={output: {result.dtype: self.tolerance}},
            lazy_definition={**self.lazy, **(ONE_ELEMENT if np.prod(result.shape, dtype=int) == 1 else {})},
        )
        shapes = {n: b.shape for n, b in self.inputs.items()}
        return task, tuple(Case(n, shapes, attrs=c.params, about=c.about) for n, c in cases.items())


def bf16(values: object) -> Array:
    """Rounded once to bfloat16, from float64."""
    return rounded(values, "bfloat16")


def step(values: object) -> NDArray[np.float64]:
    """One step of a computation in bfloat16: rounded, and wide again for the next."""
    return wide(bf16(values))


def sum_of_steps(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum along the last axis, from the front, rounded to bfloat16 after each addition."""
    total = np.zeros(values.shape[:-1])
    for i in range(values.shape[-1]):
        total = step(total + values[..., i])
    return total


def windows(x: Array, size: int, stride: int) -> Array:
    """(…, windows, size): the windows of a vector that lie in it whole."""
    return np.lib.stride_tricks.sliding_window_view(x, size, axis=-1)[..., ::stride, :]


def patches(x: Array, size: int, stride: int) -> Array:
    """(rows, columns, size²): the square patches of a matrix that lie in it whole, each row by row."""
    whole = np.lib.stride_tricks.sliding_window_view(x, (size, size))[::stride, ::stride]
    return whole.reshape(*whole.shape[:2], size * size)


def clipped(values: Array, dtype: str) -> Array:
    """Integers saturated to a narrower dtype."""
    info = np.iinfo(dtype)
    return np.clip(values, info.min, info.max).astype(dtype)
