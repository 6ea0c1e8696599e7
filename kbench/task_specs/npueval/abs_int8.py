"""abs_int8: the absolute value of bytes."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import every, integers
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator


def model(in_buffer: Array) -> Array:
    return np.abs(in_buffer)


TASK, CASES = Operator(
    summary="The absolute value of each element; -128, which has none, stays -128.",
    formula="out_buffer = |in_buffer|, in int8",
    category=ELEMENTWISE,
    inputs={"in_buffer": Buffer("int8", (1024,))},
    output={"out_buffer": Buffer("int8", (1024,))},
    model=model,
).told(
    "abs_int8",
    {
        "every_value": Inputs("every value of int8, in an order of the seed", every((1024,), "int8")),
        "near_zero": Inputs(
            "values from -3 to 3: zero and both signs, many times each", integers((1024,), "int8", -3, 3)
        ),
        "full_range": Inputs("values over the whole range, its ends many times", integers((1024,), "int8")),
    },
)
