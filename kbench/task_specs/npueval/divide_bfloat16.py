"""divide_bfloat16: the quotient of two vectors."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import floats, magnitudes, pairs, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(a: Array, b: Array) -> Array:
    x, y = wide(a), wide(b)
    return bf16(np.divide(x, y, out=np.zeros_like(x), where=y != 0))


TASK, CASES = Operator(
    summary="The quotient of two vectors; 0 where the divisor is 0.",
    formula="out = b == 0 ? 0 : a / b",
    category=ELEMENTWISE,
    inputs={"a": Buffer("bfloat16", (256,)), "b": Buffer("bfloat16", (256,))},
    output={"out": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=PERCENT,
).told(
    "divide_bfloat16",
    {
        "typical": Inputs(
            "values of both signs, divisors of zero among them",
            together(floats((256,), 5.0), floats((256,), 5.0, (0.0, -0.0))),
        ),
        "by_zero": Inputs(
            "every dividend with a divisor of zero, zero itself too",
            pairs(
                together(floats((256,), 5.0), magnitudes((256,), 0.5, 50.0)),
                [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (3e38, 0.0), (1.0, -0.0), (0.0, 2.0)],
            ),
        ),
        "magnitudes": Inputs(
            "values of every size from 1e-6 to 1e6",
            together(magnitudes((256,), 1e-6, 1e6), magnitudes((256,), 1e-6, 1e6)),
        ),
    },
)
