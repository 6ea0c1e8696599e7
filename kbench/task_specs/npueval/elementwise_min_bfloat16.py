"""elementwise_min_bfloat16: the smaller of two."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, floats, magnitudes, tied, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(in_buffer_a: Array, in_buffer_b: Array) -> Array:
    return bf16(np.minimum(wide(in_buffer_a), wide(in_buffer_b)))


TASK, CASES = Operator(
    summary="The smaller of the elements of two vectors.",
    formula="out_buffer = min(in_buffer_a, in_buffer_b)",
    category=ELEMENTWISE,
    inputs={"in_buffer_a": Buffer("bfloat16", (256,)), "in_buffer_b": Buffer("bfloat16", (256,))},
    output={"out_buffer": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=PERCENT,
).told(
    "elementwise_min_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero", together(floats((256,), 3.0, TINY[:2]), floats((256,), 2.0))
        ),
        "negative": Inputs(
            "values below zero: as bits their order is the other way",
            together(magnitudes((256,), 0.1, 1e3, signs=(-1.0,)), magnitudes((256,), 0.1, 1e3, signs=(-1.0,))),
        ),
        "huge": Inputs(
            "values of every size, up to the largest, half of them equal", tied(magnitudes((256,), 0.1, 1e6, HUGE))
        ),
    },
)
