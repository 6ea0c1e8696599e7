"""hardswish_bfloat16: the hard swish activation."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, magnitudes, reshaped, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16, step
from kbench.task_specs.numerics import wide


def model(input_vector: Array) -> Array:
    x = wide(input_vector)
    return bf16(step(x * np.clip(step(x + 3), 0, 6)) / 6)


TASK, CASES = Operator(
    summary="Each element times a sixth of it plus 3, clipped to 0 … 6.",
    formula="output_vector = x * min(max(x + 3, 0), 6) / 6",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"output_vector": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "hardswish_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((256,), 2.0, TINY)
        ),
        "bends": Inputs(
            "values close to -3 and to 3",
            reshaped(uniform((256,), -0.5, 0.5), lambda rng, x: bf16(wide(x) + rng.choice((-3, 3), x.shape))),
        ),
        "magnitudes": Inputs("values of every size, up to 1e30", magnitudes((256,), 0.1, 1e4, (1e30, -1e30))),
    },
)
