"""log10_bfloat16: the logarithm to base 10."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import floats, magnitudes, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, TWO_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    x = wide(input)
    return bf16(np.log10(x, out=np.full_like(x, -np.inf), where=x > 0))


TASK, CASES = Operator(
    summary="The logarithm of each element to base 10; -inf where it is zero or negative.",
    formula="output = input > 0 ? log10(input) : -inf",
    category=ELEMENTWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=TWO_PERCENT,
).told(
    "log10_bfloat16",
    {
        "typical": Inputs("values from 0.001 to 100", uniform((256,), 0.001, 100.0)),
        "about_one": Inputs("values close to 1, where the result changes its sign", uniform((256,), 0.5, 2.0, (1.0,))),
        "not_positive": Inputs("zeros and negative values among others", floats((256,), 3.0, (0.0, -0.0, -1.0, -1e30))),
        "magnitudes": Inputs(
            "values of every size from 1e-30 to 1e30, powers of the base among them",
            magnitudes((256,), 1e-30, 1e30, (1.0, 10.0, 100.0, 0.1), signs=(1.0,)),
        ),
    },
)
