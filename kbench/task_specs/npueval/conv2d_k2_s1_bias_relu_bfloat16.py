"""conv2d_k2_s1_bias_relu_bfloat16: two-dimensional convolution with 2×2 taps plus a bias, positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Rng, floats, grid, together, uniform
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator, Param, bf16, patches
from kbench.task_specs.numerics import wide


def lopsided(rng: Rng) -> tuple[Array, ...]:
    """Taps that grow from the first to the last: 1/4, 1/2, … with a sign."""
    return (bf16(rng.choice((-0.25, 0.25)) * np.arange(1, 5).reshape((2, 2))),)


def model(input: Array, kernel: Array, bias: float) -> Array:
    return bf16(np.maximum(patches(wide(input), 2, 1) @ wide(kernel).reshape(4) + bias, 0))


TASK, CASES = Operator(
    summary="The positive part of the correlation of a matrix with a 2x2 kernel plus the bias.",
    formula="output[i, j] = max(bias + sum_kl input[i + k, j + l] * kernel[k, l], 0)",
    category=SPATIAL,
    inputs={"input": Buffer("bfloat16", (16, 16)), "kernel": Buffer("bfloat16", (2, 2))},
    output={"output": Buffer("bfloat16", (15, 15))},
    model=model,
    tolerance=PERCENT,
    params={"bias": Param("bfloat16", -1.1875)},
).told(
    "conv2d_k2_s1_bias_relu_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero",
            together(floats((16, 16), 0.5, TINY[:2]), uniform((2, 2), -1, 1)),
            {"bias": 0.25},
        ),
        "exact": Inputs(
            "multiples of 1/4: every product and every sum is a bfloat16",
            together(grid((16, 16), 0.25, 8), grid((2, 2), 0.25, 4)),
            {"bias": -0.25},
        ),
        "lopsided": Inputs(
            "a kernel without symmetry: turned around it gives something else",
            together(grid((16, 16), 0.5, 8), lopsided),
            {"bias": 2.0},
        ),
    },
)
