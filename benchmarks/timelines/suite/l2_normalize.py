"""L2Normalize: y = x / sqrt(sum of x^2), over the whole tensor, so that cores must wait for each other."""

import numpy as np

from kbench import Case, Task, Tensor, Tolerance


def behavior(case, inputs):
    x = inputs["x"].astype(np.float64)
    return {"y": (x / np.sqrt(np.sum(x * x))).astype(np.float32)}


TASK = Task(
    name="L2Normalize",
    summary="A tensor over its Euclidean norm.",
    formula="y = x / sqrt(sum(x^2))",
    tensors=(Tensor("x"), Tensor("y", "out")),
    dtypes=({"T": "float32"},),
    behavior=behavior,
    out_shapes=lambda case, inputs: {"y": case.shapes["x"]},
    draw=lambda case, rng: {"x": rng.normal(0, 2, case.shapes["x"]).astype(np.float32)},
    tolerance={"y": {"float32": Tolerance(1e-9, 2e-6, "a sum of two million squares in float, in three stages")}},
)
CASES = [Case("float32_48x20480", {"x": (48, 20480)}, {"T": "float32"})]
