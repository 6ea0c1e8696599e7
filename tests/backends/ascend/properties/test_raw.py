"""The compiler's intrinsics on lanes, and the newer names of reductions, against the oracles: whole images.

Names of conversions say what they do: source 2 destination, then the rounding's letter. The kernel is written from the
table of statements, so that one build runs all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from tests.backends.ascend.oracles import compares, elementwise, rearranging, reductions
from tests.backends.ascend.oracles.lanes import Call, Image, Operand, put
from tests.backends.ascend.oracles.numbers import DTYPES, Values
from tests.backends.ascend.properties.draws import PART, Random, cases, drawn_call, filled, mask_bits, values
from tests.backends.ascend.properties.machine import IMAGE, Machine, built, difference

ROUNDINGS = {
    "r": "RINT", "f": "FLOOR", "c": "CEIL", "a": "ROUND", "z": "TRUNC", "o": "ODD", "": "NONE",
}  # fmt: skip
_CONVERSIONS = """
    vconv_bf162f32 vconv_bf162s32a vconv_bf162s32c vconv_bf162s32f vconv_bf162s32r vconv_bf162s32z vconv_f162f32
    vconv_f162s16a vconv_f162s16c vconv_f162s16f vconv_f162s16r vconv_f162s16z vconv_f162s32a vconv_f162s32c
    vconv_f162s32f vconv_f162s32r vconv_f162s32z vconv_f162s4 vconv_f162s4a vconv_f162s4c vconv_f162s4f vconv_f162s4r
    vconv_f162s4z vconv_f162s8 vconv_f162s8a vconv_f162s8c vconv_f162s8f vconv_f162s8r vconv_f162s8z vconv_f162u8
    vconv_f162u8a vconv_f162u8c vconv_f162u8f vconv_f162u8r vconv_f162u8z vconv_f322bf16a vconv_f322bf16c
    vconv_f322bf16f vconv_f322bf16r vconv_f322bf16z vconv_f322f16 vconv_f322f16a vconv_f322f16c vconv_f322f16f
    vconv_f322f16o vconv_f322f16r vconv_f322f16z vconv_f322f32a vconv_f322f32c vconv_f322f32f vconv_f322f32r
    vconv_f322f32z vconv_f322s16a vconv_f322s16c vconv_f322s16f vconv_f322s16r vconv_f322s16z vconv_f322s32a
    vconv_f322s32c vconv_f322s32f vconv_f322s32r vconv_f322s32z vconv_f322s64a vconv_f322s64c vconv_f322s64f
    vconv_f322s64r vconv_f322s64z vconv_s162f16 vconv_s162f16a vconv_s162f16c vconv_s162f16f vconv_s162f16r
    vconv_s162f16z vconv_s162f32 vconv_s322f32 vconv_s322f32a vconv_s322f32c vconv_s322f32f vconv_s322f32r
    vconv_s322f32z vconv_s322s16 vconv_s322s64 vconv_s42f16 vconv_s642f32a vconv_s642f32c vconv_s642f32f
    vconv_s642f32r vconv_s642f32z vconv_s642s32 vconv_s82f16 vconv_u82f16
