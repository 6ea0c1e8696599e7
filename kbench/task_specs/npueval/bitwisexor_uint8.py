"""bitwisexor_uint8: bitwise xor of bytes."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, neighbours, together
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator


def model(in_buffer1: Array, in_buffer2: Array) -> Array:
    return np.bitwise_xor(in_buffer1, in_buffer2)


TASK, CASES = Operator(
    summary="The bitwise XOR of two vectors.",
    formula="out_buffer = in_buffer1 ^ in_buffer2",
    category=BITWISE,
    inputs={"in_buffer1": Buffer("uint8", (1024,)), "in_buffer2": Buffer("uint8", (1024,))},
    output={"out_buffer": Buffer("uint8", (1024,))},
    model=model,
).told(
    "bitwisexor_uint8",
    {
        "full_range": Inputs(
            "values over the whole range, its ends many times",
            together(integers((1024,), "uint8"), integers((1024,), "uint8")),
        ),
        "nibbles": Inputs(
            "one input in the low four bits, the other in any",
            together(integers((1024,), "uint8", 0, 15), integers((1024,), "uint8")),
        ),
        "neighbours": Inputs("second inputs within one of the first", neighbours(integers((1024,), "uint8"))),
    },
)
