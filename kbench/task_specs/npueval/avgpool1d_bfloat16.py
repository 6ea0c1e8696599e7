"""avgpool1d_bfloat16: the means of pairs."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, grid, magnitudes
from kbench.task_specs.npueval._operator import PERCENT, SPATIAL, Buffer, Inputs, Operator, Param, bf16, windows
from kbench.task_specs.numerics import wide


def model(in_buffer: Array, window_size: int, stride: int) -> Array:
    return bf16(windows(wide(in_buffer), window_size, stride).mean(axis=-1))


TASK, CASES = Operator(
    summary="The mean of each window of `window_size` elements, every `stride` elements.",
    formula="out_buffer[i] = mean(in_buffer[i * stride .. i * stride + window_size - 1])",
    category=SPATIAL,
    inputs={"in_buffer": Buffer("bfloat16", (1024,))},
    output={"out_buffer": Buffer("bfloat16", (512,))},
    model=model,
    tolerance=PERCENT,
    params={"window_size": Param("uint32", 2), "stride": Param("uint32", 2)},
).told(
    "avgpool1d_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them", floats((1024,), 3.0, TINY)
        ),
        "exact": Inputs("small whole numbers: every sum is exact", grid((1024,), 1.0, 16)),
        "magnitudes": Inputs("values of every size up to 1e6", magnitudes((1024,), 0.1, 1e6)),
    },
)
