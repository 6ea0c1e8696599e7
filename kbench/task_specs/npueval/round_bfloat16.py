"""round_bfloat16: rounding to the nearest whole number."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Draw, floats, halves, magnitudes, reshaped, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator, bf16, step
from kbench.task_specs.numerics import wide

#: The largest bfloat16 below 1/2: with 1/2 added it rounds to 1, which a wider sum does not.
JUST_BELOW_HALF = 0.498046875


def not_just_below_half(base: Draw) -> Draw:
    return reshaped(base, lambda rng, x: np.where(wide(x) == JUST_BELOW_HALF, bf16(0.25), x))


def model(input: Array) -> Array:
    """The sum is rounded to bfloat16, which only just below 1/2 gives another whole number."""
    return bf16(np.floor(step(wide(input) + 0.5)))


TASK, CASES = Operator(
    summary="The nearest whole number, the larger one of two.",
    formula="output = floor(input + 1/2)",
    category=ELEMENTWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=PERCENT,
).told(
    "round_bfloat16",
    {
        "typical": Inputs("values of both signs, with fractions", not_just_below_half(floats((256,), 5.0, TINY[:2]))),
        "ties": Inputs(
            "whole numbers, numbers with a half, and a little beside them: ties go up, for negative numbers too",
            halves((256,), 30, (0.5, -0.5, 1.5, -1.5, 2.5, -2.5)),
        ),
        "small": Inputs(
            "values between -1 and 1", not_just_below_half(uniform((256,), -1, 1, (0.0, 0.5, -0.5, 1.0, -1.0)))
        ),
        "large": Inputs(
            "values so large that bfloat16 has few fractions there", not_just_below_half(magnitudes((256,), 2.0, 1e6))
        ),
    },
)
