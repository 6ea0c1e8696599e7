"""Our float64 functions against the standard library's, and the constants that tolerances are made of."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from kbench.core.task import DTYPES
from kbench.task_specs.numerics import LARGEST, NORMAL, TINY, UNIT, erfc, rounded, sigmoid


def test_erfc_relative_error() -> None:
    z = np.concatenate([np.linspace(-7, 26, 6000), [0.0, -0.0, 1e-300, -1e-9]])
    want = np.array([math.erfc(v) for v in z])
    assert float(np.max(np.abs(erfc(z) / want - 1))) < 2e-13


def test_erfc_at_the_ends() -> None:
    assert erfc(np.array([-1e300, 1e300, 40.0])).tolist() == [2.0, 0.0, 0.0]
    assert np.isnan(erfc(np.array([np.nan]))[0])


def test_sigmoid_keeps_relative_accuracy_in_the_tail() -> None:
    z = np.array([-700.0, -40.0, -1.0, 0.0, 1.0, 40.0, 1e5, -1e5])
    want = [math.exp(-700.0), 1 / (1 + math.exp(40.0)), 1 / (1 + math.e), 0.5, 1 / (1 + math.exp(-1)), 1.0, 1.0, 0.0]
    np.testing.assert_allclose(sigmoid(z), want, rtol=1e-14)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_constants_are_the_dtype_s_own(dtype: str) -> None:
    info = ml_dtypes.finfo(DTYPES[dtype])
    assert float(info.eps) / 2 == UNIT[dtype]
    assert float(info.smallest_subnormal) == TINY[dtype]
    assert float(info.tiny) == NORMAL[dtype]
    assert float(info.max) == LARGEST[dtype]


def test_rounding_goes_to_nearest_even_and_overflows_to_infinity() -> None:
    got = rounded([2049.0, 2051.0, 1e6, -1e6, np.nan], "float16").astype(np.float64)
    assert got[:4].tolist() == [2048.0, 2052.0, np.inf, -np.inf]
    assert np.isnan(got[4])
