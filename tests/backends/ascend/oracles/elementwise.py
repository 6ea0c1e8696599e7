"""Operations that treat each lane by itself.

Pages: basic arithmetic, logic, composite computation, comparison and selection, conversion, filling. Taken where they
say less: products are rounded to dst's type before they are added; every approximation rounds correctly; the
conversions built into AddReluCast, SubReluCast and MulCast go to the nearest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.backends.ascend.oracles.lanes import Call, Image, Places, put, put_nibbles, take, take_nibbles
from tests.backends.ascend.oracles.numbers import (
    DTYPES,
    Doubles,
    Values,
    bits_of,
    canonical,
    clipped,
    doubles,
    integers_to_float,
    is_float,
    saturated,
    to_float,
    to_integer,
    wrapped,
)

Operation = Callable[[Call, list[Values], Values], Values]


def run(call: Call, image: Image) -> None:
    """The image after the call: every repeat reads all its sources, then writes its enabled lanes."""
    operation = OPERATIONS[call.name]
    for repeat, on in enumerate(call.enabled()):
        sources = [_read(call, image, i, repeat, on) for i in range(len(call.src))]
        at = call.places(call.dst, repeat, on)
        before = take_nibbles(image, at, on) if call.dst.dtype == "i4" else take(image, at, call.dst.dtype)
        values = operation(call, sources, before)
        if call.dst.dtype == "i4":
            put_nibbles(image, at, on, values)
        else:
            put(image, at, values)


def _read(call: Call, image: Image, operand: int, repeat: int, on: Places) -> Values:
    tensor = call.src[operand]
    at = call.places(tensor, repeat, on)
    return take_nibbles(image, at, on) if tensor.dtype == "i4" else take(image, at, tensor.dtype)


# --- arithmetic ------------------------------------------------------------------------------------------------------


def rounded(call: Call, exact: Doubles, dtype: str = "") -> Values:
    """Doubles in dst's type, and in saturation mode without infinities and NaNs of a half."""
    dtype = dtype or call.dst.dtype
    out = to_float(exact, dtype)
    return saturated(out, dtype) if call.saturate else out


def fitted(call: Call, exact: Any) -> Values:
    """Integers in dst's type: they wrap, or in saturation mode stop at its limits."""
    return clipped(exact, call.dst.dtype) if call.saturate else wrapped(exact, call.dst.dtype)


def _ints(values: Values) -> Any:
    return np.array([int(v) for v in values], object)


def _combine(call: Call, a: Values, b: Values, floating: Any, integral: Any) -> Values:
    if is_float(call.dst.dtype):
        with np.errstate(all="ignore"):
            return rounded(call, floating(doubles(a), doubles(b)))
    return fitted(call, integral(_ints(a), _ints(b)))


def add(call: Call, a: Values, b: Values) -> Values:
    return _combine(call, a, b, np.add, lambda x, y: x + y)


def subtract(call: Call, a: Values, b: Values) -> Values:
    return _combine(call, a, b, np.subtract, lambda x, y: x - y)


def multiply(call: Call, a: Values, b: Values) -> Values:
    return _combine(call, a, b, np.multiply, lambda x, y: x * y)


def _greater(a: Doubles, b: Doubles) -> Doubles:
    zero = (a == 0) & (b == 0)
    chosen = np.where(zero & ~np.signbit(b), b, np.where(zero, a, np.where(a > b, a, b)))
    return np.where(np.isnan(a) | np.isnan(b), np.nan, chosen)


def _lesser(a: Doubles, b: Doubles) -> Doubles:
    return -_greater(-a, -b)


def maximum(call: Call, a: Values, b: Values) -> Values:
    return _combine(call, a, b, _greater, np.maximum)


def minimum(call: Call, a: Values, b: Values) -> Values:
    return _combine(call, a, b, _lesser, np.minimum)


def relu(call: Call, x: Values) -> Values:
    """max(0, x): both zeros give +0, NaN stays."""
    if not is_float(_name(x)):
        return np.maximum(x, np.zeros(1, x.dtype))
    wide = doubles(x)
    return rounded(call, np.where(wide > 0, wide, np.where(np.isnan(wide), np.nan, 0.0)), _name(x))


def _name(x: Values) -> str:
    return next(name for name, dtype in DTYPES.items() if dtype == x.dtype)