"""
CONVERSIONS = _CONVERSIONS.split()
#: conversion of two sources → the operation that it is the last step of
FUSED = {
    "vmulconv_f162s8": "MulCast", "vmulconv_f162u8": "MulCast", "vaddreluconv_f162s8": "AddReluCast",
    "vaddreluconv_f322f16": "AddReluCast", "vaddreluconv_s162s8": "AddReluCast", "vsubreluconv_f162s8": "SubReluCast",
    "vsubreluconv_f322f16": "SubReluCast", "vsubreluconv_s162s8": "SubReluCast",
}  # fmt: skip
#: prefix → modes; vcmp_ goes to the register, vcmpv_ to memory, vcmpvs_ compares with a scalar
COMPARES = {
    prefix + mode.lower(): mode
    for prefix in ("vcmp_", "vcmpv_", "vcmpvs_")
    for mode in ("LT", "GT", "EQ", "LE", "GE", "NE")
}
DEQUANTS = ("vconv_deqs162b8l", "vconv_deqs162b8h", "vconv_vdeqs162b8l", "vconv_vdeqs162b8h")
TYPES = {
    "f16": "half", "bf16": "bfloat16_t", "f32": "float", "i4": "void", "i8": "int8_t", "u8": "uint8_t",
    "i16": "int16_t", "i32": "int32_t", "i64": "int64_t",
}  # fmt: skip

_KERNEL = """#include "kernel_operator.h"
using namespace AscendC;
struct Step { int64_t op, dst, src0, src1, repeat, db, b0, b1, dr, r0, r1, counter, low, high, scalar, order; };
LocalTensor<uint8_t> image;
template <class T> __aicore__ __ubuf__ T* P(int64_t at) { return (__ubuf__ T*)(image.GetPhyAddr() + at); }
template <class T> __aicore__ LocalTensor<T> L(int64_t at) { return image[(uint32_t)at].ReinterpretCast<T>(); }
template <class T> __aicore__ T Scalar(int64_t bits) { T v; __builtin_memcpy(&v, &bits, sizeof(T)); return v; }
__aicore__ void Registers(int64_t first, int64_t at) {
    uint64_t a[16];
    for (int i = 0; i < 16; ++i) { a[i] = image.GetPhyAddr() + L<int64_t>(at).GetValue(i); }
    set_va_reg_sb((ub_addr8_t)first, a), set_va_reg_sb((ub_addr8_t)(first + 1), a + 8);
}
__aicore__ void Run(const Step& s) {
    uint64_t bits[2] = {(uint64_t)s.low, (uint64_t)s.high};
    const BinaryRepeatParams strides((uint8_t)s.db, (uint8_t)s.b0, (uint8_t)s.b1, (uint8_t)s.dr, (uint8_t)s.r0,
                                     (uint8_t)s.r1);
    s.counter ? set_mask_count() : set_mask_norm();
    set_vector_mask((uint64_t)s.high, (uint64_t)s.low);
    switch (s.op) {
%s
    }
    set_mask_norm();
}
extern "C" __global__ __aicore__ void raw(GM_ADDR steps, GM_ADDR in, GM_ADDR out) {
    const int64_t count = reinterpret_cast<const int64_t*>(steps)[0];
    const Step* list = reinterpret_cast<const Step*>(steps + 32);
    GlobalTensor<uint8_t> from, to;
    from.SetGlobalBuffer((__gm__ uint8_t*)in);
    to.SetGlobalBuffer((__gm__ uint8_t*)out);
    TPipe pipe;
    TBuf<TPosition::VECIN> buffer;
    pipe.InitBuffer(buffer, 49152);
    image = buffer.Get<uint8_t>();
    for (int64_t i = 0; i < count; ++i) {
        DataCopy(image, from[(uint64_t)i * 49152], 49152);
        PipeBarrier<PIPE_ALL>();
        Run(list[i]);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[(uint64_t)i * 49152], image, 49152);
        PipeBarrier<PIPE_ALL>();
    }
}
"""


@dataclass(frozen=True)
class Raw:
    """A call of `statement`, the image before it, and its oracle."""

    statement: str
    call: Call
    before: Image
    oracle: Callable[[Call, Image], object]
    bits: int = 0
    order: int = 0

    def pack(self, op: int) -> np.ndarray:
        c, word = self.call, (1 << 64) - 1
        src = [*c.src, *[Operand(0, "f32")] * 2]
        words = [
            op, c.dst.at, src[0].at, src[1].at, c.repeats, c.dst.block, src[0].block, src[1].block, c.dst.repeat,
            src[0].repeat, src[1].repeat, int(c.form == "kept_counter"), c.mask & word, c.mask >> 64, self.bits,
            self.order,
        ]  # fmt: skip
        return np.array([w & word for w in words], np.uint64)


def types(name: str) -> tuple[str, str, str]:
    """Source, destination and rounding of a conversion."""
    found = re.fullmatch(r"v\w*conv_(bf16|[fsu]\d+?)2(bf16|[fsu]\d+)([rfcazo]?)", name)
    assert found is not None, name
    from_, to = (found[i].replace("s", "i") for i in (1, 2))
    return from_, to, ROUNDINGS[found[3]]


UNARY = "s.repeat, s.db, s.b0, s.dr, s.r0"
BINARY = "s.repeat, s.db, s.b0, s.b1, s.dr, s.r0, s.r1"
KEPT = ("kept_bits", "kept_counter")


def image(rng: Random, *dtypes: str) -> Image:
    made = np.zeros(IMAGE, np.uint8)
    for part, dtype in enumerate(dtypes):
        filled(rng, made, part * PART, "i8" if dtype == "i4" else dtype)
    return made


def conversions(rng: Random) -> Iterator[Raw]:
    for name in CONVERSIONS:
        from_, to, mode = types(name)
        for form in KEPT:
            call = replace(drawn_call(rng, "Cast", to, [from_], [0, PART], (form,)), mode=mode)
            statement = f"{name}(P<{TYPES[to]}>(s.dst), P<{TYPES[from_]}>(s.src0), {UNARY});"
            yield Raw(statement, call, image(rng, to, from_), elementwise.run)
    for name, twin in FUSED.items():
        from_, to, _ = types(name)
        for form in KEPT:
            call = drawn_call(rng, twin, to, [from_, from_], [0, PART, 2 * PART], (form,))
            last = "" if twin == "MulCast" else ", false"
            source = f"P<{TYPES[from_]}>"
            statement = f"{name}(P<{TYPES[to]}>(s.dst), {source}(s.src0), {source}(s.src1), {BINARY}{last});"
            yield Raw(statement, call, image(rng, to, from_, from_), elementwise.run)


def alike(made: Image, call: Call) -> None:
    """Every third element of the second source becomes the first's, so that equality happens."""
    size = DTYPES[call.src[0].dtype].itemsize
    for at in range(0, 1024 * size, 3 * size):
        made[call.src[1].at + at :][:size] = made[call.src[0].at + at :][:size]


