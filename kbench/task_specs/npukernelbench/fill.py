"""Fill: a tensor of shape `dims`, every element `value`."""

from __future__ import annotations

import numpy as np

from kbench.core.task import DTYPES as NUMPY
from kbench.core.task import Array, Case, Shape, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.numerics import rounded
from kbench.task_specs.shapes import TILES_OF_TWO, UNALIGNED, case, unique

FLOATS = ("float16", "bfloat16", "float32")
DTYPES = (*FLOATS, "int8", "int32", "int64", "bool")


def behavior(case: Case, inputs: Values) -> Values:
    return {"y": np.full(tuple(case.values["dims"]), np.asarray(inputs["value"]).reshape(()))}


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"y": tuple(case.values["dims"])}


def draw(case: Case, rng: np.random.Generator) -> Values:
    return {"dims": np.array(case.values["dims"], dtype=np.int64), "value": _value(rng, case.dtypes["T"])}


def _value(rng: np.random.Generator, dtype: str) -> Array:
    """One value of shape (1,). Integers are not the same byte repeated, so that a fill by bytes shows."""
    if dtype == "bool":
        return np.array([rng.random() < 0.5])
    if dtype in FLOATS:
        return rounded([rng.choice((-1.0, 1.0)) * rng.uniform(0.1, 100.0)], dtype)
    top = int(np.iinfo(NUMPY[dtype]).max)
    return np.array([rng.choice((-1, 1)) * rng.integers(top // 3, top)], dtype=NUMPY[dtype])


def _cases(dtype: str, *shapes: Shape) -> tuple[Case, ...]:
    return tuple(case({"dims": (len(s),), "value": (1,)}, dtype, values={"dims": s}) for s in shapes)


TASK = Task(
    name="Fill",
    summary="A new tensor of the shape that dims holds, filled with value.",
    formula="y[...] = value[0], y.shape = dims",
    level=1,
    category="TensorCreation",
    tensors=(Tensor("dims", dtype="int64", host_value=True), Tensor("value"), Tensor("y", "out")),
    dtypes=tuple({"T": t} for t in DTYPES),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={"y": {"*": Tolerance(0.0, 0.0, "a move is exact, bit for bit")}},
    lazy_definition={"constant": "the output is one value everywhere; only that the value is an input makes it a task"},
)

_IMAGE = (1, 3, 224, 224)
CASES = unique(
    _cases("int32", (128,)),
    _cases("float16", (512, 3), _IMAGE),
    *(_cases(t, (1,), (512, 3), _IMAGE) for t in ("float32", "int8", "int32", "int64", "bool", "bfloat16")),
    *(_cases(t, *UNALIGNED, TILES_OF_TWO) for t in DTYPES),
)
QUICK = (
    *_cases("float16", (4, 256)),
    *_cases("bfloat16", (3, 5, 17)),
    *_cases("float32", (63, 1031)),
    *_cases("int8", (1023,)),
    *_cases("int32", (33,)),
    *_cases("int64", (7,), (129, 5)),
    *_cases("bool", (515,)),
)
