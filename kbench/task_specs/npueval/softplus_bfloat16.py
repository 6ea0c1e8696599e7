"""softplus_bfloat16: the softplus function."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return bf16(np.logaddexp(0, wide(input)))


TASK, CASES = Operator(
    summary="The logarithm of one plus e to the power of each element.",
    formula="output = ln(1 + e ^ input)",
    category=ELEMENTWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "softplus_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 2.0, TINY)
        ),
        "bend": Inputs("values from -4 to 4, where the function bends", uniform((256,), -4, 4)),
        "tails": Inputs("values of every size up to 60: the tails", magnitudes((256,), 0.1, 60.0)),
    },
)
