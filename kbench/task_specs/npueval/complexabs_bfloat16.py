"""complexabs_bfloat16: the absolute value of complex numbers."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import floats, magnitudes, pairs, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator, bf16, step
from kbench.task_specs.numerics import wide


def model(real_vector: Array, imag_vector: Array) -> Array:
    return bf16(np.sqrt(step(step(wide(real_vector) ** 2) + step(wide(imag_vector) ** 2))))


TASK, CASES = Operator(
    summary="The absolute value of complex numbers from their real and imaginary parts.",
    formula="output_vector = sqrt(real_vector^2 + imag_vector^2)",
    category=ELEMENTWISE,
    inputs={"real_vector": Buffer("bfloat16", (64,)), "imag_vector": Buffer("bfloat16", (64,))},
    output={"output_vector": Buffer("bfloat16", (64,))},
    model=model,
    tolerance=PERCENT,
).told(
    "complexabs_bfloat16",
    {
        "typical": Inputs("values of both signs about zero", together(floats((64,), 2.0), floats((64,), 2.0))),
        "one_part": Inputs(
            "one part zero",
            pairs(
                together(floats((64,), 3.0), floats((64,), 3.0)),
                [(0.0, 2.5), (-2.5, 0.0), (0.0, -0.0), (0.0, -7.0), (3.0, 4.0), (-5.0, 12.0), (8.0, -15.0)],
            ),
        ),
        "magnitudes": Inputs(
            "parts of every size from 1e-3 to 1e6", together(magnitudes((64,), 1e-3, 1e6), magnitudes((64,), 1e-3, 1e6))
        ),
    },
)
