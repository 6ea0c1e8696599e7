"""reciprocal_bfloat16: the reciprocal."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import grid, magnitudes, reshaped, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, TWO_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    x = wide(input_vector)
    return bf16(np.divide(1, x, out=np.full_like(x, np.inf), where=x != 0))


TASK, CASES = Operator(
    summary="The reciprocal of each element; +inf where it is zero.",
    formula="output_vector = 1 / input_vector",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"output_vector": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=TWO_PERCENT,
).told(
    "reciprocal_bfloat16",
    {
        "typical": Inputs("values from -10 to 10", uniform((256,), -10, 10)),
        "zeros": Inputs("zeros among others", magnitudes((256,), 0.1, 10.0, (0.0, 1.0, -1.0))),
        "powers": Inputs(
            "powers of two: exact results",
            reshaped(grid((256,), 1.0, 20), lambda rng, x: bf16(rng.choice((-1, 1), x.shape) * 2.0 ** wide(x))),
        ),
        "magnitudes": Inputs("values of every size from 1e-30 to 1e30", magnitudes((256,), 1e-30, 1e30)),
    },
)
