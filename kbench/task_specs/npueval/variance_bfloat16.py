"""variance_bfloat16: the variance."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Rng, floats, grid, magnitudes, reshaped
from kbench.task_specs.npueval._operator import REDUCTION, THREE_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def apart_at_the_ends(rng: Rng) -> tuple[Array, ...]:
    x = rng.uniform(-1, 1, 256)
    x[[0, -1]] = rng.choice((-1, 1)) * rng.uniform(60, 200, 2)
    return (bf16(x),)


def model(input: Array) -> Array:
    x = wide(input)
    return bf16([np.maximum(np.mean(x**2) - np.mean(x) ** 2, 0)])


TASK, CASES = Operator(
    summary="The variance of all elements: the mean of the squares less the square of the mean.",
    formula="output = mean(input^2) - mean(input)^2",
    category=REDUCTION,
    inputs={"input": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (1,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "variance_bfloat16",
    {
        "typical": Inputs("values of both signs about zero", floats((256,), 3.0)),
        "offset": Inputs(
            "values about a mean that is larger than their spread",
            reshaped(floats((256,), 2.0), lambda rng, x: bf16(wide(x) + rng.choice((-10, 10)))),
        ),
        "large": Inputs("values of every size up to 1e3", magnitudes((256,), 1.0, 1e3)),
        "two_values": Inputs(
            "two values only: the variance is a quarter of the square of their distance",
            reshaped(grid((256,), 1.0, 1, 0), lambda rng, x: bf16(wide(x) * rng.integers(2, 60))),
        ),
        "ends": Inputs("values close to zero but for the first and the last", apart_at_the_ends),
    },
)
