"""dotproduct_bias_relu_int8: dot product of bytes, plus a bias, positive part, saturated."""

from __future__ import annotations

import numpy as np

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Rng, along, integers, together
from kbench.task_specs.npueval._operator import SPATIAL, Buffer, Inputs, Operator, Param, clipped


def in_range(rng: Rng) -> tuple[Array, ...]:
    """Eight products of at most 12 in size, of which the last element's is one."""
    places = np.append(rng.permutation(255)[:7], 255)
    first, second = np.zeros(256, np.int8), rng.integers(-128, 127, 256, dtype=np.int8, endpoint=True)
    first[places] = rng.integers(1, 4, 8)
    second[places] = rng.choice((-3, 1, 3), 8)
    return first, second


def model(in0: Array, in1: Array, bias: int) -> Array:
    total = np.dot(in0.astype(np.int32), in1.astype(np.int32)) + bias
    return clipped(np.maximum(total, 0), "int8")


TASK, CASES = Operator(
    summary="The dot product of two vectors plus the bias, its positive part, saturated to int8.",
    formula="out = min(max(sum(in0 * in1) + bias, 0), 127)",
    category=SPATIAL,
    inputs={"in0": Buffer("int8", (256,)), "in1": Buffer("int8", (256,))},
    output={"out": Buffer("int8", ())},
    model=model,
    params={"bias": Param("int8", -10)},
).told(
    "dotproduct_bias_relu_int8",
    {
        "typical": Inputs(
            "values as published", together(integers((256,), "int8", -20, 19), integers((256,), "int8", -20, 19))
        ),
        "in_range": Inputs("few products that are not zero, a sum between 0 and 127", in_range, {"bias": 30}),
        "bias_alone": Inputs(
            "nothing but the bias", together(integers((256,), "int8", 0, 0), integers((256,), "int8")), {"bias": 100}
        ),
        "negative": Inputs("a negative sum", along(integers((256,), "int8"), -1.0, 1.0, 20), {"bias": 127}),
        "positive": Inputs(
            "products at the ends of the range: saturated",
            together(integers((256,), "int8", -128, -100), integers((256,), "int8", -128, -100)),
            {"bias": -128},
        ),
    },
)
