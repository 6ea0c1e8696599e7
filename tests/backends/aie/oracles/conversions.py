"""Between vectors and accumulators, between widths, and between integers and floats.

Pages: to_vector, from_vector, pack, unpack, to_fixed, to_float, the tables of Floating-point Conversion. That a 32-bit
accumulator goes to 32-bit integers unchanged is in the headers of both devices.
"""

from __future__ import annotations

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
    shifted_down,
    to_bfloat16,
    wide,
    wrapped,
    wrapped_bits,
)


def srs(acc: Ints, bits: int, dtype: str, shift: int, state: State) -> Ints:
    """An accumulator's lanes as integers: shifted, rounded, saturated. 32 bits to 32 bits are a copy."""
    if bits == 32 and INTS[dtype][0] == 32:
        return wrapped(acc, dtype)
    return saturated(shifted_down(acc, shift, state.rounding), dtype, state.saturation)


def ups(x: Ints, bits: int, shift: int, state: State) -> Ints:
    """Integers in an accumulator's lanes: shifted up; only saturate saturates. What symmetric does where a value does
    not fit is not documented: no test goes there."""
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    exact = [int(v) << shift for v in x]
    if state.saturation == "saturate":
        return np.array([min(max(v, low), high) for v in exact], np.int64)
    return np.array([(v - low) % (1 << bits) + low for v in exact], np.int64)


def pack(x: Ints, dtype: str, state: State) -> Ints:
    return saturated(x, dtype, state.saturation)


def unpack(x: Ints, dtype: str) -> Ints:
    """The next wider type has every value."""
    return wrapped(x, dtype)


def accumulator_to_float(acc: Floats, dtype: str, state: State) -> Values:
    """A float accumulator's lanes: a copy as float, rounded as bfloat16."""
    return acc if dtype == "float" else to_bfloat16(acc, state.rounding)


def to_fixed(x: Values, dtype: str, shift: int) -> Ints:
    """Floats times 2**shift as integers. bfloat16 to 16 and 32 signed bits is native: floor, in 32 bits, and 16 are the
    low half of them; everything else is emulated: to the nearest, halves towards zero, saturated. NaN is not
    documented."""
    exact = wide(x).astype(np.float64) * 2.0**shift
    if np.asarray(x).dtype == FLOATS["bfloat16"] and dtype in ("int16", "int32"):
        whole = np.clip(np.floor(exact), *limits("int32")).astype(np.int64)
        return wrapped(whole, dtype)
    down = np.trunc(exact)
    nearest = down + np.where(np.abs(exact - down) > 0.5, np.sign(exact), 0)
    return np.clip(nearest, *limits(dtype)).astype(np.int64)


def to_float(x: Ints, shift: int) -> np.ndarray:
    """Integers divided by 2**shift, exact; how the emulation rounds what does not fit is not documented."""
    return x.astype(np.float64) / 2.0**shift


def reinterpreted(x: Values, dtype: str, to: str) -> Values:
    """The same bits as elements of another type, the first element lowest."""
    return from_bytes(to_bytes(x, dtype), to)


def to_bytes(x: Values, dtype: str) -> np.ndarray:
    """Elements as they lie in memory."""
    if dtype in FLOATS:
        return np.ascontiguousarray(x, FLOATS[dtype]).view(np.uint8).reshape(-1)
    if dtype.startswith("cint"):
        return to_bytes(np.asarray(x).reshape(-1), dtype[1:])
    flat = np.asarray(x, np.int64).reshape(-1)
    bits = INTS[dtype][0]
    if bits == 4:
        nibbles = (flat & 15).astype(np.uint8)
        return nibbles[0::2] | nibbles[1::2] << 4
    unsigned = wrapped_bits(flat, bits, signed=False)
    return unsigned.astype(f"<u{bits // 8}").view(np.uint8)


def from_bytes(raw: np.ndarray, dtype: str) -> Values:
    raw = np.ascontiguousarray(raw, np.uint8)
    if dtype in FLOATS:
        return raw.view(FLOATS[dtype])
    if dtype.startswith("cint"):
        return from_bytes(raw, dtype[1:]).reshape(-1, 2)
    bits, signed = INTS[dtype]
    if bits == 4:
        nibbles = np.stack([raw & 15, raw >> 4], axis=1).reshape(-1).astype(np.int64)
        return wrapped_bits(nibbles, 4, signed)
    return raw.view(f"<{'i' if signed else 'u'}{bits // 8}").astype(np.int64)
