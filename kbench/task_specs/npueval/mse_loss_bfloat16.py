"""mse_loss_bfloat16: the mean squared difference."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Rng, floats, magnitudes, together
from kbench.task_specs.npueval._operator import PERCENT, REDUCTION, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def close(rng: Rng) -> tuple[Array, ...]:
    (first,) = floats((256,), 1.0)(rng)
    return first, bf16(wide(first) + rng.normal(0, rng.uniform(0.3, 1.0), 256))


def apart_at_the_ends(rng: Rng) -> tuple[Array, ...]:
    (first,) = floats((256,), 3.0)(rng)
    second = wide(first)
    second[[0, -1]] -= rng.uniform(20, 90, 2)
    return first, bf16(second)


def model(input_a: Array, input_b: Array) -> Array:
    return bf16([np.mean((wide(input_a) - wide(input_b)) ** 2)])


TASK, CASES = Operator(
    summary="The mean of the squared differences of two vectors.",
    formula="output = mean((input_a - input_b)^2)",
    category=REDUCTION,
    inputs={"input_a": Buffer("bfloat16", (256,)), "input_b": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (1,))},
    model=model,
    tolerance=PERCENT,
).told(
    "mse_loss_bfloat16",
    {
        "typical": Inputs("values of both signs about zero", together(floats((256,), 2.0), floats((256,), 2.0))),
        "close": Inputs("vectors that differ by little", close),
        "large": Inputs(
            "values of every size up to 1e4", together(magnitudes((256,), 1.0, 1e4), magnitudes((256,), 1.0, 1e4))
        ),
        "ends": Inputs("vectors that differ in the first and the last element only", apart_at_the_ends),
    },
)
