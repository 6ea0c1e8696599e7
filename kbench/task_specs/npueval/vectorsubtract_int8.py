"""vectorsubtract_int8: the difference of two vectors of bytes."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers, neighbours, together
from kbench.task_specs.npueval._operator import ELEMENTWISE, Buffer, Inputs, Operator


def model(in_buffer1: Array, in_buffer2: Array) -> Array:
    return in_buffer1 - in_buffer2


TASK, CASES = Operator(
    summary="The difference of two vectors, modulo 256.",
    formula="out_buffer = in_buffer1 - in_buffer2, modulo 256",
    category=ELEMENTWISE,
    inputs={"in_buffer1": Buffer("int8", (512,)), "in_buffer2": Buffer("int8", (512,))},
    output={"out_buffer": Buffer("int8", (512,))},
    model=model,
).told(
    "vectorsubtract_int8",
    {
        "full_range": Inputs(
            "values over the whole range: a quarter of the differences wrap",
            together(integers((512,), "int8"), integers((512,), "int8")),
        ),
        "in_range": Inputs(
            "values whose differences stay in range",
            together(integers((512,), "int8", -64, 63), integers((512,), "int8", -64, 63)),
        ),
        "neighbours": Inputs(
            "second inputs within one of the first: differences of -1, 0 and 1", neighbours(integers((512,), "int8"))
        ),
    },
)
