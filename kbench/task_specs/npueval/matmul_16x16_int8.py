"""matmul_16x16_int8: a product of matrices of bytes, saturated."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Rng, integers, together
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator, clipped


def selecting(rng: Rng) -> tuple[Array, ...]:
    """Each row of the first has a single 1: the product holds rows of the second."""
    first = np.zeros((16, 16), np.int8)
    first[np.arange(16), rng.integers(0, 16, 16)] = 1
    return first, rng.integers(-128, 127, (16, 16), dtype=np.int8, endpoint=True)


def model(a: Array, b: Array) -> Array:
    return clipped(a.astype(np.int32) @ b.astype(np.int32), "int8")


TASK, CASES = Operator(
    summary="The product of two 16x16 matrices, saturated to int8.",
    formula="out = min(max(a @ b, -128), 127)",
    category=SPATIAL,
    inputs={"a": Buffer("int8", (16, 16)), "b": Buffer("int8", (16, 16))},
    output={"out": Buffer("int8", (16, 16))},
    model=model,
).told(
    "matmul_16x16_int8",
    {
        "typical": Inputs(
            "values as published: a third of the results saturate",
            together(integers((16, 16), "int8", -10, 9), integers((16, 16), "int8", -10, 9)),
        ),
        "in_range": Inputs(
            "small values: no result saturates",
            together(integers((16, 16), "int8", -2, 2), integers((16, 16), "int8", -3, 3)),
        ),
        "selecting": Inputs(
            "one column selected by each row: transposed or turned around it gives something else", selecting
        ),
        "full_range": Inputs(
            "values over the whole range, its ends many times: partial sums beyond 16 bits",
            together(integers((16, 16), "int8"), integers((16, 16), "int8")),
        ),
    },
)
