"""bitcount_uint16: the number of ones in 16-bit words."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, reshaped
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator


def model(input_vector: Array) -> Array:
    return np.bitwise_count(input_vector).astype(np.uint16)


TASK, CASES = Operator(
    summary="The number of bits that are set in each element.",
    formula="output_vector = popcount(input_vector)",
    category=BITWISE,
    inputs={"input_vector": Buffer("uint16", (256,))},
    output={"output_vector": Buffer("uint16", (256,))},
    model=model,
).told(
    "bitcount_uint16",
    {
        "full_range": Inputs("values over the whole range, its ends many times", integers((256,), "uint16")),
        "one_byte": Inputs(
            "values in one byte only: the low or the high",
            reshaped(
                integers((256,), "uint16", 0, 255), lambda rng, x: x << rng.choice((0, 8), x.shape).astype(np.uint16)
            ),
        ),
        "single_bits": Inputs(
            "one bit set, or all but one",
            reshaped(
                integers((256,), "uint16", 0, 15),
                lambda rng, x: np.uint16(1) << x ^ rng.choice((0, 65535), x.shape).astype(np.uint16),
            ),
        ),
    },
)
