"""Rsqrt: y = 1 / √x."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Case, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.draws import SUBNORMAL, normals, scatter
from kbench.task_specs.numerics import LARGEST, TINY, UNIT, rounded, wide
from kbench.task_specs.shapes import TILES_OF_TWO, odd, shape_of, unary, unique

DTYPES = ("float16", "float32", "bfloat16")


def behavior(case: Case, inputs: Values) -> Values:
    with np.errstate(invalid="ignore", divide="ignore"):
        return {"y": rounded(1.0 / np.sqrt(wide(inputs["x"])), case.dtypes["T"])}


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"y": case.shapes["x"]}


def draw(case: Case, rng: np.random.Generator) -> Values:
    """Magnitudes over six decades, +0 → ∞, ∞ → 0, subnormals, NaN and negative values → NaN.

    −0 is left out: its reciprocal root is −∞, but conversions between floating types may turn it into +0.
    """
    dtype = case.dtypes["T"]
    x = np.exp(normals(rng, shape_of(case, "x"), spread=3.0)).clip(1e-4, 3e4)
    edges = (0.0, SUBNORMAL[dtype], LARGEST[dtype], np.inf, np.nan, -1.0, -LARGEST[dtype], 1.0, 0.25)
    scatter(rng, [x], [edges])
    return {"x": rounded(x, dtype)}


TASK = Task(
    name="Rsqrt",
    summary="The reciprocal of the square root of every element; infinity at zero, NaN for negative elements.",
    formula="y = 1 / sqrt(x)",
    level=1,
    category="Math",
    tensors=(Tensor("x"), Tensor("y", "out")),
    dtypes=tuple({"T": t} for t in DTYPES),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={
        "y": {
            "float16": Tolerance(
                TINY["float16"], 4 * UNIT["float16"], "root and quotient may each be rounded to float16, to one unit"
            ),
            "bfloat16": Tolerance(
                TINY["bfloat16"], 2 * UNIT["bfloat16"], "one unit in the last place, after float32 arithmetic"
            ),
            "float32": Tolerance(
                TINY["float32"],
                32 * UNIT["float32"],
                "root and quotient to some units each; the approximate Rsqrt instruction (1e-4) is not enough",
            ),
        }
    },
)

PUBLISHED = [
    ("float16", (48, 128, 512)),
    ("float16", (96, 64, 1024)),
    ("float32", (32, 32, 768)),
    ("bfloat16", (48, 32, 4096)),
    ("float32", (48, 8192)),
]
CASES = unique(unary(PUBLISHED), unary(odd(DTYPES)), unary(odd(DTYPES, [TILES_OF_TWO])))
QUICK = unary([("float16", (4, 256)), ("float32", (7,)), ("bfloat16", (3, 5, 17)), ("float32", (63, 1031))])
