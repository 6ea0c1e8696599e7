"""argmin_bfloat16: where the smallest element is."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import HUGE, Draw, Rng, floats, grid, magnitudes, reshaped
from kbench.task_specs.npueval._operator import REDUCTION, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def placed(base: Draw, index: int) -> Draw:
    """The smallest element at one place, by a little."""

    def change(rng: Rng, x: Array) -> Array:
        values = wide(x)
        values[index] = values.min() - rng.uniform(0.5, 2)
        return bf16(values)

    return reshaped(base, change)


def model(input_vector: Array) -> Array:
    return np.argmin(wide(input_vector)).astype(np.uint32)


TASK, CASES = Operator(
    summary="The index of the smallest element; of the first where several are equal.",
    formula="result = argmin(input_vector)",
    category=REDUCTION,
    inputs={"input_vector": Buffer("bfloat16", (256,))},
    output={"result": Buffer("uint32", ())},
    model=model,
).told(
    "argmin_bfloat16",
    {
        "typical": Inputs("values of both signs", floats((256,), 2.0)),
        "tied": Inputs("few different values, the smallest many times: the first counts", grid((256,), 0.5, 9)),
        "positive": Inputs("positive values only", magnitudes((256,), 0.1, 1e3, signs=(1.0,))),
        "huge": Inputs("values of every size, up to the largest", magnitudes((256,), 1.0, 1e6, HUGE)),
        "last": Inputs("the smallest is the last", placed(floats((256,), 2.0), -1)),
        "second": Inputs(
            "the smallest is the second: a search that starts there finds the first", placed(floats((256,), 2.0), 1)
        ),
    },
)