def comparisons(rng: Random) -> Iterator[Raw]:
    for name, mode in COMPARES.items():
        for dtype in ("f16", "f32", *["i32"] * (name in ("vcmpv_eq", "vcmpvs_eq"))):
            drawn = drawn_call(rng, name, dtype, [dtype, dtype], [0, PART, 2 * PART], ("mask",))
            call = replace(drawn, mode=mode, dst=Operand(32 * int(rng.integers(9)), "u8"))
            made = image(rng, "u8", dtype, dtype)
            alike(made, call)
            t = TYPES[dtype]
            bits = 0
            if name.startswith("vcmpvs"):
                scalar = values(rng, dtype, 1) if rng.random() < 0.5 else made[PART : PART + 4].view(DTYPES[dtype])[:1]
                call = replace(call, src=call.src[:1], scalar=scalar[0])
                bits = int.from_bytes(scalar.tobytes(), "little")
                text = f"{name}(P<uint8_t>(s.dst), P<{t}>(s.src0), Scalar<{t}>(s.scalar), {UNARY});"
            elif name.startswith("vcmpv"):
                text = f"{name}(P<uint8_t>(s.dst), P<{t}>(s.src0), P<{t}>(s.src1), {BINARY});"
            else:
                call = replace(call, repeats=1)
                text = f"{name}(P<{t}>(s.src0), P<{t}>(s.src1), {BINARY}); get_cmpmask(P<uint64_t>(s.dst));"
                if dtype == "f32":  # of the 64 bits that a comparison of 64 lanes does not write nothing is documented
                    text += " *P<int64_t>(s.dst + 8) = 0;"
            yield Raw(text, call, made, _compared, bits)


def _compared(call: Call, before: Image) -> None:
    """The bits have no lanes of their own: repeats are counted by the sources."""
    compares.compare(replace(call, dst=Operand(call.dst.at, call.src[0].dtype)), before)
    if call.name.startswith("vcmp_") and call.src[0].dtype == "f32":
        before[call.dst.at + 8 : call.dst.at + 16] = 0


def dequantizations(rng: Random) -> Iterator[Raw]:
    """The word of a scale: the scale's bits, nine of the offset from 37, the sign in 46; sixteen of them by lane."""
    for name in DEQUANTS:
        for dtype in ("i8", "u8"):
            call = drawn_call(rng, "CastDequant", dtype, ["i16"], [0, PART], ("kept_bits",))
            call = replace(call, dst=Operand(call.dst.at, dtype, 1, 8))
            scales = rng.choice([1.0, 0.37, 2.5, 2.0**-6, -0.75], 16).astype(np.float32)
            offsets = rng.integers(-200, 200, 16).astype(np.int16)
            if "_deq" in name:
                scales[:], offsets[:] = scales[0], offsets[0]
            sign = int(dtype == "i8") << 46
            words = [int(s) | (int(o) & 511) << 37 | sign for s, o in zip(scales.view(np.uint32), offsets, strict=True)]
            made = image(rng, dtype, "i16")
            made[2 * PART : 2 * PART + 128] = np.array(words, np.uint64).view(np.uint8)
            scale = "(uint64_t)s.scalar" if "_deq" in name else f"(uint64_t)P<uint64_t>({2 * PART}) >> 5"
            text = f"set_deqscale({scale}); {name}(P<{TYPES[dtype]}>(s.dst), P<int16_t>(s.src0), {UNARY});"
            yield Raw(text, call, made, dequantized(scales, offsets, lower=name.endswith("l")), words[0])


def dequantized(scales: Values, offsets: Values, *, lower: bool) -> Callable[[Call, Image], None]:
    return lambda call, before: rearranging.cast_dequant(before, call, scales, offsets, lower=lower)


