"""dotproduct_bfloat16: the dot product."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import along, ends, floats, grid, magnitudes, sparse, together
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator, Param, bf16
from kbench.task_specs.numerics import wide


def model(vector1: Array, vector2: Array, vector_size: int) -> Array:
    return bf16([np.dot(wide(vector1)[:vector_size], wide(vector2)[:vector_size])])


TASK, CASES = Operator(
    summary="The dot product of two vectors of `vector_size` elements.",
    formula="result = sum(vector1 * vector2)",
    category=SPATIAL,
    inputs={"vector1": Buffer("bfloat16", (64,)), "vector2": Buffer("bfloat16", (64,))},
    output={"result": Buffer("bfloat16", (1,))},
    model=model,
    tolerance=PERCENT,
    params={"vector_size": Param("uint32", 64)},
).told(
    "dotproduct_bfloat16",
    {
        "typical": Inputs(
            "few elements that are not zero, their products positive: rounding counts little in any order",
            along(sparse((64,), 8, floats((64,), 2.0)), 1.0, 0.125, 8),
        ),
        "exact": Inputs(
            "multiples of 1/4: every product and every sum is a bfloat16",
            together(grid((64,), 0.25, 4), grid((64,), 0.25, 4)),
        ),
        "negative": Inputs(
            "few products of every size, all negative",
            along(sparse((64,), 8, magnitudes((64,), 0.1, 1e3)), -1.0, 0.5, 9),
        ),
        "ends": Inputs(
            "only the first and the last product are not zero", along(ends(magnitudes((64,), 1.0, 50.0)), 1.0, 0.5, 9)
        ),
    },
)
