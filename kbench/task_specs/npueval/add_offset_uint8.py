"""add_offset_uint8: bytes plus a constant, modulo 256."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import every
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator, Param


def model(in_buffer: Array, offset: int) -> Array:
    return in_buffer + np.uint8(offset)


TASK, CASES = Operator(
    summary="The sum of each element and the offset, modulo 256.",
    formula="out_buffer = (in_buffer + offset) mod 256",
    category=ELEMENTWISE,
    inputs={"in_buffer": Buffer("uint8", (1024,))},
    output={"out_buffer": Buffer("uint8", (1024,))},
    model=model,
    params={"offset": Param("uint8", 2)},
).told(
    "add_offset_uint8",
    {
        "published_offset": Inputs(
            "every value of uint8: 254 and 255 wrap with the published offset", every((1024,), "uint8")
        ),
        "half": Inputs("every value, half of which wrap", every((1024,), "uint8"), {"offset": 128}),
        "largest": Inputs("the largest offset: every value but zero wraps", every((1024,), "uint8"), {"offset": 255}),
    },
)
