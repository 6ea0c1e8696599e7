"""MulSigmoid: a thresholded, doubled sigmoid of x1, times x2 broadcast over the rows, times a constant."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Attr, Case, Shape, Shapes, Task, Tensor, Tolerance, Values
from kbench.task_specs.draws import SUBNORMAL, normals, scatter
from kbench.task_specs.numerics import TINY, UNIT, rounded, sigmoid, wide
from kbench.task_specs.shapes import case, shape_of, unique

DTYPE = "float16"
#: No sigmoid is drawn nearer than this to the threshold: there, float16 arithmetic may take either branch.
MARGIN = 2.0**-7


def behavior(case: Case, inputs: Values) -> Values:
    attrs = TASK.attr_values(case)
    x1, x2 = wide(inputs["x1"]), wide(inputs["x2"])
    t = sigmoid(x1 * attrs["t1"])
    s = np.where(t < attrs["t2"], t, 2.0 * t)
    return {"out": rounded(s.reshape(-1, *x2.shape[1:]) * x2 * attrs["t3"], DTYPE)}


def out_shapes(case: Case, inputs: Values) -> dict[str, Shapes]:
    return {"out": (shape_of(case, "x1")[0], *shape_of(case, "x2")[1:])}


def draw(case: Case, rng: np.random.Generator) -> Values:
    """Sigmoids on both sides of the threshold, none next to it."""
    attrs = TASK.attr_values(case)
    x1 = normals(rng, shape_of(case, "x1"), spread=1.2 / abs(attrs["t1"]))
    scatter(rng, [x1], [(0.0, -0.0, SUBNORMAL[DTYPE])])
    x1 = rounded(x1, DTYPE)
    near = np.abs(sigmoid(wide(x1) * attrs["t1"]) - attrs["t2"]) < MARGIN
    x1[near] = 1.0 / attrs["t1"]
    x2 = normals(rng, shape_of(case, "x2"))
    scatter(rng, [x2], [(0.0, -0.0, SUBNORMAL[DTYPE], -SUBNORMAL[DTYPE])])
    return {"x1": x1, "x2": rounded(x2, DTYPE)}


TASK = Task(
    name="MulSigmoid",
    summary="Multiplies x2, broadcast over the rows of x1, by the sigmoid of t1 * x1, doubled where it reaches t2.",
    formula="t = sigmoid(t1 * x1); s = t if t < t2 else 2 * t; out[b] = s[b] reshaped to x2[0] * x2[0] * t3",
    level=2,
    category="Activation",
    tensors=(Tensor("x1"), Tensor("x2"), Tensor("out", "out")),
    attrs=(Attr("t1", "float"), Attr("t2", "float"), Attr("t3", "float")),
    dtypes=({"T": DTYPE},),
    behavior=behavior,
    out_shapes=out_shapes,
    draw=draw,
    tolerance={
        "out": {
            DTYPE: Tolerance(
                2 * TINY[DTYPE],
                12 * UNIT[DTYPE],
                "float16 arithmetic throughout is usual here: six roundings, and that of the exponent, up to 6, counts "
                "sixfold",
            )
        }
    },
)


def _case(rows: int, inner: Shape, t1: float, t2: float, t3: float) -> Case:
    return case({"x1": (rows, int(np.prod(inner))), "x2": (1, *inner)}, DTYPE, {"t1": t1, "t2": t2, "t3": t3})


CASES = unique([
    _case(25, (256, 128), 0.3, 0.1, 0.8),
    _case(16, (64, 128), 0.5, 0.2, 0.6),
    _case(32, (128, 128), 0.4, 0.15, 0.9),
    _case(10, (2, 128), 0.2, 0.05, 0.7),
    _case(40, (32, 128), 0.6, 0.25, 0.5),
    _case(20, (32, 256), 0.35, 0.12, 0.85),
    _case(1, (1, 1), 0.3, 0.4, 0.8),
    _case(3, (1, 7), 0.3, 0.4, 1.5),
    _case(5, (3, 11), 0.7, 0.6, -0.8),
    _case(17, (9, 113), 0.45, 0.35, 0.75),
    _case(61, (33, 65), 0.25, 0.5, 1.25),
    _case(67, (33, 651), 0.4, 0.45, -1.25),
])  # fmt: skip
QUICK = (
    _case(10, (2, 128), 0.2, 0.05, 0.7),
    _case(3, (1, 7), 0.3, 0.4, 1.5),
    _case(5, (3, 11), 0.7, 0.6, -0.8),
    _case(61, (33, 31), 0.25, 0.5, 1.25),
)
