"""The operations themselves: roundings and limits that no oracle of whole vectors makes plain."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.backends.aie.operations import BrokenRule, Operations, operations

MODES = {
    "floor": 0, "ceil": 1, "symmetric_floor": 2, "symmetric_ceil": 3, "negative_inf": 8, "positive_inf": 9,
    "symmetric_zero": 10, "symmetric_inf": 11, "conv_even": 12, "conv_odd": 13,
}  # fmt: skip
#: −2.5, −2.25, −1.5, −0.5, 0.5, 1.5, 2.25, 2.5 as integers, by mode.
ROUNDED = {
    "floor": [-3, -3, -2, -1, 0, 1, 2, 2],
    "ceil": [-2, -2, -1, 0, 1, 2, 3, 3],
    "symmetric_floor": [-2, -2, -1, 0, 0, 1, 2, 2],
    "symmetric_ceil": [-3, -3, -2, -1, 1, 2, 3, 3],
    "negative_inf": [-3, -2, -2, -1, 0, 1, 2, 2],
    "positive_inf": [-2, -2, -1, 0, 1, 2, 2, 3],
    "symmetric_zero": [-2, -2, -1, 0, 0, 1, 2, 2],
    "symmetric_inf": [-3, -2, -2, -1, 1, 2, 2, 3],
    "conv_even": [-2, -2, -2, 0, 0, 2, 2, 2],
    "conv_odd": [-3, -2, -1, -1, 1, 1, 2, 3],
}


@pytest.fixture
def ops() -> Iterator[Operations]:
    yield operations()
    operations().set_state()


@pytest.mark.parametrize("mode", MODES)
def test_an_accumulator_rounds_as_the_mode_says(ops: Operations, mode: str) -> None:
    ops.set_state(MODES[mode])
    quarters = np.array([-10, -9, -6, -2, 2, 6, 9, 10], np.int32)
    assert ops.call("srs", ["i16", "acc32"], [quarters, 2], "int16", 8).tolist() == ROUNDED[mode]


@pytest.mark.parametrize("mode", MODES)
def test_bfloat16_rounds_alike(ops: Operations, mode: str) -> None:
    """1 + k/128 is the k-th bfloat16 from 1 on: the numbers above, shifted to where that is the spacing."""
    ops.set_state(MODES[mode])
    values = np.array([-10, -9, -6, -2, 2, 6, 9, 10]) / 4
    signed = np.sign(values) * (1 + abs(values) / 128)
    bits = ops.call("srs", ["bf16", "accf32"], [signed.astype(np.float32), 0], "uint16", 8).astype(int)
    places = [(1 if b < 0x8000 else -1) * ((b & 0x7FFF) - 0x3F80) for b in bits]
    assert places == ROUNDED[mode]


def test_a_logical_downshift_rounds_as_well(ops: Operations) -> None:
    x = np.array([-1, 7, -128], np.int8)
    assert ops.call("logical_downshift", ["i8", "i8"], [x, 1], "uint8", 3).tolist() == [127, 3, 64]
    ops.set_state(MODES["positive_inf"])
    assert ops.call("logical_downshift", ["i8", "i8"], [x, 1], "uint8", 3).tolist() == [128, 4, 64]


def test_saturation_is_off_on_or_symmetric(ops: Operations) -> None:
    values = np.array([-40000, -32768, 32767, 40000], np.int32)
    for saturation, expected in ((0, [25536, -32768, 32767, -25536]), (1, [-32768, -32768, 32767, 32767]),
                                 (3, [-32767, -32767, 32767, 32767])):  # fmt: skip
        ops.set_state(saturation=saturation)
        assert ops.call("srs", ["i16", "acc32"], [values, 0], "int16", 4).tolist() == expected
        assert ops.call("pack", ["i16", "i32"], [values, 0], "int16", 4).tolist() == expected
    assert ops.call("srs", ["u8", "acc32"], [values, 0], "uint8", 4).tolist() == [0, 0, 255, 255]


def test_an_accumulator_wraps_and_saturates_only_when_it_is_filled(ops: Operations) -> None:
    large = np.array([30000, -30000, 5], np.int16)
    wrapped = (large.astype(np.int64) << 20).astype(np.int32)
    assert ops.call("ups", ["acc32", "i16"], [large, 20], "int32", 3).tolist() == wrapped.tolist()
    ops.set_state(saturation=1)
    assert ops.call("ups", ["acc32", "i16"], [large, 20], "int32", 3).tolist() == [2**31 - 1, -(2**31), 5 << 20]
    acc = np.array([2**31 - 1], np.int32).repeat(4)
    assert ops.call("mac", ["acc32", "acc32", "i16", "i16"], [acc, acc.astype(np.int16), acc.astype(np.int16)],
                    "int32", 4).tolist() == [-(2**31)] * 4  # fmt: skip


def test_the_emulated_product_is_within_an_ulp(ops: Operations) -> None:
    rng = np.random.default_rng(3)
    x, y = (rng.normal(size=256).astype(np.float32) * 10.0 ** rng.integers(-6, 6, 256) for _ in range(2))
    x, y = x.astype(np.float32), y.astype(np.float32)
    exact = x.astype(np.float64) * y
    for mode in MODES.values():
        ops.set_state(mode)
        got = ops.call("rmul", ["accf32", "f32", "f32"], [x, y], "float32", 256)
        assert (abs(got - exact) <= np.spacing(abs(exact).astype(np.float32))).all()


def test_the_cheaper_emulations_are_less_exact(ops: Operations) -> None:
    rng = np.random.default_rng(4)
    x, y = (rng.uniform(1, 2, 512).astype(np.float32) for _ in range(2))
    exact = x.astype(np.float64) * y
    worst = []
    for products in (9, 6, 3):
        got = ops.call("rmul", ["accf32", "f32", "f32"], [x, y, 0, products], "float32", 512)
        worst.append(abs(got / exact - 1).max())
    assert worst[0] < 2**-23 < worst[2] < 2**-13
    assert worst[0] <= worst[1] < worst[2]


def test_a_scalar_stands_for_every_element(ops: Operations) -> None:
    x = np.arange(8, dtype=np.int16)
    assert ops.call("sub", ["i16", "i16", "i16"], [10, x], "int16", 8).tolist() == (10 - x).tolist()
    pair = np.array([3 | -1 << 16], np.int32)  # the complex number 3 − i
    z = np.array([1, 2, 3, 4], np.int16)
    got = ops.call("mul", ["cacc64", "ci16", "ci16"], [z, pair], "int64", 4)
    assert got.tolist() == [5, 5, 13, 9]


def test_nibbles_lie_two_in_a_byte(ops: Operations) -> None:
    packed = np.array([0x21, 0xF8], np.uint8)
    assert ops.call("unpack", ["i8", "i4"], [packed], "int8", 4).tolist() == [1, 2, -8, -1]
    assert ops.call("add", ["i4", "i4", "i4"], [packed, packed], "uint8", 2).tolist() == [0x42, 0xE0]


def test_arithmetic_makes_one_nan_and_moves_make_none(ops: Operations) -> None:
    odd = np.array([0x7F800001, 0xFFC12345], np.uint32).view(np.float32)
    assert ops.call("add", ["f32", "f32", "f32"], [odd, odd], "uint32", 2).tolist() == [0x7FC00000] * 2
    assert ops.call("neg", ["f32", "f32"], [odd], "uint32", 2).tolist() == [0xFF800001, 0x7FC12345]
    assert ops.call("reverse", ["f32", "f32"], [odd], "uint32", 2).tolist() == [0xFFC12345, 0x7F800001]


@pytest.mark.parametrize(
    ("name", "operands", "words"),
    [
        ("srs", [np.zeros(8, np.int16), 60], "between -4 and 59"),
        ("elem_get", [np.zeros(8, np.int16), 8], "outside the vector"),
        ("transpose", [np.zeros(8, np.int16), 3, 2], "as many elements"),
        ("filter_even", [np.zeros(8, np.int16), 3], "power of two"),
        ("shuffle_up", [np.zeros(8, np.int16), 9], "more elements than"),
    ],
)
def test_a_broken_limit_is_told(ops: Operations, name: str, operands: list[np.ndarray | int], words: str) -> None:
    with pytest.raises(BrokenRule, match=words):
        ops.call(name, ["i16", "i16"], operands, "int16", 8)
