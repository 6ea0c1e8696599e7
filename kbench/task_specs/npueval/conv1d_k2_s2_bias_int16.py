"""conv1d_k2_s2_bias_int16: convolution of 16-bit integers, two taps, stride two, plus a bias."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, reshaped, together
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator, Param, clipped, windows


def model(in_buffer: Array, kernel: Array, bias: int) -> Array:
    total = windows(in_buffer.astype(np.int64), 2, 2) @ kernel.astype(np.int64) + bias
    return clipped(total, "int16")


TASK, CASES = Operator(
    summary="The correlation with two taps at every second place, plus the bias, saturated to int16.",
    formula="out_buffer[i] = min(max(bias + sum_j in_buffer[2i + j] * kernel[j], -32768), 32767)",
    category=SPATIAL,
    inputs={"in_buffer": Buffer("int16", (128,)), "kernel": Buffer("int16", (2,))},
    output={"out_buffer": Buffer("int16", (64,))},
    model=model,
    params={"bias": Param("int16", -9)},
).told(
    "conv1d_k2_s2_bias_int16",
    {
        "typical": Inputs(
            "values as published", together(integers((128,), "int16", -100, 99), integers((2,), "int16", -10, 9))
        ),
        "wide": Inputs(
            "sums that just stay in range",
            together(
                integers((128,), "int16", -100, 100),
                reshaped(integers((2,), "int16", 100, 150), lambda rng, k: k * np.int16(rng.choice((-1, 1)))),
            ),
            {"bias": 1000},
        ),
        "saturating": Inputs(
            "products beyond 16 bits: most results saturate",
            together(
                integers((128,), "int16", -30000, 30000),
                reshaped(integers((2,), "int16", 2, 20), lambda rng, k: k * np.array([1, -1], np.int16)),
            ),
            {"bias": -32768},
        ),
    },
)
