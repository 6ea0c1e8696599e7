"""reduce_add_relu_int8: the sum of bytes, positive part, saturated."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Rng, integers
from kbench.task_specs.npueval._operator import REDUCTION, Buffer, Inputs, Operator, clipped


def in_range(rng: Rng) -> tuple[Array, ...]:
    return _with_sum(rng.integers(-40, 40, 128), int(rng.integers(1, 127, endpoint=True)), rng)


def cancelling(rng: Rng) -> tuple[Array, ...]:
    """First the positive half, then the negative."""
    size = rng.integers(50, 110, 64)
    return _with_sum(np.concatenate([size, -size]), int(rng.integers(1, 127, endpoint=True)), None)


def _with_sum(values: Array, total: int, rng: Rng | None) -> tuple[Array, ...]:
    """The values, the first of them moved by a little until all add up to `total`."""
    missing = total - int(values.sum())
    values = values + missing // values.size
    values[: missing % values.size] += 1
    return ((values if rng is None else rng.permutation(values)).astype(np.int8),)


def model(in_buffer: Array) -> Array:
    total = np.sum(in_buffer, dtype=np.int32)
    return clipped(np.maximum(total, 0), "int8")


TASK, CASES = Operator(
    summary="The sum of all elements, its positive part, saturated to int8.",
    formula="out_buffer = min(max(sum(in_buffer), 0), 127)",
    category=REDUCTION,
    inputs={"in_buffer": Buffer("int8", (128,))},
    output={"out_buffer": Buffer("int8", ())},
    model=model,
).told(
    "reduce_add_relu_int8",
    {
        "in_range": Inputs("values of about zero, some more positive: a sum between 1 and 127", in_range),
        "saturating": Inputs(
            "values over the whole range with a sum far above 127", integers((128,), "int8", -60, 127)
        ),
        "negative": Inputs("values over the whole range with a sum far below zero", integers((128,), "int8", -128, 60)),
        "partial_sums": Inputs(
            "large values of both signs that nearly cancel: sums in bytes wrap or saturate on the way", cancelling
        ),
    },
)