def _double(f: Callable[[Doubles], Doubles]) -> Operation:
    def operation(call: Call, src: list[Values], dst: Values) -> Values:
        with np.errstate(all="ignore"):
            return rounded(call, f(doubles(src[0])))

    return operation


def _rsqrt(x: Doubles) -> Doubles:
    return np.where(x == 0, np.copysign(np.inf, x), 1 / np.sqrt(x))


def _two(f: Callable[[Call, Values, Values], Values]) -> Operation:
    return lambda call, src, dst: f(call, src[0], src[1])


def _with_scalar(f: Callable[[Call, Values, Values], Values]) -> Operation:
    def operation(call: Call, src: list[Values], dst: Values) -> Values:
        return f(call, src[0], scalar(call, src[0]))

    return operation


def scalar(call: Call, like: Values) -> Values:
    """The call's scalar in the type of a source, once for each element."""
    return np.full(like.shape, call.scalar).astype(like.dtype)


def _divide(call: Call, a: Values, b: Values) -> Values:
    with np.errstate(all="ignore"):
        return rounded(call, doubles(a) / doubles(b))


def _leaky(call: Call, x: Values, slope: Values) -> Values:
    wide = doubles(x)
    product = doubles(multiply(call, x, slope))
    negative = np.signbit(wide) & ~np.isnan(wide)  # -0 takes the product: the table has 0 for slopes below zero
    return rounded(call, np.where(np.isnan(wide), np.nan, np.where(negative, product, wide)))


def _multiply_add(call: Call, a: Values, b: Values, c: Values) -> Values:
    """a · b + c: the product in dst's type, then the sum."""
    product = multiply(call, a, b)
    return add(call, product, c)


def _axpy(call: Call, src: list[Values], dst: Values) -> Values:
    return _multiply_add(call, src[0], scalar(call, src[0]), dst)


def _mul_add_dst(call: Call, src: list[Values], dst: Values) -> Values:
    return _multiply_add(call, src[0], src[1], dst)


def _fused_mul_add(call: Call, src: list[Values], dst: Values) -> Values:
    return _multiply_add(call, src[0], dst, src[1])


def _fused_mul_add_relu(call: Call, src: list[Values], dst: Values) -> Values:
    return relu(call, _multiply_add(call, src[0], dst, src[1]))


def _add_relu(call: Call, src: list[Values], dst: Values) -> Values:
    return relu(call, add(call, src[0], src[1]))


def _sub_relu(call: Call, src: list[Values], dst: Values) -> Values:
    return relu(call, subtract(call, src[0], src[1]))


# --- bits ------------------------------------------------------------------------------------------------------------


def _shift_left(call: Call, src: list[Values], dst: Values) -> Values:
    """Unsigned: bits leave at the top. Signed: the sign stays, bits leave below it."""
    bits = bits_of(call.dst.dtype)
    x = _ints(src[0])
    n = int(call.scalar)
    if call.dst.dtype.startswith("u"):
        return wrapped(x * 2**n, call.dst.dtype)
    low = (1 << (bits - 1)) - 1
    return np.array([(int(v) << n & low) - (1 << (bits - 1) if v < 0 else 0) for v in x], src[0].dtype)


def _shift_right(call: Call, src: list[Values], dst: Values) -> Values:
    n = int(call.scalar)
    last = [(int(v) >> (n - 1)) & 1 if call.mode == "round" and n else 0 for v in src[0]]
    return wrapped(np.array([(int(v) >> n) + up for v, up in zip(src[0], last, strict=True)], object), call.dst.dtype)


def _bitwise(f: Any) -> Operation:
    return lambda call, src, dst: f(*src).astype(src[0].dtype)


# --- conversions -----------------------------------------------------------------------------------------------------


def cast(call: Call, src: list[Values], dst: Values) -> Values:
    from_, to, x = call.src[0].dtype, call.dst.dtype, src[0]
    if from_ == "i32" and to == "f16":
        return dequantized(call, _ints(x))
    if is_float(from_) and is_float(to):
        return _float_to_float(call, doubles(x), from_, to)
    if is_float(from_):
        return to_integer(doubles(x), to, call.mode)
    if is_float(to):
        return integers_to_float(x, to, call.mode)
    return clipped(_ints(x), to)


