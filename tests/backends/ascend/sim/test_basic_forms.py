"""Forms of the basic API beyond lanes: slices, NZ layouts, changes of format, interpolation, registers, SPM."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from kbench.core.errors import CompileError, RunError, UnsupportedApi
from kbench.core.task import Array
from tests.backends.ascend.sim.kernels import Probe, build

_N = 8192
_UB = (
    "TPipe p; TBuf<> b; p.InitBuffer(b, 160 * 1024); auto u = b.Get<uint8_t>(); auto f = u.ReinterpretCast<float>(); "
    "auto g = u[65536].ReinterpretCast<float>(); auto k = g.ReinterpretCast<int32_t>(); "
    "auto h = u.ReinterpretCast<half>(); auto d = u[65536].ReinterpretCast<half>(); auto tmp = u[98304]; "
)
_IN = _UB + f"DataCopy(f, xg, {_N}); PipeBarrier<PIPE_ALL>(); Duplicate(g, -1.0f, {_N}); "
_OUT = f" PipeBarrier<PIPE_ALL>(); DataCopy(yg, g, {_N});"


_PRELUDE = """
inline void add_one(int* n) { ++*n; }
template <class T> using Operation = void(const LocalTensor<T>&, const LocalTensor<T>&, const T&, const int32_t&);
template <class T, Operation<T>* op> void applied(const LocalTensor<T>& t, T scalar) { op(t, t, scalar, 8); }
"""


class Form(NamedTuple):
    """`expected` of the input's bytes: what the kernel leaves in y, whose background is -1."""

    body: str
    expected: Callable[[Array], Array]


def _background() -> Array:
    return np.full(_N, -1, np.float32)


def _slice_in(x: Array) -> Array:
    y = _background()
    rows = x[: 87 * 3].reshape(3, 87)
    y[:96] = np.stack([np.concatenate([rows[r, 16:40], rows[r, 47:71]]) for r in (0, 2)]).ravel()
    return y


def _slice_out(x: Array) -> Array:
    y = np.zeros(_N, np.float32)
    at = y[: 40 * 5].reshape(5, 40)
    at[1, 3:11], at[1, 13:21] = x[:8], x[8:16]
    at[3, 3:11], at[3, 13:21] = x[16:24], x[24:32]
    return y


def _to_nz(x: Array) -> Array:
    y = _background()
    matrix = x.view(np.float16)[: 5 * 48].reshape(5, 48)[:, :32]
    out = y.view(np.float16)
    for c in range(2):
        out[c * 7 * 16 :][: 5 * 16] = matrix[:, 16 * c : 16 * c + 16].ravel()
    return y


def _to_nd(x: Array) -> Array:
    y = np.zeros(_N, np.float32)
    for m in range(2):
        for c in range(2):
            block = x[m * 256 + c * 80 :][: 5 * 16].reshape(5, 16)
            for r in range(5):
                y[m * 400 + r * 40 + c * 16 :][:16] = block[r]
    return y


def _format(shape: tuple[int, ...], axes: tuple[int, ...], dtype: type) -> Callable[[Array], Array]:
    def expected(x: Array) -> Array:
        y = _background()
        n = int(np.prod(shape))
        y.view(dtype)[:n] = x.view(dtype)[:n].reshape(shape).transpose(axes).ravel()
        return y

    return expected


def _bilinear(per_block: bool, horizontal: int, vertical: int) -> Callable[[Array], Array]:
    def expected(x: Array) -> Array:
        y = _background()
        values = x.view(np.float16)
        weights = values[4096:]
        out = y.view(np.float16)
        for v in range(vertical):
            total = None
            for s in range(v * horizontal, (v + 1) * horizontal):
                blocks = np.stack([values[(8 * s + b) * 3 % 64 * 16 :][:16] for b in range(8)])
                weight = weights[8 * s : 8 * s + 8, None] if per_block else weights[s]
                product = (blocks * weight).astype(np.float16)
                total = product if total is None else (total + product).astype(np.float16)
            out[v * 144 : v * 144 + 100] = (total.ravel() + np.float16(0))[:100]
        return y

    return expected


