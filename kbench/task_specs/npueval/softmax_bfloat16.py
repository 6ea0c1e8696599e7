"""softmax_bfloat16: the softmax of a vector."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Draw, Rng, floats, grid, reshaped
from kbench.task_specs.npueval._operator import (
    ELEMENTWISE,
    THREE_PERCENT,
    Buffer,
    Inputs,
    Operator,
    bf16,
    step,
    sum_of_steps,
)
from kbench.task_specs.numerics import wide


def few_large(base: Draw) -> Draw:
    """Four elements raised, the last among them: so that a result counts against the absolute tolerance."""

    def change(rng: Rng, x: Array) -> Array:
        raised = wide(x)
        raised[np.append(rng.permutation(x.size - 1)[:3], x.size - 1)] += 6
        return bf16(raised)

    return reshaped(base, change)


def two(rng: Rng) -> tuple[Array, ...]:
    x = rng.uniform(-130, -100, 64)
    x[rng.permutation(64)[:2]] = rng.uniform(-2, 2)
    return (bf16(x),)


def model(input_vector: Array) -> Array:
    x = wide(input_vector)
    terms = step(np.exp(step(x - x.max())))
    return bf16(terms / sum_of_steps(terms))


TASK, CASES = Operator(
    summary="e to the power of each element, divided by the sum of all of these.",
    formula="output_vector = e ^ (x - max(x)) / sum(e ^ (x - max(x)))",
    category=ELEMENTWISE,
    inputs={"input_vector": Buffer("bfloat16", (64,))},
    output={"output_vector": Buffer("bfloat16", (64,))},
    model=model,
    tolerance=THREE_PERCENT,
).told(
    "softmax_bfloat16",
    {
        "typical": Inputs(
            "values of about 2 in spread, the largest of which outweigh the rest", few_large(floats((64,), 2.0))
        ),
        "shifted": Inputs(
            "values of about 300: without subtracting the largest the exponential overflows",
            reshaped(few_large(grid((64,), 2.0, 6)), lambda rng, x: bf16(wide(x) + 300)),
        ),
        "shifted_below": Inputs(
            "values of about -300: without subtracting the largest every exponential is zero",
            reshaped(few_large(grid((64,), 2.0, 6)), lambda rng, x: bf16(wide(x) - 300)),
        ),
        "two": Inputs("two elements alike and so far above all others that only they may be subtracted", two),
    },
)
