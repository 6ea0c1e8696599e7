"""Comparisons, selections, extremes, and masks.

Pages: Comparison, select. Order with a NaN is not specified; equality is IEEE's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.backends.aie.oracles.numbers import Ints, Values, wide, wrapped

COMPARES: dict[str, Callable[..., Values]] = {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal, "neq": np.not_equal,
}  # fmt: skip


def _plain(x: Values) -> Values:
    return wide(x) if x.dtype.itemsize == 2 else x


def compare(name: str, a: Values, b: Values) -> Values:
    with np.errstate(invalid="ignore"):
        found = COMPARES[name](_plain(a), _plain(b))
    return found.all(axis=1) if found.ndim == 2 and name == "eq" else found.any(axis=1) if found.ndim == 2 else found


def mask_words(mask: Values) -> Ints:
    """The words of 32 elements each, the first element in the lowest bit; what lies beyond the mask is zero."""
    padded = np.zeros(-(-len(mask) // 32) * 32, bool)
    padded[: len(mask)] = mask
    weights = np.int64(1) << np.arange(32, dtype=np.int64)
    return (padded.reshape(-1, 32) * weights).sum(axis=1)


def mask_of(words: Ints, n: int) -> Values:
    bits = (np.asarray(words)[:, None] >> np.arange(32)) & 1
    return bits.reshape(-1)[:n] != 0


def select(a: Values, b: Values, mask: Values) -> Values:
    """Where the mask is 0 the first, where it is 1 the second."""
    return np.where(mask if a.ndim == 1 else mask[:, None], b, a)


def maximum(a: Values, b: Values) -> Values:
    return np.where(compare("lt", a, b), b, a)


def minimum(a: Values, b: Values) -> Values:
    return np.where(compare("lt", b, a), b, a)


def maxdiff(a: Ints, b: Ints, dtype: str) -> Ints:
    return np.where(a > b, wrapped(a - b, dtype), 0)


def clamp(a: Values, low: Values, high: Values) -> Values:
    return minimum(maximum(a, low), high)


def max_cmp(a: Values, b: Values) -> tuple[Values, Values]:
    """The larger ones, and where the first is less: the instruction's name says so, no page does."""
    return maximum(a, b), compare("lt", a, b)


def min_cmp(a: Values, b: Values) -> tuple[Values, Values]:
    return minimum(a, b), compare("ge", a, b)


def leading_zeros(mask: Values) -> int:
    """How many elements at the high end are 0."""
    set_ = np.flatnonzero(mask)
    return len(mask) - 1 - int(set_[-1]) if len(set_) else len(mask)
