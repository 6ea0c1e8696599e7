"""sign_int8: the sign of bytes."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import every, integers
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator


def model(input_vector: Array) -> Array:
    return np.sign(input_vector)


TASK, CASES = Operator(
    summary="1 for positive, -1 for negative elements, 0 for zero.",
    formula="output_vector = sign(input_vector)",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("int8", (256,))},
    output={"output_vector": Buffer("int8", (256,))},
    model=model,
).told(
    "sign_int8",
    {
        "every_value": Inputs("every value of int8, in an order of the seed", every((256,), "int8")),
        "near_zero": Inputs(
            "values from -3 to 3: zero and both signs, many times each", integers((256,), "int8", -3, 3)
        ),
        "full_range": Inputs("values over the whole range, its ends many times", integers((256,), "int8")),
        "not_negative": Inputs(
            "no negative value: an element that is left out shows, where -1 is what lies there",
            integers((256,), "int8", 0),
        ),
    },
)
