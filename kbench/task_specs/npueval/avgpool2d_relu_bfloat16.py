"""avgpool2d_relu_bfloat16: the means of 2×2 elements, positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, grid, magnitudes
from kbench.task_specs.npueval._operator import SPATIAL, THREE_PERCENT, Buffer, Inputs, Operator, bf16, patches
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return bf16(np.maximum(patches(wide(input), 2, 2).mean(axis=-1), 0))


TASK, CASES = Operator(
    summary="The positive part of the mean of each 2x2 block.",
    formula="output[i, j] = max(mean(input[2i..2i+1, 2j..2j+1]), 0)",
    category=SPATIAL,
    inputs={"input": Buffer("bfloat16", (32, 32))},
    output={"output": Buffer("bfloat16", (16, 16))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "avgpool2d_relu_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((32, 32), 3.0, TINY)
        ),
        "exact": Inputs("small whole numbers: every sum is exact", grid((32, 32), 1.0, 16)),
        "magnitudes": Inputs("values of every size up to 1e6", magnitudes((32, 32), 0.1, 1e6)),
    },
)
