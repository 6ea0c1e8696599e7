"""dotproduct_int32: the dot product of integers."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, together
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator


def model(vector1: Array, vector2: Array) -> Array:
    return np.sum(vector1 * vector2, dtype=np.int32)


TASK, CASES = Operator(
    summary="The dot product of two vectors.",
    formula="result = sum(vector1 * vector2)",
    category=SPATIAL,
    inputs={"vector1": Buffer("int32", (256,)), "vector2": Buffer("int32", (256,))},
    output={"result": Buffer("int32", ())},
    model=model,
).told(
    "dotproduct_int32",
    {
        "typical": Inputs(
            "values as published", together(integers((256,), "int32", -10, 9), integers((256,), "int32", -10, 9))
        ),
        "large": Inputs(
            "products beyond 16 bits, whose sum float32 does not hold",
            together(integers((256,), "int32", -2500, 2500), integers((256,), "int32", -1000, 1500)),
        ),
        "positive": Inputs(
            "a sum that only 32 bits hold",
            together(integers((256,), "int32", 1000, 2800), integers((256,), "int32", 1000, 2800)),
        ),
    },
)
