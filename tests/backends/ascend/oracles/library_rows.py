"""The advanced library's operations on rows: reductions, sums, expansion, selection, quantization, softmax.

Pages: Sum, Mean, ReduceSum … ReduceAll, CumSum, Broadcast, AscendQuant, AscendDequant, Arange, DropOut, Select (byte
mask), SoftMax, RmsNorm, LayerNorm. A matrix has `outer` rows of `n` elements that lie `inner` elements apart. Every
function gives bounds: the least and the greatest right result, equal where the page fixes the bits.
"""

from __future__ import annotations

import numpy as np

from tests.backends.ascend.oracles.numbers import FLOATS, Doubles, Values, doubles, to_float, to_integer

Bounds = tuple[Values, Values]


def exact(x: Doubles, dtype: str) -> Bounds:
    value = to_float(x, dtype)
    return value, value


def within(x: Doubles, dtype: str, ulps: float) -> Bounds:
    """Up to so many units in the last place off."""
    precision, least, _ = FLOATS[dtype]
    with np.errstate(all="ignore"):
        unit = np.ldexp(1.0, np.maximum(np.frexp(x)[1] - 1, least) - (precision - 1))
    return to_float(x - ulps * unit, dtype), to_float(x + ulps * unit, dtype)


def tree(rows: Doubles, dtype: str) -> Doubles:
    """The sum of each row over neighbours, every level rounded."""
    while rows.shape[1] > 1:
        if rows.shape[1] % 2:
            rows = np.pad(rows, ((0, 0), (0, 1)))
        pairs = rows[:, ::2] + rows[:, 1::2]
        rows = doubles(to_float(pairs.reshape(-1), dtype)).reshape(pairs.shape)
    return rows[:, 0]


def row_sums(rows: Values, dtype: str) -> Bounds:
    return exact(tree(doubles(rows), dtype), dtype)


def row_means(rows: Values, dtype: str, working: str) -> Bounds:
    """The tree of the working type, then the division: by n, or times its reciprocal, which may differ in the last
    place. The result is the destination's."""
    total = tree(doubles(rows), working)
    return within(total / rows.shape[1], dtype, 1.0)


def reduced(rows: Values, operation: str, *, columns: bool, dtype: str) -> Bounds:
    """AR (`columns`): each row to one; RA: each column to one. The order of float additions is not given: the inputs
    must make every order exact."""
    wide, axis = doubles(rows), 1 if columns else 0
    match operation:
        case "SUM":
            value = wide.sum(axis)
        case "MAX":
            value = wide.max(axis)
        case "MIN":
            value = wide.min(axis)
        case "PROD":
            value = wide.prod(axis)
        case "ANY":
            value = (wide != 0).any(axis).astype(np.float64)
        case "ALL":
            value = (wide != 0).all(axis).astype(np.float64)
        case "MEAN":
            return within(wide.mean(axis), dtype, 1.0)
        case _:
            raise ValueError(operation)
    return exact(value, dtype)


def running_sums(rows: Values, dtype: str, *, columns: bool) -> Bounds:
    """Inclusive sums down the rows or along them, line after line in float."""
    wide, axis = doubles(rows), 1 if columns else 0
    total = np.zeros_like(np.take(wide, 0, axis))
    out = np.empty_like(wide)
    for i in range(wide.shape[axis]):
        total = doubles(to_float((total + np.take(wide, i, axis)).reshape(-1), "f32")).reshape(total.shape)
        out[(slice(None), i) if columns else i] = total
    value = to_float(out.reshape(-1), dtype).reshape(out.shape)
    return value, value


def quantized(x: Values, scale: float, offset: float) -> Values:
    """Everything as half: times the scale, plus the offset, to the nearest whole number, saturated."""
    half = doubles(to_float(doubles(x), "f16"))
    with np.errstate(all="ignore"):
        product = doubles(to_float(half * float(np.float16(scale)), "f16"))
        total = doubles(to_float(product + float(np.float16(offset)), "f16"))
    return to_integer(total, "i8", "RINT")


def dequantized(x: Values, scales: Values, dtype: str) -> Values:
    """Whole numbers and scales as floats, their product, then the destination's type."""
    wide = doubles(to_float(doubles(x).reshape(-1), "f32")).reshape(x.shape)
    product = doubles(to_float((wide * doubles(scales)).reshape(-1), "f32"))
    return to_float(product, dtype).reshape(x.shape)


def dropped(x: Values, keep: np.ndarray, probability: float, dtype: str) -> Bounds:
    """Kept elements over the probability, computed as a product with its reciprocal in the type; zeros elsewhere."""
    wide = doubles(x)
    low, high = within(np.where(keep, wide / probability, 0.0), dtype, 2.0)
    return np.where(keep, low, 0).astype(low.dtype), np.where(keep, high, 0).astype(high.dtype)


def softmax(rows: Values, dtype: str) -> tuple[Bounds, Bounds, Bounds]:
    """The row's softmax, its sum of exponentials and its maximum. The working precision is not given: half as well as
    float steps lie inside the bounds."""
    wide = doubles(rows)
    best = wide.max(1)
    powers = np.exp(wide - best[:, None])
    total = powers.sum(1)
    share = powers / total[:, None]
    slack = 2.0**-8 if dtype == "f16" else 2.0**-18
    low = to_float((share * (1 - slack) - (2.0**-24 if dtype == "f16" else 0)).reshape(-1), dtype)
    high = to_float((share * (1 + slack) + (2.0**-24 if dtype == "f16" else 1e-44)).reshape(-1), dtype)
    sums = to_float(total * (1 - slack), dtype), to_float(total * (1 + slack), dtype)
    return (low.reshape(wide.shape), high.reshape(wide.shape)), sums, exact(best, dtype)


def _about(x: Doubles, dtype: str, size: Doubles) -> Bounds:
    """A result of float steps and one rounding: off by parts of the size of what was added up."""
    slack = size * 2.0**-18 + (np.abs(x) * 2.0**-10 if dtype == "f16" else 0)
    return to_float((x - slack).reshape(-1), dtype).reshape(x.shape), to_float((x + slack).reshape(-1), dtype).reshape(
        x.shape
    )


def rms_norm(rows: Values, gamma: Values, epsilon: float, dtype: str) -> Bounds:
    wide = doubles(rows)
    out = wide / np.sqrt((wide**2).mean(1, keepdims=True) + epsilon) * doubles(gamma)
    return _about(out, dtype, np.abs(out))


def layer_norm(rows: Values, gamma: Values, beta: Values, epsilon: float, dtype: str) -> tuple[Bounds, Bounds, Bounds]:
    """The normalized rows, their means and their variances."""
    wide = doubles(rows)
    mean = wide.mean(1, keepdims=True)
    variance = ((wide - mean) ** 2).mean(1, keepdims=True)
    spread = 1 / np.sqrt(variance + epsilon)
    out = (wide - mean) * spread * doubles(gamma) + doubles(beta)
    size = (np.abs(wide) + np.abs(mean)) * spread * np.abs(doubles(gamma)) + np.abs(doubles(beta))
    scale = np.abs(wide).max(1, keepdims=True)
    return _about(out, dtype, size), _about(mean, dtype, scale), _about(variance, dtype, scale**2)
