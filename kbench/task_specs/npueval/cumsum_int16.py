"""cumsum_int16: the running sum of 16-bit integers."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Rng, integers
from kbench.task_specs.npueval._operator import REDUCTION, Buffer, Inputs, Operator, clipped


def turning(rng: Rng) -> tuple[Array, ...]:
    size = rng.integers(10000, 32000, 128)
    values = np.stack([size, -size + rng.integers(-4, 4, 128, endpoint=True)], axis=1)
    return (values.reshape(256).astype(np.int16),)


def model(in_buffer: Array) -> Array:
    return clipped(np.cumsum(in_buffer, dtype=np.int64), "int16")


TASK, CASES = Operator(
    summary="The sum of all elements up to each, saturated to int16.",
    formula="out_buffer[i] = min(max(sum(in_buffer[0..i]), -32768), 32767)",
    category=REDUCTION,
    inputs={"in_buffer": Buffer("int16", (256,))},
    output={"out_buffer": Buffer("int16", (256,))},
    model=model,
).told(
    "cumsum_int16",
    {
        "typical": Inputs("values as published", integers((256,), "int16", -500, 499)),
        "saturating": Inputs(
            "positive values: the sums reach 32767 and stay there", integers((256,), "int16", 1, 1000)
        ),
        "saturating_below": Inputs(
            "negative values: the sums reach -32768 and stay there", integers((256,), "int16", -1000, -1)
        ),
        "turning": Inputs("large values, each the negative of the one before it but for a few", turning),
    },
)
