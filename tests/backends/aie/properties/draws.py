"""Operands: values of every size with their edge cases, by the name of a draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.backends.aie.oracles.numbers import FLOATS, Values, limits

Random = np.random.Generator


def drawn(rng: Random, dtype: str, n: int, draw: str) -> Values:
    """`any`: whatever the type holds, floats being finite and neither tiny nor huge; `bits`: any bit pattern; `small`:
    few small values, floats whole, so that sums of products are exact; `unit`: floats in (-1, 1); `positive`: above 0;
    `index`: from 0 to 63; `near`: from -32 to 31; `eight`: to eight of either sign; `sign`: 1 or -1; `factor`: 1,
    seldom 2 or -1; `quarter`: a quarter of the range; `ties`: half way between multiples of small powers of two;
    `special`: infinities, NaN and zeros among floats; `halves`: floats half way between two bfloat16 and next to it;
    `fixed`: eighths; `steps3`: 64 steps of 8."""
    if dtype.startswith("cint"):
        return drawn(rng, dtype[1:], 2 * n, draw).reshape(n, 2)
    return _floats(rng, dtype, n, draw) if dtype in FLOATS else _integers(rng, dtype, n, draw)


def _integers(rng: Random, dtype: str, n: int, draw: str) -> Values:
    low, high = limits(dtype)
    match draw:
        case "small":
            low, high = max(low, -7), min(high, 7)
        case "index":
            low, high = 0, min(high, 63)
        case "near":
            low, high = max(low, -32), min(high, 31)
        case "steps3" | "steps4":
            low, high = -(32 << int(draw[-1])), (32 << int(draw[-1])) - 1
        case "sign":
            return rng.choice([1, -1], n)
        case "ties":
            return rng.integers(low // 256, high // 256, n, np.int64) * 256 + (np.int64(1) << rng.integers(0, 8, n))
        case "factor":
            return np.where(rng.random(n) < 0.8, 1, rng.choice([2, -1] if low < 0 else [2, 1], n)).astype(np.int64)
        case "positive":
            low = 1
        case "quarter":
            low, high = low // 4, high // 4
    values = rng.integers(low, high, n, np.int64, endpoint=True)
    if draw == "any":
        edges = np.array([low, high, 0, 1, low + 1, high - 1, -1 if low < 0 else 2])
        near = rng.integers(max(low, -300), min(high, 300), n, np.int64, endpoint=True)
        kind = rng.integers(0, 3, n)
        values = np.where(kind == 0, values, np.where(kind == 1, near, rng.choice(edges, n)))
    return values


def _floats(rng: Random, dtype: str, n: int, draw: str) -> Values:
    kind = FLOATS[dtype]
    match draw:
        case "bits":
            size = kind.itemsize * 8
            raw = rng.integers(0, 1 << size, n, np.uint64).astype(f"u{kind.itemsize}")
            return raw.view(kind)
        case "halves":
            raw = rng.integers(0x3000, 0x5000, n) | rng.choice([0, 0x8000], n)
            low = rng.choice([0x8000, 0x8000, 0x8001, 0x7FFF], n)
            return (raw.astype(np.uint32) << 16 | low.astype(np.uint32)).view(np.float32)
        case "special":
            some = rng.choice(np.array([0.0, -0.0, 1.0, -3.5, np.inf, -np.inf, np.nan, 2.0**127, -(2.0**127)]), n)
            return some.astype(np.float32).astype(kind)
        case "small":
            return rng.integers(-7, 7, n, endpoint=True).astype(np.float32).astype(kind)
        case "unit":
            return rng.uniform(-1, 1, n).astype(np.float32).astype(kind)
        case "positive":
            return (np.exp2(rng.uniform(-8, 8, n))).astype(np.float32).astype(kind)
        case "eight":
            return (rng.uniform(0.125, 8, n) * rng.choice([1, -1], n)).astype(np.float32).astype(kind)
        case "near":
            return (rng.uniform(-32, 31, n)).astype(np.float32).astype(kind)
        case "fixed":
            return (rng.integers(-70000, 70000, n) / 8).astype(np.float32).astype(kind)
    normal = rng.normal(size=n) * np.exp2(rng.integers(-12, 12, n))
    halves = rng.integers(-600, 600, n) / 2
    edges = rng.choice([0.0, 1.0, -1.0, 2.0**60, -(2.0**60), 65280.0, 0.0078125], n)
    which = rng.integers(0, 3, n)
    return np.where(which == 0, normal, np.where(which == 1, halves, edges)).astype(np.float32).astype(kind)


@dataclass(frozen=True)
class Pick:
    """Which of several sizes a step is tested with: one, another with each turn and device; all in a thorough run."""

    device: str
    every: bool = False

    def __call__(self, sizes: tuple[int, ...], turn: int) -> tuple[int, ...]:
        turn = 3 * turn + (2 if self.device == "npu2" else 0)
        return sizes if self.every or not sizes else (sizes[turn % len(sizes)],)
