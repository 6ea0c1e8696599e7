"""sqrt_bfloat16: the square root."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import floats, grid, magnitudes, reshaped
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return bf16(np.sqrt(np.maximum(wide(input), 0)))


TASK, CASES = Operator(
    summary="The square root of each element; 0 where it is negative.",
    formula="output = sqrt(max(input, 0))",
    category=ELEMENTWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "sqrt_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 3.0, (0.0, -0.0))
        ),
        "squares": Inputs(
            "squares of whole numbers: exact results",
            reshaped(grid((256,), 1.0, 16), lambda rng, x: bf16(wide(x) * np.abs(wide(x)))),
        ),
        "magnitudes": Inputs(
            "values of every size from 1e-30 to 1e30, a few negative",
            magnitudes((256,), 1e-30, 1e30, (-1.0, -1e30, 0.0), signs=(1.0,)),
        ),
    },
)
