"""maxpool2d_relu_bfloat16: the maxima of 2×2 elements, positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, floats, magnitudes, uniform
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator, bf16, patches
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return bf16(np.maximum(patches(wide(input), 2, 2).max(axis=-1), 0))


TASK, CASES = Operator(
    summary="The positive part of the largest element of each 2x2 block.",
    formula="output[i, j] = max(input[2i..2i+1, 2j..2j+1], 0)",
    category=SPATIAL,
    inputs={"input": Buffer("bfloat16", (32, 32))},
    output={"output": Buffer("bfloat16", (16, 16))},
    model=model,
    tolerance=PERCENT,
).told(
    "maxpool2d_relu_bfloat16",
    {
        "typical": Inputs("values of both signs about zero", floats((32, 32), 3.0, TINY[:2])),
        "mostly_negative": Inputs(
            "mostly negative values: half of the blocks have no positive one", uniform((32, 32), -5, 1)
        ),
        "huge": Inputs("values of every size, up to the largest", magnitudes((32, 32), 0.1, 1e6, HUGE)),
    },
)
