"""hardsigmoid_bfloat16: the hard sigmoid."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, floats, magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16, step
from kbench.task_specs.numerics import wide


def model(in_buffer: Array) -> Array:
    return bf16(np.clip(step(step(step(0.2) * wide(in_buffer)) + 0.5), 0, 1))


TASK, CASES = Operator(
    summary="0.2 times each element plus 0.5, clipped to 0 … 1.",
    formula="out_buffer = min(max(0.2 * in_buffer + 0.5, 0), 1)",
    category=ELEMENTWISE,
    inputs={"in_buffer": Buffer("bfloat16", (256,))},
    output={"out_buffer": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "hardsigmoid_bfloat16",
    {
        "typical": Inputs("values on the slope and beyond, zeros and subnormals among them", floats((256,), 3.0, TINY)),
        "slope": Inputs("values on the slope", uniform((256,), -2.5, 2.5)),
        "magnitudes": Inputs("values of every size, up to the largest", magnitudes((256,), 0.1, 1e4, HUGE)),
    },
)
