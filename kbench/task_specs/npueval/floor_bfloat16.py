"""floor_bfloat16: rounding down."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, halves, magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, TWO_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    return bf16(np.floor(wide(input_vector)))


TASK, CASES = Operator(
    summary="The largest whole number that is not above each element.",
    formula="output_vector = floor(input_vector)",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"output_vector": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=TWO_PERCENT,
).told(
    "floor_bfloat16",
    {
        "typical": Inputs("values of both signs, with fractions", floats((256,), 10.0, TINY[:2])),
        "whole": Inputs("whole numbers, numbers with a half, and a little beside them", halves((256,), 30)),
        "small": Inputs("values between -1 and 1", uniform((256,), -1, 1, (0.0, 1.0, -1.0))),
        "large": Inputs("values so large that bfloat16 has no fractions there", magnitudes((256,), 1.0, 1e6)),
    },
)
