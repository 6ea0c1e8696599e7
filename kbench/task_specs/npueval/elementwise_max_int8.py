"""elementwise_max_int8: the larger of two bytes."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, neighbours, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator


def model(in_buffer1: Array, in_buffer2: Array) -> Array:
    return np.maximum(in_buffer1, in_buffer2)


TASK, CASES = Operator(
    summary="The larger of the elements of two vectors.",
    formula="out_buffer = max(in_buffer1, in_buffer2)",
    category=ELEMENTWISE,
    inputs={"in_buffer1": Buffer("int8", (512,)), "in_buffer2": Buffer("int8", (512,))},
    output={"out_buffer": Buffer("int8", (512,))},
    model=model,
).told(
    "elementwise_max_int8",
    {
        "full_range": Inputs(
            "values over the whole range, its ends many times",
            together(integers((512,), "int8"), integers((512,), "int8")),
        ),
        "neighbours": Inputs(
            "second inputs within one of the first: a third of them equal", neighbours(integers((512,), "int8"))
        ),
        "small": Inputs(
            "values of few bits, so that equal pairs and zeros are many",
            together(integers((512,), "int8", -3, 3), integers((512,), "int8", -3, 3)),
        ),
    },
)
