"""cast_bfloat16_to_float32: bfloat16 as float32."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, floats, magnitudes
from kbench.task_specs.npueval._operator import BITWISE, PERCENT, Buffer, Inputs, Operator


def model(in_buffer: Array) -> Array:
    return in_buffer.astype(np.float32)


TASK, CASES = Operator(
    summary="Each element as float32.",
    formula="out_buffer = in_buffer",
    category=BITWISE,
    inputs={"in_buffer": Buffer("bfloat16", (512,))},
    output={"out_buffer": Buffer("float32", (512,))},
    model=model,
    tolerance=PERCENT,
    lazy={"copy:in_buffer": "a widening cast is a copy of the values; a copy of the bytes fails"},
).told(
    "cast_bfloat16_to_float32",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((512,), 3.0, TINY)
        ),
        "magnitudes": Inputs("values of every size from 1e-6 to 1e6", magnitudes((512,), 1e-6, 1e6)),
        "huge": Inputs("values up to the largest finite ones", magnitudes((512,), 1e-3, 1e3, HUGE)),
        "infinite": Inputs("infinities among small values", floats((512,), 1.0, (np.inf, -np.inf))),
    },
)
