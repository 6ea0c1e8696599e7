"""Tiling data of TopK and Transpose as the documentation of their host sides gives them, for tests of both sides."""

from __future__ import annotations

TOPK_FIELDS = 32


def up(n: int, unit: int) -> int:
    return -(-n // unit) * unit


def topk(inner: int, rows: int, k: int, size: int, *, index: bool, small: bool, largest: bool) -> list[int]:
    """The 24 words and 8 half words of TopkTiling."""
    four, two = up(k, 8), up(k, 16)
    per, n = 8 // size, inner * rows
    if not small:
        tmp = 2 * per * inner + (0 if index else inner * 4 // size)
        row = rows * (two if size == 2 else four)
        start = [tmp, n, inner * per, inner // 32, inner // 4, four, two, row, 2 * k, 4 * k, per, 2 * per, 3 * per, per]
        return [*start, 2 * inner, 4 // size, 0 if index else 2 * per * inner, inner * 8 // 32, *[0] * 14]
    masks_at = n * per + (0 if largest else n)
    index_at = masks_at + 64 // size
    tmp = index_at + (0 if index else n * 4 // size)
    picks = "01" * min(k, 16), "01" * max(k - 16, 0)  # lowest first
    odd = [int(p[::-1] or "0", 2) for p in picks]
    even = [v >> 1 for v in odd] if size == 4 else [0, 0]
    quads = [int(("1000" * min(max(k - 4 * i, 0), 4))[::-1] or "0", 2) if size == 2 else 0 for i in range(8)]
    start = [tmp, n, n * per, 0, 0, four, 0, rows * k]
    return [*start, *[0] * 10, masks_at, 0 if index else index_at, *even, *odd, *quads]


def square(rows: int, columns: int, size: int) -> list[int]:
    block = 32 // size
    return [block, rows, columns, rows // 16, rows * block * size // 32, columns // block, *[0] * 12]


def swap_middle(shape: tuple[int, int, int, int], buffer: int, size: int) -> list[int]:
    b, a1, a2, a3 = shape
    a2, a3 = up(a2, 16), up(a3, 16)
    pop = buffer // size // 256 * 256
    need = a2 * 16
    main = need // pop
    start = [
        32 // size,
        b,
        a1,
        a3,
        a2,
        a3 // 16,
        pop,
        pop // 16,
        need,
        main,
        need % pop,
        a2 * a3,
        a1 * a2 * a3,
        a1 * a3,
    ]
    return [*start, a1 * 16, pop // 16 * main * a1 * a3, 0, 0]


def split_or_join(kind: int, shape: tuple[int, int, int, int], size: int) -> list[int]:
    """`kind`: 3 and 4 split the last axis (to fractals, to rows), 5 and 6 join it."""
    b, n, s, part = shape
    block, h, s, wide = 32 // size, n * part, up(s, 16), up(part, 16)
    all_, blocks = up(h, 16), 16 // (32 // size)
    if kind == 3:
        start = [block, b, n, part, blocks, h, all_ // 16, s // 16, all_, s, wide // 16, wide, wide - part, s * 16]
        return [*start, n * wide // 16, n * wide * s, all_ * s, 0]
    if kind == 4:
        start = [block, b, n, part, h, all_ // 16, s // 16, wide // 16, wide, wide - part, s * 16, n * wide // 16]
        return [*start, s * wide, wide * 16, wide * block, n * wide * s, all_ * s, blocks]
    start = [block, b, n, part, h, all_ // 16, s // 16, wide // 16, all_, s * 16, all_ * 16, block * all_]
    return [*start, n * wide * s, all_ * s, blocks, 0, 0, 0]
