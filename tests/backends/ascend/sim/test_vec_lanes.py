"""Lane by lane operations: every operation × element type × form, bit for bit against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.ascend.sim.conftest import VecMachine
from tests.backends.ascend.sim.vec_steps import DST, IMAGE, NUMPY, SRC0, Bytes, Step, bits_of, expected

FLOATS = ("f16", "f32")
NUMERIC = ("f16", "f32", "i16", "i32")
CASES = [
    *(
        (op, t)
        for op in [
            "Abs",
            "Exp",
            "Ln",
            "Sqrt",
            "Rsqrt",
            "Reciprocal",
            "Div",
            "FusedMulAdd",
            "FusedMulAddRelu",
            "LeakyRelu",
            "MulAddDst",
            "Axpy",
        ]
        for t in FLOATS
    ),
    *((op, t) for op in ["Add", "Sub", "Mul", "Max", "Min", "Adds", "Muls", "Maxs", "Mins"] for t in NUMERIC),
    *((op, t) for op in ("AddRelu", "SubRelu") for t in ("f16", "f32", "i16")),
    *(("Relu", t) for t in ("f16", "f32", "i32")),
    *((op, t) for op in ("Not", "And", "Or") for t in ("i16", "u16")),
    *((op, t) for op in ("ShiftLeft", "ShiftRight") for t in ("i16", "u16", "i32", "u32")),
    *(("ShiftRightRound", t) for t in ("i16", "i32")),
    *(("Duplicate", t) for t in ("f16", "bf16", "f32", "i16", "u16", "i32", "u32")),
]
EDGES = [
    0.0,
    -0.0,
    np.inf,
    -np.inf,
    np.nan,
    1.0,
    -1.0,
    65504.0,
    -65504.0,
    6e-8,
    -6e-8,
    3.4e38,
    1e-40,
    0.5,
    2049.0,
    88.7,
]


def image_of(type_: str, rng: np.random.Generator) -> Bytes:
    """Random contents of that type, half of them of ordinary size, with the edges sprinkled in."""
    dtype = NUMPY[type_]
    n = IMAGE // dtype.itemsize
    raw = rng.integers(0, 256, IMAGE, dtype=np.uint8).view(dtype)
    if dtype.kind in "iu":
        small = rng.integers(0, 100, n).astype(dtype)
        return np.where(rng.random(n) < 0.3, small, raw).astype(dtype).view(np.uint8)
    ordinary = (rng.standard_normal(n) * 4).astype(dtype)
    values = np.where(rng.random(n) < 0.7, ordinary, raw).astype(dtype)
    with np.errstate(over="ignore"):
        values[rng.integers(0, n, n // 16)] = rng.choice(np.array(EDGES), n // 16).astype(dtype)
    return values.view(np.uint8)


def scalar_for(op: str, type_: str) -> float:
    if op.startswith("Shift"):
        return 3
    return {"f": 1.7, "b": -2.5, "i": -7, "u": 9}[type_[0]]


def forms(op: str, type_: str, to: str = "") -> list[Step]:
    """The forms of one operation: counts, prefix and bitwise masks, strides, counter mode, a mask set before."""
    base = Step(op, type_, to, scalar=scalar_for(op, type_))
    narrow, wide = sorted((bits_of(type_), bits_of(to or type_)))
    dst_rep, src_rep = (8, 8 * narrow // wide) if to and bits_of(to) == wide else (8 * narrow // wide, 8)
    dst_rep, src_rep = (dst_rep, src_rep) if to else (8, 8)
    lanes = 2048 // wide
    odd = 0xF0F0_1234_5678_9ABD & ((1 << min(lanes, 64)) - 1)
    high = 0x8000_0000_0000_0001 if lanes == 128 else 0
    rep = (dst_rep, src_rep, src_rep)
    sparse = {"block": (2, 3, 1), "repeat": (17, 24, 9)}
    step = base.__class__
    made = [
        *({"form": "count", "repeats": n} for n in (1, lanes // 2 + 1, lanes, 3 * lanes + 7)),
        {"form": "first", "repeats": 3, "mask": (lanes, 0), "repeat": rep},
        {"form": "first", "repeats": 3, "mask": (lanes - 5, 0), "repeat": rep},
        {"form": "first", "repeats": 2, "mask": (lanes // 2 + 3, 0), **sparse},
        {"form": "bits", "repeats": 3, "mask": (odd, high), "repeat": rep},
        {"form": "bits", "repeats": 2, "mask": (odd, high), **sparse},
        {"form": "counter", "repeats": 1, "mask": (2 * lanes + 9, 0), "repeat": rep},
        {"form": "counter", "repeats": 9, "mask": (lanes + 1, 0), **sparse},
        {"form": "first", "repeats": 0, "mask": (lanes, 0)},
        {"form": "first", "repeats": 2, "mask": (0, 0)},
        {"form": "first", "repeats": 4, "mask": (lanes, 0), "block": (1, 0, 1), "repeat": (dst_rep, 0, src_rep)},
    ]
    if op not in ("ShiftRightRound",):
        made += [
            {"form": "keep_bits", "repeats": 2, "mask": (odd, high), "repeat": rep},
            {"form": "keep_counter", "repeats": 1, "mask": (lanes + 3, 0), "repeat": rep},
        ]
    else:
        made = [m for m in made if m["form"] != "count"]
    return [step(**{**base.__dict__, **m}) for m in made]


def compare(vec: VecMachine, steps: list[Step], images: Bytes, **how: bool) -> None:
    got, _ = vec.run(steps, images, **how)
    for step, image, out in zip(steps, images, got, strict=True):
        want = expected(step, image)
        wrong = np.flatnonzero(want != out)
        if len(wrong):
            at = int(wrong[0]) // 8 * 8
            detail = f"{len(wrong)} bytes, first at {wrong[0]}: want {want[at : at + 8]}, got {out[at : at + 8]}"
            pytest.fail(f"{step}: {detail}")


@pytest.mark.parametrize(("op", "type_"), CASES, ids=[f"{op}-{t}" for op, t in CASES])
def test_every_form(vec: VecMachine, op: str, type_: str) -> None:
    rng = np.random.default_rng(len(op))
    steps = forms(op, type_)
    compare(vec, steps, np.stack([image_of(type_, rng) for _ in steps]))


@pytest.mark.parametrize("op", ["MulAddDst", "Axpy"])
def test_half_sources_accumulate_into_float(vec: VecMachine, op: str) -> None:
    rng = np.random.default_rng(1)
    steps = forms(op, "f16", "f32")
    steps = [s.__class__(**{**s.__dict__, "scalar_type": "f16"}) for s in steps]
    images = []
    for _ in steps:
        image = image_of("f32", rng)
        image[SRC0:] = image_of("f16", rng)[SRC0:]
        images.append(image)
    compare(vec, steps, np.stack(images))


@pytest.mark.parametrize("type_", NUMERIC)
def test_in_place_and_accumulating_repeats(vec: VecMachine, type_: str) -> None:
    lanes = 2048 // bits_of(type_)
    steps = [
        Step("Add", type_, repeats=3 * lanes + 5, at=(DST, DST, SRC0, 0)),
        Step("Add", type_, repeats=3 * lanes + 5, at=(DST, SRC0, DST, 0)),
        Step("Mul", type_, repeats=77, at=(DST, DST, DST, 0)),
        # dst and src1 stay, src0 walks: the sum over repeats.
        Step("Add", type_, form="first", repeats=9, mask=(lanes, 0), at=(DST, SRC0, DST, 0), repeat=(0, 8, 0)),
        Step("Max", type_, form="first", repeats=9, mask=(lanes - 3, 0), at=(DST, SRC0, DST, 0), repeat=(0, 8, 0)),
        Step("Muls", type_, repeats=999, at=(DST, DST, 0, 0), scalar=3),
    ]
    rng = np.random.default_rng(2)
    compare(vec, steps, np.stack([image_of(type_, rng) for _ in steps]))


def test_documented_edges(vec: VecMachine) -> None:
    """The table of edge values: signed zeros of Max and Relu, NaN, wrapping integers."""
    nan, inf = np.nan, np.inf
    a = np.array([-0.0, -0.0, -inf, nan, 1, 0.0, nan, 2], np.float32)
    b = np.array([0.0, -0.0, -0.0, 1, nan, -0.0, nan, 2], np.float32)
    image = np.zeros(IMAGE, np.uint8)
    image[SRC0 : SRC0 + 32], image[2 * SRC0 : 2 * SRC0 + 32] = a.view(np.uint8), b.view(np.uint8)
    top = np.array([2**31 - 1, -(2**31), -(2**31), 5], np.int32)
    ints = np.zeros(IMAGE, np.uint8)
    ints[SRC0 : SRC0 + 16] = ints[2 * SRC0 : 2 * SRC0 + 16] = top.view(np.uint8)
    steps = [
        Step("Max", "f32", repeats=8),
        Step("Relu", "f32", repeats=8),
        Step("Add", "i32", repeats=4),
        Step("Mul", "i32", repeats=4),
    ]
    got, _ = vec.run(steps, np.stack([image, image, ints, ints]))
    first = [row[DST : DST + 32] for row in got]
    assert np.array_equal(first[0].view(np.float32), [0.0, -0.0, -0.0, nan, nan, 0.0, nan, 2], equal_nan=True)
    assert np.signbit(first[0].view(np.float32)).tolist() == [False, True, True, False, False, False, False, False]
    assert np.array_equal(first[1].view(np.float32), [0, 0, 0, nan, 1, 0, nan, 2], equal_nan=True)
    assert not np.signbit(first[1].view(np.float32)).any()
    assert first[2].view(np.int32)[:4].tolist() == [-2, 0, 0, 10]
    assert first[3].view(np.int32)[:4].tolist() == [1, 0, 0, 25]


def test_saturation_mode(vec: VecMachine) -> None:
    """CTRL[48]: integers clamp, halves stay finite; float is not affected."""
    ints = np.array([30000, -30000, 5], np.int16)
    halves = np.array([60000, -60000, np.nan, 1], np.float16)
    images = np.zeros((3, IMAGE), np.uint8)
    for row, values in enumerate((ints, halves, np.array([3e38, np.nan], np.float32))):
        for at in (SRC0, 2 * SRC0):
            images[row, at : at + values.nbytes] = values.view(np.uint8)
    steps = [Step("Add", "i16", repeats=3), Step("Add", "f16", repeats=4), Step("Add", "f32", repeats=2)]
    got, _ = vec.run(steps, images, saturate=True)
    assert got[0, :6].view(np.int16).tolist() == [32767, -32768, 10]
    assert got[1, :8].view(np.float16).tolist() == [65504, -65504, 0, 2]
    assert np.array_equal(got[2, :8].view(np.float32), [np.inf, np.nan], equal_nan=True)


@pytest.mark.parametrize("form", ["count", "first"])
def test_overlaps_go_repeat_by_repeat(vec: VecMachine, form: str) -> None:
    """What the device leaves undefined (E11): here every repeat reads all its sources before it writes."""
    rng = np.random.default_rng(4)
    how = {"form": form, "repeats": 300 if form == "count" else 5, "mask": (64, 0)}
    base = 4096
    steps = [
        *(Step("Muls", "f32", scalar=3, at=(base + by, base, 0, 0), **how) for by in (32, -32, 128, 256, -256, 512)),
        *(Step("Add", "f32", at=(base + by, base, 2 * base, 0), **how) for by in (64, -64)),
        Step("Cast", "f32", "f16", mode=1, at=(base, base, 0, 0), **{**how, "repeat": (4, 8, 8)}),
        Step("Cast", "f16", "f32", at=(base, base, 0, 0), **{**how, "repeat": (8, 4, 8)}),
    ]
    compare(vec, steps, np.stack([image_of(s.type, rng) for s in steps]))
