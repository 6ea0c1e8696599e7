"""gelu_bfloat16: the GELU activation, by hyperbolic tangent."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16, step
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    x = wide(input_vector)
    return bf16(x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * step(x**3)))))


TASK, CASES = Operator(
    summary="The Gaussian error linear unit in its form with the hyperbolic tangent.",
    formula="output_vector = x / 2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3)))",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"output_vector": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "gelu_bfloat16",
    {
        "typical": Inputs("values from -5 to 5, zeros and subnormals among them", uniform((256,), -5, 5, TINY)),
        "bend": Inputs("values from -4 to 4, where the function bends", uniform((256,), -4, 4)),
        "tails": Inputs("values of every size up to 60: the tails", magnitudes((256,), 0.1, 60.0)),
    },
)