_OFFSETS = (
    "auto o = u[131072].ReinterpretCast<uint32_t>(); for (int i = 0; i < 256; ++i) { o.SetValue(i, i * 3 % 64 * 32); } "
)


def _bilinear_body(per_block: bool, horizontal: int, vertical: int) -> str:
    arguments = f"{horizontal}, {'true' if per_block else 'false'}, 1, 144, {vertical}, tmp"
    narrow = "auto s = h; s.SetSize(1024); auto w = h[4096]; w.SetSize(64); "
    return _IN + _OFFSETS + narrow + f"BilinearInterpolation(d, s, o, w, 100, {arguments});" + _OUT


FORMS = [
    Form(
        _IN
        + "SliceInfo from[2] = {{16, 70, 7, 3, 87}, {0, 2, 1, 1, 3}}, to[2] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}}; "
        "DataCopy(g, xg, to, from, 2);" + _OUT,
        _slice_in,
    ),
    Form(
        _IN + f"Fill(yg, {_N}, 0.0f); "
        "SliceInfo from[2] = {{0, 15, 0, 1, 16}, {0, 1, 0, 1, 2}}, to[2] = {{3, 20, 2, 1, 40}, {1, 3, 1, 1, 5}}; "
        "DataCopy(yg, f, to, from, 2);",
        _slice_out,
    ),
    Form(
        _IN + "GlobalTensor<half> hg; hg.SetGlobalBuffer((__gm__ half*)x, 16384); "
        "DataCopy(d, hg, Nd2NzParams{1, 5, 32, 0, 48, 7, 1, 0});" + _OUT,
        _to_nz,
    ),
    Form(
        _IN + f"Fill(yg, {_N}, 0.0f); DataCopy(yg, f, Nz2NdParamsFull{{2, 5, 32, 1, 5, 40, 400}});",
        _to_nd,
    ),
    Form(
        _IN + "Transpose(g, f, tmp, {2, 3, 4, 6, TransposeType::TRANSPOSE_NCHW2NHWC});" + _OUT,
        _format((2, 3, 24), (0, 2, 1), np.float32),
    ),
    Form(
        _IN + "Transpose(d, h, tmp, {2, 5, 4, 8, TransposeType::TRANSPOSE_NHWC2NCHW});" + _OUT,
        _format((2, 32, 5), (0, 2, 1), np.uint16),
    ),
    Form(
        _IN + "Transpose(u[65536], u, tmp, {1, 7, 8, 8, TransposeType::TRANSPOSE_NCHW2NHWC});" + _OUT,
        _format((1, 7, 64), (0, 2, 1), np.uint8),
    ),
    Form(_bilinear_body(False, 2, 3), _bilinear(False, 2, 3)),
    Form(_bilinear_body(True, 3, 2), _bilinear(True, 3, 2)),
    Form(
        _IN + "p.InitSpmBuffer(yg[4096], 4096); p.WriteSpmBuffer(f, 1024, 64); p.ReadSpmBuffer(g, {2, 3, 1, 2}, 64); "
        f"PipeBarrier<PIPE_ALL>(); DataCopy(yg, g, 4096); PipeBarrier<PIPE_ALL>(); Duplicate(g, -1.0f, {_N}); "
        "PipeBarrier<PIPE_ALL>(); DataCopy(yg[4096], g, 4096);",
        lambda x: np.concatenate([x[:24], np.full(16, -1), x[32:56], np.full(_N - 64, -1)]).astype(np.float32),
    ),
]

