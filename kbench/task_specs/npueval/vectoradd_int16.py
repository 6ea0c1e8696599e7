"""vectoradd_int16: the sum of two vectors of 16-bit integers."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import Draw, Rng, integers, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator


def nearly_opposite(base: Draw) -> Draw:
    """A vector and nearly its negative."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        (first,) = base(rng)
        return first, (rng.integers(-2, 2, first.shape, endpoint=True) - first).astype(first.dtype)

    return draw


def model(in_buffer1: Array, in_buffer2: Array) -> Array:
    return in_buffer1 + in_buffer2


TASK, CASES = Operator(
    summary="The sum of two vectors, modulo 2^16.",
    formula="out_buffer = in_buffer1 + in_buffer2, modulo 65536",
    category=ELEMENTWISE,
    inputs={"in_buffer1": Buffer("int16", (256,)), "in_buffer2": Buffer("int16", (256,))},
    output={"out_buffer": Buffer("int16", (256,))},
    model=model,
).told(
    "vectoradd_int16",
    {
        "in_range": Inputs(
            "values whose sums stay in range",
            together(integers((256,), "int16", -16384, 16383), integers((256,), "int16", -16384, 16383)),
        ),
        "wrapping": Inputs(
            "values over the whole range: a quarter of the sums wrap",
            together(integers((256,), "int16"), integers((256,), "int16")),
        ),
        "cancelling": Inputs(
            "sums of -2 to 2 of large values", nearly_opposite(integers((256,), "int16", -32765, 32765))
        ),
    },
)
