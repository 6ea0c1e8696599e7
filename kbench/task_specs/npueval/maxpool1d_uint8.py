"""maxpool1d_uint8: the maxima of pairs of bytes."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator, Param, windows


def model(in_buffer: Array, window_size: int, stride: int) -> Array:
    return windows(in_buffer, window_size, stride).max(axis=-1)


TASK, CASES = Operator(
    summary="The largest element of each window of `window_size` elements, every `stride` elements.",
    formula="out_buffer[i] = max(in_buffer[i * stride .. i * stride + window_size - 1])",
    category=SPATIAL,
    inputs={"in_buffer": Buffer("uint8", (1024,))},
    output={"out_buffer": Buffer("uint8", (512,))},
    model=model,
    params={"window_size": Param("uint32", 2), "stride": Param("uint32", 2)},
).told(
    "maxpool1d_uint8",
    {
        "full_range": Inputs("values over the whole range, its ends many times", integers((1024,), "uint8")),
        "sign_bit": Inputs(
            "values around 128: as signed bytes their order is another", integers((1024,), "uint8", 120, 136)
        ),
        "tied": Inputs("few different values", integers((1024,), "uint8", 0, 3)),
    },
)
