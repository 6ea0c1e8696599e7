"""Conversions: every pair of the device × every rounding mode × the forms, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from kbench.core.errors import RunError
from tests.backends.ascend.sim.conftest import VecMachine
from tests.backends.ascend.sim.test_vec_lanes import compare, forms, image_of
from tests.backends.ascend.sim.vec_steps import DST, IMAGE, NUMPY, ROUND, SRC0, Bytes, Step

ROUNDING = ("RINT", "FLOOR", "CEIL", "ROUND", "TRUNC")
ANY = ("NONE", *ROUNDING)
PAIRS = {
    ("i4", "f16"): ("NONE",), ("u8", "f16"): ("NONE",), ("i8", "f16"): ("NONE",), ("i16", "f16"): ANY,
    ("i16", "f32"): ("NONE",), ("f16", "i4"): ANY, ("f16", "i8"): ANY, ("f16", "u8"): ANY, ("f16", "i16"): ROUNDING,
    ("f16", "i32"): ROUNDING, ("f16", "f32"): ("NONE",), ("bf16", "i32"): ROUNDING, ("bf16", "f32"): ("NONE",),
    ("i32", "i16"): ("NONE",), ("i32", "f16"): ("NONE", "RINT"), ("i32", "f32"): ANY, ("i32", "i64"): ("NONE",),
    ("f32", "i16"): ROUNDING, ("f32", "f16"): (*ANY, "ODD"), ("f32", "bf16"): ROUNDING, ("f32", "i32"): ROUNDING,
    ("f32", "f32"): ROUNDING, ("f32", "i64"): ROUNDING, ("i64", "i32"): ("NONE",), ("i64", "f32"): ROUNDING,
}  # fmt: skip
CASES = [(a, b, mode) for (a, b), modes in PAIRS.items() for mode in modes]


def hard_values(from_: str, rng: np.random.Generator) -> Bytes:
    """Values on and beside ties of every narrower type, limits of integers, and random ones."""
    if from_ == "i4":
        return rng.integers(0, 256, IMAGE, dtype=np.uint8)
    dtype = NUMPY[from_]
    n = IMAGE // dtype.itemsize
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        near = rng.integers(-40, 40, n) + rng.choice(
            [0, 2**11, 2**15, 2**24, 2**25, 2**31, -(2**15), -(2**24), 2**53], n
        )
        values = np.clip(near, info.min, info.max).astype(dtype)
        raw = image_of(from_, rng).view(dtype)
        return np.where(rng.random(n) < 0.5, values, raw).astype(dtype).view(np.uint8)
    halves = rng.integers(-600, 600, n) / 2
    limits = rng.choice(
        [7.5, -8.5, 127.5, -128.5, 255.5, 32767.5, 2.0**31, -(2.0**31), 2.0**63, -(2.0**63), 65519.996, 65520.0], n
    )
    random16 = rng.integers(0, 65536, n, dtype=np.uint16).view(np.float16).astype(np.float64)
    after16 = rng.integers(0, 65536, n, dtype=np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        ties = (after16.astype(np.float64) + np.nextafter(after16, np.float16(np.inf)).astype(np.float64)) / 2
        beside = ties * (1 + rng.choice([-1, 0, 1], n) * 2.0**-22)
        pick = rng.integers(0, 5, n)
        values = np.choose(pick, [halves, limits, random16, beside, -beside]).astype(dtype)
    raw = image_of(from_, rng).view(dtype)
    return np.where(rng.random(n) < 0.8, values, raw).astype(dtype).view(np.uint8)


@pytest.mark.parametrize(("from_", "to", "mode"), CASES, ids=["-".join(c) for c in CASES])
def test_every_pair_and_mode(vec: VecMachine, from_: str, to: str, mode: str) -> None:
    rng = np.random.default_rng(len(from_) * 7 + ROUND[mode])
    steps = [
        Step(**{**s.__dict__, "mode": ROUND[mode], "scalar": 0.0625, "scalar_type": "f16"})
        for s in forms("Cast", from_, to)
        if "i4" not in (from_, to) or (s.form == "count" and s.repeats % 2 == 0)
    ]
    if "i4" in (from_, to):
        steps = [Step(**{**steps[0].__dict__, "repeats": n}) for n in (2, 64, 400)]
    compare(vec, steps, np.stack([hard_values(from_, rng) for _ in steps]))


def test_all_halves_to_integers_and_back(vec: VecMachine) -> None:
    halves = np.arange(65536, dtype=np.uint16)
    images = np.zeros((16, IMAGE), np.uint8)
    images[:, SRC0 : SRC0 + 8192] = halves.view(np.uint8).reshape(16, 8192)
    for to in ("i32", "i8"):
        for mode in ROUNDING:
            compare(vec, [Step("Cast", "f16", to, repeats=4096, mode=ROUND[mode])] * 16, images)


@pytest.mark.parametrize(
    ("from_", "to", "mode"),
    [
        ("f16", "f32", "RINT"),
        ("f16", "i32", "NONE"),
        ("f32", "i32", "NONE"),
        ("f32", "f32", "NONE"),
        ("f16", "i8", "ODD"),
    ],
)
def test_a_rounding_mode_that_the_pair_does_not_take(vec: VecMachine, from_: str, to: str, mode: str) -> None:
    with pytest.raises(RunError, match=rf"Cast: roundMode, .* got CAST_{mode}"):
        vec.run([Step("Cast", from_, to, repeats=8, mode=ROUND[mode])], np.zeros((1, IMAGE), np.uint8))


def fused(step: Step, image: Bytes) -> Bytes:
    """AddReluCast, SubReluCast, MulCast, AddDeqRelu of `repeats` elements."""
    image = image.copy()
    dtype = NUMPY[step.type]
    n = step.repeats
    a, b = (image[at : at + n * dtype.itemsize].view(dtype) for at in step.at[1:3])
    with np.errstate(all="ignore"):
        if step.op == "AddDeqRelu":
            product = (a + b).astype(np.float64) * float(np.float16(step.scalar))
            out = np.maximum(product, 0).astype(np.float16)
        else:
            wide = (x.astype(np.int32 if step.type == "i16" else np.float64) for x in (a, b))
            x, y = wide
            raw = x * y if step.op == "MulCast" else x + y if step.op == "AddReluCast" else x - y
            kept = raw if step.type == "i16" else raw.astype(dtype)
            value = kept if step.op == "MulCast" else np.where(kept > 0, kept, 0)  # NaN too gives +0
            to = NUMPY[step.dst_type]
            if to == np.float16:
                out = value.astype(np.float16)
            else:
                whole = np.rint(value.astype(np.float64))
                limits = np.iinfo(to)
                out = np.where(np.isnan(whole), 0, np.clip(whole, limits.min, limits.max)).astype(to)
    image[DST : DST + out.nbytes] = np.ascontiguousarray(out).view(np.uint8)
    return image


def test_operations_with_a_conversion(vec: VecMachine) -> None:
    rng = np.random.default_rng(3)
    steps = [
        *(
            Step(op, a, b, repeats=n)
            for op in ("AddReluCast", "SubReluCast")
            for a, b in (("f16", "i8"), ("f32", "f16"), ("i16", "i8"))
            for n in (1, 99, 400)
        ),
        *(Step("MulCast", "f16", to, repeats=300) for to in ("i8", "u8")),
        Step("AddDeqRelu", "i32", "f16", repeats=300, scalar=0.03, scalar_type="f16"),
    ]
    images = np.stack([hard_values(s.type, rng) for s in steps])
    got, _ = vec.run(steps, images)
    for step, image, out in zip(steps, images, got, strict=True):
        assert np.array_equal(fused(step, image), out), step


def test_dequantising_int16(vec: VecMachine) -> None:
    """Scale, offset, sign: 16 lanes fill one half of a block of dst; the other half stays."""
    x = np.array([0, 1, 2, 3, 1000, -1000, 32767, -32768, 5, 7, 9, 11, -1, -2, -3, 100] * 2, np.int16)
    image = np.full(IMAGE, 0xEE, np.uint8)
    image[SRC0 : SRC0 + 64] = x.view(np.uint8)
    steps = [Step("CastDeq", "i16", to, repeats=32, scalar=0.5, scalar_type="f32", extra=3) for to in ("i8", "u8")]
    got, _ = vec.run(steps, np.stack([image, image]))
    for out, low, high, half in ((got[0], -128, 127, 0), (got[1], 0, 255, 16)):
        want = np.clip(np.rint(x * 0.5 + 3), low, high).astype(np.int64)
        for block in range(2):
            lanes = out[block * 32 + half : block * 32 + half + 16]
            assert lanes.view(np.int8 if low else np.uint8).tolist() == want[block * 16 : block * 16 + 16].tolist()
            assert (out[block * 32 + 16 - half : block * 32 + 32 - half] == 0xEE).all()
