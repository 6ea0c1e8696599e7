"""cast_int8_to_int32: bytes as 32-bit integers."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import every, integers
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator


def model(input_vector: Array) -> Array:
    return input_vector.astype(np.int32)


TASK, CASES = Operator(
    summary="Each element as int32, the sign kept.",
    formula="output_vector = input_vector",
    category=BITWISE,
    inputs={"input_vector": Buffer("int8", (256,))},
    output={"output_vector": Buffer("int32", (256,))},
    model=model,
    lazy={"copy:input_vector": "a widening cast is a copy of the values; a copy of the bytes fails"},
).told(
    "cast_int8_to_int32",
    {
        "every_value": Inputs("every value of int8, in an order of the seed", every((256,), "int8")),
        "near_zero": Inputs(
            "values from -3 to 3: zero and both signs, many times each", integers((256,), "int8", -3, 3)
        ),
        "full_range": Inputs("values over the whole range, its ends many times", integers((256,), "int8")),
    },
)
