"""Where each element of a reshaped vector comes from: `UNDEFINED`, or an index into the operands laid end to end.

Pages: Reshaping; the members of vector.
"""

from __future__ import annotations

import numpy as np

from tests.backends.aie.oracles.numbers import Ints

UNDEFINED = -1


def reverse(n: int) -> Ints:
    return np.arange(n)[::-1].copy()


def shuffle_up(n: int, by: int, new: str) -> Ints:
    """Shifted up; the new elements at the bottom are "undefined", "rotate"d, "replicate"d, or "fill"ed from the second
    operand's end."""
    i = np.arange(n)
    below = {
        "undefined": np.full(n, UNDEFINED),
        "rotate": (i - by) % n,
        "replicate": np.zeros(n, np.int64),
        "fill": n + i + n - by,
    }[new]
    return np.where(i < by, below, i - by)


def shuffle_down(n: int, by: int, new: str) -> Ints:
    """Shifted down; what is new at the top is filled from the second operand's start."""
    i = np.arange(n)
    above = {
        "undefined": np.full(n, UNDEFINED),
        "rotate": (i + by) % n,
        "replicate": np.full(n, n - 1),
        "fill": n + i - (n - by),
    }[new]
    return np.where(i >= n - by, above, i + by)


def transpose(rows: int, columns: int) -> Ints:
    return np.arange(rows * columns).reshape(rows, columns).T.reshape(-1).copy()


def interleave_zip(n: int, chunk: int) -> Ints:
    """Both results end to end: chunks of the first and of the second operand in turn."""
    return np.arange(2 * n).reshape(2, -1, chunk).transpose(1, 0, 2).reshape(-1).copy()


def interleave_unzip(n: int, chunk: int) -> Ints:
    """Both results end to end: the even chunks of the operands, then the odd ones."""
    return np.arange(2 * n).reshape(-1, 2, chunk).transpose(1, 0, 2).reshape(-1).copy()


def filter_even(n: int, chunk: int) -> Ints:
    return np.arange(n).reshape(-1, 2, chunk)[:, 0].reshape(-1).copy()


def filter_odd(n: int, chunk: int) -> Ints:
    return np.arange(n).reshape(-1, 2, chunk)[:, 1].reshape(-1).copy()


def broadcast(n: int, index: int) -> Ints:
    return np.full(n, index)


def concat(n: int, operands: int) -> Ints:
    return np.arange(n * operands)


def extract(part: int, index: int) -> Ints:
    return np.arange(part) + part * index


def insert(n: int, part: int, index: int) -> Ints:
    """The second operand, of `part` elements, over a part of the first."""
    out = np.arange(n)
    out[part * index : part * (index + 1)] = n + np.arange(part)
    return out


def grow(n: int, out: int, index: int) -> Ints:
    grown = np.full(out, UNDEFINED)
    grown[n * index : n * (index + 1)] = np.arange(n)
    return grown


def grow_replicate(n: int, out: int) -> Ints:
    return np.arange(out) % n


def push(n: int) -> Ints:
    """The second operand's only element enters at the bottom."""
    return np.concatenate([[n], np.arange(n - 1)])


def with_element(n: int, index: int) -> Ints:
    """The second operand's only element in place of one."""
    out = np.arange(n)
    out[index] = n
    return out
