"""pad2d_int32: a matrix with a border."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator, Param


def model(input_matrix: Array, pad_size: int, pad_value: int) -> Array:
    return np.pad(input_matrix, pad_size, constant_values=pad_value)


TASK, CASES = Operator(
    summary="The matrix with a border of `pad_size` elements of `pad_value` on all four sides.",
    formula="padded_matrix = pad_value around input_matrix",
    category=BITWISE,
    inputs={"input_matrix": Buffer("int32", (16, 16))},
    output={"padded_matrix": Buffer("int32", (20, 20))},
    model=model,
    params={"pad_size": Param("uint32", 2), "pad_value": Param("int32", 0)},
).told(
    "pad2d_int32",
    {
        "zeros": Inputs("any values with the published border", integers((16, 16), "int32")),
        "minus_one": Inputs("a border of -1", integers((16, 16), "int32", -10, 9), {"pad_value": -1}),
        "any_value": Inputs("a border whose four bytes differ", integers((16, 16), "int32"), {"pad_value": 305419896}),
    },
)
