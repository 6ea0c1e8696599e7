"""Neg: y = −x."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Case, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.draws import SUBNORMAL, floats, integers
from kbench.task_specs.numerics import LARGEST, TINY
from kbench.task_specs.shapes import TILES_OF_TWO, odd, shape_of, unary, unique

FLOATS = ("float16", "bfloat16", "float32")
INTEGERS = ("int32", "int8")
DTYPES = (*FLOATS, *INTEGERS)


def behavior(case: Case, inputs: Values) -> Values:
    return {"y": np.negative(np.asarray(inputs["x"]))}


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"y": case.shapes["x"]}


def draw(case: Case, rng: np.random.Generator) -> Values:
    """Integers over their whole range (the most negative one is its own negative), floats with every edge."""
    dtype, shape = case.dtypes["T"], shape_of(case, "x")
    if dtype in INTEGERS:
        return {"x": integers(rng, shape, dtype, edges=(1, -1))}
    edges = (0.0, -0.0, SUBNORMAL[dtype], -SUBNORMAL[dtype], LARGEST[dtype], -LARGEST[dtype], np.inf, -np.inf, np.nan)
    return {"x": floats(rng, shape, dtype, edges)}


TASK = Task(
    name="Neg",
    summary="The negative of every element; integers wrap, so the most negative one stays.",
    formula="y = -x",
    level=1,
    category="Math",
    tensors=(Tensor("x"), Tensor("y", "out")),
    dtypes=tuple({"T": t} for t in DTYPES),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={
        "y": {
            **{t: Tolerance(TINY[t] / 2, 0.0, "a sign flip is exact; the sign of zero is free") for t in FLOATS},
            **{t: Tolerance(0.0, 0.0, "integers are exact") for t in INTEGERS},
        }
    },
)

PUBLISHED = odd(DTYPES, [(1,), (512, 3), (1, 3, 224, 224)])
CASES = unique(unary(PUBLISHED), unary(odd(DTYPES)), unary(odd(DTYPES, [TILES_OF_TWO])))
QUICK = unary([
    ("float16", (4, 256)),
    ("float32", (7,)),
    ("bfloat16", (3, 5, 17)),
    ("int8", (1023,)),
    ("int32", (63, 1031)),
])  # fmt: skip
