"""conv1d_int32: convolution of integers with three taps."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, reshaped, together
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator, Param, windows


def model(in_buffer: Array, kernel: Array, stride: int) -> Array:
    return (windows(in_buffer, 3, stride) * kernel).sum(axis=-1, dtype=np.int32)


TASK, CASES = Operator(
    summary="The correlation of a vector with a kernel of three taps, at every `stride`-th place that holds it.",
    formula="out_buffer[i] = sum_j in_buffer[i * stride + j] * kernel[j]",
    category=SPATIAL,
    inputs={"in_buffer": Buffer("int32", (256,)), "kernel": Buffer("int32", (3,))},
    output={"out_buffer": Buffer("int32", (254,))},
    model=model,
    params={"stride": Param("uint32", 1)},
).told(
    "conv1d_int32",
    {
        "typical": Inputs(
            "values as published", together(integers((256,), "int32", -10, 9), integers((3,), "int32", -10, 9))
        ),
        "large": Inputs(
            "products beyond 16 bits that float32 does not hold",
            together(integers((256,), "int32", -30000, 30000), integers((3,), "int32", 10001, 20000)),
        ),
        "lopsided": Inputs(
            "a kernel that is not symmetric: turned around it gives something else",
            together(
                integers((256,), "int32", -100, 100),
                reshaped(integers((3,), "int32", 1, 9), lambda rng, k: np.sort(k) * np.array([1, -10, 100], np.int32)),
            ),
        ),
    },
)
