"""compare_gt_int8: where one byte is greater than another."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, neighbours, pairs, together
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator


def model(in_buffer0: Array, in_buffer1: Array) -> Array:
    return np.greater(in_buffer0, in_buffer1).astype(np.int8)


TASK, CASES = Operator(
    summary="1 where the element of the first vector is greater than that of the second, else 0.",
    formula="out_buffer = (in_buffer0 > in_buffer1)",
    category=BITWISE,
    inputs={"in_buffer0": Buffer("int8", (256,)), "in_buffer1": Buffer("int8", (256,))},
    output={"out_buffer": Buffer("int8", (256,))},
    model=model,
).told(
    "compare_gt_int8",
    {
        "full_range": Inputs(
            "values over the whole range: their differences do not fit in int8",
            together(integers((256,), "int8"), integers((256,), "int8")),
        ),
        "neighbours": Inputs(
            "second inputs within one of the first: a third of them equal", neighbours(integers((256,), "int8"))
        ),
        "ends": Inputs(
            "the ends of the range and zero against each other",
            pairs(
                neighbours(integers((256,), "int8", -3, 3)),
                [(-128, 127), (127, -128), (127, 127), (-128, -128), (0, -128), (-128, 0), (127, 0), (0, 127)],
            ),
        ),
    },
)
