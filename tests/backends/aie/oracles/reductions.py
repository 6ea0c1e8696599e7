"""Reductions of a vector to a value.

Pages: Reduction. Integers wrap in their type. In which order floats are summed is not documented: exact where the sum
is, else within `error`.
"""

from __future__ import annotations

import numpy as np

from tests.backends.aie.oracles.compares import maximum, minimum
from tests.backends.aie.oracles.numbers import FLOATS, Ints, State, Values, to_bfloat16, wide, wrapped


def reduce_add(x: Values, dtype: str, state: State) -> Values:
    if dtype in FLOATS:
        total = np.array([wide(x).astype(np.float64).sum()]).astype(np.float32)
        return total if dtype == "float" else to_bfloat16(total, state.rounding)
    return wrapped(x.sum(axis=0, keepdims=True), dtype.removeprefix("c"))


def reduce_mul(x: Ints, dtype: str) -> Ints:
    """Where the product fits; what becomes of one that does not is not documented."""
    return wrapped(np.array([np.prod(x)]), dtype)


def reduce_max(x: Values) -> Values:
    return _folded(x, maximum)


def reduce_min(x: Values) -> Values:
    return _folded(x, minimum)


def _folded(x: Values, of: object) -> Values:
    assert callable(of)
    best = x[:1]
    for i in range(1, len(x)):
        best = of(best, x[i : i + 1])
    return best


def error(x: Values, dtype: str) -> float:
    """What a sum of floats in any order may be off by."""
    size = float(np.abs(wide(x).astype(np.float64)).sum())
    return size * (len(x) * 2.0**-24 + (2.0**-7 if dtype == "bfloat16" else 0.0))
