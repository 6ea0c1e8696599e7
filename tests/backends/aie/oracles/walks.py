"""In which order iterators and streams visit memory, in elements from the start.

Pages: Iterators, Buffer Streams, Tensor Descriptor.
"""

from __future__ import annotations

import itertools

import numpy as np

from tests.backends.aie.oracles.numbers import Ints


def circular(size: int, steps: int, by: int = 1) -> Ints:
    """Round and round an array."""
    return np.arange(steps) * by % size


def pattern(offsets: tuple[int, ...], steps: int) -> Ints:
    """From an element to the next by each offset in turn."""
    moves = [offsets[i % len(offsets)] for i in range(steps - 1)]
    return np.cumsum([0, *moves])


def vectors(n: int, blocks: Ints) -> Ints:
    """The elements of these blocks of n."""
    return (np.asarray(blocks)[:, None] * n + np.arange(n)).reshape(-1)


def tensor(dimensions: tuple[tuple[int, int], ...]) -> Ints:
    """The blocks of a descriptor of (size, step) pairs, the last dimension fastest."""
    ranges = [range(size) for size, _ in dimensions]
    return np.array(
        [sum(i * step for i, (_, step) in zip(at, dimensions, strict=True)) for at in itertools.product(*ranges)]
    )
