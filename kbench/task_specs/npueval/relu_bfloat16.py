"""relu_bfloat16: the positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, floats, magnitudes
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(in_buffer: Array) -> Array:
    return bf16(np.maximum(wide(in_buffer), 0))


TASK, CASES = Operator(
    summary="The larger of each element and zero.",
    formula="out_buffer = max(in_buffer, 0)",
    category=ELEMENTWISE,
    inputs={"in_buffer": Buffer("bfloat16", (256,))},
    output={"out_buffer": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "relu_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 3.0, TINY)
        ),
        "magnitudes": Inputs("values of every size from 1e-6 to 1e6", magnitudes((256,), 1e-6, 1e6)),
        "huge": Inputs("values up to the largest finite ones", magnitudes((256,), 1e-3, 1e3, HUGE)),
    },
)
