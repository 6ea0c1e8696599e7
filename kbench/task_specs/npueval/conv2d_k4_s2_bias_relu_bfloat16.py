"""conv2d_k4_s2_bias_relu_bfloat16: two-dimensional convolution, 4×4 taps, stride two, plus a bias, positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Rng, floats, grid, together, uniform
from kbench.task_specs.npueval._operator import SPATIAL, THREE_PERCENT, Buffer, Inputs, Operator, Param, bf16, patches
from kbench.task_specs.numerics import wide


def single_tap(rng: Rng) -> tuple[Array, ...]:
    kernel = np.zeros(16)
    kernel[rng.integers(16)] = 2.0
    return (bf16(kernel.reshape(4, 4)),)


def model(in_buffer: Array, kernel: Array, bias: float, stride: int) -> Array:
    return bf16(np.maximum(patches(wide(in_buffer), 4, stride) @ wide(kernel).reshape(16) + bias, 0))


TASK, CASES = Operator(
    summary="The positive part of the correlation with a 4x4 kernel at every `stride`-th place, plus the bias.",
    formula="out_buffer[i, j] = max(bias + sum_kl in_buffer[i * stride + k, j * stride + l] * kernel[k, l], 0)",
    category=SPATIAL,
    inputs={"in_buffer": Buffer("bfloat16", (16, 16)), "kernel": Buffer("bfloat16", (4, 4))},
    output={"out_buffer": Buffer("bfloat16", (7, 7))},
    model=model,
    tolerance=THREE_PERCENT,
    params={"bias": Param("bfloat16", 2.953125), "stride": Param("uint32", 2)},
).told(
    "conv2d_k4_s2_bias_relu_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero",
            together(floats((16, 16), 0.5, TINY[:2]), uniform((4, 4), -0.5, 0.5)),
            {"bias": 0.25},
        ),
        "exact": Inputs(
            "multiples of 1/4: every product and every sum is a bfloat16",
            together(grid((16, 16), 0.25, 4), grid((4, 4), 0.25, 2)),
            {"bias": 0.25},
        ),
        "single_tap": Inputs(
            "one tap that is not zero, and a negative bias: a misplaced window shows",
            together(floats((16, 16), 4.0), single_tap),
            {"bias": -1.0},
        ),
    },
)
