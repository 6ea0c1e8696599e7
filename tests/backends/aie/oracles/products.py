"""Multiplications over several lanes: matrices, sliding windows, weighted sums.

Pages: Matrix Multiplication with its table of shapes, sliding_mul, sliding_mul_ch, accumulate.
"""

from __future__ import annotations

import numpy as np

from tests.backends.aie.oracles.arithmetic import default_accum
from tests.backends.aie.oracles.numbers import FLOATS, Ints, Values, wide, wrapped_bits

#: (A, B) → shapes M×K×N of dense matrices, by device. Where 32 bits would do, `+` marks those that the headers'
#: specialisations accumulate in 64.
SHAPES: dict[str, dict[tuple[str, str], str]] = {
    "npu1": {
        ("int8", "int4"): "4x16x8 8x16x8 4x32x8",
        ("int8", "int8"): "4x8x4 4x16x4 8x8x4 2x8x8 4x8x8 8x8x8",
        ("int16", "int8"): "4x4x4 8x4x4 4x8x4+ 4x4x8",
        ("int8", "int16"): "4x4x8+ 4x4x4+",
        ("int16", "int16"): "4x4x4+ 2x4x8+ 4x4x8+ 4x2x8",
        ("int32", "int16"): "2x4x8 4x4x8 4x4x4 4x2x4",
        ("int16", "int32"): "2x4x8 4x4x4",
        ("int32", "int32"): "4x2x4 4x4x4 8x2x4",
        ("bfloat16", "bfloat16"): "4x8x4 8x8x4",
        ("float", "float"): "4x8x4 4x1x4 4x1x8",
    },
    "npu2": {
        ("int8", "int8"): "4x8x8 8x8x8",
        ("int16", "int8"): "4x4x8 8x4x8 4x8x8+",
        ("int8", "int16"): "8x2x8 4x4x8+",
        ("int16", "int16"): "4x2x8 8x2x8 2x4x8+ 4x4x8+ 8x1x8",
        ("int32", "int16"): "4x2x8 2x4x8 4x4x8 4x1x8",
        ("int16", "int32"): "4x4x8",
        ("int32", "int32"): "4x2x8 4x4x4 4x4x8 8x2x8 4x1x8",
        ("bfloat16", "bfloat16"): "8x8x4 4x8x4 4x8x8 8x1x8 8x8x8",
        ("float", "float"): "4x8x4 4x1x4 4x1x8",
    },
}


def shapes(device: str, a: str, b: str) -> list[tuple[int, int, int, str]]:
    """M, K, N and the accumulator's tag."""
    found = []
    for text in SHAPES[device].get((a, b), "").split():
        m, k, n = (int(x) for x in text.rstrip("+").split("x"))
        tag = "accfloat" if a in FLOATS else "acc64" if text.endswith("+") else default_accum(a, b)
        found.append((m, k, n, tag))
    return found


def matrices(a: Values, b: Values, m: int, k: int, n: int) -> Values:
    """A × B, row by row; of floats the exact sums as doubles."""
    if a.dtype.kind == "i":
        return (a.reshape(m, k) @ b.reshape(k, n)).reshape(-1)
    return (wide(a).astype(np.float64).reshape(m, k) @ wide(b).astype(np.float64).reshape(k, n)).reshape(-1)


def matrix_error(a: Values, b: Values, m: int, k: int, n: int) -> Values:
    """What float sums in any order may be off by, the products of floats being pieced together as well."""
    size = np.abs(wide(a).astype(np.float64)).reshape(m, k) @ np.abs(wide(b).astype(np.float64)).reshape(k, n)
    return size.reshape(-1) * (k * 2.0**-23 + 2.0**-20)


def sliding(coeff: Ints, data: Ints, lanes: int, points: int, *, steps: tuple[int, int, int], start: tuple[int, int],
            bits: int) -> Ints:  # fmt: skip
    """Each lane is a dot product over a window; indices wrap around."""
    of_coeff, x, y = steps
    lane, point = np.arange(lanes)[:, None], np.arange(points)[None, :]
    c = coeff[(start[0] + point * of_coeff) % len(coeff)]
    d = data[(start[1] + lane * y + point * x) % len(data)]
    return wrapped_bits((c * d).sum(axis=1), bits)


def sliding_channels(coeff: Ints, data: Ints, lanes: int, points: int, channels: int, *, start: tuple[int, int],
                     bits: int) -> Ints:  # fmt: skip
    """As many filters as channels, side by side; all steps one."""
    lane, point = np.arange(lanes)[:, None], np.arange(points)[None, :]
    c = coeff[((start[0] + point) * channels + lane % channels) % len(coeff)]
    d = data[((start[1] + lane // channels + point) * channels + lane % channels) % len(data)]
    return wrapped_bits((c * d).sum(axis=1), bits)


def weighted(coeff: Ints, start: int, data: list[Ints], bits: int) -> Ints:
    """The data vectors, each times its coefficient."""
    total = sum(int(coeff[start + i]) * d for i, d in enumerate(data))
    return wrapped_bits(np.asarray(total, np.int64), bits)
