"""elementwise_min_int8: the smaller of two bytes."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, neighbours, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator


def model(input1: Array, input2: Array) -> Array:
    return np.minimum(input1, input2)


TASK, CASES = Operator(
    summary="The smaller of the elements of two vectors.",
    formula="output = min(input1, input2)",
    category=ELEMENTWISE,
    inputs={"input1": Buffer("int8", (256,)), "input2": Buffer("int8", (256,))},
    output={"output": Buffer("int8", (256,))},
    model=model,
).told(
    "elementwise_min_int8",
    {
        "full_range": Inputs(
            "values over the whole range, its ends many times",
            together(integers((256,), "int8"), integers((256,), "int8")),
        ),
        "neighbours": Inputs(
            "second inputs within one of the first: a third of them equal", neighbours(integers((256,), "int8"))
        ),
        "small": Inputs(
            "values of few bits, so that equal pairs and zeros are many",
            together(integers((256,), "int8", -3, 3), integers((256,), "int8", -3, 3)),
        ),
    },
)
