"""rsqrt_bfloat16: the reciprocal of the square root."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import grid, magnitudes, reshaped
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16, step
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    x = wide(input)
    root = step(np.sqrt(np.maximum(x, 0)))
    return bf16(np.divide(1, root, out=np.zeros_like(x), where=x > 0))


TASK, CASES = Operator(
    summary="The reciprocal of the square root of each element; 0 where it is zero or negative.",
    formula="output = input > 0 ? 1 / sqrt(input) : 0",
    category=ELEMENTWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "rsqrt_bfloat16",
    {
        "typical": Inputs(
            "positive values about one, zeros and negative values among them",
            magnitudes((256,), 0.1, 10.0, (0.0, -1.0, -0.0), signs=(1.0,)),
        ),
        "powers": Inputs(
            "powers of four: exact results", reshaped(grid((256,), 1.0, 6), lambda rng, x: bf16(4.0 ** wide(x)))
        ),
        "magnitudes": Inputs(
            "values of every size from 1e-30 to 1e30, a few negative",
            magnitudes((256,), 1e-30, 1e30, (-1.0, -1e30, 0.0), signs=(1.0,)),
        ),
    },
)
