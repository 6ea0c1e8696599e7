"""Element types, wrapping, saturation and rounding.

Pages: saturation_mode and rounding_mode (aie_types), the table of vector types (Basic Types).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Values = npt.NDArray[Any]

#: name → (bits, signed)
INTS = {
    "int4": (4, True), "uint4": (4, False), "int8": (8, True), "uint8": (8, False),
    "int16": (16, True), "uint16": (16, False), "int32": (32, True), "uint32": (32, False),
}  # fmt: skip
COMPLEX = {"cint16": "int16", "cint32": "int32"}
FLOATS = {"bfloat16": np.dtype(ml_dtypes.bfloat16), "float": np.dtype(np.float32)}
BITS = {**{k: v[0] for k, v in INTS.items()}, "bfloat16": 16, "float": 32, "cint16": 32, "cint32": 64}
#: tag of an accumulator → bits of a lane on both devices
ACCUMS = {"acc32": 32, "acc40": 64, "acc48": 64, "acc56": 64, "acc64": 64}

ROUNDINGS = {
    "floor": 0, "ceil": 1, "symmetric_floor": 2, "symmetric_ceil": 3, "negative_inf": 8, "positive_inf": 9,
    "symmetric_zero": 10, "symmetric_inf": 11, "conv_even": 12, "conv_odd": 13,
}  # fmt: skip
SATURATIONS = {"none": 0, "saturate": 1, "symmetric": 3}


@dataclass(frozen=True)
class State:
    """The control state that an operation sees."""

    rounding: str = "floor"
    saturation: str = "none"


RESET = State()


def limits(dtype: str) -> tuple[int, int]:
    bits, signed = INTS[dtype]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def wrapped(x: Ints, dtype: str) -> Ints:
    """The low bits of each value, read as the type."""
    return wrapped_bits(x, *INTS[dtype])


def wrapped_bits(x: Ints, bits: int, signed: bool = True) -> Ints:
    if bits >= 64:
        return x
    low = x & np.int64((1 << bits) - 1)
    return np.where(low >> (bits - 1) != 0, low - (1 << bits), low) if signed else low


def saturated(x: Ints, dtype: str, mode: str) -> Ints:
    """Narrowed under a saturation mode: none keeps the low bits, symmetric has as many negative values as positive."""
    if mode == "none":
        return wrapped(x, dtype)
    low, high = limits(dtype)
    return np.clip(x, -high if mode == "symmetric" and low < 0 else low, high)


def goes_up(rest: Values, half: int, odd: Values, negative: Values, mode: str) -> Values:
    """Whether a value that was rounded towards minus infinity becomes the next larger one: `rest` was cut off, `half`
    is half a unit, `odd` tells whether what is left is odd."""
    some, tie, more = rest != 0, rest == half, rest > half
    nearest = {
        "negative_inf": np.zeros_like(tie),
        "positive_inf": tie,
        "symmetric_zero": tie & negative,
        "symmetric_inf": tie & ~negative,
        "conv_even": tie & odd,
        "conv_odd": tie & ~odd,
    }
    if mode in nearest:
        return more | nearest[mode]
    directed = {"floor": False, "ceil": True, "symmetric_floor": negative, "symmetric_ceil": ~negative}
    return some & directed[mode]


def shifted_down(x: Ints, shift: int, mode: str) -> Ints:
    """x / 2**shift, rounded."""
    if shift <= 0:
        return x << -shift
    kept = x >> shift
    rest = x & np.int64((1 << shift) - 1)
    return kept + goes_up(rest, 1 << (shift - 1), kept & 1 != 0, x < 0, mode)


def wide(x: Values) -> Floats:
    """bfloat16 or float, as float; exact."""
    return np.asarray(x).astype(np.float32)


def to_bfloat16(x: Floats, mode: str) -> Values:
    """Floats as bfloat16 under a rounding mode. A NaN is the quiet one; infinities stay."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    negative = bits >> 31 != 0
    size = (bits & 0x7FFFFFFF).astype(np.int64)
    kept, rest = size >> 16, size & 0xFFFF
    # Towards minus infinity means a larger magnitude where the value is negative: then the mirrored mode decides.
    mirrored = {
        "floor": "ceil", "ceil": "floor", "negative_inf": "positive_inf", "positive_inf": "negative_inf",
        "symmetric_floor": "symmetric_floor", "symmetric_ceil": "symmetric_ceil", "symmetric_zero": "symmetric_zero",
        "symmetric_inf": "symmetric_inf", "conv_even": "conv_even", "conv_odd": "conv_odd",
    }  # fmt: skip
    plain = np.zeros_like(negative)
    up = goes_up(rest, 0x8000, kept & 1 != 0, plain, mode)
    up = np.where(negative, goes_up(rest, 0x8000, kept & 1 != 0, plain, mirrored[mode]), up)
    special = size >= 0x7F800000
    out = np.where(special, kept, kept + up) | (bits >> 16 & 0x8000)
    out = np.where(np.isnan(x), 0x7FC0, out)
    return out.astype(np.uint16).view(ml_dtypes.bfloat16)