def transpositions(rng: Random) -> Iterator[Raw]:
    for size, bits in ((1, 8), (4, 32)):
        for high in ((False, False), (False, True), (True, False), (True, True)) if size == 1 else ((False, False),):
            repeats, strides = int(rng.integers(1, 4)), (int(rng.integers(1, 4)), int(rng.integers(0, 4)))
            made = image(rng, "u8", "u8")
            order = rng.permutation(16) * 512
            to, from_ = (order + 32 * int(rng.integers(4))).tolist(), (PART + rng.integers(0, 300, 16) * 32).tolist()
            made[2 * PART : 2 * PART + 256] = np.array([*to, *from_], np.int64).view(np.uint8)
            flags = f", {str(high[0]).lower()}, {str(high[1]).lower()}" if size == 1 else ""
            text = (
                f"Registers(VA0, {2 * PART}); Registers(VA2, {2 * PART + 128}); "
                f"scatter_vnchwconv_b{bits}(VA0, VA2, s.repeat, s.dr, s.r0{flags});"
            )
            dst, src = Operand(0, "u8", 1, strides[0]), Operand(PART, "u8", 1, strides[1])
            call = Call(f"scatter_vnchwconv_b{bits}", repeats=repeats, dst=dst, src=(src,))
            yield Raw(text, call, made, turned(to, from_, size, strides, high))


def turned(
    to: list[int], from_: list[int], size: int, strides: tuple[int, int], high: tuple[bool, bool]
) -> Callable[[Call, Image], None]:
    return lambda call, before: rearranging.trans_data_to_5hd(before, to, from_, size, call.repeats, strides, high)


ORDERS = ("VALUE_INDEX", "INDEX_VALUE", "ONLY_VALUE", "ONLY_INDEX")
#: name → the oracle, the unit of dst in bytes, its kinds
REDUCTIONS: dict[str, tuple[Callable[[Call, Image], None], tuple[str, ...]]] = {
    "ReduceRepeat": (reductions.repeats, ("SUM", *(f"{kind} {order}" for kind in ("MAX", "MIN") for order in ORDERS))),
    "ReduceDataBlock": (reductions.data_blocks, ("SUM", "MAX", "MIN")),
    "ReducePairElem": (reductions.pairs, ("SUM",)),
    "RepeatReduceSum": (reductions.repeats, ("SUM",)),
}


def reduced(rng: Random) -> Iterator[Raw]:
    for name, (oracle, kinds) in REDUCTIONS.items():
        for kind in kinds:
            for dtype in ("f16", "f32"):
                for form in ("mask",) if name == "RepeatReduceSum" else ("mask", "bits"):
                    call = drawn_call(rng, name, dtype, [dtype], [0, PART], (form,))
                    dst = Operand(128 * int(rng.integers(0, 9)), dtype, 1, int(rng.choice([1, 2])))
                    call = replace(call, mode=kind, dst=dst)
                    yield Raw(reduction(call), call, image(rng, dtype, dtype), oracle, order=order_of(kind))


def order_of(kind: str) -> int:
    return ORDERS.index(kind.split()[1]) if " " in kind else 0


def reduction(call: Call) -> str:
    t = TYPES[call.dst.dtype]
    mask = "(int32_t)s.low" if call.form == "mask" else "bits"
    head = f"L<{t}>(s.dst), L<{t}>(s.src0)"
    if call.name == "RepeatReduceSum":
        return f"RepeatReduceSum({head}, s.repeat, {mask}, 0, s.b0, s.dr, s.r0);"
    order = ", (ReduceOrder)s.order" if " " in call.mode else ""
    kind = call.mode.split()[0]
    return f"{call.name}<ReduceType::{kind}, {t}, {t}>({head}, {mask}, s.repeat, s.dr, s.b0, s.r0{order});"


