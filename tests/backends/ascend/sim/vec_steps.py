"""Vector operations as data: steps that vec_driver.cpp runs, and what NumPy says their results are.

Nothing here comes from the simulator. A step works on a 48 KiB image of the unified buffer; `expected(step, image)` is
the image afterwards, computed lane by lane from the documented meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import ml_dtypes
import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Values = npt.NDArray[np.generic]

DRIVER = Path(__file__).parent / "vec_driver.cpp"
IMAGE = 48 * 1024
BLOCK, REPEAT = 32, 256
DST, SRC0, SRC1, WORK = 0, 12 * 1024, 24 * 1024, 36 * 1024
REGISTERS = 47 * 1024

OPS = [
    "Abs",
    "Exp",
    "Ln",
    "Sqrt",
    "Rsqrt",
    "Reciprocal",
    "Relu",
    "Not",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Max",
    "Min",
    "And",
    "Or",
    "AddRelu",
    "SubRelu",
    "MulAddDst",
    "FusedMulAdd",
    "FusedMulAddRelu",
    "AddDeqRelu",
    "Adds",
    "Muls",
    "Maxs",
    "Mins",
    "ShiftLeft",
    "ShiftRight",
    "ShiftRightRound",
    "LeakyRelu",
    "Axpy",
    "Cast",
    "AddReluCast",
    "SubReluCast",
    "MulCast",
    "Duplicate",
    "CreateVecIndex",
    "Compare",
    "CompareScalar",
    "Select",
    "SelectScalar",
    "WholeReduceSum",
    "WholeReduceMax",
    "WholeReduceMin",
    "BlockReduceSum",
    "BlockReduceMax",
    "BlockReduceMin",
    "PairReduceSum",
    "ReduceSum",
    "ReduceMax",
    "ReduceMin",
    "Brcb",
    "Gather",
    "Gatherb",
    "GatherMask",
    "GatherMaskUser",
    "CastDeq",
    "CmpRegister",
]
TYPES = ["f16", "bf16", "f32", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "i4"]
FORMS = ["count", "first", "bits", "keep_bits", "counter", "keep_counter"]
ROUND = {"NONE": 0, "RINT": 1, "FLOOR": 2, "CEIL": 3, "ROUND": 4, "TRUNC": 5, "ODD": 6}
CMP = {"LT": 0, "GT": 1, "EQ": 2, "LE": 3, "GE": 4, "NE": 5}

NUMPY = {
    "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16), "f32": np.dtype(np.float32),
    "i8": np.dtype(np.int8), "u8": np.dtype(np.uint8), "i16": np.dtype(np.int16), "u16": np.dtype(np.uint16),
    "i32": np.dtype(np.int32),
    "u32": np.dtype(np.uint32), "i64": np.dtype(np.int64),
}  # fmt: skip


def bits_of(type_: str) -> int:
    return 4 if type_ == "i4" else NUMPY[type_].itemsize * 8


@dataclass(frozen=True)
class Step:
    """One call. `repeats` is the count in the count form. Strides are in blocks of 32 bytes: dst, src0, src1."""

    op: str
    type: str = "f32"
    to: str = ""  # dst's type where it is another
    form: str = "count"
    repeats: int = 1
    mask: tuple[int, int] = (0, 0)
    scalar: float = 0
    mode: int = 0
    at: tuple[int, int, int, int] = (DST, SRC0, SRC1, WORK)
    block: tuple[int, int, int] = (1, 1, 1)
    repeat: tuple[int, int, int] = (8, 8, 8)
    sizes: tuple[int, int] = (0, 0)  # bytes of the dst and source tensors, 0: to the end of the image
    extra: int = 0
    scalar_type: str = ""
    registers: int = 0

    @property
    def dst_type(self) -> str:
        return self.to or self.type

    def pack(self) -> npt.NDArray[np.int64]:
        words = np.zeros(32, np.int64)
        words[:13] = [
            OPS.index(self.op), TYPES.index(self.type), TYPES.index(self.dst_type), FORMS.index(self.form),
            self.repeats, _signed(self.mask[0]), _signed(self.mask[1]), self._scalar_bits(), self.mode, *self.at,
        ]  # fmt: skip
        words[13:16], words[16:19] = self.block, self.repeat
        words[19:21] = self.sizes
        words[21], words[22] = self.extra, self.registers
        return words

    def _scalar_bits(self) -> int:
        value = np.zeros(8, np.uint8)
        dtype = NUMPY[self.scalar_type or (self.type if self.type != "i4" else "f16")]
        value[: dtype.itemsize] = np.array([self.scalar]).astype(dtype).view(np.uint8)
        return int(value.view(np.int64)[0])

    @property
    def scalar_value(self) -> Values:
        return np.array([self.scalar]).astype(NUMPY[self.scalar_type or self.type])


def _signed(word: int) -> int:
    return word - (1 << 64) if word >= 1 << 63 else word


def program(steps: list[Step], times: int = 1, saturate: bool = False) -> Bytes:
    head = np.array([len(steps), times, saturate, 0], np.int64)
    return np.concatenate([head, *(s.pack() for s in steps)]).view(np.uint8)


# --- lanes -----------------------------------------------------------------------------------------------------------


def lanes_of(step: Step, lanes: int) -> list[npt.NDArray[np.int64]]:
    """The enabled lanes of every repeat."""
    every = np.arange(lanes)
    if step.form in ("count", "counter", "keep_counter"):
        total = step.repeats if step.form == "count" else step.mask[0]
        return [every[: min(lanes, total - first)] for first in range(0, total, lanes)]
    if step.form == "first":
        on = every[: min(step.mask[0], lanes)]
    else:
        word = step.mask[0] | step.mask[1] << 64
        on = np.array([i for i in every if word >> int(i) & 1], np.int64)
    return [on] * (step.repeats if len(on) else 0)


def places(
    step: Step, operand: int, bits: int, lanes: int, repeat: int, on: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Byte offsets in the image of these lanes of this repeat of an operand (0 dst, 1 and 2 the sources)."""
    if step.form == "count":
        return step.at[operand] + repeat * lanes * bits // 8 + on * bits // 8
    block, inside = on * bits // 256, on * bits % 256 // 8
    return step.at[operand] + repeat * step.repeat[operand] * BLOCK + block * step.block[operand] * BLOCK + inside


