"""conv1d_bias_relu_bfloat16: convolution with four taps plus a bias, positive part."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Rng, floats, grid, together, uniform
from kbench.task_specs.npueval._operator import (
    PERCENT,
    SPATIAL,
    Buffer,
    Inputs,
    Operator,
    Param,
    bf16,
    step,
    sum_of_steps,
    windows,
)
from kbench.task_specs.numerics import wide


def lopsided(rng: Rng) -> tuple[Array, ...]:
    """Taps that grow from the first to the last: 1/4, 1/2, … with a sign."""
    return (bf16(rng.choice((-0.25, 0.25)) * np.arange(1, 5).reshape((4,))),)


def model(in_buffer: Array, kernel: Array, bias: float, stride: int) -> Array:
    products = step(windows(wide(in_buffer), 4, stride) * wide(kernel))
    return bf16(np.maximum(step(sum_of_steps(products) + bias), 0))


TASK, CASES = Operator(
    summary="The positive part of the correlation with four taps at every `stride`-th place, plus the bias.",
    formula="out_buffer[i] = max(bias + sum_j in_buffer[i * stride + j] * kernel[j], 0)",
    category=SPATIAL,
    inputs={"in_buffer": Buffer("bfloat16", (256,)), "kernel": Buffer("bfloat16", (4,))},
    output={"out_buffer": Buffer("bfloat16", (127,))},
    model=model,
    tolerance=PERCENT,
    params={"bias": Param("bfloat16", -0.1884765625), "stride": Param("uint32", 2)},
).told(
    "conv1d_bias_relu_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero",
            together(floats((256,), 0.5, TINY[:2]), uniform((4,), -1, 1)),
            {"bias": 0.5},
        ),
        "exact": Inputs(
            "multiples of 1/4: every product and every sum is a bfloat16",
            together(grid((256,), 0.25, 8), grid((4,), 0.25, 4)),
            {"bias": -0.25},
        ),
        "lopsided": Inputs(
            "a kernel without symmetry: turned around it gives something else",
            together(grid((256,), 0.5, 8), lopsided),
            {"bias": 2.0},
        ),
    },
)