# Each line writes a number that is known.
VALUES = {
    "GetCtrlSpr<48, 48>()": 1,
    "(SetCtrlSpr<48, 48>(0), GetSaturationFlag<SaturationMode::FLOAT>())": 1,
    "(SetCtrlSpr<48, 48>(1), GetCtrlSpr<48, 48>())": 1,
    "(SetSaturationFlag<SaturationMode::FLOAT>(true), get_ctrl() >> 48 & 1)": 0,
    "(set_ctrl(sbitset1(get_ctrl(), 48)), GetSaturationFlag<SaturationMode::FLOAT>())": 0,
    "(set_mask_count(), get_ctrl() >> 56 & 1)": 1,
    "(set_mask_norm(), get_ctrl() >> 56 & 1)": 0,
    "(SetStoreAtomicConfig<AtomicDtype::ATOMIC_S16, AtomicOp::ATOMIC_SUM>(), get_st_atomic_cfg())": 3,
    "(set_atomic_max(), get_st_atomic_cfg())": 3 + 8,
    "(SetAtomicNone(), get_st_atomic_cfg())": 0,
    "(set_atomic_min(), set_atomic_f32(), get_st_atomic_cfg())": 1 + 16,
    "(set_atomic_none(), get_st_atomic_cfg())": 0,
    "bcnt1(0xff)": 8,
    "Std::min(3, 4)": 3,
    "Std::get<1>(Std::make_tuple(1, 7))": 7,
    "Std::make_index_sequence<3>::size()": 3,
    "(Duplicate(f, 1.0f, 8), applied<float, Adds<float>>(f, 2.0f), f.GetValue(7))": 3,
    "(Muls<float, float>(f, f, 3.0f, 8), f.GetValue(7))": 9,
    "(Duplicate(k, 8, 8), ShiftLeft<int32_t, int32_t>(k, k, 2, 8), k.GetValue(0))": 32,
    "(ShiftRight<int32_t, int32_t>(k, k, 1, 8), k.GetValue(0))": 16,
    "(SetDeqScale(half(0.5)), AddDeqRelu(h, k, k, 8), (float)h.GetValue(3))": 16,
    "(SetHcclContext<1>(y), GetHcclContext<1>() == y)": 1,
    "Crd2Idx(MakeCoord(1, 2, 3), MakeLayout(MakeShape(3, 4, 5), MakeStride(20, 5, 1)))": 33,
    "Crd2Idx(MakeCoord(11, 12), MakeShape(MakeShape(2, 4), MakeShape(3, 5)), "
    "MakeStride(MakeStride(3, 6), MakeStride(1, 24)))": 129,
    "Crd2Idx(59, MakeShape(3, 4, 5), MakeStride(1, 3, 12))": 59,
    "sff0(7)": 3,
    "clz(1)": 63,
    "get_arch_ver() >> 32": 0x220,
    "(GetProgramCounter() > 0)": 1,
    "p.GetQueueEndAddress<TPosition::VECIN>()": 163840,
    "([] { int n = 0; Async<EngineType::AIV, add_one>(&n); Async<EngineType::AIC, add_one>(&n); return n; }())": 1,
    "(MetricsProfStart(), MetricsProfStop(), SetNextTaskStart(), WaitPreTaskEnd(), 5)": 5,
}

