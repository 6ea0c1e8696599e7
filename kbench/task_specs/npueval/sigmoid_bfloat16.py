"""sigmoid_bfloat16: the logistic function."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16, step
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    return bf16(1 / step(1 + step(np.exp(-wide(input_vector)))))


TASK, CASES = Operator(
    summary="The logistic function of each element.",
    formula="output_vector = 1 / (1 + e ^ -input_vector)",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"output_vector": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "sigmoid_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 2.0, TINY)
        ),
        "bend": Inputs("values from -4 to 4, where the function bends", uniform((256,), -4, 4)),
        "tails": Inputs("values of every size up to 60: the tails", magnitudes((256,), 0.1, 60.0)),
    },
)
