"""compare_equal_int32: where two integer vectors agree."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, neighbours, pairs, tied
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator


def model(a: Array, b: Array) -> Array:
    return (a == b).astype(np.uint8)


TASK, CASES = Operator(
    summary="1 where the elements of two vectors are equal, else 0.",
    formula="out = (a == b)",
    category=BITWISE,
    inputs={"a": Buffer("int32", (256,)), "b": Buffer("int32", (256,))},
    output={"out": Buffer("uint8", (256,))},
    model=model,
).told(
    "compare_equal_int32",
    {
        "tied": Inputs("half of the elements equal", tied(integers((256,), "int32", -1000, 1000))),
        "neighbours": Inputs(
            "elements that differ by one or not at all: float32 takes them for equal",
            neighbours(integers((256,), "int32")),
        ),
        "extremes": Inputs(
            "the ends of the range against each other: their difference wraps",
            pairs(
                tied(integers((256,), "int32")),
                [(-2147483648, 2147483647), (2147483647, -1), (-2147483648, 0), (-2147483648, -2147483648)],
            ),
        ),
    },
)