def take(image: Bytes, at: npt.NDArray[np.int64], dtype: np.dtype[np.generic]) -> Values:
    return image[at[:, None] + np.arange(dtype.itemsize)].reshape(-1).view(dtype)


def put(image: Bytes, at: npt.NDArray[np.int64], values: Values) -> None:
    raw = np.ascontiguousarray(values).view(np.uint8).reshape(len(at), -1)
    image[at[:, None] + np.arange(raw.shape[1])] = raw


def nibbles(image: Bytes, at: npt.NDArray[np.int64], on: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    raw = image[at].astype(np.int64) >> (on % 2 * 4) & 15
    return np.where(raw < 8, raw, raw - 16)


def put_nibbles(
    image: Bytes, at: npt.NDArray[np.int64], on: npt.NDArray[np.int64], values: npt.NDArray[np.int64]
) -> None:
    for place, lane, value in zip(at, on, values, strict=True):
        shift = int(lane) % 2 * 4
        image[place] = (int(image[place]) & ~(15 << shift) & 255) | (int(value) & 15) << shift


# --- arithmetic ------------------------------------------------------------------------------------------------------


def canonical(values: Values) -> Values:
    """NaN as the one that the simulator documents."""
    if values.dtype == np.float16:
        values = values.copy()
        values.view(np.uint16)[np.isnan(values)] = 0x7E00
    elif values.dtype == np.float32:
        values = values.copy()
        values.view(np.uint32)[np.isnan(values)] = 0x7FC00000
    return values


def wide(values: Values) -> Values:
    return values.astype(np.float64) if values.dtype == np.float16 else values


def rounded(values: Values, dtype: np.dtype[np.generic]) -> Values:
    return canonical(values.astype(dtype))


def _maximum(a: Values, b: Values) -> Values:
    result = np.where(a > b, a, b)
    if a.dtype.kind == "f":
        result = np.where((a == 0) & (b == 0), np.where(np.signbit(a) & np.signbit(b), a, np.zeros_like(a)), result)
        result = np.where(np.isnan(a) | np.isnan(b), np.full_like(a, np.nan), result)
    return result


def _minimum(a: Values, b: Values) -> Values:
    if a.dtype.kind != "f":
        return np.minimum(a, b)
    return -_maximum(-a, -b)


def _relu(x: Values) -> Values:
    return np.where(x <= 0, np.zeros_like(x), x)


def _shift_left(x: Values, by: int) -> Values:
    width = x.dtype.itemsize * 8
    moved = [int(v) << by & ((1 << width) - 1) for v in x]
    if x.dtype.kind == "i":
        sign = 1 << (width - 1)
        moved = [(m & ~sign) | (int(v) & sign) for m, v in zip(moved, x, strict=True)]
    return np.array(moved, np.uint64).astype(np.dtype(f"u{x.dtype.itemsize}")).view(x.dtype)


def _shift_right(x: Values, by: int, round_: bool = False) -> Values:
    moved = [(int(v) >> by) + ((int(v) >> (by - 1) & 1) if round_ and by else 0) for v in x]
    return np.array(moved).astype(x.dtype)


UNARY = {
    "Abs": np.abs,
    "Exp": lambda x: np.exp(x.astype(np.longdouble)),
    "Ln": lambda x: np.log(x.astype(np.longdouble)),
    "Sqrt": np.sqrt,
    "Rsqrt": lambda x: 1 / np.sqrt(x.astype(np.longdouble)),
    "Reciprocal": lambda x: 1 / x,
    "Relu": _relu,
    "Not": np.invert,
}
BINARY = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Max": _maximum, "Min": _minimum,
    "And": np.bitwise_and, "Or": np.bitwise_or,
    "AddRelu": lambda a, b: _relu(a + b), "SubRelu": lambda a, b: _relu(a - b),
}  # fmt: skip
SCALAR = {"Adds": "Add", "Muls": "Mul", "Maxs": "Max", "Mins": "Min"}


