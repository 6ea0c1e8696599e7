"""FastGelu: y = x · σ(1.702 x)."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Case, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.draws import SUBNORMAL, floats
from kbench.task_specs.numerics import UNIT, rounded, sigmoid, wide
from kbench.task_specs.shapes import TILES_OF_TWO, odd, shape_of, unary, unique

DTYPES = ("float16", "float32")


def behavior(case: Case, inputs: Values) -> Values:
    x = wide(inputs["x"])
    return {"y": rounded(x * sigmoid(1.702 * x), case.dtypes["T"])}


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"y": case.shapes["x"]}


def draw(case: Case, rng: np.random.Generator) -> Values:
    """Both tails, where the result is x and 0, zeros and subnormals. Finite: ∞ − ∞ occurs in the formula."""
    dtype = case.dtypes["T"]
    edges = (0.0, -0.0, SUBNORMAL[dtype], -SUBNORMAL[dtype], 2e4, -2e4, 30.0, -30.0, -0.7503, 1.0, -1.0)
    return {"x": floats(rng, shape_of(case, "x"), dtype, edges)}


TASK = Task(
    name="FastGelu",
    summary="The sigmoid approximation of GELU.",
    formula="y = x * exp(0.851 * (x - |x|)) / (1 + exp(-1.702 * |x|)), which is x * sigmoid(1.702 * x)",
    level=2,
    category="Activation",
    tensors=(Tensor("x"), Tensor("y", "out")),
    dtypes=tuple({"T": t} for t in DTYPES),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={
        "y": {
            "float16": Tolerance(
                2.0**-8,
                4 * UNIT["float16"],
                "float16 arithmetic throughout is usual here: four roundings, and forms that subtract terms of "
                "the size of |x| leave half a unit in the last place of |x| up to 8",
            ),
            "float32": Tolerance(
                2.0**-20,
                2.0**-15,
                "rounding the exponent, up to 87, twice in float32; forms that subtract terms of the size of |x| leave "
                "some units of 2^-23",
            ),
        }
    },
)

PUBLISHED = [
    ("float32", (48, 256)),
    ("float32", (256, 512)),
    ("float32", (512, 128)),
    ("float16", (48, 32)),
    ("float16", (8, 16384)),
    ("float32", (256, 256)),
]
CASES = unique(unary(PUBLISHED), unary(odd(DTYPES)), unary(odd(DTYPES, [TILES_OF_TWO])))
QUICK = unary([("float16", (4, 256)), ("float32", (7,)), ("float16", (3, 5, 17)), ("float32", (63, 1031))])
