"""Elementwise operations × types × forms × strides, whole images against the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.backends.ascend.oracles import elementwise
from tests.backends.ascend.oracles.numbers import is_float
from tests.backends.ascend.properties.draws import PART, Random, cases, drawn_call, filled, values
from tests.backends.ascend.properties.machine import IMAGE, Machine, Trial, judged, step

#: operation → (dst, sources) rows of types
FLOATING = ("f16", "f32")
ARITHMETIC = ("i16", "f16", "i32", "f32")
SAME: dict[str, tuple[int, tuple[str, ...]]] = {
    **dict.fromkeys(("Abs", "Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal"), (1, FLOATING)),
    "Relu": (1, ("f16", "f32", "i32")),
    "Not": (1, ("i16", "u16")),
    **dict.fromkeys(("Add", "Sub", "Mul", "Max", "Min"), (2, ARITHMETIC)),
    **dict.fromkeys(("Div", "FusedMulAdd", "FusedMulAddRelu", "MulAddDst"), (2, FLOATING)),
    **dict.fromkeys(("AddRelu", "SubRelu"), (2, ("f16", "f32", "i16"))),
    **dict.fromkeys(("And", "Or"), (2, ("i16", "u16"))),
    **dict.fromkeys(("Adds", "Muls", "Maxs", "Mins"), (1, ARITHMETIC)),
    **dict.fromkeys(("ShiftLeft", "ShiftRight"), (1, ("i16", "u16", "i32", "u32"))),
    **dict.fromkeys(("LeakyRelu", "Axpy"), (1, FLOATING)),
}
ROUNDINGS = ("RINT", "FLOOR", "CEIL", "ROUND", "TRUNC")
EXACT = "i4-f16 u8-f16 i8-f16 i16-f32 f16-f32 bf16-f32 i32-i16 i32-i64 i64-i32"
ANY = "i16-f16 f16-i4 f16-i8 f16-u8 i32-f32"
ROUNDED = "f16-i16 f16-i32 bf16-i32 f32-i16 f32-bf16 f32-i32 f32-f32 f32-i64 i64-f32"
#: source-destination → the modes that the pair takes
CASTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(EXACT.split(), ("NONE",)),
    **dict.fromkeys(ANY.split(), (*ROUNDINGS, "NONE")),
    **dict.fromkeys(ROUNDED.split(), ROUNDINGS),
    "f32-f16": (*ROUNDINGS, "ODD", "NONE"),
    "i32-f16": ("NONE",),
}
SCALARS = ("Adds", "Muls", "Maxs", "Mins", "LeakyRelu", "Axpy")
SATURATING = (
    "Abs",
    "Exp",
    "Ln",
    "Sqrt",
    "Reciprocal",
    "Relu",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Max",
    "Min",
    "Adds",
    "Muls",
    "Axpy",
    "MulAddDst",
    "FusedMulAdd",
    "FusedMulAddRelu",
)


def image(rng: Random, dst: str, src: Sequence[str]) -> np.ndarray:
    """dst's part, then the sources'; dst holds values too, which some operations read and masks keep."""
    made = np.zeros(IMAGE, np.uint8)
    for part, dtype in enumerate((dst, *src)):
        filled(rng, made, part * PART, dtype)
    return made


def trial(rng: Random, name: str, dst: str, src: Sequence[str], **facts: object) -> Trial:
    call = replace(drawn_call(rng, name, dst, src, [0, PART, 2 * PART]), **facts)  # type: ignore[arg-type]
    op = "ShiftRightRound" if call.mode == "round" else ""
    scalar_type = "f16" if (dst, src[0]) in (("f16", "i32"), ("f32", "f16")) else ""
    return Trial(call, step(call, op, scalar_type=scalar_type), image(rng, dst, src), elementwise.run)


def scalar_of(rng: Random, name: str, dtype: str) -> float | int:
    if name.startswith("Shift"):
        return int(rng.integers(0, (16 if "16" in dtype else 32) + 1))
    if name not in SCALARS:
        return 0
    value = values(rng, dtype, 1)[0]
    return float(value) if is_float(dtype) else int(value)


def same_type(rng: Random) -> Iterator[Trial]:
    for name, (sources, dtypes) in SAME.items():
        for dtype in dtypes:
            for _ in range(cases(3)):
                saturate = name in SATURATING and rng.random() < 0.3
                facts = {"scalar": scalar_of(rng, name, dtype), "saturate": saturate}
                yield trial(rng, name, dtype, [dtype] * sources, **facts)


def test_operations_of_one_type(vector: Machine) -> None:
    judged(vector, list(same_type(np.random.default_rng(11))))


def mixed(rng: Random) -> Iterator[Trial]:
    for _ in range(cases(6)):
        yield trial(rng, "MulAddDst", "f32", ["f16", "f16"])
        yield trial(rng, "Axpy", "f32", ["f16"], scalar=float(values(rng, "f16", 1)[0]))
    for dtype in ("i16", "i32"):
        for _ in range(cases(2)):
            made = trial(rng, "ShiftRight", dtype, [dtype], mode="round", scalar=int(rng.integers(0, 17)))
            if made.call.form in ("mask", "bits", "counter"):
                yield made


def test_operations_of_two_types(vector: Machine) -> None:
    judged(vector, list(mixed(np.random.default_rng(12))))


def casts(rng: Random) -> Iterator[Trial]:
    for pair, modes in CASTS.items():
        from_, to = pair.split("-")
        for mode in modes:
            for _ in range(cases(2)):
                scale = np.float16(rng.choice([1.0, 0.5, 1 / 3, 2.0**-7, -3.0])) if pair == "i32-f16" else 0
                saturate = to in ("f16", "bf16") and is_float(from_) and rng.random() < 0.3
                yield trial(rng, "Cast", to, [from_], mode=mode, scalar=float(scale), saturate=saturate)


def test_casts_in_every_pair_and_mode(vector: Machine) -> None:
    judged(vector, list(casts(np.random.default_rng(13))))


def accumulations(rng: Random) -> Iterator[Trial]:
    """dst is src1 with repeat stride 0: every repeat works on what the one before wrote."""
    for name in ("Add", "Sub", "Mul", "Max", "Min"):
        for dtype in ("f16", "i32", "f32"):
            for _ in range(cases(1)):
                call = drawn_call(rng, name, dtype, [dtype, dtype], [0, PART, 2 * PART], ("mask", "bits", "counter"))
                total = replace(call.dst, repeat=0)
                call = replace(
                    call, dst=total, src=(replace(call.src[0], repeat=8), total), saturate=bool(rng.random() < 0.4)
                )
                yield Trial(call, step(call), image(rng, dtype, [dtype, dtype]), elementwise.run)


def test_accumulation_over_repeats(vector: Machine) -> None:
    judged(vector, list(accumulations(np.random.default_rng(14))))


def fused(rng: Random) -> Iterator[Trial]:
    count: tuple[str, ...] = ("count",)
    for name in ("AddReluCast", "SubReluCast"):
        for from_, to in (("f16", "i8"), ("f32", "f16"), ("i16", "i8")):
            for _ in range(cases(3)):
                call = drawn_call(rng, name, to, [from_, from_], [0, PART, 2 * PART], ("count", "mask"))
                yield Trial(call, step(call), image(rng, to, [from_, from_]), elementwise.run)
    for name, to, from_, n in (
        ("MulCast", "i8", "f16", 2),
        ("MulCast", "u8", "f16", 2),
        ("AddDeqRelu", "f16", "i32", 2),
    ):
        for _ in range(cases(3)):
            call = drawn_call(rng, name, to, [from_] * n, [0, PART, 2 * PART], count)
            call = replace(call, scalar=float(np.float16(rng.choice([1.0, 0.25, 1 / 3, 2.0**-14]))))
            yield Trial(call, step(call, scalar_type="f16"), image(rng, to, [from_] * n), elementwise.run)


def test_fused_conversions(vector: Machine) -> None:
    judged(vector, list(fused(np.random.default_rng(15))))


@pytest.mark.parametrize("form", ["count", "mask", "counter", "kept_counter"])
def test_nothing_to_do_changes_nothing(vector: Machine, form: str) -> None:
    """A count, mask or repeat of 0 is no operation."""
    rng = np.random.default_rng(16)
    trials = []
    for dtype in ("f16", "f32"):
        call = drawn_call(rng, "Add", dtype, [dtype, dtype], [0, PART, 2 * PART], (form,))
        empty = replace(call, count=0, mask=0)
        trials.append(Trial(empty, step(empty), image(rng, dtype, [dtype, dtype]), elementwise.run))
    judged(vector, trials)
