"""cumsum_bfloat16: the running sum."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Rng, floats, magnitudes
from kbench.task_specs.npueval._operator import REDUCTION, TWO_PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def turning(rng: Rng) -> tuple[Array, ...]:
    size = rng.integers(20, 100, 128)
    return (bf16(np.stack([size, rng.integers(-2, 3, 128) - size], axis=1).reshape(256)),)


def first(rng: Rng) -> tuple[Array, ...]:
    return (bf16(np.append(rng.uniform(100, 200), rng.uniform(-1, 2, 255))),)


def model(in_: Array) -> Array:
    return bf16(np.cumsum(wide(in_)))


TASK, CASES = Operator(
    summary="The sum of all elements up to each.",
    formula="out[i] = sum(in[0..i])",
    category=REDUCTION,
    inputs={"in": Buffer("bfloat16", (256,))},
    output={"out": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=TWO_PERCENT,
).told(
    "cumsum_bfloat16",
    {
        "typical": Inputs("values of both signs about zero", floats((256,), 3.0)),
        "growing": Inputs(
            "positive values: sums that outgrow the elements", magnitudes((256,), 0.5, 5.0, signs=(1.0,))
        ),
        "turning": Inputs("large values and nearly their negatives in turn", turning),
        "first": Inputs("one large element first, small ones after it", first),
    },
)
