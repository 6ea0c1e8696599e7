"""hardsigmoid_int8: the hard sigmoid of bytes, scaled to 0…127."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import every, integers
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    y = np.clip(wide(input_vector) / 6 + 0.5, 0, 1)
    return np.round(127 * y).astype(np.int8)


TASK, CASES = Operator(
    summary="The hard sigmoid x/6 + 1/2, clipped to 0…1, times 127, rounded to nearest.",
    formula="output_vector = round(127 * min(max(input_vector / 6 + 1/2, 0), 1))",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("int8", (256,))},
    output={"output_vector": Buffer("int8", (256,))},
    model=model,
).told(
    "hardsigmoid_int8",
    {
        "every_value": Inputs("every value of int8, in an order of the seed", every((256,), "int8")),
        "slope": Inputs(
            "values from -4 to 4: the slope and where it meets both constants", integers((256,), "int8", -4, 4)
        ),
    },
)
