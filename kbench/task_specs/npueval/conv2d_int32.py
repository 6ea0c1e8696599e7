"""conv2d_int32: two-dimensional convolution of integers, 3×3 taps."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, reshaped, together
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator, Param, patches


def model(input_matrix: Array, kernel: Array, stride: int) -> Array:
    return (patches(input_matrix, 3, stride) * kernel.reshape(9)).sum(axis=-1, dtype=np.int32)


TASK, CASES = Operator(
    summary="The correlation of a matrix with a 3x3 kernel, at every `stride`-th place that holds the kernel.",
    formula="output_matrix[i, j] = sum_kl input_matrix[i * stride + k, j * stride + l] * kernel[k, l]",
    category=SPATIAL,
    inputs={"input_matrix": Buffer("int32", (16, 16)), "kernel": Buffer("int32", (3, 3))},
    output={"output_matrix": Buffer("int32", (14, 14))},
    model=model,
    params={"stride": Param("uint32", 1)},
).told(
    "conv2d_int32",
    {
        "typical": Inputs(
            "values as published", together(integers((16, 16), "int32", -10, 9), integers((3, 3), "int32", -10, 9))
        ),
        "large": Inputs(
            "products beyond 16 bits that float32 does not hold",
            together(integers((16, 16), "int32", -20000, 20000), integers((3, 3), "int32", 5001, 9999)),
        ),
        "lopsided": Inputs(
            "a kernel without symmetry: turned around or transposed it gives something else",
            together(
                integers((16, 16), "int32", -100, 100),
                reshaped(integers((3, 3), "int32", 1, 9), lambda rng, k: np.sort(k, axis=None).reshape(3, 3) ** 3),
            ),
        ),
    },
)
