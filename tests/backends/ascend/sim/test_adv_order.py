"""Operations of the library that reduce, sort, spread and quantise, against NumPy that follows their documentation.

One kernel holds them all: each body reads the bytes of x into UB, calls one operation with a temporary buffer of
exactly the documented size, and writes the bytes of the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from kbench.backends.ascend.sim.kernel import GmBuffer
from kbench.core.errors import RunError
from tests.backends.ascend.sim import order_tilings
from tests.backends.ascend.sim.kernels import Probe, build

Array = npt.NDArray[np.generic]

# `in`, `out` and `tmp` of a body are bytes of UB, `in` filled with x; what `out` holds becomes y.
PRELUDE = """
struct PadT { uint32_t srcHeight, srcWidth, srcOriWidth, tmpBuffer2Offset; };
struct Ub {
    __aicore__ inline Ub(GlobalTensor<float>& x, uint32_t in_bytes, uint32_t out_bytes, uint32_t tmp_bytes) {
        pipe.InitBuffer(a, (in_bytes + 31) / 32 * 32);
        pipe.InitBuffer(b, (out_bytes + 31) / 32 * 32);
        bytes = (out_bytes + 31) / 32 * 32;
        if (tmp_bytes > 0) pipe.InitBuffer(c, tmp_bytes);
        in = a.Get<uint8_t>(); out = b.Get<uint8_t>();
        if (tmp_bytes > 0) tmp = c.Get<uint8_t>();
        DataCopy(in.ReinterpretCast<float>(), x, (in_bytes + 31) / 32 * 8);
        PipeBarrier<PIPE_ALL>();
        Duplicate(out.ReinterpretCast<int32_t>(), 0, bytes / 4);
    }
    __aicore__ inline void Write(GlobalTensor<float>& y) {
        PipeBarrier<PIPE_ALL>();
        DataCopy(y, out.ReinterpretCast<float>(), bytes / 4);
    }
    template <class T> __aicore__ inline LocalTensor<T> In(uint32_t at = 0) { return in[at].ReinterpretCast<T>(); }
    template <class T> __aicore__ inline LocalTensor<T> Out(uint32_t at = 0) { return out[at].ReinterpretCast<T>(); }
    TPipe pipe;
    TBuf<> a, b, c;
    LocalTensor<uint8_t> in, out, tmp;
    uint32_t bytes;
};
"""


@dataclass(frozen=True)
class Case:
    """`call` with u.In, u.Out and u.tmp; `want(x)` is what `out` starts with, NaN and reserved bytes apart."""

    name: str
    call: str
    x: Array
    want: Callable[[Array], Array]
    tmp: int = 0
    out: int = 0
    shape: dict[str, int] = field(default_factory=dict)


def body(case: Case, out_bytes: int) -> str:
    return f"Ub u(xg, {case.x.nbytes}, {out_bytes}, {case.tmp}); {case.call}; u.Write(yg);"


CPP = {np.dtype(t): c for t, c in (
    (np.float16, "half"), (np.float32, "float"), (np.int8, "int8_t"), (np.uint8, "uint8_t"), (np.int16, "int16_t"),
    (np.int32, "int32_t"), (np.uint32, "uint32_t"), (np.bool_, "bool"),
)}  # fmt: skip


def bool_of(value: object) -> str:
    return "true" if value else "false"


def padded(n: int, size: int) -> int:
    return -(-n * size // 32) * 32 // size


# ---- the documented meaning -----------------------------------------------------------------------------------------


def tree(values: Array) -> Array:
    """Neighbours are added in pairs, in the array's type; lanes of a repeat that nothing fills are +0."""
    lanes = 256 // values.itemsize
    row = np.zeros(lanes, values.dtype)
    row[: len(values)] = values
    with np.errstate(over="ignore", invalid="ignore"):
        while len(row) > 1:
            row = row[0::2] + row[1::2]
    return row[0]


def row_sum(values: Array) -> Array:
    lanes = 256 // values.itemsize
    while len(values) > 1 or lanes == 0:
        values = np.array([tree(values[i : i + lanes]) for i in range(0, len(values), lanes)], values.dtype)
    return values[0] + values.dtype.type(0)


def fold(values: Array, op: Callable[[Array, Array], Array]) -> Array:
    """Element i meets element i + s, s the largest power of two below what is left."""
    values = values.copy()
    while len(values) > 1:
        s = 1 << (len(values) - 1).bit_length() - 1
        rest = len(values) - s
        values[:rest] = op(values[:rest], values[s:])
        values = values[:s]
    return values[0]


def pattern_sum(row: Array) -> Array:
    n = len(row)
    if n <= 64:
        return tree(row)
    s = 1 << (n - 1).bit_length() - 1
    left = row[:s].copy()
    left[: n - s] += row[s:]
    while len(left) > 1:
        left = left[0::2] + left[1::2]
    return left[0]


def draw(seed: int, n: int, dtype: type, scale: float = 4) -> Array:
    return (np.random.default_rng(seed).standard_normal(n) * scale).astype(dtype)


def rows_of(x: Array, rows: int, stride: int, n: int) -> Array:
    return x[: rows * stride].reshape(rows, stride)[:, :n]


# ---- cases ----------------------------------------------------------------------------------------------------------


