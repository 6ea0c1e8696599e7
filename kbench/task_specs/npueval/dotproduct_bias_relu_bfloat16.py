"""dotproduct_bias_relu_bfloat16: the dot product plus a bias, positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import along, ends, floats, grid, magnitudes, sparse, together
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator, Param, bf16, step
from kbench.task_specs.numerics import wide


def model(in0: Array, in1: Array, bias: float, vector_size: int) -> Array:
    total = step(np.dot(wide(in0)[:vector_size], wide(in1)[:vector_size]))
    return bf16([np.maximum(total + bias, 0)])


TASK, CASES = Operator(
    summary="The positive part of the dot product of two vectors of `vector_size` elements plus the bias.",
    formula="out = max(sum(in0 * in1) + bias, 0)",
    category=SPATIAL,
    inputs={"in0": Buffer("bfloat16", (64,)), "in1": Buffer("bfloat16", (64,))},
    output={"out": Buffer("bfloat16", (1,))},
    model=model,
    tolerance=PERCENT,
    params={"bias": Param("bfloat16", 0.671875), "vector_size": Param("uint32", 64)},
).told(
    "dotproduct_bias_relu_bfloat16",
    {
        "positive": Inputs(
            "few elements that are not zero, their products positive: rounding counts little in any order",
            along(sparse((64,), 8, floats((64,), 2.0)), 1.0, 0.125, 8),
        ),
        "negative": Inputs(
            "few products of every size, all negative",
            along(sparse((64,), 8, magnitudes((64,), 0.1, 1e3)), -1.0, 0.5, 9),
        ),
        "exact": Inputs(
            "multiples of 1/4: every product and every sum is a bfloat16",
            together(grid((64,), 0.25, 4), grid((64,), 0.25, 4)),
            {"bias": 1.5},
        ),
        "bias_decides": Inputs(
            "a dot product of little against the bias",
            together(sparse((64,), 1, grid((64,), 0.25, 4, 1)), grid((64,), 0.25, 4)),
            {"bias": 8.0},
        ),
        "ends": Inputs(
            "only the first and the last product are not zero", along(ends(magnitudes((64,), 1.0, 50.0)), 1.0, 0.5, 9)
        ),
    },
)
