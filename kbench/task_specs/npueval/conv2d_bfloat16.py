"""conv2d_bfloat16: two-dimensional convolution with 2×2 taps."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Rng, floats, grid, together, uniform
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator, Param, bf16, patches
from kbench.task_specs.numerics import wide


def lopsided(rng: Rng) -> tuple[Array, ...]:
    """Taps that grow from the first to the last: 1/4, 1/2, … with a sign."""
    return (bf16(rng.choice((-0.25, 0.25)) * np.arange(1, 5).reshape((2, 2))),)


def model(input_matrix: Array, kernel: Array, stride: int) -> Array:
    return bf16(patches(wide(input_matrix), 2, stride) @ wide(kernel).reshape(4))


TASK, CASES = Operator(
    summary="The correlation of a matrix with a 2x2 kernel, at every `stride`-th place that holds the kernel.",
    formula="output_matrix[i, j] = sum_kl input_matrix[i * stride + k, j * stride + l] * kernel[k, l]",
    category=SPATIAL,
    inputs={"input_matrix": Buffer("bfloat16", (16, 16)), "kernel": Buffer("bfloat16", (2, 2))},
    output={"output_matrix": Buffer("bfloat16", (15, 15))},
    model=model,
    tolerance=PERCENT,
    params={"stride": Param("uint32", 1)},
).told(
    "conv2d_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero", together(floats((16, 16), 0.5, TINY[:2]), uniform((2, 2), -1, 1))
        ),
        "exact": Inputs(
            "multiples of 1/4: every product and every sum is a bfloat16",
            together(grid((16, 16), 0.25, 8), grid((2, 2), 0.25, 4)),
        ),
        "lopsided": Inputs(
            "a kernel without symmetry: turned around it gives something else",
            together(grid((16, 16), 0.5, 8), lopsided),
        ),
    },
)
