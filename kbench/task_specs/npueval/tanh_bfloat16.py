"""tanh_bfloat16: the hyperbolic tangent."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    return bf16(np.tanh(wide(input_vector)))


TASK, CASES = Operator(
    summary="The hyperbolic tangent of each element.",
    formula="output_vector = tanh(input_vector)",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"output_vector": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "tanh_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 2.0, TINY)
        ),
        "slope": Inputs("values between -1 and 1", uniform((256,), -1, 1)),
        "tails": Inputs("values of every size up to 80: results of 1 and -1", magnitudes((256,), 0.1, 80.0)),
    },
)