def registers(rng: Random) -> Iterator[Raw]:
    """What reductions leave in registers, stored behind the operands; the index is told of one repeat only."""
    for dtype in ("f16", "f32"):
        t, word = TYPES[dtype], "uint16_t" if dtype == "f16" else "uint32_t"
        for kind in ("MAX", "MIN"):
            for api in ("GetReduceRepeatMaxMinSpr", "get_max_min_cnt"):
                call = drawn_call(rng, api, dtype, [dtype], [0, PART], ("bits",))
                call = replace(call, repeats=1, mode=f"{kind} VALUE_INDEX", src=(Operand(call.src[0].at, dtype),))
                call = replace(call, dst=Operand(call.dst.at, dtype, 1, 1))
                taken = (
                    f"{t} v, i; {api}<{t}>(v, i); *P<{t}>({2 * PART}) = v; "
                    f"*P<{word}>({2 * PART + 8}) = __builtin_bit_cast({word}, i);"
                )
                if api == "get_max_min_cnt":
                    taken = f"int64_t w = {api}(); *P<{word}>({2 * PART}) = w; *P<{word}>({2 * PART + 8}) = w >> 32;"
                text = reduction(replace(call, name="ReduceRepeat"))
                yield Raw(f"{text} {taken}", call, image(rng, dtype, dtype), _best)
        for api in (f"GetReduceRepeatSumSpr<{t}>()", f"__builtin_bit_cast({t}, ({word})get_acc_val())"):
            call = drawn_call(rng, api, dtype, [dtype], [0, PART], ("count",))
            call = replace(call, mode="SUM")
            text = f"ReduceSum(L<{t}>(s.dst), L<{t}>(s.src0), L<{t}>({3 * PART}), {call.count});"
            yield Raw(f"{text} *P<{t}>({2 * PART}) = {api};", call, image(rng, dtype, dtype), _sum)


def _best(call: Call, before: Image) -> None:
    reductions.repeats(call, before)
    size = DTYPES[call.dst.dtype].itemsize
    put(before, np.array([2 * PART]), before[call.dst.at : call.dst.at + size].copy().view(call_word(call)))
    put(before, np.array([2 * PART + 8]), before[call.dst.at + size :][:size].copy().view(call_word(call)))


def call_word(call: Call) -> np.dtype[np.generic]:
    return np.dtype(np.uint16 if call.dst.dtype == "f16" else np.uint32)


def _sum(call: Call, before: Image) -> None:
    reductions.whole_sum(call, before)
    size = DTYPES[call.dst.dtype].itemsize
    before[2 * PART : 2 * PART + size] = before[call.dst.at : call.dst.at + size]


def multiplied(rng: Random) -> Iterator[Raw]:
    """MulAddRelu is what FusedMulAddRelu was."""
    for dtype in ("f16", "f32"):
        for form in ("count", "mask", "bits"):
            call = drawn_call(rng, "FusedMulAddRelu", dtype, [dtype, dtype], [0, PART, 2 * PART], (form,))
            call = replace(call, mask=mask_bits(rng, call.lanes)) if form == "bits" else call
            t = TYPES[dtype]
            size = {"count": f"{call.count}", "mask": "(uint64_t)s.low, s.repeat, strides"}
            rest = size.get(form, "bits, s.repeat, strides")
            text = f"MulAddRelu(L<{t}>(s.dst), L<{t}>(s.src0), L<{t}>(s.src1), {rest});"
            yield Raw(text, call, image(rng, dtype, dtype, dtype), elementwise.run)


def drawn() -> dict[str, list[Raw]]:
    rng = np.random.default_rng(91)
    parts = (conversions, comparisons, dequantizations, transpositions, reduced, registers, multiplied)
    return {part.__name__: [raw for _ in range(cases(1)) for raw in part(rng)] for part in parts}


@dataclass(frozen=True)
class RawMachine:
    machine: Machine
    trials: dict[str, list[Raw]]
    statements: list[str]

    def check(self, part: str) -> None:
        trials = self.trials[part]
        head = np.array([len(trials), 0, 0, 0], np.uint64)
        table = np.concatenate([head, *(t.pack(self.statements.index(t.statement)) for t in trials)]).view(np.uint8)
        got, result = self.machine.run(table, np.stack([t.before for t in trials]))
        scratch = (3 * PART, IMAGE) if part == "registers" else (0, 0)
        wrong = [
            f"{t.statement} {told}"
            for t, after in zip(trials, got, strict=True)
            if (told := difference(t, after, scratch))
        ]
        assert not wrong, f"{len(wrong)} of {len(trials)} calls differ:\n" + "\n".join(wrong[:10])
        assert not result.findings, [str(f) for f in result.findings][:5]


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> RawMachine:
    trials = drawn()
    statements = list(dict.fromkeys(t.statement for part in trials.values() for t in part))
    workdir: Path = tmp_path_factory.mktemp("raw")
    source = workdir / "raw.cpp"
    source.write_text(_KERNEL % "\n".join(f"        case {i}: {{ {s} break; }}" for i, s in enumerate(statements)))
    return RawMachine(built(source, workdir), trials, statements)


@pytest.mark.parametrize(
    "part", ["conversions", "comparisons", "dequantizations", "transpositions", "reduced", "registers", "multiplied"]
)
def test_raw(raw: RawMachine, part: str) -> None:
    raw.check(part)
