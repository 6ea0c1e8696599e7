"""argmax_bfloat16: where the largest element is."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, Draw, Rng, floats, grid, magnitudes, reshaped
from kbench.task_specs.npueval._operator import REDUCTION, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def placed(base: Draw, index: int) -> Draw:
    """The largest element at one place, by a little."""

    def change(rng: Rng, x: Array) -> Array:
        values = wide(x)
        values[index] = values.max() + rng.uniform(0.5, 2)
        return bf16(values)

    return reshaped(base, change)


def model(input_vector: Array) -> Array:
    return np.argmax(wide(input_vector)).astype(np.uint32)


TASK, CASES = Operator(
    summary="The index of the largest element; of the first where several are equal.",
    formula="result = argmax(input_vector)",
    category=REDUCTION,
    inputs={"input_vector": Buffer("bfloat16", (64,))},
    output={"result": Buffer("uint32", ())},
    model=model,
).told(
    "argmax_bfloat16",
    {
        "typical": Inputs("values of both signs", floats((64,), 2.0)),
        "tied": Inputs("few different values, the largest many times: the first counts", grid((64,), 0.5, 3)),
        "negative": Inputs(
            "negative values only: as bits their order is the other way", magnitudes((64,), 0.1, 1e3, signs=(-1.0,))
        ),
        "huge": Inputs("values of every size, up to the largest", magnitudes((64,), 1.0, 1e6, HUGE)),
        "last": Inputs("the largest is the last", placed(floats((64,), 2.0), -1)),
        "second": Inputs(
            "the largest is the second: a search that starts there finds the first", placed(floats((64,), 2.0), 1)
        ),
    },
)
