"""log2_bfloat16: the logarithm to base 2."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import floats, magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, TWO_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    x = wide(input)
    return bf16(np.log2(x, out=np.full_like(x, -np.inf), where=x > 0))


TASK, CASES = Operator(
    summary="The logarithm of each element to base 2; -inf where it is zero or negative.",
    formula="output = input > 0 ? log2(input) : -inf",
    category=ELEMENTWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=TWO_PERCENT,
).told(
    "log2_bfloat16",
    {
        "typical": Inputs("values from 0.001 to 3", uniform((256,), 0.001, 3.0)),
        "about_one": Inputs("values close to 1, where the result changes its sign", uniform((256,), 0.5, 2.0, (1.0,))),
        "not_positive": Inputs("zeros and negative values among others", floats((256,), 3.0, (0.0, -0.0, -1.0, -1e30))),
        "magnitudes": Inputs(
            "values of every size from 1e-30 to 1e30, powers of the base among them",
            magnitudes((256,), 1e-30, 1e30, (1.0, 2.0, 4.0, 0.5), signs=(1.0,)),
        ),
    },
)
