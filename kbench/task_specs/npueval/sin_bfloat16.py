"""sin_bfloat16: the sine."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, reshaped, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, TWO_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    return bf16(np.sin(wide(input_vector)))


TASK, CASES = Operator(
    summary="The sine of each element, in radians.",
    formula="output_vector = sin(input_vector)",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"output_vector": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=TWO_PERCENT,
).told(
    "sin_bfloat16",
    {
        "period": Inputs(
            "values within one period about zero, zeros and subnormals among them", uniform((256,), -3.14, 3.14, TINY)
        ),
        "typical": Inputs(
            "values within two periods about zero: their range must be reduced", uniform((256,), -6.28, 6.28)
        ),
        "quarters": Inputs(
            "values close to multiples of a quarter period, where the function is 0, 1 or -1",
            reshaped(
                uniform((256,), -0.05, 0.05),
                lambda rng, x: bf16(wide(x) + rng.integers(-4, 4, x.shape, endpoint=True) * 1.5707963),
            ),
        ),
    },
)
