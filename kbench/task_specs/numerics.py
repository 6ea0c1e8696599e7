"""Rounding to an output's dtype, the sizes that tolerances are made of, and erfc."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from kbench.core.task import DTYPES, Array

#: The largest relative error of rounding once to nearest: 2⁻ᵖ for p significant bits.
UNIT = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24}
#: The smallest positive value: what an absolute tolerance cannot go below where results are subnormal.
TINY = {"float16": 2.0**-24, "bfloat16": 2.0**-133, "float32": 2.0**-149}
#: The smallest normal value: the absolute tolerance of results that may be flushed to zero.
NORMAL = {"float16": 2.0**-14, "bfloat16": 2.0**-126, "float32": 2.0**-126}
#: The largest finite value.
LARGEST = {"float16": 65504.0, "bfloat16": 3.3895313892515355e38, "float32": 3.4028234663852886e38}


def rounded(values: Any, dtype: str) -> Array:
    """`values` (any shape, computed in float64) rounded once to `dtype`; overflow gives infinity."""
    with np.errstate(all="ignore"):
        return np.asarray(values, dtype=np.float64).astype(DTYPES[dtype])


def wide(values: Any) -> NDArray[np.float64]:
    """A tensor of any floating dtype as float64, exactly."""
    return np.asarray(values).astype(np.float64)


def sigmoid(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + e⁻ᶻ), without overflow and with full relative accuracy in the lower tail."""
    with np.errstate(under="ignore"):
        e = np.exp(-np.abs(z))
    return np.where(z < 0, e, 1.0) / (1.0 + e)


# ln(erfc(z) / t) + z² with t = 1 / (1 + z/2) is smooth on 0 ≤ z < ∞: its Chebyshev coefficients in 2t − 1, computed
# with 50 digits. The first left out is 8e-19.
_ERFC = np.array([
    -0.6513268598908547, 0.6419697923564902, 0.019476473204185836, -0.009561514786808632, -0.0009465953444820369,
    0.00036683949785276145, 4.252332480690777e-05, -2.0278578112534242e-05, -1.6242900046470256e-06,
    1.3036558355805232e-06, 1.5626441722066142e-08, -8.523809591492654e-08, 6.5290544390988515e-09,
    5.059343495551469e-09, -9.91364156493033e-10, -2.273651222931836e-10, 9.646791102015527e-11,
    2.3940380830391146e-12, -6.886027526497553e-12, 8.944879273090725e-13, 3.130921399342958e-13,
    -1.1270822361367252e-13, 3.810905255189232e-16, 7.106097613609237e-15, -1.5230282014571043e-15,
    -9.457494571291233e-17, 1.210237189224279e-16, -2.816663087747177e-17,
])  # fmt: skip


def erfc(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """The complementary error function; relative error below 2e-13 wherever the result is normal."""
    size = np.abs(z)
    t = 1.0 / (1.0 + 0.5 * size)
    with np.errstate(under="ignore", over="ignore"):
        upper: NDArray[np.float64] = t * np.exp(chebyshev.chebval(2.0 * t - 1.0, _ERFC) - size * size)
    return np.where(z < 0, 2.0 - upper, upper)
