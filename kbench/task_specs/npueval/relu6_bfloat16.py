"""relu6_bfloat16: the part between 0 and 6."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, floats, magnitudes, reshaped, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return bf16(np.clip(wide(input), 0, 6))


TASK, CASES = Operator(
    summary="Each element clipped to 0 … 6.",
    formula="output = min(max(input, 0), 6)",
    category=ELEMENTWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "relu6_bfloat16",
    {
        "typical": Inputs("values below, between and above the limits, zeros among them", floats((256,), 6.0, TINY)),
        "limits": Inputs(
            "values close to 0 and to 6",
            reshaped(uniform((256,), -0.5, 0.5), lambda rng, x: bf16(wide(x) + rng.choice((0, 6), x.shape))),
        ),
        "magnitudes": Inputs("values of every size, up to the largest", magnitudes((256,), 1e-2, 1e3, HUGE)),
    },
)
