"""Oracles owe nothing to what they judge, and give what the documentation's own examples give."""

from __future__ import annotations

import ast
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.backends.aie.oracles import compares, conversions, numbers, products, reshaping
from tests.backends.aie.oracles.numbers import ROUNDINGS, State

STANDARD = ("__future__", "collections", "dataclasses", "itertools", "typing")
ORACLES = sorted((Path(__file__).parents[1] / "oracles").glob("*.py"))


def imported(file: Path) -> set[str]:
    tree = ast.parse(file.read_text())
    names = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    return names | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("file", ORACLES, ids=lambda f: f.stem)
def test_an_oracle_imports_numpy_ml_dtypes_and_other_oracles(file: Path) -> None:
    for name in imported(file):
        allowed = ("tests.backends.aie.oracles", "numpy", "ml_dtypes", *STANDARD)
        assert name.startswith(allowed), f"{file.name} imports {name}"


def test_filters_pick_what_the_page_says() -> None:
    assert list(reshaping.filter_odd(8, 1)) == [1, 3, 5, 7]
    assert list(reshaping.filter_odd(8, 2)) == [2, 3, 6, 7]
    assert list(reshaping.filter_even(8, 2)) == [0, 1, 4, 5]


def test_interleaving_and_back_is_the_identity() -> None:
    both = np.arange(32)
    zipped = both[reshaping.interleave_zip(16, 2)]
    assert list(zipped[:6]) == [0, 1, 16, 17, 2, 3]
    assert list(zipped[reshaping.interleave_unzip(16, 2)]) == list(both)


#: 2.5, 3.5, -2.5, -3.5, 2.25, -2.75 in quarters, as each mode rounds them.
ROUNDED = {
    "floor": [2, 3, -3, -4, 2, -3],
    "ceil": [3, 4, -2, -3, 3, -2],
    "symmetric_floor": [2, 3, -2, -3, 2, -2],
    "symmetric_ceil": [3, 4, -3, -4, 3, -3],
    "negative_inf": [2, 3, -3, -4, 2, -3],
    "positive_inf": [3, 4, -2, -3, 2, -3],
    "symmetric_zero": [2, 3, -2, -3, 2, -3],
    "symmetric_inf": [3, 4, -3, -4, 2, -3],
    "conv_even": [2, 4, -2, -4, 2, -3],
    "conv_odd": [3, 3, -3, -3, 2, -3],
}


@pytest.mark.parametrize("mode", ROUNDINGS)
def test_every_mode_rounds_halves_as_its_name_says(mode: str) -> None:
    quarters = np.array([10, 14, -10, -14, 9, -11])
    assert list(numbers.shifted_down(quarters, 2, mode)) == ROUNDED[mode]
    #: The same values in units of bfloat16's last place at 256: 256 + 2 × value.
    near = np.array([256.0 + 2 * q / 4 for q in (10, 14)] + [-256.0 + 2 * q / 4 for q in (-10, -14)], np.float32)
    units = (numbers.wide(numbers.to_bfloat16(near, mode)) - np.sign(near) * 256) / 2
    assert list(units.astype(int)) == ROUNDED[mode][:4]


def test_the_usual_rounding_of_bfloat16_is_ml_dtypes_own() -> None:
    values = np.random.default_rng(1).normal(size=1000).astype(np.float32)
    assert (numbers.to_bfloat16(values, "conv_even") == values.astype(ml_dtypes.bfloat16)).all()


def test_saturation_keeps_the_low_bits_or_the_ends_of_the_range() -> None:
    wide = np.array([300, -300, -128, 127])
    assert list(conversions.srs(wide, 32, "int8", 0, State())) == [44, -44, -128, 127]
    assert list(conversions.srs(wide, 32, "int8", 0, State(saturation="saturate"))) == [127, -128, -128, 127]
    assert list(conversions.srs(wide, 32, "int8", 0, State(saturation="symmetric"))) == [127, -127, -127, 127]
    assert list(conversions.srs(wide, 32, "uint8", 0, State(saturation="saturate"))) == [255, 0, 0, 127]


def test_bytes_and_back() -> None:
    for dtype, (bits, signed) in numbers.INTS.items():
        values = np.arange(16) - (8 if signed else 0)
        raw = conversions.to_bytes(values, dtype)
        assert raw.nbytes == 16 * bits // 8
        assert list(conversions.from_bytes(raw, dtype)) == list(numbers.wrapped(values, dtype))


def test_a_mask_has_its_first_element_in_the_lowest_bit() -> None:
    mask = np.array([True, False, True, True] + [False] * 36)
    assert list(compares.mask_words(mask)) == [0b1101, 0]
    assert compares.leading_zeros(mask) == 36
    assert (compares.mask_of(np.array([0b1101, 0]), 40) == mask).all()


def test_a_sliding_window_is_a_correlation() -> None:
    data, coeff = np.arange(16), np.array([1, 10])
    found = products.sliding(coeff, data, 4, 2, steps=(1, 1, 1), start=(0, 3), bits=32)
    assert list(found) == [3 + 40, 4 + 50, 5 + 60, 6 + 70]
