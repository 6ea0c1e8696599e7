"""maxpool2d_bfloat16: the maxima of 2×2 elements."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, TINY, floats, magnitudes
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator, bf16, patches
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return bf16(patches(wide(input), 2, 2).max(axis=-1))


TASK, CASES = Operator(
    summary="The largest element of each 2x2 block.",
    formula="output[i, j] = max(input[2i..2i+1, 2j..2j+1])",
    category=SPATIAL,
    inputs={"input": Buffer("bfloat16", (32, 32))},
    output={"output": Buffer("bfloat16", (16, 16))},
    model=model,
    tolerance=PERCENT,
).told(
    "maxpool2d_bfloat16",
    {
        "typical": Inputs("values of both signs about zero", floats((32, 32), 2.0, TINY[:2])),
        "negative": Inputs(
            "negative values only: a maximum that starts from zero is wrong",
            magnitudes((32, 32), 0.1, 1e3, signs=(-1.0,)),
        ),
        "huge": Inputs("values of every size, up to the largest", magnitudes((32, 32), 0.1, 1e6, HUGE)),
    },
)
