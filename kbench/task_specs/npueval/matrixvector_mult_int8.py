"""matrixvector_mult_int8: a matrix of bytes times a vector of bytes."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, together
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator


def model(matrix: Array, vector: Array) -> Array:
    return matrix.reshape(16, 16).astype(np.int32) @ vector.astype(np.int32)


TASK, CASES = Operator(
    summary="The product of a 16x16 matrix, given row by row, and a vector, in int32.",
    formula="result[i] = sum_j matrix[16 i + j] * vector[j]",
    category=SPATIAL,
    inputs={"matrix": Buffer("int8", (256,)), "vector": Buffer("int8", (16,))},
    output={"result": Buffer("int32", (16,))},
    model=model,
).told(
    "matrixvector_mult_int8",
    {
        "typical": Inputs(
            "values as published", together(integers((256,), "int8", -20, 19), integers((16,), "int8", -20, 19))
        ),
        "full_range": Inputs(
            "values over the whole range, its ends many times",
            together(integers((256,), "int8"), integers((16,), "int8")),
        ),
        "largest": Inputs(
            "sums beyond 16 bits", together(integers((256,), "int8", -128, -110), integers((16,), "int8", -128, -110))
        ),
    },
)
