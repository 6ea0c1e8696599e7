"""max_abs_bfloat16: the largest absolute value."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, Rng, floats, magnitudes
from kbench.task_specs.npueval._operator import PERCENT, REDUCTION, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def largest_last(rng: Rng) -> tuple[Array, ...]:
    (x,) = floats((256,), 2.0)(rng)
    return (np.append(x[:-1], bf16(-np.abs(wide(x)).max() - rng.uniform(1, 9))),)


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
        "last": Inputs("a negative value of the largest size, in the last place", largest_last),
        "huge": Inputs("values of every size, up to the largest", magnitudes((256,), 1.0, 1e6, HUGE)),
    },
)
