"""log_bfloat16: the natural logarithm."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, TWO_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return bf16(np.log(wide(input)))


TASK, CASES = Operator(
    summary="The natural logarithm of each element; the elements are positive.",
    formula="output = ln(input)",
    category=ELEMENTWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=TWO_PERCENT,
).told(
    "log_bfloat16",
    {
        "typical": Inputs("values from 0.001 to 100", uniform((256,), 0.001, 100.0)),
        "about_one": Inputs("values close to 1, where the result changes its sign", uniform((256,), 0.5, 2.0, (1.0,))),
        "magnitudes": Inputs(
            "values of every size from 1e-30 to 1e30", magnitudes((256,), 1e-30, 1e30, (1.0, 2.0, 0.5), signs=(1.0,))
        ),
    },
)
