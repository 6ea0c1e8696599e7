"""pad1d_int32: a vector with a border."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator, Param


def model(input_vector: Array, pad_size: int, pad_value: int) -> Array:
    return np.pad(input_vector, pad_size, constant_values=pad_value)


TASK, CASES = Operator(
    summary="The vector with `pad_size` elements of `pad_value` before and after it.",
    formula="padded_vector = [pad_value, …, input_vector, …, pad_value]",
    category=BITWISE,
    inputs={"input_vector": Buffer("int32", (256,))},
    output={"padded_vector": Buffer("int32", (260,))},
    model=model,
    params={"pad_size": Param("uint32", 2), "pad_value": Param("int32", 0)},
).told(
    "pad1d_int32",
    {
        "zeros": Inputs("any values with the published border", integers((256,), "int32")),
        "minus_one": Inputs("a border of -1", integers((256,), "int32", -10, 9), {"pad_value": -1}),
        "any_value": Inputs("a border whose four bytes differ", integers((256,), "int32"), {"pad_value": 305419896}),
    },
)
