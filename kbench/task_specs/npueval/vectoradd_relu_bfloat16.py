"""vectoradd_relu_bfloat16: the positive part of a sum."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Rng, floats, magnitudes, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, TWO_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def cancelling(rng: Rng) -> tuple[Array, ...]:
    (first,) = floats((256,), 20.0)(rng)
    return first, bf16(rng.normal(0, 1, 256) - wide(first))


def model(in0: Array, in1: Array) -> Array:
    return bf16(np.maximum(wide(in0) + wide(in1), 0))


TASK, CASES = Operator(
    summary="The positive part of the sum of two vectors.",
    formula="out = max(in0 + in1, 0)",
    category=ELEMENTWISE,
    inputs={"in0": Buffer("bfloat16", (256,)), "in1": Buffer("bfloat16", (256,))},
    output={"out": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=TWO_PERCENT,
).told(
    "vectoradd_relu_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them",
            together(floats((256,), 2.0, TINY), floats((256,), 2.0, TINY)),
        ),
        "magnitudes": Inputs(
            "values of every size", together(magnitudes((256,), 1e-3, 1e6), magnitudes((256,), 1e-3, 1e6))
        ),
        "cancelling": Inputs("sums much smaller than the elements, of both signs", cancelling),
    },
)