def arithmetic(step: Step, a: Values, b: Values, d: Values) -> Values:
    """One repeat's lanes: sources and old dst of these element types → dst's values."""
    name, dtype = step.op, d.dtype
    with np.errstate(all="ignore"):
        if name in UNARY:
            return rounded(UNARY[name](wide(a)), dtype)
        if name in BINARY:
            return rounded(BINARY[name](wide(a), wide(b)), dtype)
        s = np.broadcast_to(step.scalar_value, a.shape) if a.dtype == step.scalar_value.dtype else a
        if name in SCALAR:
            return rounded(BINARY[SCALAR[name]](wide(a), wide(s)), dtype)
        if name == "LeakyRelu":
            return rounded(np.where(np.signbit(a), wide(a) * wide(s), wide(a)), dtype)
        if name.startswith("Shift"):
            by = int(step.scalar)
            return _shift_left(a, by) if name == "ShiftLeft" else _shift_right(a, by, name == "ShiftRightRound")
        if name in ("MulAddDst", "Axpy"):
            product = rounded(
                wide(a).astype(dtype.type if dtype == np.float32 else np.float64) * wide(s if name == "Axpy" else b),
                dtype,
            )
            return rounded(wide(product) + wide(d), dtype)
        product = rounded(wide(a) * wide(d), dtype)
        total = rounded(wide(product) + wide(b), dtype)
        return canonical(_relu(total)) if name == "FusedMulAddRelu" else total


_INTEGRAL = {
    "NONE": np.rint, "RINT": np.rint, "FLOOR": np.floor, "CEIL": np.ceil, "TRUNC": np.trunc,
    "ROUND": lambda x: np.trunc(x) + np.where(np.abs(x - np.trunc(x)) >= 0.5, np.copysign(1.0, x), 0.0),
}  # fmt: skip


def _to_integer(x: Values, mode: str, low: int, high: int) -> npt.NDArray[np.int64]:
    whole = [None if v != v else v for v in _INTEGRAL[mode](x.astype(np.float64))]
    clamped = [0 if v is None else high if v >= high else low if v <= low else int(v) for v in whole]
    return np.array(clamped, np.int64)


def _neighbours(x: Values, dtype: np.dtype[np.generic]) -> tuple[Values, Values]:
    """The representable values around x: (the one below or equal, the one above or equal)."""
    nearest = x.astype(dtype)
    down = np.where(nearest.astype(np.float64) > x, _next(nearest, -1), nearest)
    up = np.where(nearest.astype(np.float64) < x, _next(nearest, 1), nearest)
    return down.astype(dtype), up.astype(dtype)


def _next(values: Values, towards: int) -> Values:
    """The next representable value up or down, through integers, so that it serves bfloat16 too."""
    raw = values.view(np.dtype(f"i{values.dtype.itemsize}")).astype(np.int64)
    lowest = -(1 << (values.dtype.itemsize * 8 - 1))
    ordered = np.where(raw < 0, lowest - raw, raw) + towards
    # A step down from +0 is the negative value nearest to zero, as 0 stands for both zeros.
    back = np.where(ordered < 0, lowest - ordered, ordered)
    return back.astype(np.dtype(f"i{values.dtype.itemsize}")).view(values.dtype)


