"""conv1d_bfloat16: convolution with two taps."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Rng, floats, grid, together, uniform
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator, Param, bf16, windows
from kbench.task_specs.numerics import wide


def lopsided(rng: Rng) -> tuple[Array, ...]:
    """Taps that grow from the first to the last: 1/4, 1/2, … with a sign."""
    return (bf16(rng.choice((-0.25, 0.25)) * np.arange(1, 3).reshape((2,))),)


def model(in_buffer: Array, kernel: Array, stride: int) -> Array:
    return bf16(windows(wide(in_buffer), 2, stride) @ wide(kernel))


TASK, CASES = Operator(
    summary="The correlation of a vector with a kernel of two taps, at every `stride`-th place that holds the kernel.",
    formula="out_buffer[i] = sum_j in_buffer[i * stride + j] * kernel[j]",
    category=SPATIAL,
    inputs={"in_buffer": Buffer("bfloat16", (256,)), "kernel": Buffer("bfloat16", (2,))},
    output={"out_buffer": Buffer("bfloat16", (255,))},
    model=model,
    tolerance=PERCENT,
    params={"stride": Param("uint32", 1)},
).told(
    "conv1d_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero", together(floats((256,), 0.5, TINY[:2]), uniform((2,), -1, 1))
        ),
        "exact": Inputs(
            "multiples of 1/4: every product and every sum is a bfloat16",
            together(grid((256,), 0.25, 8), grid((2,), 0.25, 4)),
        ),
        "lopsided": Inputs(
            "a kernel without symmetry: turned around it gives something else", together(grid((256,), 0.5, 8), lopsided)
        ),
    },
)
