"""avgpool2d_bfloat16: the means of 2×2 elements."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, grid, magnitudes
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator, bf16, patches, sum_of_steps
from kbench.task_specs.numerics import wide


def model(input: Array) -> Array:
    return bf16(sum_of_steps(wide(patches(input, 2, 2))) / 4)


TASK, CASES = Operator(
    summary="The mean of each 2x2 block.",
    formula="output[i, j] = mean(input[2i..2i+1, 2j..2j+1])",
    category=SPATIAL,
    inputs={"input": Buffer("bfloat16", (32, 32))},
    output={"output": Buffer("bfloat16", (16, 16))},
    model=model,
    tolerance=PERCENT,
).told(
    "avgpool2d_bfloat16",
    {
        "typical": Inputs("values of both signs about zero", floats((32, 32), 0.5, TINY)),
        "exact": Inputs("small whole numbers: every sum is exact", grid((32, 32), 1.0, 16)),
        "positive": Inputs("positive values of every size up to 1e6", magnitudes((32, 32), 0.1, 1e6, signs=(1.0,))),
    },
)
