"""conv1d_k2_s1_bias_relu_bfloat16: convolution with two taps plus a bias, positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Rng, floats, grid, together, uniform
from kbench.task_specs.npueval._operator import SPATIAL, THREE_PERCENT, Buffer, Inputs, Operator, Param, bf16, windows
from kbench.task_specs.numerics import wide


def lopsided(rng: Rng) -> tuple[Array, ...]:
    """Taps that grow from the first to the last: 1/4, 1/2, … with a sign."""
    return (bf16(rng.choice((-0.25, 0.25)) * np.arange(1, 3).reshape((2,))),)


def model(in_buffer: Array, kernel: Array, bias: float) -> Array:
    return bf16(np.maximum(windows(wide(in_buffer), 2, 1) @ wide(kernel) + bias, 0))


TASK, CASES = Operator(
    summary="The positive part of the correlation of a vector with a kernel of two taps plus the bias.",
    formula="out_buffer[i] = max(bias + in_buffer[i] * kernel[0] + in_buffer[i+1] * kernel[1], 0)",
    category=SPATIAL,
    inputs={"in_buffer": Buffer("bfloat16", (256,)), "kernel": Buffer("bfloat16", (2,))},
    output={"out_buffer": Buffer("bfloat16", (255,))},
    model=model,
    tolerance=THREE_PERCENT,
    params={"bias": Param("bfloat16", -1.5859375)},
).told(
    "conv1d_k2_s1_bias_relu_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero",
            together(floats((256,), 0.5, TINY[:2]), uniform((2,), -1, 1)),
            {"bias": 0.125},
        ),
        "exact": Inputs(
            "multiples of 1/4: every product and every sum is a bfloat16",
            together(grid((256,), 0.25, 8), grid((2,), 0.25, 4)),
            {"bias": 0.25},
        ),
        "lopsided": Inputs(
            "a kernel without symmetry: turned around it gives something else",
            together(grid((256,), 0.5, 8), lopsided),
            {"bias": 2.0},
        ),
    },
)
