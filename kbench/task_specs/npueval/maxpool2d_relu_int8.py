"""maxpool2d_relu_int8: the maxima of 2×2 bytes, positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator, patches


def model(input: Array) -> Array:
    return np.maximum(patches(input, 2, 2).max(axis=-1), np.int8(0))


TASK, CASES = Operator(
    summary="The positive part of the largest element of each 2x2 block.",
    formula="output[i, j] = max(input[2i..2i+1, 2j..2j+1], 0)",
    category=SPATIAL,
    inputs={"input": Buffer("int8", (16, 16))},
    output={"output": Buffer("int8", (8, 8))},
    model=model,
).told(
    "maxpool2d_relu_int8",
    {
        "full_range": Inputs("values over the whole range, its ends many times", integers((16, 16), "int8")),
        "mostly_negative": Inputs(
            "mostly negative values: half of the blocks have no positive one", integers((16, 16), "int8", -100, 16)
        ),
        "tied": Inputs("values from -2 to 1", integers((16, 16), "int8", -2, 1)),
    },
)
