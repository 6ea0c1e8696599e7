"""Seeded inputs of NPUEval's operators. A draw takes the random generator and gives one array for each input."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kbench.core.task import DTYPES, Array, Shape
from kbench.task_specs import draws
from kbench.task_specs.numerics import rounded

Rng = np.random.Generator
Draw = Callable[[Rng], tuple[Array, ...]]

#: Zeros of both signs and the smallest values, which a device may take for zero: harmless under every tolerance here.
TINY = (0.0, -0.0, 1.5e-39, -1.5e-39, 1.2e-38, -1.2e-38)
#: Far outside of what is drawn otherwise, and representable.
HUGE = (1e30, -1e30, 3.3e38, -3.3e38)


def together(*parts: Draw) -> Draw:
    """The inputs of several draws, one after the other."""
    return lambda rng: tuple(array for part in parts for array in part(rng))


def every(shape: Shape, dtype: str) -> Draw:
    """Every value of a dtype of 8 bits, in an order of the seed, as often as there is room."""
    info = np.iinfo(dtype)
    values = np.arange(info.min, info.max + 1).astype(dtype)

    def draw(rng: Rng) -> tuple[Array, ...]:
        flat = np.resize(values, int(np.prod(shape)))
        return (rng.permutation(flat).reshape(shape),)

    return draw


def integers(shape: Shape, dtype: str, low: int | None = None, high: int | None = None) -> Draw:
    """Integers from `low` to `high` (both included; the dtype's ends where not given), the ends scattered over them."""
    info = np.iinfo(dtype)
    bottom, top = int(info.min) if low is None else low, int(info.max) if high is None else high

    def draw(rng: Rng) -> tuple[Array, ...]:
        values = rng.integers(bottom, top, shape, dtype=DTYPES[dtype], endpoint=True)
        draws.scatter(rng, [values], [(bottom, top)])
        return (values,)

    return draw


def floats(shape: Shape, spread: float = 2.0, edges: Sequence[float] = (), dtype: str = "bfloat16") -> Draw:
    """Normal values of about this spread and a mean that is not zero, with `edges` scattered over them."""
    return lambda rng: (draws.floats(rng, shape, dtype, edges, spread),)


def uniform(shape: Shape, low: float, high: float, edges: Sequence[float] = (), dtype: str = "bfloat16") -> Draw:
    def draw(rng: Rng) -> tuple[Array, ...]:
        values = rng.uniform(low, high, shape)
        draws.scatter(rng, [values], [edges])
        return (rounded(values, dtype),)

    return draw


def magnitudes(
    shape: Shape, low: float, high: float, edges: Sequence[float] = (), signs: Sequence[float] = (-1.0, 1.0)
) -> Draw:
    """bfloat16 values of every size between `low` and `high`, each decade as often as another."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        values = np.exp(rng.uniform(np.log(low), np.log(high), shape)) * rng.choice(signs, shape)
        draws.scatter(rng, [values], [edges])
        return (rounded(values, "bfloat16"),)

    return draw


def grid(shape: Shape, unit: float, most: int, least: int | None = None) -> Draw:
    """Multiples of `unit` from `least` (else −`most`) to `most`: sums and products of few of them are exact."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        values = rng.integers(-most if least is None else least, most, shape, endpoint=True) * unit
        return (rounded(values, "bfloat16"),)

    return draw


def sparse(shape: Shape, count: int, part: Draw) -> Draw:
    """The values of `part` at `count` places, the last among them, and zeros elsewhere."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        (values,) = part(rng)
        kept = np.zeros(values.size, np.bool_)
        kept[rng.permutation(values.size - 1)[: count - 1]] = True
        kept[-1] = True
        return (np.where(kept.reshape(shape), values, np.zeros((), values.dtype)),)

    return draw


def ends(part: Draw) -> Draw:
    """The values of `part` in the first and the last place, and zeros between: whoever leaves one out shows."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        (values,) = part(rng)
        kept = np.zeros_like(values)
        kept[[0, -1]] = values[[0, -1]]
        return (kept,)

    return draw


def halves(shape: Shape, span: int, edges: Sequence[float] = ()) -> Draw:
    """Whole numbers and numbers with a half, from −`span` to `span`, and a little beside them."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        values = rng.integers(-2 * span, 2 * span, shape, endpoint=True) / 2 + rng.choice(
            (0, 0, 0, -0.125, 0.25), shape
        )
        draws.scatter(rng, [values], [edges])
        return (rounded(values, "bfloat16"),)

    return draw


def neighbours(part: Draw, span: int = 1) -> Draw:
    """Two integer inputs that differ by at most `span` where the dtype allows it, so that ties are frequent."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        (first,) = part(rng)
        info = np.iinfo(first.dtype)
        second = first.astype(np.int64) + rng.integers(-span, span, first.shape, endpoint=True)
        return first, np.clip(second, info.min, info.max).astype(first.dtype)

    return draw


def tied(part: Draw, share: float = 0.5) -> Draw:
    """Two inputs of which this share of elements is equal, the others being drawn apart."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        (first,), (second,) = part(rng), part(rng)
        return first, np.where(rng.random(first.shape) < share, first, second)

    return draw


def pairs(base: Draw, values: Sequence[tuple[float, float]]) -> Draw:
    """The two inputs of `base`, with these pairs scattered over them."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        arrays = [a.copy() for a in base(rng)]
        draws.scatter(rng, arrays, [[a for a, _ in values], [b for _, b in values]])
        return tuple(arrays)

    return draw


def reshaped(base: Draw, change: Callable[[Rng, Array], Array]) -> Draw:
    """`change` applied to the one input of `base`."""
    return lambda rng: (change(rng, *base(rng)),)


def along(base: Draw, sign: float, unit: float, most: int) -> Draw:
    """Two inputs whose products have this sign: the second is the first's sign times multiples of `unit`."""

    def draw(rng: Rng) -> tuple[Array, ...]:
        (first,) = base(rng)
        size = rng.integers(0, most, first.shape, endpoint=True) * unit
        second = sign * np.sign(first.astype(np.float64)) * size
        return first, second.astype(first.dtype)

    return draw