def narrow_float(x: Values, dtype: np.dtype[np.generic], mode: str) -> Values:
    """float64 values, exact, to a narrower float by the mode."""
    with np.errstate(all="ignore"):
        nearest = x.astype(dtype)
        if mode in ("NONE", "RINT"):
            return _canonical_any(nearest)
        down, up = _neighbours(x, dtype)
        toward = np.where(x < 0, up, down).astype(dtype)
        away = np.where(x < 0, down, up).astype(dtype)
        if mode == "ROUND":
            big = np.where(np.isinf(away.astype(np.float64)), np.copysign(_beyond(dtype), x), away.astype(np.float64))
            tie = np.abs(x - toward.astype(np.float64)) >= np.abs(big - x)
            result = np.where(tie, away, toward).astype(dtype)
        elif mode == "ODD":
            raw = toward.view(np.dtype(f"u{dtype.itemsize}"))
            inexact = (toward.astype(np.float64) != x) & ~np.isnan(x)
            result = np.where(inexact, raw | 1, raw).astype(raw.dtype).view(dtype)
        else:
            result = {"FLOOR": down, "CEIL": up, "TRUNC": toward}[mode]
        # A result of zero keeps the operand's sign.
        zero = result.astype(np.float64) == 0
        signed = np.copysign(np.zeros(len(x)), x).astype(dtype)
        result = np.where(zero, signed, result).astype(dtype)
        return _canonical_any(np.where(np.isfinite(x), result, nearest).astype(dtype))


def _beyond(dtype: np.dtype[np.generic]) -> float:
    return {2: 65536.0, 4: 2.0**128}[dtype.itemsize] if dtype != NUMPY["bf16"] else 2.0**128


def _canonical_any(values: Values) -> Values:
    if values.dtype == NUMPY["bf16"]:
        values = values.copy()
        values.view(np.uint16)[np.isnan(values.astype(np.float32))] = 0x7FC0
        return values
    return canonical(values)


def convert(step: Step, x: Values) -> Values:
    """Cast of these values (int4 as int64)."""
    mode = next(name for name, number in ROUND.items() if number == step.mode)
    to = step.dst_type
    with np.errstate(all="ignore"):
        if step.type == "i32" and to == "f16":
            product = x.astype(np.float64) * float(np.float16(step.scalar))
            return canonical(product.astype(np.float16))
        if step.type == to == "f32":
            return canonical((_INTEGRAL[mode](x) + np.float32(0)).astype(np.float32))
        if to in ("f16", "bf16"):
            return narrow_float(x.astype(np.float64), NUMPY[to], mode)
        if to == "f32":
            if step.type == "i64":
                return _long_to_float(x, mode)
            return (
                narrow_float(x.astype(np.float64), NUMPY[to], mode)
                if step.type == "i32"
                else canonical(x.astype(np.float32))
            )
        if to == "i4":
            return _to_integer(x, mode, -8, 7)
        limits = np.iinfo(NUMPY[to])
        if x.dtype.kind == "i":
            return np.clip(x.astype(np.int64), limits.min, limits.max).astype(NUMPY[to])
        if to == "i64":
            return _to_integer(x, mode, limits.min, limits.max)
        return _to_integer(x, mode, limits.min, limits.max).astype(NUMPY[to])


def _long_to_float(x: Values, mode: str) -> Values:
    results = []
    for value in map(int, x):
        nearest = np.float32(value)
        exact = int(nearest)
        down = nearest if exact <= value else np.nextafter(nearest, np.float32(-np.inf))
        up = nearest if exact >= value else np.nextafter(nearest, np.float32(np.inf))
        near_zero, far = (down, up) if value >= 0 else (up, down)
        tie = abs(int(far) - value) <= abs(value - int(near_zero)) if down != up else False
        choice = {"RINT": nearest, "NONE": nearest, "FLOOR": down, "CEIL": up, "TRUNC": near_zero}
        results.append(choice.get(mode, far if tie else near_zero))
    return np.array(results, np.float32)


# --- whole steps -----------------------------------------------------------------------------------------------------


def widest(step: Step) -> int:
    return max(bits_of(step.type), bits_of(step.dst_type))


def expected(step: Step, image: Bytes) -> Bytes:
    """The image after an elementwise step, a Cast or a Duplicate."""
    image = image.copy()
    lanes = 8 * REPEAT // (bits_of(step.dst_type) if step.op == "Duplicate" else widest(step))
    src, dst = bits_of(step.type), bits_of(step.dst_type)
    for r, on in enumerate(lanes_of(step, lanes)):
        to = places(step, 0, dst, lanes, r, on)
        if step.op == "Duplicate":
            put(image, to, np.broadcast_to(step.scalar_value, on.shape))
            continue
        a_at = places(step, 1, src, lanes, r, on)
        if step.op == "Cast":
            x = nibbles(image, a_at, on) if step.type == "i4" else take(image, a_at, NUMPY[step.type])
            values = convert(step, x)
            if step.dst_type == "i4":
                put_nibbles(image, to, on, values.astype(np.int64))
            else:
                put(image, to, values)
            continue
        a = take(image, a_at, NUMPY[step.type])
        b = take(image, places(step, 2, src, lanes, r, on), NUMPY[step.type])
        put(image, to, arithmetic(step, a, b, take(image, to, NUMPY[step.dst_type])))
    return image


def with_form(step: Step, form: str, **changes: object) -> Step:
    return replace(step, form=form, **changes)  # type: ignore[arg-type]
