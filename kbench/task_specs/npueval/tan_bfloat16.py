"""tan_bfloat16: the tangent."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, reshaped, uniform
from kbench.task_specs.npueval._operator import ELEMENTWISE, THREE_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return bf16(np.tan(wide(input)))


TASK, CASES = Operator(
    summary="The tangent of each element, in radians.",
    formula="output = tan(input)",
    category=ELEMENTWISE,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "tan_bfloat16",
    {
        "typical": Inputs("values from -3 to 3, beyond the poles", uniform((256,), -3, 3)),
        "small": Inputs("values about zero, zeros and subnormals among them", uniform((256,), -0.75, 0.75, TINY)),
        "steep": Inputs(
            "values close to the poles: results up to 100",
            reshaped(
                uniform((256,), 0.01, 0.4),
                lambda rng, x: bf16(
                    rng.choice((-1.5707963, 1.5707963), x.shape) + wide(x) * rng.choice((-1, 1), x.shape)
                ),
            ),
        ),
    },
)
