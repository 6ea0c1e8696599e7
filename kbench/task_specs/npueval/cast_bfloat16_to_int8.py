"""cast_bfloat16_to_int8: bfloat16 as bytes."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import floats, halves, magnitudes, uniform
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return np.clip(np.round(wide(input)), -128, 127).astype(np.int8)


TASK, CASES = Operator(
    summary="Each element rounded to the nearest whole number, the even one of two, saturated to int8.",
    formula="output = min(max(round_half_even(input), -128), 127)",
    category=BITWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("int8", (256,))},
    model=model,
).told(
    "cast_bfloat16_to_int8",
    {
        "typical": Inputs(
            "values as published: ties, and some that saturate",
            floats((256,), 70.0, (127.0, -128.0, 127.5, -128.0, 128.0, -129.0)),
        ),
        "ties": Inputs("whole numbers and numbers with a half: every second tie goes down", halves((256,), 60)),
        "small": Inputs("values between -2 and 2", uniform((256,), -2, 2, (0.5, -0.5, 1.5, -1.5, 0.0, -0.0))),
        "saturating": Inputs("values of every size up to 1e6", magnitudes((256,), 1.0, 1e6)),
    },
)
