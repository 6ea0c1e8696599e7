# ruff: noqa: E501 (a statement a line is easier to read)
"""Functions of the scalar unit and of objects that manage memory: each gives the number that its page says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kbench.backends.ascend.sim.kernel import GmBuffer
from kbench.core.errors import CompileError, RunError
from tests.backends.ascend.sim.kernels import Probe, build

_N = 1024
_PRELUDE = """
#include "kernel_operator_layout.h"
#include "kernel_operator_list_tensor_intf.h"
#include "adv_api/activation/softmax.h"
#include "adv_api/activation/softmaxflashv2.h"
#include "adv_api/normalization/welfordfinalize_utils.h"
#include "adv_api/quantization/ascend_quant.h"
#include "op_common/op_kernel/math_util.h"
#include "op_common/op_kernel/platform_util.h"
constexpr AscendQuantConfig kQuant(64, 0, 0, 0);
template <class T> float Sum(const LocalTensor<T>& t, int n) { float s = 0; for (int i = 0; i < n; ++i) { s += (float)t.GetValue(i); } return s; }
"""

# Numbers of the scalar unit. The comments of the pages have some of them.
SCALARS = {
    "CountLeadingZero(0x0100000000000020ULL)": 7,
    "CountLeadingZero(0)": 64,
    "ScalarCountLeadingZero(1)": 63,
    "GetBitCount<1>(0xf0fULL)": 8,
    "GetBitCount<0>(0xf0fULL)": 56,
    "ScalarGetCountOfValue<1>(5)": 2,
    "bcnt0(0xff)": 56,
    "CountBitsCntSameAsSignBit(0x0100000000000020LL)": 6,
    "CountBitsCntSameAsSignBit(-256)": 55,
    "CountBitsCntSameAsSignBit(0)": -1,
    "CountBitsCntSameAsSignBit(-1)": -1,
    "sflbits(0x0100000000000020LL)": 6,
    "GetSFFValue<1>(0x1000000000000100ULL)": 8,
    "GetSFFValue<0>(0xffULL)": 8,
    "GetSFFValue<1>(0)": -1,
    "GetSFFValue<0>(~0ULL)": -1,
    "ScalarGetSFFValue<1>(64)": 6,
    "sff1(0x100)": 8,
    "sbitset0(0xff, 3)": 0xF7,
    "ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(2.5f)": 3,
    "ScalarCast<float, int32_t, RoundMode::CAST_RINT>(2.5f)": 2,
    "ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(-2.5f)": -2,
    "ScalarCast<float, int32_t, RoundMode::CAST_FLOOR>(-2.5f)": -3,
    "(float)ScalarCast<float, half, RoundMode::CAST_ODD>(1.000244140625f)": 1.0009765625,
    "ToFloat(ToBfloat16(1.00390625f))": 1,
    "ToFloat(ToBfloat16(1.01171875f))": 1.015625,
    "(WriteGmByPassDCache((__gm__ int64_t*)y + 400, (int64_t)-7), ReadGmByPassDCache((__gm__ int64_t*)y + 400))": -7,
    "(WriteGmByPassDCache((__gm__ uint8_t*)y + 3201, (uint8_t)200), ReadGmByPassDCache((__gm__ uint8_t*)y + 3201))": 200,
    "CeilDivision(7, 2)": 4,
    "DivCeil(8, 2)": 4,
    "AlignUp(33, 32)": 64,
    "Ops::Base::CeilDiv(7, 3)": 3,
    "Ops::Base::CeilAlign(7, 3)": 9,
    "Ops::Base::FloorDiv(7, 3)": 2,
    "Ops::Base::FloorAlign(7, 3)": 6,
    "Ops::Base::GetUbBlockSize()": 32,
    "Ops::Base::GetVRegSize()": 256,
    "(Nop(), Nop<3>(), 5)": 5,
    "likely(true) + 2 * unlikely(false)": 1,
    "GetDataBlockSizeInBytes()": 32,
    "[] { uint32_t v; GetArchVersion(v); return v; }()": 0x220,
    "GetTaskRation()": 1,
    "get_block_idx() + 10 * get_block_num()": 10,
    "(get_subblockid() == GetSubBlockIdx()) + (get_subblockdim() == GetSubBlockNum())": 2,
    "[] { int64_t a = GetSystemCycle(), b = GetSystemCycle(); return a >= 0 && b >= a; }()": 1,
    "[] { int64_t a = get_sys_cnt(), b = get_sys_cnt(); return a >= 0 && b >= a; }()": 1,
    "(get_pc() > 0)": 1,
    "(ICachePreLoad(2), preload((void*)x, 2), GetICachePreloadStatus())": 0,
    "(set_st_atomic_cfg(2), get_st_atomic_cfg())": 2,
    "[] { uint16_t t, o; GetStoreAtomicConfig(t, o); return t * 10 + o; }()": 20,
    "(set_atomic_none(), set_atomic_add(), set_atomic_f16(), get_st_atomic_cfg() & 7)": 2,
    "(set_atomic_s16(), get_st_atomic_cfg() & 7)": 3,
    "(set_atomic_s32(), get_st_atomic_cfg() & 7)": 4,
    "(set_atomic_s8(), get_st_atomic_cfg() & 7)": 5,
    "(set_atomic_bf16(), get_st_atomic_cfg() & 7)": 6,
    "(set_mask_count(), InitSocState(), get_ctrl() >> 56 & 1)": 0,
    "get_st_atomic_cfg()": 0,
    "(CheckLocalMemoryIA(CheckLocalMemoryIAParam()), 3)": 3,
    "(SetSysWorkspace(workspace), GetSysWorkSpacePtr() == workspace)": 1,
    "(SetSysWorkSpacePtr(workspace + 64), GetSysWorkSpacePtr() == workspace + 64)": 1,
    "(dsb(DSB_ALL), dc_preload((__gm__ uint64_t*)x, 0), DataCachePreload(GlobalTensor<uint64_t>(), (int16_t)0), 4)": 4,
    "GetSortLen<half>(128) + GetSortOffset<float>(128)": 512 + 256,
    "Std::get<1>(MakeLayout(MakeShape(10, 20, 30), MakeStride(1, 100, 200)).GetShape())": 20,
    "Std::get<2>(Layout<Shape<int, int, int>, Stride<int, int, int>>(MakeShape(10, 20, 30), MakeStride(1, 100, 200)).GetStride())": 200,
    "Std::get<1>(MakeCoord(3, 4))": 4,
    "SoftMaxFlashV2TilingFuncImpl(64, 32, 4, 4, 16384).reduceSize == SoftMaxFlashV2TilingFunc({64, 32, 64, 32}, 4, 4, 65536).reduceSize": 1,
    "WelfordFinalizeConfig(true).isCorrection": 1,
    "(int)GetBufferLogicPos(TPosition::VECIN, true) + 100 * (int)GetBufferLogicPos(TPosition::VECOUT, false)": 0,
}

# Statements over one TPipe with a 4 KiB TBuf at the start of UB, each told apart by what it returns.
_PIPE = (
    "TPipe p; TBuf<> b; p.InitBuffer(b, 4096); auto u = b.Get<uint8_t>(); auto f = b.Get<float>(); "
    "auto at = [&](const auto& t) { return (float)(t.GetPhyAddr() - u.GetPhyAddr()); }; "
)
TENSORS = {
    "auto t = b.Get<int32_t>(16); return t.GetLength();": 64,
    "auto t = b.Get<int32_t>(16); t.SetBufferLen(32); return t.GetLength() + t.GetSize();": 40,
    "return b.Get<int32_t>(16).GetPosition() == (int)TPosition::VECCALC;": 1,
    "auto t = b.Get<int32_t>(16); t.SetUserTag(10); return t.GetUserTag();": 10,
    "uint32_t s[] = {16, 1024}; f.SetShapeInfo(ShapeInfo(2, s, DataFormat::ND)); auto i = f.GetShapeInfo(); return i.originalShape[1] + i.shape[0] + i.shapeDim;": 1042,
    "uint32_t s[] = {3, 5, 7}; xg.SetShapeInfo(ShapeInfo(3, s, DataFormat::ND)); auto i = xg.GetShapeInfo(); return i.shape[2] + 10 * i.shapeDim;": 37,
    "LocalTensor<half> h; h.SetAddrWithOffset(f, 24); return at(h);": 96,
    "LocalTensor<double> h; auto e = b.Get<half>(); h.SetAddrWithOffset(e, 16); return at(h);": 32,
    "LocalTensor<float> c; c.CreateTensor<float>(TPosition::VECCALC, 64, 8); return at(c) + c.GetLength();": 96,
    "LocalTensor<float> c(TPosition::VECIN, 32, 8); return at(c) + 1000 * (c.GetPosition() == (int)TPosition::VECIN);": 1032,
    "auto t = p.GetAbsAddr<TPosition::VECCALC, float>(64, 8); return at(t) + t.GetSize();": 72,
    "xg.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE); return 5;": 5,
    "LocalTensor<float> t; return 1e6f * PopStackBuffer<float, TPosition::LCM>(t) + at(t) + t.GetSize();": 1e6
    + 4096
    + (192 * 1024 - 4096) / 4,
    "ArithProgression(f, 1.0f, 2.0f, 16); return f.GetValue(15) + f.GetValue(3);": 38,
    "auto g = f[64]; ArithProgression(f, 0.0f, 1.0f, 16); const uint32_t s[] = {16, 1}, d[] = {16, 16}; BroadCast<float, 2, 1>(g, f, d, s); return Sum(g, 256) + 1e4f * g.GetValue(35);": 120
    * 16
    + 2e4,
    "auto g = f[64]; ArithProgression(f, 0.0f, 1.0f, 16); const uint32_t s[] = {1, 16}, d[] = {16, 16}; BroadCast<float, 2, 0>(g, f, d, s); return Sum(g, 256) + 1e4f * g.GetValue(35);": 120
    * 16
    + 3e4,
    "LocalTensor<int8_t> q = b.GetWithOffset<int8_t>(64, 2048); Duplicate(f, 3.0f, 64); AscendQuant<float, false, kQuant>(q, f, 2.0f, 1.0f, 64); return Sum(q, 64);": 7
    * 64,
    "set_vector_mask(0, 1); InitSocState(); Duplicate(f, 0.0f, 64); set_vector_mask(0, 1); InitSocState(); Adds<float, false>(f, f, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8}); return Sum(f, 64);": 64,
    "yg.SetValue(900, 2.0f); dcci((__gm__ void*)yg.GetPhyAddr(900), SINGLE_CACHE_LINE, CACHELINE_OUT); DataCopy(f, yg[896], 8); PipeBarrier<PIPE_ALL>(); return f.GetValue(4);": 2,
    "Fill(yg[904], 32, 0.0f); InitOutput(yg[910], 20, 3.0f); PipeBarrier<PIPE_ALL>(); DataCopy(f, yg[904], 32); PipeBarrier<PIPE_ALL>(); return f.GetValue(6) + f.GetValue(25) + 10 * f.GetValue(5) + 10 * f.GetValue(26);": 6,
    "auto g = yg[940]; InitGlobalMemory(g, 20, 4.0f); PipeBarrier<PIPE_ALL>(); DataCopy(f, yg[936], 32); PipeBarrier<PIPE_ALL>(); return f.GetValue(4) + f.GetValue(23);": 8,
}

# Queues and pools, on a TPipe of their own.
_QUEUE = "TPipe p; TQue<TPosition::VECOUT, 4> q; p.InitBuffer(q, num, 1024); "
MANAGED = {
    "const int num = 4; "
    + _QUEUE
    + "return q.HasTensorInQue() + 2 * q.VacantInQue() + 4 * q.HasIdleBuffer() + 8 * q.GetTensorCountInQue();": 6,
    "const int num = 4; "
    + _QUEUE
    + "auto t = q.AllocTensor<half>(); bool idle = q.HasIdleBuffer(); q.EnQue(t); float r = q.HasTensorInQue() + 2 * q.GetTensorCountInQue() + 4 * idle; t = q.DeQue<half>(); r += 8 * q.GetTensorCountInQue(); q.FreeTensor(t); return r;": 7,
    "const int num = 4; "
    + _QUEUE
    + "LocalTensor<half> t[4]; for (auto& i : t) { i = q.AllocTensor<half>(); } bool idle = q.HasIdleBuffer(); for (auto& i : t) { q.FreeTensor(i); } return idle + 2 * q.HasIdleBuffer();": 2,
    "const int num = 6; "
    + _QUEUE
    + "bool before = q.VacantInQue(); for (int i = 0; i < 4; ++i) { auto t = q.AllocTensor<half>(); q.EnQue(t); } bool full = !q.VacantInQue(); for (int i = 0; i < 4; ++i) { auto t = q.DeQue<half>(); q.FreeTensor(t); } return before + 2 * full + 4 * q.VacantInQue();": 7,
    "const int num = 1; "
    + _QUEUE
    + "auto t = q.AllocTensor<half>(); float r = 1000 * (int)q.GetState(t); q.EnQue(t); r += 100 * (int)q.GetState(t); t = q.DeQue<half>(); r += 10 * (int)q.GetState(t); q.FreeTensor(t); return r + (int)q.GetState(t);": 1230,
    "const int num = 2; "
    + _QUEUE
    + "auto t = q.AllocTensor<half>(); q.EnQue(t); auto h = q.DeQue(); q.FreeBuffer(h); q.FreeAllEvent(); return q.HasIdleBuffer();": 1,
    "TPipe p; auto i = p.AllocEventID<HardEvent::V_S>(), j = p.AllocEventID<HardEvent::V_S>(); auto k = p.FetchEventID(HardEvent::V_S); auto l = p.FetchEventID<HardEvent::V_S>(); p.ReleaseEventID<HardEvent::V_S>(i); p.ReleaseEventID<HardEvent::V_S>(j); return (i != j) + 2 * (k == l) + 4 * (k != i && k != j) + 8 * (i >= 0 && i < 8 && j >= 0 && j < 8);": 15,
    "TPipe p; bool same = true; for (int n = 0; n < 20; ++n) { auto i = p.AllocEventID<HardEvent::MTE2_V>(); same = same && i >= 0 && i < 8; p.ReleaseEventID<HardEvent::MTE2_V>(i); } return same;": 1,
    "TPipe p; TBufPool<TPosition::VECCALC> one, two, three; p.InitBufPool(one, 2000); p.InitBufPool(two, 1024, one); p.InitBufPool(three, 1024); TBuf<> a, b, c; one.InitBuffer(a, 512); two.InitBuffer(b, 512); three.InitBuffer(c, 512); auto base = a.Get<uint8_t>().GetPhyAddr(); return (b.Get<uint8_t>().GetPhyAddr() - base) + (c.Get<uint8_t>().GetPhyAddr() - base);": 2016,
    "TPipe p; TBufPool<TPosition::VECCALC> whole, one, two; p.InitBufPool(whole, 4096); whole.InitBufPool(one, 1000); whole.InitBufPool(two, 1024); TBuf<> a, b; one.InitBuffer(a, 512); two.InitBuffer(b, 512); return b.Get<uint8_t>().GetPhyAddr() - a.Get<uint8_t>().GetPhyAddr();": 1024,
    "TPipe p; TBuf<> a; p.InitBuffer(a, 1024); uint64_t was = a.Get<float>().GetPhyAddr(); p.Destroy(); p.Init(); TBuf<> b; p.InitBuffer(b, 64); return b.Get<float>().GetPhyAddr() == was;": 1,
    "TPipe p; InitShareBufStart(&p, 0, nullptr, 0, 0); InitShareBufEnd(&p); p.DestroyWithoutPipeAll(); return 5;": 5,
    "LocalMemAllocator<> m; float r = m.GetCurAddr(); auto a = m.Alloc<float, 1024>(); r += m.GetCurAddr(); auto b = m.Alloc<TPosition::VECIN, half>(8); auto c = m.Alloc<half>(16); return r + (b.GetPhyAddr() - a.GetPhyAddr()) + (c.GetPhyAddr() - b.GetPhyAddr()) + b.GetSize();": 4096
    + 4096
    + 32
    + 8,
    "LocalMemAllocator<> m; auto a = m.Alloc<TPosition::VECOUT, float, 8>(); return 100 * (a.GetPosition() == (int)TPosition::VECOUT) + a.GetSize();": 108,
}

# Two blocks: block 1 passes on what block 0 wrote before it told so.
_PASSED = "WriteGmByPassDCache((__gm__ float*)y, 2 * ReadGmByPassDCache((__gm__ float*)y + 64));"
_TELL = "WriteGmByPassDCache((__gm__ float*)y + 64, 3.5f); "
_FLAGS = "GlobalTensor<int32_t> flags; flags.SetGlobalBuffer((__gm__ int32_t*)y + 128, 64); TPipe p; TBuf<> b; p.InitBuffer(b, 32); auto u = b.Get<int32_t>(); "
BETWEEN = [
    _FLAGS + "if (GetBlockIdx() == 0) { " + _TELL + "IBSet(flags, u, 0, 0); } else { IBWait(flags, u, 0, 0); " + _PASSED + " }",
    "if (GetBlockIdx() == 0) { " + _TELL + "DataSyncBarrier<MemDsbT::DDR>(); WriteGmByPassDCache((__gm__ int32_t*)y + 80, 1); } "
    "else { while (ReadGmByPassDCache((__gm__ int32_t*)y + 80) != 1) {} " + _PASSED + " }",
    "if (GetBlockIdx() == 0) { " + _TELL + "} set_ffts_base_addr(0); ffts_cross_core_sync(PIPE_MTE3, 1 | 0 << 4 | 3 << 8); wait_flag_dev(3); "
    "if (GetBlockIdx() == 1) { " + _PASSED + " }",
]  # fmt: skip

RULES = {
    "LocalTensor<half> t; MrgSortSrcList<half> s(t, t, t, t); MrgSort4(t, s, MrgSort4Info());": "MrgSort4: not supported on current device",
    "LocalTensor<half> t; ProposalConcat(t, t, 1, 0);": "ProposalConcat: not supported on current device",
    "LocalTensor<half> t; ProposalExtract(t, t, 1, 0);": "ProposalExtract: not supported on current device",
}


def _calls(head: str, bodies: dict[str, float], first: int) -> str:
    return head + " ".join(f"yg.SetValue({first + i}, [&]() -> float {{ {body} }}());" for i, body in enumerate(bodies))


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    scalars = " ".join(f"yg.SetValue({i}, (float)({value}));" for i, value in enumerate(SCALARS))
    bodies = [scalars, _calls(_PIPE, TENSORS, 0), _calls("", MANAGED, 0), *BETWEEN, *RULES]
    return build(bodies, tmp_path_factory.mktemp("state"), _PRELUDE)


@pytest.mark.parametrize(("body", "table"), [(0, SCALARS), (1, TENSORS), (2, MANAGED)])
def test_values(probe: Probe, body: int, table: dict[str, float]) -> None:
    got = probe.run(body, n=_N, blocks=1, workspace_bytes=4096).outputs[0].view(np.float32)[: len(table)]
    assert {name: value for name, value in zip(table, got.tolist(), strict=True) if table[name] != value} == {}


@pytest.mark.parametrize("i", range(len(BETWEEN)))
def test_one_block_waits_for_another(probe: Probe, i: int) -> None:
    y = GmBuffer("y", "inout", np.zeros(_N, np.float32))
    got = probe.run(3 + i, n=_N, blocks=2, y=y).outputs[0].view(np.float32)
    assert (got[0], got[64]) == (7, 3.5)


def test_what_a_later_architecture_has_does_not_compile(tmp_path: Path) -> None:
    body = "BroadcastTiling t; GetBroadcastTilingInfo<float>(2, nullptr, nullptr, false, t);"
    with pytest.raises(CompileError, match="GetBroadcastTilingInfo is not supported on current device"):
        build([body], tmp_path)


def test_what_this_architecture_does_not_have(probe: Probe) -> None:
    for i, (body, message) in enumerate(RULES.items()):
        with pytest.raises(RunError) as caught:
            probe.run(3 + len(BETWEEN) + i, n=_N, blocks=1)
        assert message in str(caught.value), body
