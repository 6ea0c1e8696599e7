"""cast_float32_to_bfloat16: float32 as bfloat16."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, magnitudes, reshaped
from kbench.task_specs.npueval._operator import BITWISE, PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(in_buffer: Array) -> Array:
    return bf16(wide(in_buffer))


TASK, CASES = Operator(
    summary="Each element rounded to bfloat16.",
    formula="out_buffer = in_buffer, rounded",
    category=BITWISE,
    inputs={"in_buffer": Buffer("float32", (256,))},
    output={"out_buffer": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=PERCENT,
    lazy={"copy:in_buffer": "a narrowing cast is a copy of the values; a copy of the bytes fails"},
).told(
    "cast_float32_to_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 5.0, TINY, "float32")
        ),
        "magnitudes": Inputs(
            "values of every size from 1e-6 to 1e30",
            reshaped(
                magnitudes((256,), 1e-6, 1e30),
                lambda rng, x: (wide(x) * rng.uniform(1, 1.01, x.shape)).astype(np.float32),
            ),
        ),
        "ties": Inputs(
            "values half-way between two of bfloat16",
            reshaped(floats((256,), 5.0), lambda rng, x: (wide(x) * (1 + 2.0**-9)).astype(np.float32)),
        ),
    },
)
