"""inverse_uint8: 255 minus each byte."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import every, integers
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator


def model(in_buffer: Array) -> Array:
    return np.uint8(255) - in_buffer


TASK, CASES = Operator(
    summary="255 minus each element.",
    formula="out_buffer = 255 - in_buffer",
    category=ELEMENTWISE,
    inputs={"in_buffer": Buffer("uint8", (1024,))},
    output={"out_buffer": Buffer("uint8", (1024,))},
    model=model,
).told(
    "inverse_uint8",
    {
        "every_value": Inputs("every value of uint8, in an order of the seed", every((1024,), "uint8")),
        "low": Inputs("values from 0 to 3, as if signed bytes were meant", integers((1024,), "uint8", 0, 3)),
        "high": Inputs("values from 126 on: the sign bit of a byte, and the largest", integers((1024,), "uint8", 126)),
    },
)
