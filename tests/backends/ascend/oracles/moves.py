"""Copies between global memory and the unified buffer, and atomic copies.

Pages: DataCopy (continuous, high-dimensional), DataCopyPad in both directions, SetPadValue, SetAtomicAdd, SetAtomicMax,
SetAtomicMin and the boundary values of atomic operations. Gaps count from the end of a block to the start of the next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.backends.ascend.oracles.elementwise import add, maximum, minimum
from tests.backends.ascend.oracles.lanes import BLOCK, Call, Image, Operand, put, take


@dataclass(frozen=True)
class Copy:
    """`blocks` blocks of `length` bytes; the gaps after them in bytes. `left`, `right`: bytes of padding, in the
    unified buffer only; `pad`: the padding element's bytes, None where the padding's value is not defined."""

    at: int
    src: int
    blocks: int
    length: int
    dst_gap: int = 0
    src_gap: int = 0
    left: int = 0
    right: int = 0
    pad: bytes | None = None


def plain(dst: Image, src: Image, copy: Copy) -> None:
    """Blocks as they are: DataCopy in its forms, and DataCopyPad out of the unified buffer, whose blocks there start
    at multiples of 32 bytes."""
    if not copy.length:
        return
    for i in range(copy.blocks):
        at = copy.at + i * (copy.length + copy.dst_gap)
        from_ = copy.src + i * (copy.length + copy.src_gap)
        dst[at : at + copy.length] = src[from_ : from_ + copy.length]


def ceil32(n: int) -> int:
    return -(-n // BLOCK) * BLOCK


def padded_in(dst: Image, src: Image, copy: Copy, size: int) -> list[tuple[int, int]]:
    """DataCopyPad into the unified buffer, elements of `size` bytes: every block with its padding is filled up to 32
    bytes. The filling is more of the padding, or the block's first element where no padding is asked for. Returns the
    ranges that may hold anything: padding without a value, and what follows it."""
    open_: list[tuple[int, int]] = []
    whole = ceil32(copy.left + copy.length + copy.right)
    for i in range(copy.blocks if copy.length else 0):
        at = copy.at + i * (whole + copy.dst_gap)
        block = src[copy.src + i * (copy.length + copy.src_gap) :][: copy.length]
        row = np.zeros(whole, np.uint8)
        row[copy.left : copy.left + copy.length] = block
        padded = copy.left or copy.right
        element = block[:size] if not padded else None if copy.pad is None else np.frombuffer(copy.pad, np.uint8)
        for first, last in ((0, copy.left), (copy.left + copy.length, whole)):
            if element is None:
                open_.append((at + first, at + last))
            elif last > first:
                row[first:last] = np.resize(element, last - first)
        dst[at : at + whole] = row
    return open_


def atomic(gm: Image, ub: Image, copy: Copy, dtype: str, operation: str) -> None:
    """A copy out that adds to, or takes the greater or less of, what global memory holds."""
    function = {"add": add, "max": maximum, "min": minimum}[operation]
    call = Call(operation, dst=Operand(0, dtype), saturate=False)
    for i in range(copy.blocks if copy.length else 0):
        at = copy.at + i * (copy.length + copy.dst_gap)
        from_ = copy.src + i * (copy.length + copy.src_gap)
        step = {"f16": 2, "bf16": 2, "i16": 2, "f32": 4, "i32": 4, "i8": 1}[dtype]
        to = at + np.arange(0, copy.length, step)
        old, new = take(gm, to, dtype), take(ub, from_ + np.arange(0, copy.length, step), dtype)
        put(gm, to, function(call, old, new))
