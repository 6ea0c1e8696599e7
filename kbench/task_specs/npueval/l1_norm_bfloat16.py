"""l1_norm_bfloat16: the sum of absolute values."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array, Tolerance
from kbench.task_specs.npueval._inputs import ends, floats, grid, magnitudes, reshaped, sparse
from kbench.task_specs.npueval._operator import REDUCTION, Buffer, Inputs, Operator, bf16, sum_of_steps
from kbench.task_specs.numerics import wide


def model(in_buffer: Array) -> Array:
    return bf16([sum_of_steps(np.abs(wide(in_buffer)))])


TASK, CASES = Operator(
    summary="The sum of the absolute values of all elements.",
    formula="out_buffer = sum(|in_buffer|)",
    category=REDUCTION,
    inputs={"in_buffer": Buffer("bfloat16", (256,))},
    output={"out_buffer": Buffer("bfloat16", (1,))},
    model=model,
    tolerance=Tolerance(
        1e-2, 3e-2, "the published sum is rounded to bfloat16 after each addition: 604, where a wider one is 620"
    ),
).told(
    "l1_norm_bfloat16",
    {
        "exact": Inputs(
            "small values of both signs and one size, or zero: every partial sum is a bfloat16",
            reshaped(grid((256,), 1.0, 1), lambda rng, x: bf16(wide(x) * rng.choice((0.03125, 0.0625, 0.125)))),
        ),
        "ends": Inputs("the first and the last element only", ends(magnitudes((256,), 1.0, 10.0))),
        "sparse": Inputs(
            "a few elements, the last among them, and zeros: the order of the additions hardly counts",
            sparse((256,), 12, floats((256,), 3.0)),
        ),
        "magnitudes": Inputs(
            "a few elements of every size, one of which counts most", sparse((256,), 12, magnitudes((256,), 1e-2, 1e4))
        ),
    },
)
