"""exp_bfloat16: the exponential function."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    return bf16(np.exp(wide(input_vector)))


TASK, CASES = Operator(
    summary="e to the power of each element.",
    formula="output_vector = e ^ input_vector",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (64,))},
    output={"output_vector": Buffer("bfloat16", (64,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "exp_bfloat16",
    {
        "typical": Inputs("values of both signs about zero, zeros and subnormals among them", floats((64,), 2.0, TINY)),
        "wide": Inputs("values from -80 to 80: results from 1e-35 to 1e34", uniform((64,), -80, 80)),
        "growing": Inputs("positive values", uniform((64,), 0, 20, (0.0, 1.0))),
    },
)
