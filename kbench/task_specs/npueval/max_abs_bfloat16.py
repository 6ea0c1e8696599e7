"""max_abs_bfloat16: the largest absolute value."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, Draw, Rng, floats, magnitudes, reshaped
from kbench.task_specs.npueval._operator import PERCENT, REDUCTION, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def largest_at(index: int) -> Draw:
    def change(rng: Rng, x: Array) -> Array:
        values = wide(x)
        values[index] = -np.abs(values).max() - rng.uniform(1, 9)
        return bf16(values)

    return reshaped(floats((256,), 2.0), change)


def model(input: Array) -> Array:
    return bf16([np.abs(wide(input)).max()])


TASK, CASES = Operator(
    summary="The largest absolute value of all elements.",
    formula="output = max(|input|)",
    category=REDUCTION,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (1,))},
    model=model,
    tolerance=PERCENT,
).told(
    "max_abs_bfloat16",
    {
        "typical": Inputs("values of both signs", floats((256,), 7.0)),
        "negative": Inputs("negative values only", magnitudes((256,), 0.1, 1e3, signs=(-1.0,))),
        "last": Inputs("a negative value of the largest size, in the last place", largest_at(-1)),
        "first": Inputs("the same in the first place", largest_at(0)),
        "small": Inputs("small values only", magnitudes((256,), 0.01, 0.3)),
        "huge": Inputs("values of every size, up to the largest", magnitudes((256,), 1.0, 1e6, HUGE)),
    },
)
