"""elementwise_max_bfloat16: the larger of two."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, floats, magnitudes, tied, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input0: Array, input1: Array) -> Array:
    return bf16(np.maximum(wide(input0), wide(input1)))


TASK, CASES = Operator(
    summary="The larger of the elements of two vectors.",
    formula="output = max(input0, input1)",
    category=ELEMENTWISE,
    inputs={"input0": Buffer("bfloat16", (256,)), "input1": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=PERCENT,
).told(
    "elementwise_max_bfloat16",
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
