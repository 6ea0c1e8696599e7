"""leaky_relu_bfloat16: the leaky positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, magnitudes
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16, step
from kbench.task_specs.numerics import wide


def model(in_buffer: Array) -> Array:
    x = wide(in_buffer)
    return bf16(np.where(x > 0, x, x * step(0.01)))


TASK, CASES = Operator(
    summary="Each element where it is positive, else 0.01 times it.",
    formula="out_buffer = in_buffer > 0 ? in_buffer : 0.01 * in_buffer",
    category=ELEMENTWISE,
    inputs={"in_buffer": Buffer("bfloat16", (256,))},
    output={"out_buffer": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "leaky_relu_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 3.0, TINY)
        ),
        "negative_slope": Inputs(
            "negative values so large that the slope counts", magnitudes((256,), 10.0, 1e4, (5.0, 1.0, 0.0))
        ),
        "magnitudes": Inputs("values of every size, up to 1e30", magnitudes((256,), 1e-3, 1e6, (1e30, -1e30))),
    },
)
