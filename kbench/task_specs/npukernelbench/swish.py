"""Swish: y = x · σ(scale · x)."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Attr, Case, Shape, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.draws import SUBNORMAL, floats
from kbench.task_specs.numerics import NORMAL, UNIT, rounded, sigmoid, wide
from kbench.task_specs.shapes import TILES_OF_TWO, UNALIGNED, case, shape_of, unique

DTYPES = ("float16", "bfloat16", "float32")


def behavior(case: Case, inputs: Values) -> Values:
    x = wide(inputs["x"])
    scale = float(np.float32(TASK.attr_values(case)["scale"]))
    return {"y": rounded(x * sigmoid(scale * x), case.dtypes["T"])}


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"y": case.shapes["x"]}


def draw(case: Case, rng: np.random.Generator) -> Values:
    """Both tails, where the result is x and 0, zeros and subnormals. Finite: −∞ · 0 occurs in the formula."""
    dtype = case.dtypes["T"]
    edges = (0.0, -0.0, SUBNORMAL[dtype], -SUBNORMAL[dtype], 2e4, -2e4, 20.0, -20.0, -1.2785, 1.0, -1.0)
    return {"x": floats(rng, shape_of(case, "x"), dtype, edges)}


TASK = Task(
    name="Swish",
    summary="Every element times the logistic sigmoid of its scaled value.",
    formula="y = x / (1 + exp(-scale * x))",
    level=2,
    category="Activation",
    tensors=(Tensor("x"), Tensor("y", "out")),
    attrs=(Attr("scale", "float", 1.0),),
    dtypes=tuple({"T": t} for t in DTYPES),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={
        "y": {
            "float16": Tolerance(
                UNIT["float16"],
                4 * UNIT["float16"],
                "float16 arithmetic throughout is usual here: four roundings, and for negative x the rounded exponent "
                "costs up to 0.64 units of 2^-11",
            ),
            "bfloat16": Tolerance(
                NORMAL["bfloat16"], 2 * UNIT["bfloat16"], "one unit in the last place, after float32 arithmetic"
            ),
            "float32": Tolerance(
                NORMAL["float32"],
                2.0**-15,
                "rounding the exponent, up to 87, twice in float32; tails may flush to zero",
            ),
        }
    },
)


def _case(dtype: str, shape: Shape, scale: float | None = None) -> Case:
    return case({"x": shape}, dtype, {} if scale is None else {"scale": scale})


CASES = unique(
    [
        _case("float32", (32, 32), 1.11753),
        _case("float32", (16, 256), 1.01484),
        _case("float32", (32, 128), 1.31495),
        _case("float16", (1024, 256), 0.750252),
        _case("float16", (128, 512), 1.40233),
        _case("float32", (64, 128, 256), 0.831271),
    ],
    [_case(t, s) for t in DTYPES for s in (*UNALIGNED, TILES_OF_TWO)],
    [_case(t, (33, 65), scale) for t in DTYPES for scale in (0.5, -1.25)],
)
QUICK = (
    _case("float16", (4, 256), 1.40233),
    _case("float32", (7,)),
    _case("bfloat16", (3, 5, 17), 0.75),
    _case("float32", (63, 1031), -0.8),
)