def broadcast_cases() -> list[Case]:
    cases = []
    for dtype in (np.float16, np.float32, np.int8):
        size, t = np.dtype(dtype).itemsize, CPP[np.dtype(dtype)]
        wide = max(size, 2)
        block = 32 // wide
        for rows, columns, axis in ((5, 64, 0), (19, 64, 1), (19, 21, 1), (7, 33, 2)):
            src = {0: (1, columns), 1: (rows, 1), 2: (1, 1)}[axis]
            n = src[0] * src[1]
            x = np.random.default_rng(columns).integers(-100, 100, n).astype(dtype)
            cast = 2 * (-(-n // 16) * 16 + -(-rows * columns // 16) * 16) if size == 1 else 0
            copy = -(-columns // block) * block * wide if columns % block else 0
            tmp = {0: 32, 1: block * 32 + block * copy, 2: 32 if size == 1 else 0}[axis] + cast
            call = (
                f"const uint32_t d[2] = {{{rows}, {columns}}}; const uint32_t s[2] = {{{src[0]}, {src[1]}}}; "
                f"Broadcast<{t}, 2, {axis % 2}>(u.Out<{t}>(), u.In<{t}>(), d, s{', u.tmp' if tmp else ''})"
            )
            want = np.broadcast_to(x.reshape(src), (rows, columns))
            cases.append(Case(f"Broadcast {t} {axis} {columns}", call, x, lambda _, w=want: w, tmp))
    return cases


def sum_cases() -> list[Case]:
    cases = []
    for dtype in (np.float16, np.float32):
        size, t = np.dtype(dtype).itemsize, CPP[np.dtype(dtype)]
        for rows, n in ((3, 5), (4, 64), (2, 300), (1, 9000 // size)):
            stride = padded(n, size)
            repeats = -(-n * size // 256)
            x = draw(n, rows * stride, dtype)
            shape = f"{{{rows}, {stride}, {n}}}"

            def sums(x: Array, r: int = rows, s: int = stride, n: int = n) -> Array:
                return np.array([row_sum(row) for row in rows_of(x, r, s, n)], x.dtype)

            def means(x: Array, s: Callable[[Array], Array] = sums, n: int = n) -> Array:
                return s(x) * x.dtype.type(np.float32(1) / np.float32(n))

            def wide(x: Array, r: int = rows, s: int = stride, n: int = n) -> Array:
                return np.array(
                    [row_sum(row.astype(np.float32)) * (np.float32(1) / np.float32(n)) for row in rows_of(x, r, s, n)]
                ).astype(np.float16)

            args = f"(u.Out<{t}>(), u.In<{t}>(), u.tmp, {shape})"
            cases.append(Case(f"Sum {t} {n}", f"Sum<{t}>{args}", x, sums, padded(repeats, size) * size))
            cases.append(Case(f"Mean {t} {n}", f"Mean<{t}>{args}", x, means, padded(repeats * size, 1)))
            if size == 2:
                tmp = stride * 4 + padded(-(-n // 64) * 4, 1)
                cases.append(Case(f"Mean half float {n}", f"Mean<half, float>{args}", x, wide, tmp))
    return cases


def pattern_cases() -> list[Case]:
    cases = []
    table: list[tuple[str, type, Callable[[Array], Array], Callable[[Array], Array]]] = [
        ("Sum", np.float32, pattern_sum, lambda c: fold(c, np.add)),
        ("Prod", np.float32, lambda c: fold(c, np.multiply), lambda c: fold(c, np.multiply)),
        ("Max", np.float16, np.max, np.max),
        ("Min", np.float32, np.min, np.min),
    ]
    for name, dtype, by_row, by_column in table:
        size, t = np.dtype(dtype).itemsize, CPP[np.dtype(dtype)]
        for rows, columns in ((3, 5), (5, 40), (9, 200), (2, 128)):
            stride = padded(columns, size)
            x = draw(rows, rows * stride, dtype, 1)
            matrix = rows_of(x, rows, stride, columns)
            along = np.array([by_row(r) for r in matrix], dtype)
            down = np.array([by_column(c) for c in matrix.T], dtype)
            for pattern, want in (("AR", along), ("RA", down)):
                call = (
                    f"uint32_t s[] = {{{rows}, {columns}}}; "
                    f"Reduce{name}<{t}, Pattern::Reduce::{pattern}>(u.Out<{t}>(), u.In<{t}>(), s, true)"
                )
                cases.append(Case(f"Reduce{name} {pattern} {rows} {columns}", call, x, lambda _, w=want: w))
    bits = np.random.default_rng(1).integers(0, 2, (6, 64)).astype(np.uint8)
    bits[2] = 1
    for name, f in (("All", np.min), ("Any", np.max)):
        for axis, pattern in ((1, "AR"), (0, "RA")):
            call = (
                "uint32_t s[] = {6, 64}; "
                f"Reduce{name}<uint8_t, Pattern::Reduce::{pattern}>(u.Out<uint8_t>(), u.In<uint8_t>(), s, true)"
            )
            want = f(bits, axis=axis)
            cases.append(Case(f"Reduce{name} {pattern}", call, bits.reshape(-1), lambda _, w=want: w))
    xor = np.random.default_rng(2).integers(-300, 300, 2 * 96).astype(np.int16)
    call = (
        "LocalTensor<int16_t> d = u.Out<int16_t>(); "
        "ReduceXorSum<int16_t>(d, u.In<int16_t>(), u.In<int16_t>(192), u.tmp, 90)"
    )
    total = np.array([np.clip((xor[:90] ^ xor[96:186]).astype(np.int64).sum(), -32768, 32767)], np.int16)
    cases.append(Case("ReduceXorSum", call, xor, lambda _: total, 3 * 256))
    return cases


def select_cases() -> list[Case]:
    cases = []
    for mask_type in (np.uint8, np.bool_, np.int16, np.uint32):
        m = CPP[np.dtype(mask_type)]
        for longer in (0, 48):
            rows, columns = 3, 48
            x = draw(3, rows * columns, np.float16)
            mask = np.random.default_rng(4).integers(0, 2, (rows, columns + longer)).astype(mask_type)
            raw = np.concatenate([x.view(np.uint8), mask.reshape(-1).view(np.uint8)])
            cut = mask[:, :columns].astype(bool).reshape(-1)
            info = (
                "SelectWithBytesMaskShapeInfo i; i.firstAxis = 3; i.srcLastAxis = 48; "
                f"i.maskLastAxis = {columns + longer}; auto s = u.In<half>(); s.SetSize(144); "
                f"auto m = u.In<{m}>({x.nbytes}); m.SetSize({mask.size});"
            )
            after = np.where(cut, np.float16(2.5), x)
            before = np.where(cut, x, np.float16(2.5))
            cases.append(
                Case(
                    f"Select {m} {longer} tensor first",
                    f"{info} Select(u.Out<half>(), s, (half)2.5, m, u.tmp, i)",
                    raw,
                    lambda _, w=after: w,
                    1024,
                )
            )
            tmp = 1024 + (padded(144 * mask.itemsize, 1) if longer else 0)
            call = f"{info} SelectWithBytesMask<half, {m}, false>(u.Out<half>(), (half)2.5, s, m, u.tmp, i)"
            cases.append(Case(f"Select {m} {longer} scalar first", call, raw, lambda _, w=before: w, tmp))
    return cases


def pairs(values: Array, index: Array) -> Array:
    """Structures of 8 bytes; the two bytes between a half and its index are reserved and read as 0 here."""
    out = np.zeros((len(values), 8), np.uint8)
    out[:, : values.itemsize] = values.view(np.uint8).reshape(len(values), -1)
    out[:, 4:] = index.astype(np.uint32).view(np.uint8).reshape(len(values), 4)
    return out


def descending(values: Array) -> Array:
    """A stable order from the largest; both zeros are equal and NaN is the largest."""
    wide = values.astype(np.float64)
    key = np.where(np.isnan(wide), np.inf, wide)
    return np.lexsort((np.arange(len(values)), -key, ~np.isnan(wide)))


def sort_cases() -> list[Case]:
    cases = []
    for dtype in (np.float16, np.float32):
        size, t = np.dtype(dtype).itemsize, CPP[np.dtype(dtype)]
        n = 32 * 15
        x = np.random.default_rng(5).integers(-20, 20, n).astype(dtype)
        x[:6] = [np.nan, -0.0, 0.0, np.inf, -np.inf, np.nan]
        index = np.random.default_rng(6).permutation(n).astype(np.uint32)
        raw = np.concatenate([x.view(np.uint8), index.view(np.uint8)])
        groups = [np.arange(i, i + 32)[descending(x[i : i + 32])] for i in range(0, n, 32)]
        by_group, whole = np.concatenate(groups), descending(x)
        sources = f"u.In<{t}>(), u.In<uint32_t>({x.nbytes})"
        cases.append(
            Case(
                f"Sort32 {t}",
                f"Sort32(u.Out<{t}>(), {sources}, 15)",
                raw,
                lambda _, x=x, i=index, o=by_group: pairs(x[o], i[o]),
            )
        )
        cases.append(
            Case(
                f"Sort {t}",
                f"auto w = u.tmp.ReinterpretCast<{t}>(); Sort<{t}, true>(u.Out<{t}>(), {sources}, w, 15)",
                raw,
                lambda _, x=x, i=index, o=whole: pairs(x[o], i[o]),
                8 * n,
            )
        )
        extract = (
            f"LocalTensor<{t}> c; Concat(c, u.In<{t}>(), u.Out<{t}>(), 30); auto w = u.tmp.ReinterpretCast<{t}>(); "
            f"Sort<{t}, true>(w[{8 * n // size}], c, u.In<uint32_t>({x.nbytes}), w, 15); "
            f"Extract(u.Out<{t}>(), u.Out<uint32_t>({x.nbytes}), w[{8 * n // size}], 15)"
        )
        cases.append(
            Case(
                f"Extract {t}",
                extract,
                raw,
                lambda _, x=x, i=index, o=whole: np.concatenate([x[o].view(np.uint8), i[o].view(np.uint8)]),
                16 * n,
                x.nbytes + 8 * n,
            )
        )
    return cases


def merge_cases() -> list[Case]:
    """Queues of sorted structures, merged to the end, in repeats, and up to the first exhausted one."""
    cases = []
    rng = np.random.default_rng(7)
    lengths = (20, 8, 16, 4)
    scores = [np.sort(rng.integers(0, 12, n).astype(np.float32))[::-1] for n in lengths]
    index = np.arange(sum(lengths), dtype=np.uint32)
    raw = pairs(np.concatenate(scores), index).reshape(-1)
    starts = np.cumsum((0, *lengths))[:4] * 8
    list_ = f"MrgSortSrcList<float> q({', '.join(f'u.In<float>({s})' for s in starts)});"
    counts_ = "uint16_t n[4] = {20, 8, 16, 4};"
    for valid in (3, 7, 15):
        taking = [k for k in range(4) if valid >> k & 1]
        values = np.concatenate([scores[k] for k in taking])
        order = descending(values)
        end = sum(lengths[k] for k in taking)
        call = f"{list_} {counts_} MrgSort4Info p(n, false, {valid}, 1); MrgSort(u.Out<float>(), q, p)"
        cases.append(Case(f"MrgSort {valid}", call, raw, lambda _, v=values, o=order, e=end: pairs(v[o], index[:e][o])))
    heads = [0, 0, 0, 0]
    taken = []
    while all(h < n for h, n in zip(heads, lengths, strict=True)):
        q = max(range(4), key=lambda k: (scores[k][heads[k]], -k))
        taken.append((scores[q][heads[q]], int(starts[q]) // 8 + heads[q]))
        heads[q] += 1
    merged = pairs(np.array([v for v, _ in taken], np.float32), np.array([i for _, i in taken]))
    call = (
        f"{list_} {counts_} uint32_t s[4]; MrgSort<float, true>(u.Out<float>(64), q, n, s, 15, 1); "
        "uint16_t c0, c1, c2, c3; GetMrgSortResult(c0, c1, c2, c3); PipeBarrier<PIPE_ALL>(); "
        "auto o = u.Out<uint32_t>(); o.SetValue(0, s[0]); o.SetValue(1, s[1]); o.SetValue(2, s[2]); o.SetValue(3, c3)"
    )
    counts = np.zeros(16, np.uint32)
    counts[:4] = heads
    cases.append(
        Case("MrgSort suspended", call, raw, lambda _: np.concatenate([counts.view(np.uint8), merged.reshape(-1)]))
    )
    two = np.sort(rng.integers(0, 50, (2, 4, 8)).astype(np.float16), axis=2)[:, :, ::-1].reshape(-1)
    order = np.concatenate([descending(two[:32]), 32 + descending(two[32:])])
    call = (
        "MrgSortSrcList<half> q(u.In<half>(), u.In<half>(64), u.In<half>(128), u.In<half>(192)); MrgSort4Info p; "
        "p.elementLengths[0] = p.elementLengths[1] = p.elementLengths[2] = p.elementLengths[3] = 8; p.validBit = 15; "
        "p.repeatTimes = 2; MrgSort(u.Out<half>(), q, p)"
    )
    cases.append(
        Case(
            "MrgSort repeats",
            call,
            pairs(two, np.arange(64)).reshape(-1),
            lambda _, t=two, o=order: pairs(t[o], np.arange(64)[o]),
        )
    )
    return cases


def quant_cases() -> list[Case]:
    """Each step rounds to half; the last to the nearest integer, saturated."""
    cases = []
    for dtype in (np.float16, np.float32):
        t, n = CPP[np.dtype(dtype)], 96 * 3
        x = draw(8, n, dtype, 60)
        x[:4] = [np.nan, np.inf, -np.inf, 0.5]
        scale, offset = draw(9, 96, dtype, 1), draw(10, 96, dtype, 9)
        raw = np.concatenate([x.view(np.uint8), scale.view(np.uint8), offset.view(np.uint8)])
        half = x.astype(np.float16)

        def steps(by: Array, shift: Array, half: Array = half) -> Array:
            with np.errstate(all="ignore"):
                y = np.rint((half * by.astype(np.float16) + shift.astype(np.float16)).astype(np.float64))
                return np.where(np.isnan(y), 0, np.clip(y, -128, 127)).astype(np.int8)

        tensor = steps(np.float32(0.7), np.float32(2.5))
        channel = steps(np.tile(scale, 3), np.tile(offset, 3))
        mixed = steps(np.tile(scale, 3), np.array(1.25))
        src = f"u.Out<int8_t>(), u.In<{t}>(), u.tmp"
        s, o = f"u.In<{t}>({x.nbytes})", f"u.In<{t}>({x.nbytes + scale.nbytes})"
        for name, call, want in (
            ("tensor", f"AscendQuant<{t}>({src}, 0.7f, 2.5f, {n})", tensor),
            ("channel", f"AscendQuant<{t}>({src}, {s}, {o}, 96, 96, {n})", channel),
            ("mixed", f"AscendQuant<{t}>({src}, {s}, ({t})1.25, 96, {n})", mixed),
        ):
            cases.append(Case(f"AscendQuant {t} {name}", call, raw, lambda _, w=want: w, 512))
    return cases


def bf16(x: Array) -> Array:
    return np.asarray(x, np.float32).astype(ml_dtypes.bfloat16)


def dequant_cases() -> list[Case]:
    cases = []
    m, n, used = 3, 24, 20
    x = np.random.default_rng(11).integers(-(2**31), 2**31, m * n).astype(np.int32)
    deq = draw(12, n, np.float32, 1e-3)
    x[::3] //= 2**24
    matrix = x.reshape(m, n).astype(np.float32)
    factors = np.where(np.arange(n) < used, deq, np.float32(1))
    product = matrix * factors
    tmp = (64 + 2 * n + 8) * 4
    with np.errstate(over="ignore"):
        halves = product.astype(np.float16)
    words = np.zeros((n, 2), np.uint32)
    words[:, 0] = deq.view(np.uint32)
    words[:, 1] = 0xDEAD
    for dst, scale, raw, want in (
        ("float", "float", deq, product),
        ("half", "uint64_t", words.reshape(-1), halves),
        ("bfloat16_t", "float", deq, bf16(product)),
    ):
        wide = np.zeros((m, padded(n, want.itemsize)), want.dtype)  # rows of dst are padded to 32 bytes
        wide[:, :n] = want
        both = np.concatenate([x.view(np.uint8), raw.view(np.uint8)])
        call = (
            f"AscendDequant<{dst}, {scale}>(u.Out<{dst}>(), u.In<int32_t>(), u.In<{scale}>({x.nbytes}), u.tmp, "
            f"DequantParams{{{m}, {n}, {used}}})"
        )
        cases.append(Case(f"AscendDequant {dst}", call, both, lambda _, w=wide: w, tmp))
    one = x[:48].astype(np.float32) * np.tile(deq[:16], 3)
    call = (
        "AscendDequant<float, float>(u.Out<float>(), u.In<int32_t>(), u.In<float>(192), u.tmp, "
        "DequantParams{1, 48, 16})"
    )
    raw = np.concatenate([x[:48].view(np.uint8), deq.view(np.uint8)])
    cases.append(Case("AscendDequant one row", call, raw, lambda _: one, (64 + 2 * 48 + 8) * 4))
    return cases


def antiquant_cases() -> list[Case]:
    cases = []
    k, n, groups = 64, 32, 2
    x = np.random.default_rng(13).integers(-128, 128, k * n).astype(np.int8)
    for dst, kind in (("half", np.float16), ("bfloat16_t", ml_dtypes.bfloat16)):
        scale = draw(14, groups * n, np.float32).astype(kind)
        offset = draw(15, groups * n, np.float32).astype(kind)
        raw = np.concatenate([x.view(np.uint8), scale.view(np.uint8), offset.view(np.uint8)])
        work = np.float16 if kind is np.float16 else np.float32
        by = np.repeat(scale.reshape(groups, n), k // groups, axis=0).astype(work)
        shift = np.repeat(offset.reshape(groups, n), k // groups, axis=0).astype(work)
        want = (by * (x.reshape(k, n).astype(work) + shift)).astype(kind)
        turned = (by.T * (x.reshape(n, k).astype(work) + shift.T)).astype(kind)
        tensors = f"u.In<{dst}>({x.nbytes + scale.nbytes}), u.In<{dst}>({x.nbytes})"
        tmp = 0 if kind is np.float16 else groups * n * 8 + 64 * k * 4
        for transposed, result, shape in (("false", want, (groups, n)), ("true", turned, (n, groups))):
            bytes_ = tmp if transposed == "false" else 80 * groups * n * 4 if tmp else 0
            scales = np.concatenate([scale, offset])
            if transposed == "true":
                scales = np.concatenate([v.reshape(groups, n).T.reshape(-1) for v in (scale, offset)])
            both = np.concatenate([x.view(np.uint8), scales.view(np.uint8)])
            info = f"AntiQuantShapeInfo{{{shape[0]}, {shape[1]}, {shape[0]}, {shape[1]}}}"
            call = (
                f"auto i = u.In<int8_t>(); i.SetSize({k * n}); AscendAntiQuant<int8_t, {dst}, {transposed}>("
                f"u.Out<{dst}>(), i, {tensors}, u.tmp, {k}, {info})"
            )
            cases.append(Case(f"AscendAntiQuant {dst} {transposed}", call, both, lambda _, w=result: w, bytes_ or 32))
        fixed = (work(0.75) * (x.astype(work) + work(-3))).astype(kind)
        call = (
            f"auto i = u.In<int8_t>(); i.SetSize({k * n}); AscendAntiQuant<int8_t, {dst}, false>("
            f"u.Out<{dst}>(), i, ({dst})-3.0f, ({dst})0.75f, u.tmp, {k})"
        )
        cases.append(Case(f"AscendAntiQuant {dst} tensor", call, raw, lambda _, w=fixed: w, 1024))
    return cases


def sequence_cases() -> list[Case]:
    cases = []
    for dtype, first, step in ((np.int16, 32000, 7), (np.int32, -5, 3), (np.float16, 0.1, 0.3), (np.float32, 0.1, 0.3)):
        t, size = CPP[np.dtype(dtype)], np.dtype(dtype).itemsize
        block, repeat = 32 // size, 256 // size
        n = 2 * repeat + block + 3
        a, d = np.asarray(first, dtype), np.asarray(step, dtype)
        with np.errstate(over="ignore"):
            if dtype in (np.int16, np.int32):
                want = (int(a) + int(d) * np.arange(n)).astype(dtype)
            else:
                f = np.float32
                want = np.zeros(n, dtype)
                want[:block] = (f(a) + f(d) * np.arange(block, dtype=f)).astype(dtype)
                for i in range(block, n):
                    back = block if i < repeat else repeat
                    want[i] = want[i - back] + (f(d) * f(back)).astype(dtype)
        call = f"Arange(u.Out<{t}>(), ({t}){first}, ({t}){step}, {n})"
        cases.append(Case(f"Arange {t}", call, np.zeros(8, np.float32), lambda _, w=want: w))
    for dtype in (np.float16, np.float32):
        t, size = CPP[np.dtype(dtype)], np.dtype(dtype).itemsize
        x = draw(16, 5 * 48, dtype)
        for axis in (1, 0):
            sums = np.add.accumulate(x.reshape(5, 48).astype(np.float32), axis=axis, dtype=np.float32).astype(dtype)
            tmp = 16 * 48 * (6 if size == 2 else 8) if axis else 5 * 48 * 4 if size == 2 else 32
            call = (
                f"static constexpr CumSumConfig c{{{bool_of(axis)}, false, true}}; auto d = u.Out<{t}>(); "
                f"auto l = u.Out<{t}>({x.nbytes}); CumSum<{t}, c>(d, l, u.In<{t}>(), u.tmp, CumSumInfo{{5, 48}})"
            )
            want = np.concatenate([sums.reshape(-1), sums[-1]])
            cases.append(Case(f"CumSum {t} {axis}", call, x, lambda _, w=want: w, tmp))
    return cases


def pad_cases() -> list[Case]:
    cases = []
    for dtype in (np.float16, np.int32):
        t, size = CPP[np.dtype(dtype)], np.dtype(dtype).itemsize
        block = 32 // size
        narrow = block - 3
        x = np.random.default_rng(17).integers(0, 999, block * narrow).astype(dtype)
        rows = x.reshape(block, narrow)
        wide = np.pad(rows, ((0, 0), (1, 2)), constant_values=77)
        tiling = f"PadT k{{{block}, {narrow}, {narrow}, {512 // size}}}; PadParams p{{1, 2, 77}};"
        call = f"{tiling} Pad(u.Out<{t}>(), u.In<{t}>(), p, u.tmp, k)"
        cases.append(Case(f"Pad {t}", call, x, lambda _, w=wide: w, 1024))
        full = np.random.default_rng(18).integers(0, 999, (4, 2 * block)).astype(dtype)
        filled = full.copy()
        filled[:, -3:-1] = -4
        tiling = f"PadT k{{4, {2 * block}, {2 * block - 3}, 0}}; PadParams p{{0, 2, -4}};"
        call = f"{tiling} Pad(u.Out<{t}>(), u.In<{t}>(), p, k)"
        cases.append(Case(f"Pad {t} whole blocks", call, full.reshape(-1), lambda _, w=filled: w))
        cut = np.ascontiguousarray(full[:, :-3])
        call = f"PadT k{{4, {2 * block}, 0, 0}}; UnPadParams p{{0, 3}}; UnPad(u.Out<{t}>(), u.In<{t}>(), p, k)"
        cases.append(Case(f"UnPad {t}", call, full.reshape(-1), lambda _, w=cut: w))
    return cases


def dropout_cases() -> list[Case]:
    cases = []
    for dtype in (np.float16, np.float32):
        t = CPP[np.dtype(dtype)]
        x = draw(19, 4 * 48, dtype)
        keep = np.random.default_rng(20).integers(0, 2, (4, 48)).astype(np.uint8)
        scale = np.asarray(np.float32(1) / np.float32(0.7), np.float32).astype(dtype)
        chosen = np.where(keep.reshape(-1) == 1, x, dtype(0)) * scale
        by_byte = keep.reshape(-1).astype(dtype) * x * scale
        masks = {
            1: (np.pad(keep, ((0, 0), (0, 48))), 96, by_byte), 2: (keep, 48, by_byte),
            3: (np.packbits(keep, axis=1, bitorder="little"), 6, chosen),
            4: (np.pad(np.packbits(keep, axis=1, bitorder="little"), ((0, 0), (0, 26))), 32, chosen),
        }  # fmt: skip
        for mode, (mask, last, want) in masks.items():
            raw = np.concatenate([x.view(np.uint8), mask.reshape(-1)])
            call = (
                f"DropOutShapeInfo i; i.firstAxis = 4; i.srcLastAxis = 48; i.maskLastAxis = {last}; "
                f"DropOut<{t}, false, {mode // 4 * 4}>(u.Out<{t}>(), u.In<{t}>(), "
                f"u.In<uint8_t>({x.nbytes}), u.tmp, 0.7f, i)"
            )
            cases.append(Case(f"DropOut {t} {mode}", call, raw, lambda _, w=want: w, 512))
    return cases


def topk_cases() -> list[Case]:
    cases = []
    for dtype in (np.float16, np.float32):
        t, size = CPP[np.dtype(dtype)], np.dtype(dtype).itemsize
        for small, rows, inner, n, k in ((False, 3, 96, 90, 5), (True, 4, 32, 32, 20)):
            for largest, index in ((True, False), (False, True)):
                x = np.random.default_rng(21).integers(-9, 9, rows * inner).astype(dtype)
                given = np.random.default_rng(22).permutation(rows * inner if small else inner).astype(np.int32)
                finish = np.zeros(32, np.uint8)
                finish[1] = 1  # TOPK_NSMALL does not look at it
                raw = np.concatenate([x.view(np.uint8), given.view(np.uint8), finish])
                step = k if small else order_tilings.up(k, 32 // size)
                values, places = np.zeros((rows, step), dtype), np.zeros((rows, k if small else 8), np.int32)
                for r in range(rows):
                    row = x[r * inner : (r + 1) * inner]
                    order = descending(row if largest else -row)[:k]
                    values[r, :k] = row[order]
                    names = given.reshape(-1, inner)[r if small else 0] if index else np.arange(inner)
                    places[r, :k] = n if finish[r] and not small else names[order]
                numbers = order_tilings.topk(inner, rows, k, size, index=index, small=small, largest=largest)
                tmp = numbers[0] * size
                mode = "TopKMode::TOPK_NSMALL" if small else "TopKMode::TOPK_NORMAL"
                call = (
                    f"const TopkTiling g{{{', '.join(map(str, numbers))}}}; TopKInfo i; i.outter = {rows}; "
                    f"i.inner = {inner}; i.n = {n}; TopK<{t}, {str(index).lower()}, true, false, "
                    f"{mode}>(u.Out<{t}>(), u.Out<int32_t>({padded(values.nbytes, 1)}), u.In<{t}>(), "
                    f"u.In<int32_t>({x.nbytes}), u.In<bool>({x.nbytes + given.nbytes}), u.tmp, {k}, g, i, "
                    f"{str(largest).lower()})"
                )
                gap = np.zeros(padded(values.nbytes, 1) - values.nbytes, np.uint8)
                want = np.concatenate([values.reshape(-1).view(np.uint8), gap, places.reshape(-1).view(np.uint8)])
                name = f"TopK {t} {'small' if small else 'normal'} {'largest' if largest else 'smallest'}"
                cases.append(Case(name, call, raw, lambda _, w=want: w, padded(tmp, 1)))
    return cases


def nz(x: Array) -> Array:
    """The last two axes in fractals of 16 columns."""
    *outer, rows, columns = x.shape
    return np.moveaxis(x.reshape(*outer, rows, columns // 16, 16), -2, -3)


def turn_cases() -> list[Case]:
    """Heads of 16 columns and more; columns that only pad a head or all of them are not compared, so there are none."""
    cases = []
    b, n, s, part = 2, 3, 32, 32
    for dtype in (np.int16, np.float32):
        t, size = CPP[np.dtype(dtype)], np.dtype(dtype).itemsize
        heads = np.random.default_rng(23).integers(0, 9999, (b, n, s, part)).astype(dtype)
        whole = np.moveaxis(heads, 1, 2).reshape(b, s, n * part)
        shape = (b, n, s, part)
        one = 512 * size
        table: list[tuple[str, Array, Array, list[int], int]] = [
            ("NZ2ND_0213", nz(heads), np.moveaxis(heads, 1, 2), order_tilings.swap_middle(shape, one, size), one),
            ("NZ2NZ_0213", nz(heads[:1, [0, 1] * 8]), nz(np.moveaxis(heads[:1, [0, 1] * 8], 1, 2)),
             order_tilings.swap_middle((1, 16, s, part), one, size), one),
            ("NZ2NZ_012_WITH_N", nz(whole), nz(heads), order_tilings.split_or_join(3, shape, size), one),
            ("NZ2ND_012_WITH_N", nz(whole), heads, order_tilings.split_or_join(4, shape, size), one),
            ("NZ2ND_012_WITHOUT_N", nz(heads), whole, order_tilings.split_or_join(5, shape, size), one),
            ("NZ2NZ_012_WITHOUT_N", nz(heads), nz(whole), order_tilings.split_or_join(6, shape, size), one),
            ("ND2ND_ONLY", heads[0, 0], heads[0, 0].T, order_tilings.square(32, 32, size), 0),
        ]  # fmt: skip
        for name, src, dst, numbers, tmp in table:
            call = (
                f"ConfusionTransposeTiling g{{{', '.join(map(str, numbers))}}}; "
                f"{'ConfusionTranspose' if tmp else 'Transpose'}(u.Out<{t}>(), u.In<{t}>(){', u.tmp' if tmp else ''}, "
                f"TransposeType::TRANSPOSE_{name}, g)"
            )
            want = np.ascontiguousarray(dst)
            cases.append(
                Case(f"Transpose {t} {name}", call, np.ascontiguousarray(src).reshape(-1), lambda _, w=want: w, tmp)
            )
    return cases


def trans_data_cases() -> list[Case]:
    """Images of 6 elements, padded to 16; groups that are full and such that are not. What pads an image is 0xA5."""
    cases = []
    for n, c, d, h, w in ((2, 20, 2, 2, 3), (16, 32, 1, 2, 8)):
        image, c1, n1 = padded(h * w, 2), -(-c // 16), -(-n // 16)
        x = np.random.default_rng(24).integers(1, 9999, (n, c, d, h * w)).astype(np.int16)
        plain = np.full((n, c, d, image), -1, np.int16)
        plain[..., : h * w] = x
        full = np.zeros((n1 * 16, c1 * 16, d, h * w), np.int16)
        full[:n, :c] = x
        six = np.ascontiguousarray(full[:n].reshape(n, c1, 16, d, h * w).transpose(0, 3, 1, 4, 2))
        fractal = np.ascontiguousarray(full.reshape(n1, 16, c1, 16, d, h * w).transpose(4, 2, 5, 0, 1, 3))
        volume = d * c1 * 16 * image * 2
        back = volume * n1 * 16 * (1 if (n, c) == (n1 * 16, c1 * 16) else 2)
        there = max(c * d * image, d * h * w * n1 * 16) * 2 + volume * n1 * 16
        shapes = {
            "NCDHW": f"{n}, {c}, {d}, {h}, {w}",
            "NDC1HWC0": f"{n}, {d}, {c1}, {h}, {w}, 16",
            "FRACTAL_Z_3D": f"{d}, {c1}, {h}, {w}, {n1}, 16, 16",
        }
        for a, b, src, want, tmp in (
            ("NCDHW", "NDC1HWC0", plain, six, d * image * 2 + volume),
            ("NDC1HWC0", "NCDHW", six, plain, 512 + volume),
            ("NCDHW", "FRACTAL_Z_3D", plain, fractal, there),
            ("FRACTAL_Z_3D", "NCDHW", fractal, plain, back),
        ):
            call = (
                f"static constexpr TransDataConfig c = {{DataFormat::{a}, DataFormat::{b}}}; "
                f"auto s = MakeLayout(MakeShape({shapes[a]}), MakeStride()); "
                f"auto d = MakeLayout(MakeShape({shapes[b]}), MakeStride()); "
                "TransDataParams<decltype(s), decltype(d)> p{s, d}; "
                "TransData<c>(u.Out<int16_t>(), u.In<int16_t>(), u.tmp, p)"
            )
            pads = np.where(want == -1, np.int16(-0x5A5B), want)
            cases.append(Case(f"TransData {a} {b} {n}", call, src.reshape(-1), lambda _, v=pads: v, tmp))
    return cases


CASES = [
    *broadcast_cases(), *sum_cases(), *pattern_cases(), *select_cases(), *sort_cases(), *merge_cases(),
    *quant_cases(), *dequant_cases(), *antiquant_cases(), *sequence_cases(), *pad_cases(), *dropout_cases(),
    *topk_cases(), *turn_cases(), *trans_data_cases(),
]  # fmt: skip

# What breaks a rule, and the start of what is said of it.
BROKEN = [
    ("Broadcast<half, 2, 1>(u.Out<half>(), u.In<half>(), d, s, u.tmp)", "Broadcast: sharedTmpBuffer: expected"),
    ("Sum<float>(u.Out<float>(), u.In<float>(), u.tmp, {2, 13, 13})", "Sum: inner: expected rows of a multiple of 32"),
    ("Sum<float>(u.Out<float>(), u.In<float>(), u.tmp, {1, 8, 0})", "Sum: n: expected 1 to inner"),
    ("Sort32(u.Out<float>(), u.In<float>(), u.In<uint32_t>(), 256)", "Sort32: repeatTime: expected 0 to 255, got 256"),
    ("MrgSort(u.Out<float>(), q, MrgSort4Info(n, false, 1, 1))", "MrgSort: validBit: expected 3, 7 or 15, got 1"),
    ("MrgSort(u.In<float>(), q, MrgSort4Info(n, false, 3, 1))", "MrgSort: dst overlaps src1"),
    ("RpSort16(u.Out<half>(), u.In<half>(), 1)", "RpSort16: not supported on current device"),
    ("Sort<float, true>(u.Out<float>(), u.In<float>(), u.In<uint32_t>(), w, 2)", "Sort: tmp: expected at least 512"),
    ("TopkTiling g{}; TopKInfo i{1, 32, 32}; TopK<float>(u.Out<float>(), u.Out<int32_t>(64), u.In<float>(), "
     "u.In<int32_t>(), u.In<bool>(), 4, g, i)", "TopK: tilling: expected the tiling data of this shape"),
    ("ConfusionTransposeTiling g{}; Transpose(u.Out<half>(), u.In<half>(), TransposeType::TRANSPOSE_NCHW2NHWC, g)",
     "Transpose: transposeType 11 is not supported"),
    ("ReduceSum<float, Pattern::Reduce::RA>(u.In<float>(), u.In<float>(), s, true)", "ReduceSum: dstTensor overlaps"),
]  # fmt: skip
BROKEN_HEAD = (
    "Ub u(xg, 2048, 2048, 256); const uint32_t d[2] = {16, 16}; uint32_t s[2] = {16, 1}; uint16_t n[4] = {8, 8, 0, 0}; "
    "MrgSortSrcList<float> q(u.In<float>(), u.In<float>(64), u.In<float>(), u.In<float>()); "
    "auto w = u.tmp.ReinterpretCast<float>(); "
)


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    sizes = [case.out or case.want(case.x).nbytes for case in CASES]
    bodies = [body(case, size) for case, size in zip(CASES, sizes, strict=True)]
    bodies += [f"{BROKEN_HEAD}{call};" for call, _ in BROKEN]
    return build(bodies, tmp_path_factory.mktemp("order"), PRELUDE)


def run(probe: Probe, number: int, x: Array, out_bytes: int) -> Array:
    raw = np.zeros(-(-x.nbytes // 32) * 32, np.uint8)
    raw[: x.nbytes] = x.reshape(-1).view(np.uint8)
    rounded = -(-out_bytes // 32) * 32
    y = GmBuffer("y", "out", nbytes=rounded)
    return probe.run(number, n=max(len(raw), rounded) // 4, x=raw.view(np.float32), y=y, blocks=1).outputs[0]


def same(got: Array, want: Array) -> bool:
    got = got.view(np.uint8)[: want.nbytes].view(want.dtype)
    flat = want.reshape(-1)
    if want.dtype.kind == "f" or want.dtype == ml_dtypes.bfloat16:
        return bool(np.all((got == flat) & (np.signbit(got) == np.signbit(flat)) | np.isnan(got) & np.isnan(flat)))
    return bool(np.array_equal(got, flat))


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.name for case in CASES])
def test_documented_result(probe: Probe, number: int) -> None:
    case = CASES[number]
    want = np.ascontiguousarray(case.want(case.x))
    got = run(probe, number, case.x, case.out or want.nbytes)
    if want.ndim == 2 and want.shape[1] == 8 and re.search("half|repeats", case.name):  # reserved bytes of structures
        got = got.copy()
        got[: want.nbytes].reshape(-1, 8)[:, 2:4] = 0
    assert same(got, want), case.name


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_broken_rule(probe: Probe, number: int) -> None:
    with pytest.raises(RunError, match=re.escape(BROKEN[number][1])):
        run(probe, len(CASES) + number, np.zeros(512, np.float32), 2048)
