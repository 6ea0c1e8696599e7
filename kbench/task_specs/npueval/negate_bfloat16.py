"""negate_bfloat16: the negative."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, floats, magnitudes
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator


def model(input_vector: Array) -> Array:
    return np.negative(input_vector)


TASK, CASES = Operator(
    summary="The negative of each element.",
    formula="output_vector = -input_vector",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"output_vector": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=PERCENT,
).told(
    "negate_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 3.0, TINY)
        ),
        "magnitudes": Inputs("values of every size from 1e-6 to 1e6", magnitudes((256,), 1e-6, 1e6)),
        "huge": Inputs("values up to the largest finite ones", magnitudes((256,), 1e-3, 1e3, HUGE)),
        "infinite": Inputs("infinities among small values", floats((256,), 1.0, (np.inf, -np.inf))),
    },
)
