"""add_offset_int8: bytes plus a constant, saturated."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import every, integers
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator, Param, clipped


def model(in_buffer: Array, offset: int) -> Array:
    return clipped(in_buffer.astype(np.int16) + offset, "int8")


TASK, CASES = Operator(
    summary="The sum of each element and the offset, saturated to int8.",
    formula="out_buffer = min(max(in_buffer + offset, -128), 127)",
    category=ELEMENTWISE,
    inputs={"in_buffer": Buffer("int8", (256,))},
    output={"out_buffer": Buffer("int8", (256,))},
    model=model,
    params={"offset": Param("int8", -11)},
).told(
    "add_offset_int8",
    {
        "published_offset": Inputs(
            "values that the sum keeps in range, with the published offset", integers((256,), "int8", -100, 100)
        ),
        "upwards": Inputs(
            "values up to where the sum just does not saturate", integers((256,), "int8", -128, 87), {"offset": 40}
        ),
        "saturating": Inputs(
            "every value of int8 and an offset that saturates a third of them at 127",
            every((256,), "int8"),
            {"offset": 90},
        ),
        "saturating_below": Inputs(
            "every value of int8 and the smallest offset: half of the sums saturate at -128",
            every((256,), "int8"),
            {"offset": -128},
        ),
    },
)
