"""vectormult_bfloat16: the product of two vectors, element by element."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import TINY, floats, grid, magnitudes, reshaped, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, PERCENT, Buffer, Inputs, Operator, Param, bf16
from kbench.task_specs.numerics import wide


def model(in_buffer1: Array, in_buffer2: Array, vector_size: int) -> Array:
    return bf16(wide(in_buffer1)[:vector_size] * wide(in_buffer2)[:vector_size])


TASK, CASES = Operator(
    summary="The elementwise product of two vectors of `vector_size` elements.",
    formula="out_buffer = in_buffer1 * in_buffer2",
    category=ELEMENTWISE,
    inputs={"in_buffer1": Buffer("bfloat16", (64,)), "in_buffer2": Buffer("bfloat16", (64,))},
    output={"out_buffer": Buffer("bfloat16", (64,))},
    model=model,
    tolerance=PERCENT,
    params={"vector_size": Param("int32", 64)},
).told(
    "vectormult_bfloat16",
    {
        "typical": Inputs(
            "values of both signs about zero, zeros among them",
            together(floats((64,), 2.0, TINY[:2]), floats((64,), 2.0, TINY[:2])),
        ),
        "magnitudes": Inputs(
            "values of every size from 1e-6 to 1e6",
            together(magnitudes((64,), 1e-6, 1e6), magnitudes((64,), 1e-3, 1e6)),
        ),
        "powers": Inputs(
            "powers of two: products are exact",
            together(
                reshaped(grid((64,), 1.0, 8), lambda rng, x: bf16(2.0 ** wide(x))),
                reshaped(grid((64,), 1.0, 8), lambda rng, x: bf16(-(2.0 ** wide(x)))),
            ),
        ),
    },
)
