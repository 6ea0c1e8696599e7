"""Comparisons into bits and selection by bits, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.ascend.sim.conftest import VecMachine
from tests.backends.ascend.sim.test_vec_lanes import image_of
from tests.backends.ascend.sim.vec_steps import (
    CMP,
    DST,
    IMAGE,
    NUMPY,
    WORK,
    Bytes,
    Step,
    Values,
    bits_of,
    lanes_of,
    places,
    put,
    take,
)  # fmt: skip


def holds(mode: str, a: Values, b: Values) -> np.ndarray:
    """The device's relation: NE is false where an operand is NaN."""
    with np.errstate(all="ignore"):
        unordered = np.isnan(a) | np.isnan(b) if a.dtype.kind == "f" else np.zeros(a.shape, bool)
        return {"LT": a < b, "GT": a > b, "EQ": a == b, "LE": a <= b, "GE": a >= b, "NE": (a != b) & ~unordered}[mode]


def compared(step: Step, image: Bytes) -> Bytes:
    image = image.copy()
    mode = next(name for name, number in CMP.items() if number == step.mode)
    lanes = 2048 // bits_of(step.type)
    repeats = step.repeats // lanes if step.form == "count" else step.repeats
    every = np.arange(lanes)
    for r in range(repeats):
        a = take(image, places(step, 1, bits_of(step.type), lanes, r, every), NUMPY[step.type])
        if step.op == "Compare":
            b = take(image, places(step, 2, bits_of(step.type), lanes, r, every), NUMPY[step.type])
        else:
            b = np.broadcast_to(step.scalar_value, a.shape)
        image[DST + r * lanes // 8 :][: lanes // 8] = np.packbits(holds(mode, a, b), bitorder="little")
    return image


@pytest.mark.parametrize("type_", ["f16", "f32", "i32"])
@pytest.mark.parametrize("op", ["Compare", "CompareScalar"])
def test_every_relation_and_form(vec: VecMachine, op: str, type_: str) -> None:
    lanes = 2048 // bits_of(type_)
    steps = [
        Step(op, type_, mode=CMP[mode], scalar=1, **form)  # type: ignore[arg-type]
        for mode in (["EQ"] if type_ == "i32" else CMP)
        for form in (
            {"repeats": lanes},
            {"repeats": 7 * lanes},
            {"form": "first", "repeats": 3},
            {"form": "first", "repeats": 2, "block": (1, 2, 1), "repeat": (8, 16, 9)},
        )
    ]
    rng = np.random.default_rng(5)
    images = []
    for _ in steps:
        image = image_of(type_, rng)
        values = image.view(NUMPY[type_])
        values[rng.integers(0, len(values), len(values) // 4)] = 1
        images.append(image)
    got, _ = vec.run(steps, np.stack(images))
    for step, image, out in zip(steps, images, got, strict=True):
        assert np.array_equal(compared(step, image), out), step


def test_the_tail_of_an_unaligned_count_is_not_compared(vec: VecMachine) -> None:
    image = np.zeros(IMAGE, np.uint8)
    image[DST : DST + 64] = 0xEE
    got, result = vec.run([Step("Compare", "f32", mode=CMP["EQ"], repeats=100)], image[None])
    assert (got[0, :8] == 0xFF).all()
    assert (got[0, 8:64] == 0xEE).all()
    assert any("expected a multiple of 64 (256 bytes), got 100" in f.message for f in result.findings)


def selected(step: Step, image: Bytes) -> Bytes:
    image = image.copy()
    size = bits_of(step.type)
    lanes = 2048 // size
    for r, on in enumerate(lanes_of(step, lanes)):
        first = 0 if step.mode == 0 else r * lanes
        bits = np.unpackbits(image[WORK : WORK + 4096], bitorder="little")[first + on].astype(bool)
        a = take(image, places(step, 1, size, lanes, r, on), NUMPY[step.type])
        if step.op == "Select":
            b = take(image, places(step, 2, size, lanes, r, on), NUMPY[step.type])
        else:
            b = np.broadcast_to(step.scalar_value, a.shape)
        put(image, places(step, 0, size, lanes, r, on), np.where(bits, a, b))
    return image


@pytest.mark.parametrize("type_", ["f16", "f32"])
@pytest.mark.parametrize(("op", "mode"), [("Select", 0), ("Select", 2), ("SelectScalar", 1)])
def test_selection(vec: VecMachine, op: str, mode: int, type_: str) -> None:
    lanes = 2048 // bits_of(type_)
    odd = 0x5555_0000_FFFF_1234 & ((1 << min(lanes, 64)) - 1)
    steps = [
        Step(op, type_, mode=mode, scalar=-3, **form)  # type: ignore[arg-type]
        for form in (
            {"repeats": 1},
            {"repeats": lanes},
            {"repeats": 5 * lanes + 3},
            {"form": "first", "repeats": 4, "mask": (lanes, 0)},
            {"form": "first", "repeats": 4, "mask": (lanes - 9, 0)},
            {"form": "bits", "repeats": 3, "mask": (odd, 1 if lanes == 128 else 0)},
            {"form": "first", "repeats": 3, "mask": (lanes, 0), "block": (2, 1, 1), "repeat": (16, 8, 10)},
            {"form": "counter", "repeats": 1, "mask": (2 * lanes + 5, 0)},
        )
    ]
    rng = np.random.default_rng(6)
    images = np.stack([image_of(type_, rng) for _ in steps])
    got, _ = vec.run(steps, images)
    for step, image, out in zip(steps, images, got, strict=True):
        assert np.array_equal(selected(step, image), out), step


@pytest.mark.parametrize("type_", ["f16", "f32"])
def test_comparison_register(vec: VecMachine, type_: str) -> None:
    """Compare without a dst, GetCmpMask, Select by the register."""
    rng = np.random.default_rng(7)
    image = image_of(type_, rng)
    step = Step("CmpRegister", type_, mode=CMP["GT"], form="first", repeats=1)
    got, _ = vec.run([step], image[None])
    lanes = 2048 // bits_of(type_)
    every = np.arange(lanes)
    a, b = (take(image, places(step, k, bits_of(type_), lanes, 0, every), NUMPY[type_]) for k in (1, 2))
    bits = holds("GT", a, b)
    assert np.array_equal(np.unpackbits(got[0, WORK : WORK + lanes // 8], bitorder="little").astype(bool), bits)
    assert np.array_equal(got[0, DST : DST + 256], np.where(bits, a, b).view(np.uint8))
