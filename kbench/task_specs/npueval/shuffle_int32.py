"""shuffle_int32: a seeded shuffle."""

from __future__ import annotations

from kbench.core.task import Array
from kbench.task_specs.npueval._inputs import integers
from kbench.task_specs.npueval._operator import BITWISE, Buffer, Inputs, Operator, Param


def model(input: Array, seed: int) -> Array:
    output, state = input.copy(), seed
    for i in range(output.size - 1, 0, -1):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        j = state % (i + 1)
        output[[i, j]] = output[[j, i]]
    return output


TASK, CASES = Operator(
    summary="The Fisher-Yates shuffle, from the last element on, by a 32-bit xorshift (13, 17, 5).",
    formula="for i = 255 … 1: s ^= s << 13; s ^= s >> 17; s ^= s << 5 (unsigned); swap output[i], output[s % (i + 1)]",
    category=BITWISE,
    inputs={"input": Buffer("int32", (256,))},
    output={"output": Buffer("int32", (256,))},
    model=model,
    params={"seed": Param("int32", 12345)},
).told(
    "shuffle_int32",
    {
        "published_seed": Inputs("the published seed", integers((256,), "int32")),
        "one": Inputs("the seed 1, whose first values are small", integers((256,), "int32"), {"seed": 1}),
        "largest": Inputs(
            "the largest seed: signed arithmetic overflows, or shifts its sign in",
            integers((256,), "int32", -1000, 999),
            {"seed": 2147483647},
        ),
    },
)
