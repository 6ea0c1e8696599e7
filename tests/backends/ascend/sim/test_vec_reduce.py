"""Reductions: their trees, indices, strides and registers, against sums spelt out in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backends.ascend.sim.conftest import VecMachine
from tests.backends.ascend.sim.test_vec_lanes import image_of
from tests.backends.ascend.sim.vec_steps import (
    DST,
    IMAGE,
    NUMPY,
    REGISTERS,
    SRC0,
    Bytes,
    Step,
    Values,
    bits_of,
    canonical,
    lanes_of,
    places,
    take,
)  # fmt: skip

TYPES = ("f16", "f32")


def add(a: Values, b: Values) -> Values:
    with np.errstate(all="ignore"):
        wide = a.astype(np.float64) + b.astype(np.float64) if a.dtype == np.float16 else a + b
        return canonical(wide.astype(a.dtype))


def tree(values: Values) -> Values:
    """Neighbours first; `values` is padded with +0 to a power of two."""
    while len(values) > 1:
        values = add(values[0::2], values[1::2])
    return values


def best(values: Values, largest: bool) -> int:
    """Index of the extreme value: a NaN wins, then the first of equals."""
    nan = np.flatnonzero(np.isnan(values))
    if len(nan):
        return int(nan[0])
    return int(np.argmax(values) if largest else np.argmin(values))


def repeats(step: Step, image: Bytes) -> list[tuple[Values, np.ndarray]]:
    """Each repeat: all its lanes with +0 where the mask leaves one out, and the enabled lanes."""
    size = bits_of(step.type)
    lanes = 2048 // size
    result = []
    for r, on in enumerate(lanes_of(step, lanes)):
        padded = np.zeros(lanes, NUMPY[step.type])
        padded[on] = take(image, places(step, 1, size, lanes, r, on), NUMPY[step.type])
        result.append((padded, on))
    return result


def masks(type_: str) -> list[dict[str, object]]:
    lanes = 2048 // bits_of(type_)
    odd = 0x5551_0000_FFFF_1234 & ((1 << min(lanes, 64)) - 1)
    return [
        {"form": "first", "repeats": 3, "mask": (lanes, 0)},
        {"form": "first", "repeats": 1, "mask": (1, 0)},
        {"form": "first", "repeats": 4, "mask": (lanes - 3, 0), "repeat": (1, 8, 8)},
        {"form": "bits", "repeats": 3, "mask": (odd, 5 if lanes == 128 else 0)},
        {"form": "first", "repeats": 3, "mask": (lanes, 0), "block": (1, 2, 1), "repeat": (2, 16, 8)},
        {"form": "keep_counter", "repeats": 1, "mask": (2 * lanes + 7, 0)},
    ]


def steps_of(op: str, type_: str, mode: int = 0) -> list[Step]:
    return [Step(op, type_, mode=mode, **{"repeat": (1, 8, 8), **m}) for m in masks(type_)]  # type: ignore[arg-type]


@pytest.mark.parametrize("type_", TYPES)
def test_whole_reduce_sum(vec: VecMachine, type_: str) -> None:
    rng = np.random.default_rng(8)
    steps = [Step(**{**s.__dict__, "registers": REGISTERS}) for s in steps_of("WholeReduceSum", type_)]
    images = np.stack([image_of(type_, rng) for _ in steps])
    got, _ = vec.run(steps, images)
    size = bits_of(type_) // 8
    for step, image, out in zip(steps, images, got, strict=True):
        want = image.copy()
        total: Values | None = None
        for r, (values, _) in enumerate(repeats(step, image)):
            result = tree(values)
            want[DST + r * step.repeat[0] * size :][:size] = result.view(np.uint8)
            total = result if total is None else add(total, result)
        assert total is not None
        assert np.array_equal(want[: 40 * 1024], out[: 40 * 1024]), step
        assert np.array_equal(out[REGISTERS : REGISTERS + size], total.view(np.uint8)), step


ORDERS = {0: ("value", "index"), 1: ("index", "value"), 2: ("value",), 3: ("wide index",)}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("op", ["WholeReduceMax", "WholeReduceMin"])
@pytest.mark.parametrize("type_", TYPES)
def test_whole_reduce_extremes(vec: VecMachine, type_: str, op: str, order: int) -> None:
    rng = np.random.default_rng(9)
    steps = [s for s in steps_of(op, type_, order) if s.form != "keep_counter" or op == "WholeReduceMax"]
    images = np.stack([image_of(type_, rng) for _ in steps])
    values = images.view(NUMPY[type_])
    values[::2] = np.where(np.isnan(values[::2]), 1, values[::2])  # half of them without NaN, with many equal values
    values[::2] = np.round(values[::2])
    got, _ = vec.run(steps, images)
    size = bits_of(type_) // 8
    index_type = np.dtype(f"u{size}")
    for step, image, out in zip(steps, images, got, strict=True):
        want = image.copy()
        at = DST
        for lanes, on in repeats(step, image):
            i = int(on[best(lanes[on], op == "WholeReduceMax")])
            parts = {
                "value": canonical(lanes[i : i + 1]).view(np.uint8),
                "index": np.array([i], index_type).view(np.uint8),
                "wide index": np.array([i], np.uint32).view(np.uint8),
            }
            result = np.concatenate([parts[name] for name in ORDERS[order]])
            want[at : at + len(result)] = result
            at += step.repeat[0] * len(result)
        assert np.array_equal(want, out), step


@pytest.mark.parametrize("op", ["BlockReduceSum", "BlockReduceMax", "BlockReduceMin", "PairReduceSum"])
@pytest.mark.parametrize("type_", TYPES)
def test_one_result_a_group(vec: VecMachine, type_: str, op: str) -> None:
    rng = np.random.default_rng(10)
    steps = [s for s in steps_of(op, type_) if s.form != "keep_counter"]
    images = np.stack([image_of(type_, rng) for _ in steps])
    got, _ = vec.run(steps, images)
    size = bits_of(type_) // 8
    width = 2 if op == "PairReduceSum" else 32 // size
    unit = 128 if op == "PairReduceSum" else 8 * size
    for step, image, out in zip(steps, images, got, strict=True):
        want = image.copy()
        for r, (lanes, on) in enumerate(repeats(step, image)):
            for g in range(len(lanes) // width):
                mine = on[(on >= g * width) & (on < (g + 1) * width)]
                if not len(mine):
                    continue
                if op.endswith("Sum"):
                    result = tree(lanes[g * width : (g + 1) * width])
                else:
                    result = canonical(lanes[mine][best(lanes[mine], op.endswith("Max"))][None])
                want[DST + r * step.repeat[0] * unit + g * size :][:size] = result.view(np.uint8)
        assert np.array_equal(want, out), step


@pytest.mark.parametrize("type_", TYPES)
def test_reduce_sum(vec: VecMachine, type_: str) -> None:
    """The count form adds repeats in sequence, the high-dimensional form as a tree."""
    lanes = 2048 // bits_of(type_)
    rng = np.random.default_rng(11)
    steps = [
        *(Step("ReduceSum", type_, repeats=n, registers=REGISTERS) for n in (1, lanes - 1, lanes, 5 * lanes + 3)),
        Step("ReduceSum", type_, form="first", repeats=7, mask=(lanes, 0), registers=REGISTERS),
        Step("ReduceSum", type_, form="first", repeats=7, mask=(lanes - 2, 0), repeat=(1, 4, 8), registers=REGISTERS),
        Step("ReduceSum", type_, form="bits", repeats=3, mask=(0xFF0F, 0), registers=REGISTERS),
        Step("ReduceSum", type_, form="first", repeats=150, mask=(lanes, 0), repeat=(1, 1, 8), registers=REGISTERS),
    ]
    images = np.stack([image_of(type_, rng) for _ in steps])
    size = bits_of(type_) // 8
    got, _ = vec.run(steps, images)
    for step, image, out in zip(steps, images, got, strict=True):
        sums = [tree(values) for values, _ in repeats(step, image)]
        total = sums[0]
        if step.form == "count":
            for s in sums[1:]:
                total = add(total, s)
        else:
            padded = np.zeros(1 << (len(sums) - 1).bit_length(), NUMPY[type_])
            padded[: len(sums)] = np.concatenate(sums)
            total = tree(padded)
        assert np.array_equal(out[DST : DST + size], total.view(np.uint8)), step
        assert np.array_equal(out[REGISTERS : REGISTERS + size], total.view(np.uint8)), step


@pytest.mark.parametrize("op", ["ReduceMax", "ReduceMin"])
@pytest.mark.parametrize("type_", TYPES)
def test_reduce_extremes(vec: VecMachine, type_: str, op: str) -> None:
    lanes = 2048 // bits_of(type_)
    rng = np.random.default_rng(12)
    steps = [
        Step(op, type_, extra=index, registers=REGISTERS, **form)  # type: ignore[arg-type]
        for index in (0, 1)
        for form in (
            {"repeats": 1},
            {"repeats": 3 * lanes + 11},
            {"form": "first", "repeats": 5, "mask": (lanes, 0)},
            {"form": "bits", "repeats": 2, "mask": (0xF0F0, 0)},
        )
    ]
    images = np.stack([image_of(type_, rng) for _ in steps])
    values = images.view(NUMPY[type_])
    values[:] = np.where(np.isnan(values), 3, values)
    got, _ = vec.run(steps, images)
    size = bits_of(type_) // 8
    for step, image, out in zip(steps, images, got, strict=True):
        found = [
            (float(v[on][(k := best(v[on], op == "ReduceMax"))]), r * lanes + int(on[k]))
            for r, (v, on) in enumerate(repeats(step, image))
        ]
        k = best(np.array([v for v, _ in found]), op == "ReduceMax")
        value, index = found[k]
        assert float(out[DST : DST + size].view(NUMPY[type_])[0]) == value, step
        after = out[DST + size : DST + 2 * size]
        assert np.array_equal(
            after, np.array([index], f"u{size}").view(np.uint8) if step.extra else image[DST + size : DST + 2 * size]
        ), step
        registers = out[REGISTERS + size : REGISTERS + 3 * size]
        assert float(registers[:size].view(NUMPY[type_])[0]) == value
        assert int(registers[size:].view(f"u{size}")[0]) == index


def test_the_order_of_a_half_sum_shows_in_its_result(vec: VecMachine) -> None:
    """2048 + 1 + 1 … in a tree is not what adding one after the other gives."""
    values = np.zeros(128, np.float16)
    values[0], values[1:9] = 2048, 1
    image = np.zeros(IMAGE, np.uint8)
    image[SRC0 : SRC0 + 256] = values.view(np.uint8)
    got, _ = vec.run([Step("ReduceSum", "f16", repeats=128)], image[None])
    assert got[0, DST : DST + 2].view(np.float16)[0] == tree(values)[0] == 2056
