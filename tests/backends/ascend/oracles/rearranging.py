"""Operations that move elements inside the unified buffer: filling, gathering, transposing, sorting.

Pages: CreateVecIndex, Brcb, Gather, Gatherb, GatherMask, Transpose, TransDataTo5HD, Sort32, MrgSort, GetMrgSortResult.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tests.backends.ascend.oracles.lanes import BLOCK, REPEAT, Call, Image, put, take
from tests.backends.ascend.oracles.numbers import DTYPES, Values, doubles, is_float, to_float, to_integer, wrapped

#: built-in patterns of GatherMask → (every how many elements, which of them)
PATTERNS = {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3), 7: (1, 0)}


def vector_index(call: Call, image: Image) -> None:
    """firstValue + i, where i counts lanes from the first of the first repeat."""
    dtype = call.dst.dtype
    first = np.array([call.scalar]).astype(DTYPES[dtype])[0]
    for repeat, on in enumerate(call.enabled()):
        steps = repeat * call.lanes + on
        if is_float(dtype):
            values = to_float(float(first) + steps.astype(np.float64), dtype)
        else:
            values = wrapped(np.array([int(first) + int(s) for s in steps], object), dtype)
        put(image, call.places(call.dst, repeat, on), values)


def brcb(call: Call, image: Image) -> None:
    """Eight elements a repeat, each filling one block; the source is read on without strides."""
    dtype = call.src[0].dtype
    size = DTYPES[dtype].itemsize
    for i in range(call.repeats * 8):
        element = image[call.src[0].at + i * size :][:size].copy()
        at = call.dst.at + (i // 8 * call.dst.repeat + i % 8 * call.dst.block) * BLOCK
        image[at : at + BLOCK] = np.tile(element, BLOCK // size)


def gather(call: Call, image: Image) -> None:
    """src[0] at byte `extra` + the offset of the same lane; offsets are read on, 256 / sizeof(T) a repeat."""
    own = replace(call, src=(call.src[0],))  # a repeat fills eight blocks of dst, however wide the offsets are
    for repeat, on in enumerate(own.enabled()):
        at = call.src[1].at + (repeat * own.lanes + on) * 4
        offsets = take(image, at, "u32").astype(np.int64)
        values = take(image, call.src[0].at + call.extra + offsets, call.dst.dtype)
        put(image, own.places(call.dst, repeat, on), values)


def gatherb(call: Call, image: Image) -> None:
    """Whole blocks at the byte offsets of src[1], eight a repeat; a block stride of 0 means 1."""
    stride = call.dst.block or 1
    for i in range(call.repeats * 8):
        offset = int(take(image, np.array([call.src[1].at + i * 4]), "u32")[0])
        block = image[call.src[0].at + offset :][:BLOCK].copy()
        at = call.dst.at + (i // 8 * call.dst.repeat + i % 8 * stride) * BLOCK
        image[at : at + BLOCK] = block


def gather_mask(call: Call, image: Image) -> int:
    """Keeps the elements whose bit is one, one after another from dst on; how many those are.

    `extra`: the built-in pattern, 0 where src[1] holds the bits, read on inside a repeat. A `mask` of 0 is the normal
    mode, 256 bytes a repeat; else counter mode, `mask` elements a repeat.
    """
    source = call.src[0]
    size = DTYPES[source.dtype].itemsize
    per = call.mask or REPEAT // size
    kept: list[Values] = []
    for repeat in range(call.repeats):
        i = np.arange(per)
        byte = i * size
        at = source.at + (repeat * source.repeat + byte // BLOCK * source.block) * BLOCK + byte % BLOCK
        if call.extra:
            every, which = PATTERNS[call.extra]
            on = i % every == which
        else:
            start = call.src[1].at + repeat * call.src[1].repeat * BLOCK
            on = np.unpackbits(image[start : start + -(-per // 8)], bitorder="little")[:per].astype(bool)
        kept.append(take(image, at[on], source.dtype))
    values = np.concatenate(kept) if kept else np.zeros(0, DTYPES[source.dtype])
    put(image, call.dst.at + np.arange(len(values)) * size, values)
    return len(values)


def transpose(image: Image, dst: int, src: int) -> None:
    """16 × 16 elements of two bytes."""
    square = image[src : src + 512].copy().view(np.uint16).reshape(16, 16)
    image[dst : dst + 512] = np.ascontiguousarray(square.T).view(np.uint8).reshape(-1)


def trans_data_to_5hd(
    image: Image,
    dst: Sequence[int],
    src: Sequence[int],
    size: int,
    repeats: int,
    strides: tuple[int, int],
    halves: tuple[bool, bool],
) -> None:
    """Sixteen blocks to sixteen blocks. Two bytes: element j of block i becomes element i of block j. Four bytes:
    element j of blocks 0–7 is block 2j, of blocks 8–15 block 2j + 1. One byte: sixteen of 32, in the chosen halves.

    `strides` (dst, src) count blocks between repeats; with one repeat they move the start.
    """
    for repeat in range(repeats):
        step = 1 if repeats == 1 else repeat
        to = [d + step * strides[0] * BLOCK for d in dst]
        blocks = np.stack([image[s + step * strides[1] * BLOCK :][:BLOCK] for s in src])
        if size == 1:
            part = blocks[:, 16:] if halves[1] else blocks[:, :16]
            for j, at in enumerate(to):
                at += 16 if halves[0] else 0
                image[at : at + 16] = part[:, j]
        elif size == 2:
            turned = np.ascontiguousarray(blocks.view(np.uint16).T).view(np.uint8)
            for j, at in enumerate(to):
                image[at : at + BLOCK] = turned[j]
        else:
            turned = np.ascontiguousarray(blocks.view(np.uint32).T).view(np.uint8).reshape(16, BLOCK)
            for j, at in enumerate(to):
                image[at : at + BLOCK] = turned[j]


def swap_images(image: Image, dst: int, src: int, size: int, shape: tuple[int, int, int, int], *, nhwc: bool) -> None:
    """Images of N × C × H × W elements to N × H × W × C (`nhwc`), or back."""
    n, c, h, w = shape
    count = n * c * h * w * size
    given = (n, c, h * w, size) if nhwc else (n, h * w, c, size)
    turned = image[src : src + count].reshape(given).transpose(0, 2, 1, 3)
    image[dst : dst + count] = np.ascontiguousarray(turned).reshape(-1)


def cast_dequant(image: Image, call: Call, scales: Values, offsets: Values, *, lower: bool) -> None:
    """int16 to eight bits with a scale and an offset for each of a block's sixteen lanes; sixteen results fill half of
    the block of dst that belongs to their block of the source. A scale keeps ten bits of its fraction."""
    kept = (scales.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64)
    for repeat, on in enumerate(call.enabled()):
        x = doubles(take(image, call.places(call.src[0], repeat, on), "i16"))
        values = to_integer(x * kept[on % 16] + doubles(offsets)[on % 16], call.dst.dtype, "RINT")
        block = repeat * call.lanes // 16 + on // 16
        if call.form != "count":
            block = repeat * call.dst.repeat + on // 16 * call.dst.block
        put(image, call.dst.at + block * BLOCK + on % 16 + (0 if lower else 16), values)


# --- sorting ---------------------------------------------------------------------------------------------------------


def sort32(call: Call, image: Image) -> None:
    """32 pairs a repeat, descending and stable: score in the low bytes, index in the high four of eight; the two bytes
    between a half and its index are reserved and stay here as they are."""
    dtype = call.src[0].dtype
    size = DTYPES[dtype].itemsize
    for repeat in range(call.repeats):
        scores = take(image, call.src[0].at + (repeat * 32 + np.arange(32)) * size, dtype)
        index = take(image, call.src[1].at + (repeat * 32 + np.arange(32)) * 4, "u32")
        order = np.argsort(-doubles(scores), kind="stable")
        at = call.dst.at + (repeat * 32 + np.arange(32)) * 8
        put(image, at, scores[order])
        put(image, at + 4, index[order])


def merge_sort(
    image: Image, dst: int, queues: Sequence[tuple[int, int]], dtype: str, *, stop: bool = False
) -> list[int]:
    """Merges descending queues of pairs, each (start, length); ties take the lower queue first.

    Returns how many of each were taken; with `stop` the merge ends when a queue is exhausted."""
    taken = [0] * len(queues)
    out: list[np.ndarray] = []

    def score(q: int) -> float:
        at = queues[q][0] + taken[q] * 8
        return float(take(image, np.array([at]), dtype)[0])

    while any(t < n for t, (_, n) in zip(taken, queues, strict=True)):
        live = [q for q, (_, n) in enumerate(queues) if taken[q] < n]
        best = max(live, key=lambda q: (score(q), -q))
        at = queues[best][0] + taken[best] * 8
        out.append(image[at : at + 8].copy())
        taken[best] += 1
        if stop and taken[best] == queues[best][1]:
            break
    if out:
        image[dst : dst + 8 * len(out)] = np.concatenate(out)
    return taken
