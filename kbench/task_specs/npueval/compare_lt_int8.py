"""compare_lt_int8: where one byte is less than another."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, neighbours, pairs, together
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator


def model(input_a: Array, input_b: Array) -> Array:
    return np.less(input_a, input_b).astype(np.int8)


TASK, CASES = Operator(
    summary="1 where the element of the first vector is less than that of the second, else 0.",
    formula="output = (input_a < input_b)",
    category=BITWISE,
    inputs={"input_a": Buffer("int8", (256,)), "input_b": Buffer("int8", (256,))},
    output={"output": Buffer("int8", (256,))},
    model=model,
).told(
    "compare_lt_int8",
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
