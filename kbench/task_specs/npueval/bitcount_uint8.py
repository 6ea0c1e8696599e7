"""bitcount_uint8: the number of ones in bytes."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import every, integers
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator


def model(input_vector: Array) -> Array:
    return np.bitwise_count(input_vector)


TASK, CASES = Operator(
    summary="The number of bits that are set in each element.",
    formula="output_vector = popcount(input_vector)",
    category=BITWISE,
    inputs={"input_vector": Buffer("uint8", (256,))},
    output={"output_vector": Buffer("uint8", (256,))},
    model=model,
).told(
    "bitcount_uint8",
    {
        "every_value": Inputs("every value of uint8, in an order of the seed", every((256,), "uint8")),
        "low": Inputs("values from 0 to 3, as if signed bytes were meant", integers((256,), "uint8", 0, 3)),
        "high": Inputs("values from 126 on: the sign bit of a byte, and the largest", integers((256,), "uint8", 126)),
    },
)
