"""reducemin_bfloat16: the smallest element."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, Draw, Rng, floats, magnitudes, reshaped
from kbench.task_specs.npueval._operator import PERCENT, REDUCTION, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def smallest_at(index: int) -> Draw:
    def change(rng: Rng, x: Array) -> Array:
        values = wide(x)
        values[index] = values.min() - rng.uniform(1, 9)
        return bf16(values)

    return reshaped(floats((64,), 2.0), change)


def model(in_buffer: Array) -> Array:
    return np.min(wide(in_buffer)).astype(in_buffer.dtype)


TASK, CASES = Operator(
    summary="The smallest element.",
    formula="out_buffer = min(in_buffer)",
    category=REDUCTION,
    inputs={"in_buffer": Buffer("bfloat16", (64,))},
    output={"out_buffer": Buffer("bfloat16", ())},
    model=model,
    tolerance=PERCENT,
).told(
    "reducemin_bfloat16",
    {
        "typical": Inputs("values of both signs", floats((64,), 2.0)),
        "positive": Inputs(
            "positive values only: a minimum that starts from zero is wrong", magnitudes((64,), 1.0, 1e3, signs=(1.0,))
        ),
        "huge": Inputs("values of every size, up to the largest", magnitudes((64,), 1.0, 1e6, HUGE)),
        "last": Inputs("the smallest is the last", smallest_at(-1)),
        "first": Inputs("the smallest is the first", smallest_at(0)),
    },
)
