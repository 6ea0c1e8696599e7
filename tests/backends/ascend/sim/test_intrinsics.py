# ruff: noqa: E501 (a pair a line is easier to read)
"""The compiler's intrinsics on addresses: each does what its AscendC twin does, and obeys the same checks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from kbench.core.errors import RunError
from tests.backends.ascend.sim.kernels import Probe, build

# 16 KiB each: two sources, a destination for the intrinsic and one for its twin.
_PRELUDE = """
constexpr uint32_t kArea = 16384;
struct Area {
    LocalTensor<uint8_t> t;
    template <class T> __ubuf__ T* p() { return (__ubuf__ T*)t.GetPhyAddr(); }
    template <class T> LocalTensor<T> l() { return t.template ReinterpretCast<T>(); }
};
template <class Raw, class Twin>
float differing(Area& r, Area& w, Raw raw, Twin twin) {
    for (uint32_t i = 0; i < kArea / 4; ++i) { r.p<uint32_t>()[i] = w.p<uint32_t>()[i] = 0x3c3c3c3c; }
    set_mask_norm(); set_vector_mask(-1, -1);
    raw(r);
    set_mask_norm(); set_vector_mask(-1, -1);
    twin(w);
    float n = 0;
    for (uint32_t i = 0; i < kArea; ++i) { n += r.p<uint8_t>()[i] != w.p<uint8_t>()[i]; }
    return n;
}
"""
_SETUP = (
    "TPipe p; TBuf<> b; p.InitBuffer(b, 5 * kArea); auto u = b.Get<uint8_t>(); "
    "Area s{u}, v{u[kArea]}, r{u[2 * kArea]}, w{u[3 * kArea]}, z{u[4 * kArea]}; "
    "auto sf = s.l<float>(); auto vf = v.l<float>(); auto sh = s.l<half>(); auto vh = v.l<half>(); "
    "auto si = s.l<int16_t>(); auto vi = v.l<int16_t>(); auto sk = s.l<int32_t>(); auto vk = v.l<int32_t>(); "
    "DataCopy(sf, xg, kArea / 4); DataCopy(vf, xg[kArea / 4], kArea / 4); PipeBarrier<PIPE_ALL>(); "
    "const UnaryRepeatParams un{1, 1, 8, 8}, narrow{1, 1, 4, 8}, wide{1, 1, 8, 4}; "
    "const BinaryRepeatParams bi{1, 1, 1, 8, 8, 8}, half8{1, 1, 1, 4, 8, 8}; uint64_t all[2] = {~0ull, ~0ull}; "
    "uint64_t m64[2] = {~0ull, 0}; "
)


class Pair(NamedTuple):
    raw: str
    twin: str


def _binary(name: str, twin: str, letters: str) -> list[Pair]:
    types = {"f": ("float", 64), "h": ("half", 128), "i": ("int16_t", 128), "k": ("int32_t", 64)}
    return [
        Pair(
            f"{name}(d.p<{t}>(), s.p<{t}>(), v.p<{t}>(), 3, 1, 1, 1, 8, 8, 8)",
            f"{twin}(d.l<{t}>(), s{c}, v{c}, {lanes}, 3, bi)",
        )
        for c in letters
        for t, lanes in [types[c]]
    ]


def _unary(name: str, twin: str, letters: str, scalar: str = "") -> list[Pair]:
    types = {"f": ("float", 64), "h": ("half", 128), "i": ("int16_t", 128), "k": ("int32_t", 64)}
    return [
        Pair(
            f"{name}(d.p<{t}>(), s.p<{t}>(), {scalar}3, 1, 1, 8, 8)",
            f"{twin}(d.l<{t}>(), s{c}, {f'({t}){scalar}' if scalar else ''}{lanes}, 3, un)",
        )
        for c in letters
        for t, lanes in [types[c]]
    ]


def _conv(name: str, d: str, s: str, mode: str, params: str, strides: str, letter: str) -> Pair:
    return Pair(
        f"{name}(d.p<{d}>(), s.p<{s}>(), 3, {strides})",
        f"Cast(d.l<{d}>(), s{letter}, RoundMode::{mode}, 64, 3, {params})",
    )


PAIRS = [
    *_binary("vadd", "Add", "fhik"),
    *_binary("vsub", "Sub", "fhik"),
    *_binary("vmul", "Mul", "fhik"),
    *_binary("vmax", "Max", "fhik"),
    *_binary("vmin", "Min", "fhik"),
    *_binary("vdiv", "Div", "fh"),
    *_binary("vand", "And", "i"),
    *_binary("vor", "Or", "i"),
    *_binary("vmla", "MulAddDst", "fh"),
    *_binary("vmadd", "FusedMulAdd", "fh"),
    *_binary("vmaddrelu", "FusedMulAddRelu", "fh"),
    *_binary("vaddrelu", "AddRelu", "fh"),
    *_binary("vsubrelu", "SubRelu", "fh"),
    *_unary("vabs", "Abs", "fh"),
    *_unary("vexp", "Exp", "fh"),
    *_unary("vln", "Ln", "fh"),
    *_unary("vsqrt", "Sqrt", "fh"),
    *_unary("vrsqrt", "Rsqrt", "fh"),
    *_unary("vrec", "Reciprocal", "fh"),
    *_unary("vrelu", "Relu", "fhk"),
    *_unary("vnot", "Not", "i"),
    *_unary("vadds", "Adds", "fhik", "3, "),
    *_unary("vmuls", "Muls", "fhik", "3, "),
    *_unary("vmaxs", "Maxs", "fhik", "3, "),
    *_unary("vmins", "Mins", "fhik", "3, "),
    *_unary("vlrelu", "LeakyRelu", "fh", "3, "),
    *_unary("vaxpy", "Axpy", "fh", "3, "),
    *_unary("vshl", "ShiftLeft", "ik", "3, "),
    Pair("vshr(d.p<int32_t>(), s.p<int32_t>(), 3, 3, 1, 1, 8, 8, true)", "ShiftRight(d.l<int32_t>(), sk, 3, 64, 3, un, true)"),
    Pair("vmla(d.p<float>(), s.p<half>(), v.p<half>(), 3, 1, 1, 1, 8, 4, 4)",
         "MulAddDst(d.l<float>(), sh, vh, 64, 3, {1, 1, 1, 8, 4, 4})"),
    Pair("vmulconv_f162s8(d.p<int8_t>(), s.p<half>(), v.p<half>(), 3, 1, 1, 1, 4, 8, 8)",
         "MulCast(d.l<int8_t>(), sh, vh, 128, 3, half8)"),
    Pair("vaddreluconv_f322f16(d.p<half>(), s.p<float>(), v.p<float>(), 3, 1, 1, 1, 4, 8, 8, false)",
         "AddReluCast(d.l<half>(), sf, vf, 64, 3, half8)"),
    Pair("vsubreluconv_s162s8(d.p<int8_t>(), s.p<int16_t>(), v.p<int16_t>(), 3, 1, 1, 1, 4, 8, 8, false)",
         "SubReluCast(d.l<int8_t>(), si, vi, 128, 3, half8)"),
    _conv("vconv_f322f16", "half", "float", "CAST_NONE", "narrow", "1, 1, 4, 8", "f"),
    _conv("vconv_f322f16o", "half", "float", "CAST_ODD", "narrow", "1, 1, 4, 8", "f"),
    _conv("vconv_f322s32z", "int32_t", "float", "CAST_TRUNC", "un", "1, 1, 8, 8", "f"),
    _conv("vconv_f322bf16a", "bfloat16_t", "float", "CAST_ROUND", "narrow", "1, 1, 4, 8", "f"),
    _conv("vconv_f162f32", "float", "half", "CAST_NONE", "wide", "1, 1, 8, 4", "h"),
    _conv("vconv_f162s32f", "int32_t", "half", "CAST_FLOOR", "wide", "1, 1, 8, 4", "h"),
    _conv("vconv_s322f32c", "float", "int32_t", "CAST_CEIL", "un", "1, 1, 8, 8", "k"),
    _conv("vconv_s322s16", "int16_t", "int32_t", "CAST_NONE", "narrow", "1, 1, 4, 8", "k"),
    Pair("vconv_f162s4r((__ubuf__ void*)d.p<uint8_t>(), s.p<half>(), 3, 1, 1, 2, 8)",
         "Cast(d.l<int4b_t>(), sh, RoundMode::CAST_RINT, 128, 3, {1, 1, 2, 8})"),
    Pair("set_deqscale((half)0.5f), vconv_deq(d.p<half>(), s.p<int32_t>(), 3, 1, 1, 4, 8)",
         "SetDeqScale((half)0.5f), CastDeq(d.l<half>(), sk, 64, 3, narrow)"),
    Pair("set_deqscale(1ull << 46 | 5ull << 37 | 0x3e800000u), vconv_deqs162b8h(d.p<int8_t>(), s.p<int16_t>(), 3, 1, 1, 8, 8)",
         "SetDeqScale(0.25f, 5, true), CastDeq<int8_t, int16_t, true, false, false>(d.l<int8_t>(), si, 128, 3, un)"),
    Pair("vector_dup(d.p<half>(), 1.5f, 2, 2, 1, 16, 0)", "Duplicate(d.l<half>(), (half)1.5f, 128, 2, 2, 16)"),
    Pair("vcopy(d.p<int16_t>(), s.p<int16_t>(), 3, 1, 2, 8, 16)", "Copy(d.l<int16_t>(), si, 128, 3, {1, 2, 8, 16})"),
    Pair("vcmpv_ge(d.p<uint8_t>(), s.p<float>(), v.p<float>(), 4, 1, 1, 1, 8, 8, 8)",
         "Compare(d.l<uint8_t>(), sf, vf, CMPMODE::GE, 64, 4, bi)"),
    Pair("vcmpv_eq(d.p<uint8_t>(), s.p<int32_t>(), v.p<int32_t>(), 4, 1, 1, 1, 8, 8, 8)",
         "Compare(d.l<uint8_t>(), sk, vk, CMPMODE::EQ, 64, 4, bi)"),
    Pair("vcmpvs_lt(d.p<uint8_t>(), s.p<half>(), 1, 4, 1, 1, 8, 8)",
         "CompareScalar(d.l<uint8_t>(), sh, (half)1, CMPMODE::LT, 128, 4, un)"),
    Pair("vcmp_gt(s.p<float>(), v.p<float>(), 1, 1, 1, 1, 8, 8, 8), vsel(d.p<float>(), s.p<float>(), v.p<float>(), 2, 1, 1, 1, 8, 8, 8)",
         "Compare(sf, vf, CMPMODE::GT, 64, bi), Select<float, SELMODE::VSEL_CMPMASK_SPR>(d.l<float>(), sf, vf, 2, bi)"),
    Pair("*z.p<uint64_t>() = (uint64_t)v.p<uint8_t>(), set_cmpmask(z.p<uint64_t>()), "
         "vsel(d.p<float>(), s.p<float>(), v.p<float>(), 4, 1, 1, 1, 8, 8, 8, 2)",
         "Select(d.l<float>(), v.l<uint8_t>(), sf, vf, SELMODE::VSEL_TENSOR_TENSOR_MODE, 64, 4, bi)"),
    Pair("*z.p<uint64_t>() = 0x40400000u, set_cmpmask(z.p<uint64_t>()), "
         "vsel(d.p<float>(), s.p<float>(), v.p<uint8_t>(), 4, 1, 1, 1, 8, 8, 8, 1)",
         "Select(d.l<float>(), v.l<uint8_t>(), sf, 3.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64, 4, bi)"),
    Pair("vcadd(d.p<float>(), s.p<float>(), 3, 1, 1, 8)", "WholeReduceSum(d.l<float>(), sf, 64, 3, 1, 1, 8)"),
    Pair("vcgadd(d.p<half>(), s.p<half>(), 3, 1, 1, 8)", "BlockReduceSum(d.l<half>(), sh, 3, 128, 1, 1, 8)"),
    Pair("vcgmax(d.p<half>(), s.p<half>(), 3, 1, 1, 8)", "BlockReduceMax(d.l<half>(), sh, 3, 128, 1, 1, 8)"),
    Pair("vcgmin(d.p<float>(), s.p<float>(), 3, 1, 1, 8)", "BlockReduceMin(d.l<float>(), sf, 3, 64, 1, 1, 8)"),
    Pair("vcpadd(d.p<float>(), s.p<float>(), 3, 1, 1, 8)", "PairReduceSum(d.l<float>(), sf, 3, 64, 1, 1, 8)"),
    Pair("vcmax(d.p<float>(), s.p<float>(), 3, 1, 1, 8, Order_t::INDEX_VALUE)",
         "WholeReduceMax(d.l<float>(), sf, 64, 3, 1, 1, 8, ReduceOrder::ORDER_INDEX_VALUE)"),
    Pair("vcmin(d.p<half>(), s.p<half>(), 3, 1, 1, 8, Order_t::ONLY_VALUE)",
         "WholeReduceMin(d.l<half>(), sh, 128, 3, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE)"),
    Pair("vbrcb(d.p<uint16_t>(), s.p<uint16_t>(), 1, 8, 3)", "Brcb(d.l<uint16_t>(), s.l<uint16_t>(), 3, {1, 8})"),
    Pair("CreateVecIndex(z.l<int32_t>(), 0, 192), Muls(z.l<int32_t>(), z.l<int32_t>(), 12, 192), "
         "vgather(d.p<uint32_t>(), z.p<uint32_t>(), (uint64_t)s.p<uint32_t>(), 8, 3)",
         "Gather(d.l<uint32_t>(), s.l<uint32_t>(), z.l<uint32_t>(), 0, 64, 3, 8)"),
    Pair("CreateVecIndex(z.l<int32_t>(), 0, 64), Muls(z.l<int32_t>(), z.l<int32_t>(), 64, 64), "
         "vgatherb(d.p<uint16_t>(), z.p<uint32_t>(), (uint64_t)s.p<uint16_t>(), 8, 1, 3)",
         "Gatherb(d.l<uint16_t>(), s.l<uint16_t>(), z.l<uint32_t>(), 3, {1, 8})"),
    Pair("vreducev2(d.p<uint32_t>(), s.p<uint32_t>(), v.p<uint32_t>(), 3, 1, 4, 8, 0)",
         "uint64_t n; GatherMask(d.l<uint32_t>(), s.l<uint32_t>(), (uint8_t)4, false, 0, {1, 3, 8, 0}, n)"),
    Pair("set_mask_count(), set_vector_mask(0, 70), vreducev2(d.p<uint32_t>(), s.p<uint32_t>(), v.p<uint32_t>(), 2, 1, 0, 9, 1)",
         "uint64_t n; GatherMask(d.l<uint32_t>(), s.l<uint32_t>(), v.l<uint32_t>(), true, 70, {1, 2, 9, 1}, n); "
         "if (n != (uint64_t)get_rsvd_cnt()) { *d.p<uint8_t>() ^= 1; }"),
    Pair("uint64_t a[4][8]; for (int i = 0; i < 32; ++i) { a[i / 8][i % 8] = (uint64_t)(i < 16 ? d : s).p<uint8_t>() + i % 16 * 256; } "
         "set_va_reg_sb(VA2, a[0]), set_va_reg_sb(VA3, a[1]), set_va_reg_sb(VA4, a[2]), set_va_reg_sb(VA5, a[3]), "
         "scatter_vnchwconv_b16(VA2, VA4, 3, 1, 2)",
         "uint64_t a[2][16]; for (int i = 0; i < 32; ++i) { a[i / 16][i % 16] = (uint64_t)(i < 16 ? d : s).p<uint8_t>() + i % 16 * 256; } "
         "TransDataTo5HD<half>(a[0], a[1], {false, false, 3, 1, 2})"),
    Pair("vbitsort(d.p<float>(), s.p<float>(), v.p<uint32_t>(), 3)", "Sort32(d.l<float>(), sf, v.l<uint32_t>(), 3)"),
    Pair("Sort32(z.l<float>(), sf, v.l<uint32_t>(), 4); __ubuf__ float* a[4] = {z.p<float>(), z.p<float>() + 64, z.p<float>() + 128, z.p<float>() + 192}; "
         "vmrgsort4(d.p<float>(), a, 1, 32, 32, 32, 32, false, 15)",
         "MrgSortSrcList<float> a(z.l<float>(), z.l<float>()[64], z.l<float>()[128], z.l<float>()[192]); uint16_t n[4] = {32, 32, 32, 32}; "
         "MrgSort4Info q(n, false, 15, 1); MrgSort(d.l<float>(), a, q); if (get_vms4_sr() != 0x20002000200020) { *d.p<uint8_t>() ^= 1; }"),
    Pair("vtranspose(d.p<uint16_t>(), s.p<uint16_t>())", "Transpose(d.l<uint16_t>(), s.l<uint16_t>())"),
    Pair("copy_gm_to_ubuf(d.p<void>(), x, 0, 3, 2, 1, 2)", "DataCopy(d.l<float>(), xg, {3, 2, 1, 2})"),
    Pair("copy_ubuf_to_ubuf(d.p<void>(), s.p<void>(), 0, 3, 2, 1, 2)", "DataCopy(d.l<float>(), sf, {3, 2, 1, 2})"),
    Pair("set_mov_pad_val(0x40000000), copy_gm_to_ubuf_align_b32(d.p<void>(), x, 0, 3, 20, 1, 2, 4, 1)",
         "DataCopyPad(d.l<float>(), xg, {3, 20, 4, 1, 0}, {true, 1, 2, 2.0f})"),
    Pair("copy_ubuf_to_gm(y, s.p<void>(), 0, 2, 3, 1, 1), copy_gm_to_ubuf(d.p<void>(), y, 0, 1, 7, 0, 0)",
         "DataCopy(yg, sf, {2, 3, 1, 1}); DataCopy(d.l<float>(), yg, 56)"),
    Pair("copy_ubuf_to_gm_align_b16(y, s.p<void>(), 0, 2, 6, 0, 0, 1, 10), copy_gm_to_ubuf(d.p<void>(), y, 0, 1, 1, 0, 0)",
         "GlobalTensor<half> g; g.SetGlobalBuffer((__gm__ half*)y, 64); DataCopyPad(g, sh, {2, 6, 1, 10, 0}); DataCopy(d.l<float>(), yg, 8)"),
    Pair("DuplicateImpl<int16_t>(d.p<int16_t>(), 7, 100)", "Duplicate(d.l<int16_t>(), (int16_t)7, 100)"),
]  # fmt: skip

RULES = {
    "vadd(s.p<float>() + 1, s.p<float>(), v.p<float>(), 1, 1, 1, 1, 8, 8, 8)": "dst: expected a start address aligned to 32",
    "vexp((__ubuf__ float*)196608 + (uint64_t)0, s.p<float>(), 1, 1, 1, 8, 8)": "out_of_bounds",
    "scatter_vnchwconv_b16(VA0, VA7, 1, 0, 0)": "src: expected VA0 to VA6",
    "copy_gm_to_ubuf(s.p<void>(), x, 0, 4096, 1, 0, 0)": "blockCount: expected at most 4095, got 4096",
}


def _body(pair: Pair, index: int) -> str:
    return f"{{ yg.SetValue({512 + index}, differing(r, w, [&](Area d) {{ {pair.raw}; }}, [&](Area d) {{ {pair.twin}; }})); }}"


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    every = " ".join(_body(pair, i) for i, pair in enumerate(PAIRS))
    bodies = [_SETUP + every, *(_SETUP + rule + ";" for rule in RULES)]
    return build(bodies, tmp_path_factory.mktemp("intrinsics"), _PRELUDE)


def inputs() -> np.ndarray:
    rng = np.random.default_rng(5)
    values = rng.normal(0, 50, 8192).astype(np.float32)
    values[::2].view(np.uint32)[:] = rng.normal(0, 3, 8192).astype(np.float16).view(np.uint32)
    return values


def test_each_intrinsic_does_what_its_twin_does(probe: Probe) -> None:
    result = probe.run(0, n=8192, blocks=1, x=inputs())
    differing = np.frombuffer(result.outputs[0], np.float32)[512 : 512 + len(PAIRS)]
    assert {pair.raw: n for pair, n in zip(PAIRS, differing, strict=True) if n} == {}


@pytest.mark.parametrize("rule", RULES)
def test_rules(probe: Probe, rule: str) -> None:
    with pytest.raises(RunError) as caught:
        probe.run(1 + list(RULES).index(rule), n=8192, blocks=1)
    assert RULES[rule] in str(caught.value) or RULES[rule] == caught.value.outcome
