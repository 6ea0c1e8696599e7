"""avgpool1d_relu_bfloat16: the means of four, positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, grid, magnitudes
from kbench.task_specs.npueval._operator import SPATIAL, THREE_PERCENT, Buffer, Inputs, Operator, bf16, windows
from kbench.task_specs.numerics import wide


def model(in_buffer: Array) -> Array:
    return bf16(np.maximum(windows(wide(in_buffer), 4, 4).mean(axis=-1), 0))


TASK, CASES = Operator(
    summary="The positive part of the mean of each four elements.",
    formula="out_buffer[i] = max(mean(in_buffer[4i .. 4i+3]), 0)",
    category=SPATIAL,
    inputs={"in_buffer": Buffer("bfloat16", (256,))},
    output={"out_buffer": Buffer("bfloat16", (64,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "avgpool1d_relu_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 3.0, TINY)
        ),
        "exact": Inputs("small whole numbers: every sum is exact", grid((256,), 1.0, 16)),
        "magnitudes": Inputs("values of every size up to 1e6", magnitudes((256,), 0.1, 1e6)),
    },
)
