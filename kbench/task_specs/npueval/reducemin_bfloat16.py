"""reducemin_bfloat16: the smallest element."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, Rng, floats, magnitudes
from kbench.task_specs.npueval._operator import PERCENT, REDUCTION, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def smallest_last(rng: Rng) -> tuple[Array, ...]:
    (x,) = floats((64,), 2.0)(rng)
    return (np.append(x[:-1], bf16(wide(x).min() - rng.uniform(1, 9))),)


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
        "last": Inputs("the smallest is the last", smallest_last),
    },
)
