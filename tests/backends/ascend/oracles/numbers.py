"""Number formats of the vector unit, and exact rounding between them.

Pages: Cast with its rounding rules, the table of boundary values of the vector interfaces, SetSaturationFlag.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.generic]
Doubles = npt.NDArray[np.float64]

DTYPES: dict[str, np.dtype[np.generic]] = {
    "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16), "f32": np.dtype(np.float32),
    "i8": np.dtype(np.int8), "u8": np.dtype(np.uint8), "i16": np.dtype(np.int16), "u16": np.dtype(np.uint16),
    "i32": np.dtype(np.int32), "u32": np.dtype(np.uint32), "i64": np.dtype(np.int64), "u64": np.dtype(np.uint64),
}  # fmt: skip
#: name → (bits of the significand with the hidden one, least exponent of a normal, largest finite value)
FLOATS = {
    "f16": (11, -14, 65504.0),
    "bf16": (8, -126, float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)),
    "f32": (24, -126, float(np.finfo(np.float32).max)),
}
NANS = {"f16": 0x7E00, "bf16": 0x7FC0, "f32": 0x7FC00000}


def bits_of(dtype: str) -> int:
    return 4 if dtype == "i4" else DTYPES[dtype].itemsize * 8


def is_float(dtype: str) -> bool:
    return dtype in FLOATS


def limits(dtype: str) -> tuple[int, int]:
    """The least and largest integer of a type."""
    if dtype == "i4":
        return -8, 7
    info = np.iinfo(DTYPES[dtype])
    return int(info.min), int(info.max)


def canonical(values: Values, dtype: str) -> Values:
    """The values in their type, every NaN the quiet one: the documentation does not tell NaNs apart."""
    out = values.astype(DTYPES[dtype]).copy()
    if is_float(dtype):
        raw = out.view(np.uint16 if out.itemsize == 2 else np.uint32)
        raw[np.isnan(out.astype(np.float32))] = NANS[dtype]
    return out


def whole(x: Doubles, mode: str) -> Doubles:
    """Doubles rounded to whole numbers. NONE is RINT where something is lost."""
    with np.errstate(invalid="ignore"):
        match mode:
            case "RINT" | "NONE":
                return np.rint(x)
            case "FLOOR":
                return np.floor(x)
            case "CEIL":
                return np.ceil(x)
            case "TRUNC":
                return np.trunc(x)
            case "ROUND":  # to the nearest, halves away from zero; exact: adding 0.5 could round
                down = np.trunc(x)
                return down + np.where(np.abs(x - down) >= 0.5, np.sign(x), 0.0)
            case "ODD":
                down = np.trunc(x)
                odd = np.mod(down, 2) != 0
                return np.where((down != x) & ~odd, down + np.sign(x), down)
    raise ValueError(mode)


def to_float(x: Doubles, dtype: str, mode: str = "RINT") -> Values:
    """Doubles (each an exact value) in a narrower format. What rounds beyond the largest finite value is infinite when
    the mode goes to the nearest or away from zero there, else the largest, as IEEE 754 has it."""
    precision, least, largest = FLOATS[dtype]
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(x)[1] - 1, least)
        step = np.ldexp(1.0, exponent - (precision - 1))
        rounded = np.where(np.isfinite(x), whole(x / step, mode) * step, x)
        inward = {"TRUNC": True, "ODD": True, "FLOOR": x > 0, "CEIL": x < 0}.get(mode, False)
        beyond = np.where(np.isfinite(x) & inward, largest, np.inf)
        rounded = np.where(np.abs(rounded) > largest, np.copysign(beyond, x), rounded)
        return canonical(np.copysign(rounded, x).astype(DTYPES[dtype]), dtype)


def to_integer(x: Doubles, dtype: str, mode: str) -> Values:
    """Doubles in an integer type: rounded, then saturated; NaN is zero."""
    low, high = limits(dtype)
    rounded = whole(np.where(np.isnan(x), 0.0, x), mode)
    out = [min(max(int(v), low), high) if np.isfinite(v) else (high if v > 0 else low) for v in rounded]
    return np.array(out, DTYPES.get(dtype, DTYPES["i8"]))


def integers_to_float(x: Values, dtype: str, mode: str) -> Values:
    """Integers of up to 64 bits in a floating-point format, exact before the one rounding."""
    precision = FLOATS[dtype][0]
    out = []
    for v in (int(i) for i in x):
        shift = max(
            0, abs(v).bit_length() - 53
        )  # a double's digits and a sticky bit below them decide as all digits do
        kept = abs(v) >> shift
        if shift and abs(v) & ((1 << shift) - 1):
            kept |= 1
        out.append(np.ldexp(float(kept), shift) * (-1 if v < 0 else 1))
    assert precision <= 24
    return to_float(np.array(out, np.float64), dtype, mode)


def wrapped(x: npt.NDArray[np.object_], dtype: str) -> Values:
    """Python integers modulo the width of a type."""
    bits = bits_of(dtype)
    low = limits(dtype)[0]
    return np.array([(int(v) - low) % (1 << bits) + low for v in x], DTYPES[dtype])


def clipped(x: npt.NDArray[np.object_], dtype: str) -> Values:
    """Python integers saturated to a type."""
    low, high = limits(dtype)
    return np.array([min(max(int(v), low), high) for v in x], DTYPES[dtype])


def saturated(values: Values, dtype: str) -> Values:
    """A half or bfloat16 as the saturation mode gives it: infinities become the largest values, NaN zero. Other types
    stay."""
    if dtype not in ("f16", "bf16"):
        return values
    wide = doubles(values)
    largest = 65504.0 if dtype == "f16" else float.fromhex("0x1.fep127")
    finite = np.where(np.isnan(wide), 0.0, np.clip(wide, -largest, largest))
    return to_float(np.copysign(finite, np.where(np.isnan(wide), 1.0, wide)), dtype)


def doubles(values: Values) -> Doubles:
    """The values, exact; a signalling NaN becomes a quiet one without a word."""
    with np.errstate(invalid="ignore"):
        return values.astype(np.float64)
