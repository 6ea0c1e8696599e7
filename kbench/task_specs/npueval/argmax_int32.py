"""argmax_int32: where the largest integer is."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Draw, Rng, integers, reshaped
from kbench.task_specs.npueval._operator import REDUCTION, Buffer, Inputs, Operator


def placed(base: Draw, index: int) -> Draw:
    """The largest element at one place, by a little."""

    def change(rng: Rng, x: Array) -> Array:
        values = x.copy()
        values[index] = values.max() + 1
        return values

    return reshaped(base, change)


def model(input_vector: Array) -> Array:
    return np.array([np.argmax(input_vector)], np.uint32)


TASK, CASES = Operator(
    summary="The index of the largest element; of the first where several are equal.",
    formula="result = argmax(input_vector)",
    category=REDUCTION,
    inputs={"input_vector": Buffer("int32", (256,))},
    output={"result": Buffer("uint32", (1,))},
    model=model,
).told(
    "argmax_int32",
    {
        "typical": Inputs("values as published", integers((256,), "int32", -32768, 32767)),
        "tied": Inputs(
            "few different values, the largest many times: the first counts", integers((256,), "int32", -3, 3)
        ),
        "negative": Inputs("negative values only", integers((256,), "int32", -100000, -1)),
        "extremes": Inputs(
            "the whole range: differences wrap, float32 cannot tell neighbours apart",
            reshaped(
                integers((256,), "int32", 2147483000),
                lambda rng, x: np.where(rng.random(x.shape) < 0.5, x, np.int32(-2147483648)),
            ),
        ),
        "last": Inputs("the largest is the last", placed(integers((256,), "int32", -32768, 32767), -1)),
        "second": Inputs(
            "the largest is the second: a search that starts there finds the first",
            placed(integers((256,), "int32", -32768, 32767), 1),
        ),
    },
)
