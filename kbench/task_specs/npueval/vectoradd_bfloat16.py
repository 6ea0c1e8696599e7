"""vectoradd_bfloat16: the sum of two vectors."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, Rng, floats, magnitudes, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator, bf16
from kbench.task_specs.numerics import wide


def cancelling(rng: Rng) -> tuple[Array, ...]:
    (first,) = floats((256,), 20.0)(rng)
    return first, bf16(-wide(first) + rng.normal(0, 1, 256))


def model(in0: Array, in1: Array) -> Array:
    return bf16(wide(in0) + wide(in1))


TASK, CASES = Operator(
    summary="The sum of two vectors.",
    formula="out = in0 + in1",
    category=ELEMENTWISE,
    inputs={"in0": Buffer("bfloat16", (256,)), "in1": Buffer("bfloat16", (256,))},
    output={"out": Buffer("bfloat16", (256,))},
    model=model,
    tolerance=PERCENT,
).told(
    "vectoradd_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros and subnormals among them",
            together(floats((256,), 2.0, TINY), floats((256,), 2.0, TINY)),
        ),
        "magnitudes": Inputs(
            "values of every size: one of the two often counts for nothing",
            together(magnitudes((256,), 1e-3, 1e6), magnitudes((256,), 1e-3, 1e6)),
        ),
        "cancelling": Inputs("sums much smaller than the elements", cancelling),
    },
)
