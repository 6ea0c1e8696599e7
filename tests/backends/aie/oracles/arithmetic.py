"""Addition, negation, multiplication, element by element.

Pages: Arithmetic. Integers wrap; the saturating forms follow the mode; there is no adder for bfloat16: sums are made as
floats and rounded once. Products land in accumulators, which wrap at their width.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.backends.aie.oracles.numbers import (
    FLOATS,
    INTS,
    Floats,
    Ints,
    State,
    Values,
    limits,
    saturated,
    to_bfloat16,
    wide,
    wrapped,
    wrapped_bits,
)


def _sum(a: Values, b: Values, dtype: str, state: State, sign: int) -> Values:
    if dtype in FLOATS:
        with np.errstate(over="ignore", invalid="ignore"):
            exact = wide(a) + wide(b) if sign > 0 else wide(a) - wide(b)
        return exact if dtype == "float" else to_bfloat16(exact, state.rounding)
    base = dtype.removeprefix("c")
    return wrapped(a + sign * b, base)


def add(a: Values, b: Values, dtype: str, state: State) -> Values:
    return _sum(a, b, dtype, state, 1)


def sub(a: Values, b: Values, dtype: str, state: State) -> Values:
    return _sum(a, b, dtype, state, -1)


def saturating_add(a: Ints, b: Ints, dtype: str, state: State) -> Ints:
    return saturated(a + b, dtype, state.saturation)


def saturating_sub(a: Ints, b: Ints, dtype: str, state: State) -> Ints:
    return saturated(a - b, dtype, state.saturation)


def neg(a: Values, dtype: str) -> Values:
    """The sign flips; of a float only its bit; unsigned values stay."""
    if dtype in FLOATS:
        return _with_sign(a, lambda bits, sign: bits ^ sign)
    base = dtype.removeprefix("c")
    return wrapped(-a, base) if INTS[base][1] else a


def absolute(a: Values, dtype: str) -> Values:
    """The least value of a signed type stays, saturation being off; with it on the result is not documented."""
    if dtype in FLOATS:
        return _with_sign(a, lambda bits, sign: bits & ~sign)
    return wrapped(np.abs(a), dtype)


def _with_sign(a: Values, change: Callable[..., Values]) -> Values:
    raw = np.uint16 if a.dtype.itemsize == 2 else np.uint32
    sign = raw(1 << (a.dtype.itemsize * 8 - 1))
    return change(np.ascontiguousarray(a).view(raw), sign).astype(raw).view(a.dtype)


def conjugate(a: Ints, dtype: str) -> Ints:
    return np.stack([a[:, 0], wrapped(-a[:, 1], dtype.removeprefix("c"))], axis=1)


def product(a: Ints, b: Ints) -> Ints:
    """Of integers, real or complex, in 64 bits, which hold it."""
    if a.ndim == 1 and b.ndim == 1:
        return a * b
    a = a if a.ndim == 2 else np.stack([a, np.zeros_like(a)], axis=1)
    b = b if b.ndim == 2 else np.stack([b, np.zeros_like(b)], axis=1)
    real = a[:, 0] * b[:, 0] - a[:, 1] * b[:, 1]
    return np.stack([real, a[:, 0] * b[:, 1] + a[:, 1] * b[:, 0]], axis=1)


def accumulated(acc: Ints, term: Ints, bits: int, sign: int = 1) -> Ints:
    """acc ± term in lanes of this width."""
    with np.errstate(over="ignore"):
        return wrapped_bits(acc + sign * term, bits)


def float_product(a: Values, b: Values) -> Floats:
    """Exact for bfloat16. Products of floats are put together from pieces of bfloat16: within `FLOAT_PRODUCT`."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return wide(a) * wide(b)


#: What nine products of pieces, summed in float, may be off by, relative to the product.
FLOAT_PRODUCT = 2.0**-20


def float_accumulated(acc: Floats, a: Values, b: Values, sign: int = 1) -> Floats:
    """acc ± a × b for bfloat16: the product is exact, the sum is rounded once."""
    with np.errstate(over="ignore", invalid="ignore"):
        return acc + np.float32(sign) * float_product(a, b)


def abs_square(a: Ints) -> Ints:
    return a[:, 0] ** 2 + a[:, 1] ** 2


#: (type, type) → tag of the accumulator that a product lands in, on both devices.
DEFAULT_ACCUM = {
    ("int4", "int8"): "acc32", ("int8", "int8"): "acc32", ("int8", "int16"): "acc32", ("int16", "int16"): "acc32",
    ("int16", "int32"): "acc64", ("int32", "int32"): "acc64",
}  # fmt: skip


def default_accum(a: str, b: str) -> str:
    """Signs don't matter, nor which comes first."""
    pair = sorted((a.removeprefix("u"), b.removeprefix("u")), key=lambda t: INTS[t][0])
    return DEFAULT_ACCUM[pair[0], pair[1]]


def extremes(dtype: str) -> Ints:
    low, high = limits(dtype)
    return np.array([low, high, 0, 1, low + 1, high - 1], np.int64)
