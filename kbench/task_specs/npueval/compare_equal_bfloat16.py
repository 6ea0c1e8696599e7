"""compare_equal_bfloat16: where two vectors agree."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Rng, floats, pairs, tied
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator
from kbench.task_specs.numerics import wide


def neighbouring(rng: Rng) -> tuple[Array, ...]:
    (first,) = floats((256,), 3.0)(rng)
    return first, (first.view(np.uint16) ^ rng.integers(0, 2, 256, dtype=np.uint16)).view(first.dtype)


def model(input_a: Array, input_b: Array) -> Array:
    return (wide(input_a) == wide(input_b)).astype(np.uint8)


TASK, CASES = Operator(
    summary="1 where the elements of two vectors are equal, else 0; +0 equals -0, NaN equals nothing.",
    formula="output_mask = (input_a == input_b)",
    category=BITWISE,
    inputs={"input_a": Buffer("bfloat16", (256,)), "input_b": Buffer("bfloat16", (256,))},
    output={"output_mask": Buffer("uint8", (256,))},
    model=model,
).told(
    "compare_equal_bfloat16",
    {
        "tied": Inputs("half of the elements equal", tied(floats((256,), 2.0))),
        "neighbours": Inputs("elements that differ in the last bit or not at all", neighbouring),
        "zeros": Inputs(
            "zeros of both signs: equal, though their bits differ",
            pairs(tied(floats((256,), 2.0)), [(0.0, -0.0), (-0.0, 0.0), (0.0, 0.0), (-0.0, -0.0), (0.0, 1.0)]),
        ),
        "not_finite": Inputs(
            "infinities equal themselves, NaN equals nothing",
            pairs(
                tied(floats((256,), 2.0)),
                [(np.inf, np.inf), (-np.inf, np.inf), (np.nan, np.nan), (np.nan, 1.0), (np.inf, 3.3e38)],
            ),
        ),
    },
)
