"""relu_bfloat16_cast_uint8: the positive part, as bytes."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import floats, halves, magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    return np.clip(np.round(wide(input_vector)), 0, 255).astype(np.uint8)


TASK, CASES = Operator(
    summary="The positive part of each element, rounded to the nearest whole number (of two the even one), up to 255.",
    formula="output_vector = min(round_half_even(max(input_vector, 0)), 255)",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"output_vector": Buffer("uint8", (256,))},
    model=model,
).told(
    "relu_bfloat16_cast_uint8",
    {
        "typical": Inputs(
            "values as published: ties, and some that saturate", floats((256,), 128.0, (255.0, 256.0, 254.0, -1.0, 0.0))
        ),
        "ties": Inputs("whole numbers and numbers with a half: every second tie goes down", halves((256,), 60)),
        "small": Inputs("values between -2 and 2", uniform((256,), -2, 2, (0.5, -0.5, 1.5, 0.0, -0.0))),
        "saturating": Inputs("values of every size up to 1e6", magnitudes((256,), 1.0, 1e6)),
    },
)
