"""vectorsubtract_bfloat16: the difference of two vectors."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Rng, floats, magnitudes, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def cancelling(rng: Rng) -> tuple[Array, ...]:
    (first,) = floats((256,), 20.0)(rng)
    return first, bf16(wide(first) + rng.normal(0, 1, 256))


def model(input_a: Array, input_b: Array) -> Array:
    return bf16(wide(input_a) - wide(input_b))


TASK, CASES = Operator(
    summary="The difference of two vectors.",
    formula="output = input_a - input_b",
    category=ELEMENTWISE,
    inputs={"input_a": Buffer("bfloat16", (256,)), "input_b": Buffer("bfloat16", (256,))},
    output={"output": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=PERCENT,
).told(
    "vectorsubtract_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them",
            together(floats((256,), 2.0, TINY), floats((256,), 2.0, TINY)),
        ),
        "magnitudes": Inputs(
            "values of every size: one of the two often counts for nothing",
            together(magnitudes((256,), 1e-3, 1e6), magnitudes((256,), 1e-3, 1e6)),
        ),
        "cancelling": Inputs("differences much smaller than the elements", cancelling),
    },
)
