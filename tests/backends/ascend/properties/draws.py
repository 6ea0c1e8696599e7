"""Random operands: values with their edge cases, and calls whose accesses stay inside their parts of the image."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from tests.backends.ascend.oracles.lanes import BLOCK, REPEAT, Call, Image, Operand
from tests.backends.ascend.oracles.numbers import DTYPES, FLOATS, Values, bits_of, is_float, limits

PART = 12 * 1024  # bytes of the image that each operand has for itself
Random = np.random.Generator


def cases(default: int) -> int:
    """How many cases to draw: `KBENCH_PROPERTY_CASES` multiplies the default."""
    return default * max(1, int(os.environ.get("KBENCH_PROPERTY_CASES", "1")))


def values(rng: Random, dtype: str, n: int) -> Values:
    """Elements of every size, about a quarter of them edge cases."""
    if dtype == "i4":
        return rng.integers(0, 256, n, np.uint8)
    if not is_float(dtype):
        low, high = limits(dtype)
        near = rng.integers(max(low, -300), min(high, 300) + 1, n)
        wide = rng.integers(low, high, n, np.int64 if dtype != "u64" else np.uint64, endpoint=True)
        edges = rng.choice(np.array([low, high, 0, 1], object), n)
        kind = rng.integers(0, 4, n)
        return np.array([[near, wide, wide, edges][k][i] for i, k in enumerate(kind)]).astype(DTYPES[dtype])
    largest = FLOATS[dtype][2]
    normal = rng.normal(size=n) * np.exp2(rng.integers(-12, 12, n))
    halves = rng.integers(-600, 600, n) / 2
    bits = rng.integers(0, 1 << bits_of(dtype), n, np.uint64)
    any_bits = bits.astype(np.uint16 if bits_of(dtype) == 16 else np.uint32).view(DTYPES[dtype])
    edges = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, largest, -largest, 1.0, -1.0, 65520.0, 2147483648.0], n)
    kind = rng.integers(0, 5, n)
    with np.errstate(over="ignore"):
        drawn = [normal, normal, halves, edges]
        out = np.array([drawn[min(k, 3)][i] for i, k in enumerate(kind)]).astype(DTYPES[dtype])
    return np.where(kind == 4, any_bits, out)


def filled(rng: Random, image: Image, at: int, dtype: str, nbytes: int = PART) -> None:
    """A part of the image with random elements; few draws, repeated and shuffled, cost less than many."""
    some = np.ascontiguousarray(values(rng, dtype, 512)).view(np.uint8).reshape(512, -1)
    n = nbytes // some.shape[1]
    image[at : at + n * some.shape[1]] = some[rng.integers(0, 512, n)].reshape(-1)


def extent(lanes: int, operand: Operand, repeats: int) -> int:
    """Bytes from an operand's start to its end, all lanes enabled."""
    blocks = max(1, lanes * bits_of(operand.dtype) // 256)
    return ((repeats - 1) * operand.repeat + (blocks - 1) * operand.block + 1) * BLOCK


def operand(rng: Random, dtype: str, at: int, lanes: int, repeats: int, *, writes: bool) -> Operand:
    """A tensor in the part that starts at `at`, with strides that fit there. What is written never overlaps itself;
    what is read may: both strides can be 0."""
    blocks = max(1, lanes * bits_of(dtype) // 256)
    for _ in range(100):
        block = int(rng.choice([1, 1, 2, 3, 5] if writes else [1, 1, 0, 2, 3, 7]))
        least = (blocks - 1) * block + 1
        repeat = least + int(rng.choice([0, 0, 1, 4])) if writes else int(rng.choice([8, blocks, 0, 1, 3, 9, 20]))
        made = Operand(at, dtype, block, repeat)
        room = PART - extent(lanes, made, repeats)
        if room >= 0 and repeat <= 255:
            return Operand(at + int(rng.integers(0, min(room // BLOCK, 16) + 1)) * BLOCK, dtype, block, repeat)
    return Operand(at, dtype, 1, blocks)


def mask_bits(rng: Random, lanes: int) -> int:
    density = rng.choice([0.1, 0.5, 0.9])
    bits = rng.random(lanes) < density
    if not bits.any():
        bits[int(rng.integers(lanes))] = True
    return sum(1 << int(i) for i in np.flatnonzero(bits))


def drawn_call(
    rng: Random,
    name: str,
    dst: str,
    src: Sequence[str],
    starts: Sequence[int],
    forms: Sequence[str] = ("count", "mask", "bits", "kept_bits", "counter", "kept_counter"),
) -> Call:
    """A call of this operation with operands of these types, `starts[0]` for dst, in any of the forms."""
    lanes = REPEAT * 8 // max(bits_of(t) for t in (dst, *src))
    repeats = int(rng.choice([1, 2, 3, 5]))
    to = operand(rng, dst, starts[0], lanes, repeats, writes=True)
    from_ = [operand(rng, t, at, lanes, repeats, writes=False) for t, at in zip(src, starts[1:], strict=False)]
    if from_ and dst == src[0] and rng.random() < 0.15:
        from_[0] = to  # in place
    call = Call(name, form=str(rng.choice(list(forms))), repeats=repeats, dst=to, src=tuple(from_))
    return sized(rng, call)


def sized(rng: Random, call: Call) -> Call:
    """The call with a count or mask that suits its form."""
    from dataclasses import replace

    lanes, even = call.lanes, 2 if "i4" in {call.dst.dtype, *(s.dtype for s in call.src)} else 1
    total = int(rng.integers(1, lanes * call.repeats + 1)) // even * even or even
    match call.form:
        case "count":
            return replace(call, count=total)
        case "mask":
            return replace(call, mask=int(rng.choice([lanes, int(rng.integers(1, lanes + 1))])) // even * even or even)
        case "counter" | "kept_counter":
            return replace(call, mask=total)
    return replace(call, mask=mask_bits(rng, lanes) if even == 1 else (1 << lanes) - 1)
