"""The harness of property tests itself."""

from __future__ import annotations

import numpy as np

from tests.backends.aie.operations import operations


def test_an_operation_is_called_directly():
    x, y = np.array([1, 2, 127], np.int8), np.array([1, -3, 1], np.int8)
    got = operations().call("add", ["i8", "i8", "i8"], [x, y], "int8", 3)
    assert got.tolist() == [2, -1, -128]


def test_contents_that_nobody_set_are_poison():
    operations().set_poison(0x5A)
    assert operations().call("undef", ["i16"], [1], "uint16", 4).tolist() == [0x5A5A] * 4
