"""The kit's own task."""

from __future__ import annotations

import math

import numpy as np

from kbench.core.backend import RunResult
from kbench.core.suite import SuiteTask
from kbench.core.task import Attr, Case, Task, Tensor, Tolerance, Values


def _scale_and_add(case: Case, inputs: Values) -> Values:
    x, z = (np.asarray(inputs[name], np.float64) for name in ("x", "z"))
    return {"y": (case.attrs["scale"] * x + z).astype(np.float32)}


def _draw(case: Case, rng: np.random.Generator) -> Values:
    sizes = {name: math.prod(case.shapes[name] or ()) for name in ("x", "z")}
    return {name: rng.uniform(-4, 4, size).astype(np.float32) for name, size in sizes.items()}


def _case(length: int, scale: float) -> Case:
    return Case(f"n{length}", {"x": (length,), "z": (length,)}, {}, {"scale": scale})


#: y[i] = scale·x[i] + z[i]. One element, an odd length and a round one, so that tails and scalars are met.
SCALE_AND_ADD = SuiteTask(
    Task(
        name="ScaleAndAdd",
        summary="y = scale * x + z, elementwise over vectors of float32.",
        formula="y_i = scale \\cdot x_i + z_i",
        tensors=(Tensor("x", dtype="float32"), Tensor("z", dtype="float32"), Tensor("y", "out", dtype="float32")),
        attrs=(Attr("scale", "float"),),
        dtypes=({},),
        behavior=_scale_and_add,
        out_shapes=lambda case, inputs: {"y": case.shapes["x"]},
        draw=_draw,
        tolerance={"y": {"*": Tolerance(2e-6, 2e-6, "float32 with one rounding (fused) or two; |scale·x + z| ≤ 12")}},
    ),
    (_case(1, 2.0), _case(37, -0.5), _case(1024, 3.0)),
)


def is_right(case: Case, inputs: Values, result: RunResult) -> bool:
    """Whether the values of y are right. Shape and dtype are a question of their own, so they are not asked here."""
    expected = np.asarray(SCALE_AND_ADD.task.behavior(case, inputs)["y"])
    got = np.asarray(result.outputs.get("y"), np.float32).ravel()
    return got.shape == expected.shape and np.allclose(got, expected, rtol=1e-5, atol=1e-5)
