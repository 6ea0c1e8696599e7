"""gather_bfloat16_int32idx: elements by index."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, Rng, floats, integers, magnitudes, together
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator


def permutation(rng: Rng) -> tuple[Array, ...]:
    return (rng.permutation(256).astype(np.int32),)


def model(input_data: Array, indices: Array) -> Array:
    return input_data[indices]


TASK, CASES = Operator(
    summary="The elements of a vector at given indices.",
    formula="output_data[i] = input_data[indices[i]]",
    category=SPATIAL,
    inputs={"input_data": Buffer("bfloat16", (256,)), "indices": Buffer("int32", (256,))},
    output={"output_data": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=PERCENT,
).told(
    "gather_bfloat16_int32idx",
    {
        "typical": Inputs(
            "any indices, the first and the last among them",
            together(floats((256,), 2.0, TINY), integers((256,), "int32", 0, 255)),
        ),
        "permuted": Inputs("every index once", together(magnitudes((256,), 0.1, 1e6, HUGE), permutation)),
        "few": Inputs(
            "few different indices",
            together(floats((256,), 2.0, (np.inf, -np.inf)), integers((256,), "int32", 250, 255)),
        ),
    },
)