def _float_to_float(call: Call, x: Doubles, from_: str, to: str) -> Values:
    """From float to float the mode rounds to whole numbers, and there is no negative zero."""
    if from_ == to:
        from tests.backends.ascend.oracles.numbers import whole

        return canonical(np.where(np.isfinite(x), whole(x, call.mode), x) + 0.0, to)
    out = to_float(x, to, call.mode)
    return saturated(out, to) if call.saturate else out


def dequantized(call: Call, x: Any) -> Values:
    """x · scale in half, rounded once; the scale is a half."""
    scale = float(np.float16(call.scalar))
    return rounded(call, np.array([float(int(v)) for v in x]) * scale, "f16")


def _add_deq_relu(call: Call, src: list[Values], dst: Values) -> Values:
    return relu(call, dequantized(call, wrapped(_ints(src[0]) + _ints(src[1]), "i32")))


def _cast_deq(call: Call, src: list[Values], dst: Values) -> Values:
    """x · scale + offset, to the nearest and saturated; the scale keeps ten bits of its fraction."""
    bits = np.float32(call.scalar).view(np.uint32) & np.uint32(0xFFFFE000)
    scale = float(bits.view(np.float32))
    exact = np.array([int(v) * scale + call.extra for v in src[0]])
    return to_integer(exact, call.dst.dtype, "RINT")


def _relu_cast(subtracting: bool) -> Operation:
    def operation(call: Call, src: list[Values], dst: Values) -> Values:
        from_, to = call.src[0].dtype, call.dst.dtype
        if from_ == "i16":
            total = _ints(src[0]) - _ints(src[1]) if subtracting else _ints(src[0]) + _ints(src[1])
            return clipped(np.maximum(clipped(total, "i16").astype(int), 0).astype(object), to)
        with np.errstate(all="ignore"):
            exact = doubles(src[0]) - doubles(src[1]) if subtracting else doubles(src[0]) + doubles(src[1])
        middle = doubles(to_float(exact, from_))
        middle = np.where(middle > 0, middle, 0.0)  # a NaN gives zero
        return to_float(middle, to) if is_float(to) else to_integer(middle, to, "RINT")

    return operation


def _mul_cast(call: Call, src: list[Values], dst: Values) -> Values:
    with np.errstate(all="ignore"):
        product = to_float(doubles(src[0]) * doubles(src[1]), "f16")
    return to_integer(doubles(product), call.dst.dtype, "RINT")


# --- filling ---------------------------------------------------------------------------------------------------------


def _duplicate(call: Call, src: list[Values], dst: Values) -> Values:
    return np.full(dst.shape, call.scalar).astype(dst.dtype)


OPERATIONS: dict[str, Operation] = {
    "Abs": lambda call, src, dst: rounded(call, np.abs(doubles(src[0]))),
    "Exp": _double(np.exp),
    "Ln": _double(lambda x: np.where(x == 0, -np.inf, np.log(x))),
    "Sqrt": _double(np.sqrt),
    "Rsqrt": _double(_rsqrt),
    "Reciprocal": _double(lambda x: 1 / x),
    "Relu": lambda call, src, dst: relu(call, src[0]),
    "Not": _bitwise(np.invert),
    "Add": _two(add),
    "Sub": _two(subtract),
    "Mul": _two(multiply),
    "Div": _two(_divide),
    "Max": _two(maximum),
    "Min": _two(minimum),
    "And": _bitwise(np.bitwise_and),
    "Or": _bitwise(np.bitwise_or),
    "AddRelu": _add_relu,
    "SubRelu": _sub_relu,
    "MulAddDst": _mul_add_dst,
    "FusedMulAdd": _fused_mul_add,
    "FusedMulAddRelu": _fused_mul_add_relu,
    "AddDeqRelu": _add_deq_relu,
    "Adds": _with_scalar(add),
    "Muls": _with_scalar(multiply),
    "Maxs": _with_scalar(maximum),
    "Mins": _with_scalar(minimum),
    "ShiftLeft": _shift_left,
    "ShiftRight": _shift_right,
    "LeakyRelu": _with_scalar(_leaky),
    "Axpy": _axpy,
    "Cast": cast,
    "AddReluCast": _relu_cast(subtracting=False),
    "SubReluCast": _relu_cast(subtracting=True),
    "MulCast": _mul_cast,
    "CastDequant": _cast_deq,
    "Duplicate": _duplicate,
}
