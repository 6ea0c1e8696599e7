"""Seeded inputs: never centred on zero, of a scale that the seed decides, with edge values scattered over them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kbench.core.task import DTYPES, Array, Shape
from kbench.task_specs.numerics import rounded

#: A subnormal value of each floating dtype.
SUBNORMAL = {"float16": 3.0e-6, "bfloat16": 1.5e-39, "float32": 1.0e-40}


def normals(rng: np.random.Generator, shape: Shape, spread: float = 2.0) -> NDArray[np.float64]:
    """Normal values of a scale within a factor of two of `spread`, and of a mean that is not zero (float64)."""
    scale = spread * rng.uniform(0.7, 1.4)
    mean = scale * rng.uniform(0.15, 0.6) * rng.choice((-1.0, 1.0))
    return np.asarray(rng.standard_normal(shape) * scale + mean, dtype=np.float64)


def floats(
    rng: np.random.Generator, shape: Shape, dtype: str, edges: Sequence[float] = (), spread: float = 2.0
) -> Array:
    """`normals` in `dtype`, with `edges` scattered over them."""
    values = normals(rng, shape, spread)
    scatter(rng, [values], [edges])
    return rounded(values, dtype)


def integers(rng: np.random.Generator, shape: Shape, dtype: str, edges: Sequence[int] = ()) -> Array:
    """Integers over the dtype's whole range, with `edges` and the extremes scattered over them."""
    info = np.iinfo(DTYPES[dtype])
    values = rng.integers(info.min, info.max, size=shape, dtype=DTYPES[dtype], endpoint=True)
    scatter(rng, [values], [(int(info.min), int(info.max), 0, *edges)])
    return values


def scatter(rng: np.random.Generator, arrays: Sequence[Array], edges: Sequence[Sequence[float]]) -> None:
    """Write `edges[i][k]` into `arrays[i]` at random positions, the same for every array.

    One element in 64 where the array is long; a quarter at most where it is short.
    """
    size, kinds = arrays[0].size, len(edges[0])
    count = min(size // 4, max(kinds, size // 64)) if kinds else 0
    if not count:
        return
    positions = rng.integers(0, size, count)
    order = np.resize(rng.permutation(kinds), count)
    for array, values in zip(arrays, edges, strict=True):
        array.reshape(-1)[positions] = np.asarray(values, dtype=array.dtype)[order]
