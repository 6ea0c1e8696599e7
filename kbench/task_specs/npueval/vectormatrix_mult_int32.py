"""vectormatrix_mult_int32: a vector times a matrix of integers."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, together
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator


def model(vector: Array, matrix: Array) -> Array:
    return vector @ matrix


TASK, CASES = Operator(
    summary="The product of a vector and a 16x16 matrix.",
    formula="result[i] = sum_j vector[j] * matrix[j, i]",
    category=SPATIAL,
    inputs={"vector": Buffer("int32", (16,)), "matrix": Buffer("int32", (16, 16))},
    output={"result": Buffer("int32", (16,))},
    model=model,
).told(
    "vectormatrix_mult_int32",
    {
        "typical": Inputs(
            "values as published", together(integers((16,), "int32", -10, 9), integers((16, 16), "int32", -10, 9))
        ),
        "large": Inputs(
            "products beyond 16 bits that float32 does not hold",
            together(integers((16,), "int32", -10000, 10000), integers((16, 16), "int32", -10000, 10000)),
        ),
        "positive": Inputs(
            "sums beyond 16 bits", together(integers((16,), "int32", 100, 3000), integers((16, 16), "int32", 100, 3000))
        ),
    },
)