RULES = {
    _UB + "Copy(f, g, 8, 1, {1, 1, 4096, 8});": "dstRepeatSize: expected 0 to 4095, got 4096",
    _UB + "SliceInfo s[1] = {{0, 14, 0, 1, 16}}; DataCopy(f, xg, s, s);": "dstSliceInfo[0]: expected endIndex",
    _UB + "SliceInfo s[1] = {{0, 24, 9, 1, 32}}, t[1] = {{0, 24, 9, 1, 32}}; DataCopy(f, xg, s, t);":
        "multiple of 32 bytes in UB",
    _UB + "DataCopy(yg, f, Nz2NdParamsFull{1, 5, 24, 1, 5, 40, 1});": "dValue: expected a multiple of 16, got 24",
    _UB + "auto t = tmp; t.SetSize(2048); Transpose(g, f, t, {2, 3, 4, 6, TransposeType::TRANSPOSE_NCHW2NHWC});":
        "sharedTmpBuffer: expected at least 2560 bytes, got 2048",
    _UB + "Transpose(g, f, tmp, {2, 3, 3, 3, TransposeType::TRANSPOSE_NCHW2NHWC});":
        "expected a multiple of 32 bytes, got 9",
    _UB + _OFFSETS + "h.SetSize(64); BilinearInterpolation(d, h, o, h, 100, 20, false, 1, 128, 20, tmp);": "got 400",
}  # fmt: skip
UNSUPPORTED = {
    _UB + "DataCopy(f, xg, Nd2NzParams{2, 5, 32, 64, 48, 7, 1, 64});": "Nd2NzParams",
    _UB + "DataCopy(f, g, DataCopyParams{1, 1, 0, 0}, DataCopyEnhancedParams{BlockMode::BLOCK_MODE_MATRIX, "
    "DeqScale::DEQ_NONE, 0, 0, false, pad_t::PAD_NONE, 0});": "DataCopyEnhancedParams",
    "yg.SetValue(0, GetHcclContext<0>() != nullptr);": "GetHcclContext",
    "TPipe p; p.InitSpmBuffer(4096);": "InitSpmBuffer in L1",
}


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    values = _UB + " ".join(f"yg.SetValue({i}, (float)({value}));" for i, value in enumerate(VALUES))
    bodies = [*(form.body for form in FORMS), values, *RULES, *UNSUPPORTED]
    return build(bodies, tmp_path_factory.mktemp("forms"), _PRELUDE)


def inputs() -> Array:
    return np.random.default_rng(3).integers(-20, 20, 2 * _N).astype(np.float16).view(np.float32).copy()


@pytest.mark.parametrize("i", range(len(FORMS)))
def test_form(probe: Probe, i: int) -> None:
    x = inputs()
    got = probe.run(i, n=_N, blocks=1, x=x).outputs[0]
    want = FORMS[i].expected(x).view(np.uint8)
    assert np.array_equal(got, want), np.flatnonzero(got != want)[:20]


def test_values(probe: Probe) -> None:
    got = probe.run(len(FORMS), n=_N, blocks=1).outputs[0].view(np.float32)[: len(VALUES)]
    assert {name: value for name, value in zip(VALUES, got, strict=True) if VALUES[name] != value} == {}


def test_types_that_an_operation_does_not_take(tmp_path: Path) -> None:
    for body, name in (
        ("LocalTensor<int8_t> a; Copy(a, a, 8, 1, {1, 1, 8, 8});", "Copy"),
        ("LocalTensor<float> a; BilinearInterpolation(a, a, a.ReinterpretCast<uint32_t>(), a, 8, 1, true, 1, 128, 1, "
         "a.ReinterpretCast<uint8_t>());", "BilinearInterpolation"),
        ("GlobalTensor<int8_t> y8; LocalTensor<int8_t> a; DataCopy(y8, a, Nz2NdParamsFull());", "DataCopy"),
    ):  # fmt: skip
        with pytest.raises(CompileError, match=f"Failed to check dtype in {name}"):
            build([body], tmp_path)


def test_rules(probe: Probe) -> None:
    for i, (body, message) in enumerate(RULES.items()):
        with pytest.raises(RunError) as caught:
            probe.run(len(FORMS) + 1 + i, n=_N, blocks=1)
        assert message in str(caught.value), body


def test_what_is_not_modelled_is_nobodys_fault(probe: Probe) -> None:
    for i, (body, name) in enumerate(UNSUPPORTED.items()):
        with pytest.raises(UnsupportedApi) as caught:
            probe.run(len(FORMS) + 1 + len(RULES) + i, n=_N, blocks=1)
        assert name in str(caught.value), body
