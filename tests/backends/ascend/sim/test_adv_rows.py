"""Softmax and normalisations against NumPy in double precision, all in one kernel; and what breaks their rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from kbench.backends.ascend.sim.kernel import GmBuffer, Launch, build_kernel, run_kernel
from kbench.core.candidate import Candidate
from kbench.core.errors import RunError
from kbench.core.hostcc.sandbox import sandbox

from .kernels import TARGET, Probe
from .kernels import build as build_probe

Array = np.ndarray[Any, Any]
F16, F32 = np.float16, np.float32
_CTYPE = {np.dtype(F16): "half", np.dtype(F32): "float", np.dtype(np.int32): "int32_t"}
_RNG = np.random.default_rng(20261130)

_HEAD = """#include "kernel_operator.h"
using namespace AscendC;
template <class T> __aicore__ inline LocalTensor<T> in(GM_ADDR x, uint32_t from, uint32_t at, uint32_t n) {
    GlobalTensor<T> g; g.SetGlobalBuffer((__gm__ T*)(x + from), n);
    LocalTensor<T> t(TPosition::VECIN, at, n); DataCopy(t, g, n); return t;
}
template <class T> __aicore__ inline void save(GM_ADDR y, uint32_t to, const LocalTensor<T>& t) {
    GlobalTensor<T> g; g.SetGlobalBuffer((__gm__ T*)(y + to), t.GetSize()); DataCopy(g, t, t.GetSize());
}
template <class Tiling> __aicore__ inline Tiling rows(uint32_t m, uint32_t k, uint32_t split) {
    Tiling t; t.srcM = m; t.srcK = k; t.splitM = t.reduceM = split; t.rangeM = m / split; t.tailM = m % split; return t;
}
template <class Tiling> __aicore__ inline Tiling bsh(uint32_t bs, uint32_t h, uint32_t valid) {
    Tiling t; t.bLength = 1; t.sLength = bs; t.hLength = h; t.originalHLength = valid;
    t.lastDimValueBack = 1.0f / valid; t.oneTmpSize = h; t.secondTmpStartPos = h; t.thirdTmpStartPos = 2 * h; return t;
}
constexpr SoftmaxConfig kOneValue(true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC);
"""


@dataclass(frozen=True)
class Case:
    """One call: C++ over tensors of those names and `tmp`, and what the outputs hold, in double precision."""

    code: str
    ins: Mapping[str, Array]
    outs: Mapping[str, tuple[type, int]]
    expected: Callable[..., tuple[Array, ...]]
    rtol: float = 3e-6
    tmp: int = 96 * 1024


def _align(n: int) -> int:
    return -(-n // 32) * 32


def _kernel(cases: Mapping[str, Case]) -> tuple[str, Array, dict[str, dict[str, tuple[int, type, int]]], int]:
    """The source, the bytes of x, where each output lies in y, and the bytes of y."""
    body, data, places, to = [], [], {}, 0
    for name, case in cases.items():
        at, lines = 0, []
        for tensor, values in case.ins.items():
            raw = values.tobytes().ljust(_align(values.nbytes), b"\0")
            n = len(raw) // values.itemsize
            ctype = _CTYPE[values.dtype]
            lines.append(f"LocalTensor<{ctype}> {tensor} = in<{ctype}>(x, {sum(map(len, data))}, {at}, {n});")
            data.append(raw)
            at += len(raw)
        places[name] = {}
        saves = []
        for tensor, (dtype, n) in case.outs.items():
            width = np.dtype(dtype).itemsize
            padded = _align(n * width)
            if tensor not in case.ins:
                ctype = _CTYPE[np.dtype(dtype)]
                lines.append(f"LocalTensor<{ctype}> {tensor}(TPosition::VECOUT, {at}, {padded // width});")
                at += padded
            saves.append(f"save(y, {to}, {tensor});")
            places[name][tensor] = (to, dtype, n)
            to += padded
        lines.append(f"LocalTensor<uint8_t> tmp(TPosition::VECCALC, {at}, {case.tmp});")
        body += ["{", *lines, "PipeBarrier<PIPE_ALL>();", case.code, "PipeBarrier<PIPE_ALL>();", *saves]
        body += ["PipeBarrier<PIPE_ALL>();", "}"]
    head = 'extern "C" __global__ __aicore__ void probe(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {'
    text = "\n".join([_HEAD, head, *body, "}"])
    return text, np.frombuffer(b"".join(data), np.uint8).copy(), places, to


# ---- what the documentation says, in double precision ---------------------------------------------------------------


def _block(values: Array, lanes: int) -> Array:
    return np.repeat(values.reshape(-1, 1), lanes, axis=1)


def _softmax(src: Array, k: int) -> tuple[Array, Array, Array]:
    x = src.astype(float)
    top = x[:, :k].max(axis=1, keepdims=True)
    e = np.exp(x - top)
    total = e[:, :k].sum(axis=1, keepdims=True)
    return e / total, total, top


def _flash2(src: Array, in_sum: Array, in_max: Array) -> tuple[Array, Array, Array, Array]:
    x, s, m = src.astype(float), in_sum.astype(float)[:, :1], in_max.astype(float)[:, :1]
    top = np.maximum(x.max(axis=1, keepdims=True), m)
    e, shrink = np.exp(x - top), np.exp(m - top)
    return e, shrink * s + e.sum(axis=1, keepdims=True), top, shrink


def _flash3(src: Array, alpha: float, loops: int, mean: Array, total: Array, top: Array) -> tuple[Array, ...]:
    x = src.astype(float)
    scale = alpha / (1 - alpha)
    parts = x.reshape(len(x), 8, -1)
    now = x.mean(axis=1, keepdims=True)
    lanes = x[:, :512].reshape(-1, 64, 8).sum(axis=2) + x[:, 512:].reshape(len(x), -1, 64).sum(axis=1)
    shift = (now - lanes.reshape(-1, 8, 8).sum(axis=2) / parts.shape[2]) * scale  # not the parts' own means
    x = (parts - shift[:, :, None]).reshape(x.shape)
    overall = (now + mean * (loops - 1)) / loops
    here, before = (now - overall) * scale, (mean - overall) * scale
    most = np.maximum(x.max(axis=1, keepdims=True) + here, before + top)
    e, shrink = np.exp(x - (most - here)), np.exp(top - most + before)
    return e, overall, shrink * total + e.sum(axis=1, keepdims=True), most, shrink


def _nz(x: Array) -> Array:
    return np.ascontiguousarray(x.reshape(len(x), -1, 16).transpose(1, 0, 2)).reshape(-1)


def _layer_norm(x: Array, gamma: Array, beta: Array, eps: float, n: int) -> tuple[Array, Array, Array]:
    x = x.astype(float)
    mean = x.sum(axis=1, keepdims=True) / n
    variance = ((x - mean) ** 2).sum(axis=1, keepdims=True) / n
    y = (x - mean) / np.sqrt(variance + eps) * gamma.astype(float) + beta.astype(float)
    return y, mean, variance


def _norm_grad(dy: Array, x: Array, var: Array, mean: Array, gamma: Array, eps: float) -> tuple[Array, Array]:
    n = x.shape[1]
    g, d = dy * gamma.astype(float), x - mean.astype(float)[:, None]
    v = var.astype(float)[:, None] + eps
    by_var = (-0.5 * g * d * v**-1.5).sum(axis=1, keepdims=True)
    by_mean = (-g * v**-0.5).sum(axis=1, keepdims=True) + by_var / n * (-2 * d).sum(axis=1, keepdims=True)
    return g * v**-0.5 + by_var * 2 / n * d + by_mean / n, d * v**-0.5


def _draw(*shape: int, dtype: type = F32, scale: float = 2.0) -> Array:
    return (_RNG.standard_normal(shape) * scale).astype(dtype)


# ---- the cases ------------------------------------------------------------------------------------------------------


def _cases() -> dict[str, Case]:
    cases: dict[str, Case] = {}
    x32, x16 = _draw(11, 72), _draw(9, 144, dtype=F16)

    def stats(out: tuple[Array, Array, Array], lanes: int) -> tuple[Array, ...]:
        return out[0], _block(out[1], lanes), _block(out[2], lanes)

    cases["SoftMax float, padded columns"] = Case(
        "SoftMax<float>(d, s, m, x0, tmp, rows<SoftMaxTiling>(11, 72, 4), SoftMaxShapeInfo{11, 72, 11, 70});",
        {"x0": x32},
        {"d": (F32, x32.size), "s": (F32, 88), "m": (F32, 88)},
        lambda: stats(_softmax(x32, 70), 8),
    )
    cases["SoftMax half, float statistics, in place"] = Case(
        "SoftMax<half>(x0, s, m, x0, tmp, rows<SoftMaxTiling>(9, 144, 9), SoftMaxShapeInfo{9, 144, 9, 144});",
        {"x0": x16},
        {"x0": (F16, x16.size), "s": (F32, 72), "m": (F32, 72)},
        lambda: stats(_softmax(x16, 144), 8),
        rtol=6e-4,
    )
    cases["SoftMax half"] = Case(
        "SoftMax<half>(d, s, m, x0, tmp, rows<SoftMaxTiling>(9, 144, 9), SoftMaxShapeInfo{9, 144, 9, 144});",
        {"x0": x16},
        {"d": (F16, x16.size), "s": (F16, 144), "m": (F16, 144)},
        lambda: stats(_softmax(x16, 144), 16),
        rtol=6e-4,
    )
    cases["SoftMax without statistics, shape of the tensor, basic block"] = Case(
        "uint32_t dims[] = {8, 64}; x0.SetShapeInfo(ShapeInfo(2, dims));"
        "SoftMax<float, false, true>(d, x0, tmp, rows<SoftMaxTiling>(8, 64, 8));",
        {"x0": (b := _draw(8, 64))},
        {"d": (F32, 512)},
        lambda: _softmax(b, 64)[:1],
    )
    cases["SoftMax NZ"] = Case(
        "SoftMax<float, false, false, true>(d, s, m, x0, tmp, rows<SoftMaxTiling>(5, 48, 5), {5, 48, 5, 48});",
        {"x0": _nz(z := _draw(5, 48))},
        {"d": (F32, 240), "s": (F32, 40), "m": (F32, 40)},
        lambda: (_nz(_softmax(z, 48)[0]), _block(_softmax(z, 48)[1], 8), _block(_softmax(z, 48)[2], 8)),
    )
    given_sum, given_max = _block(np.abs(_draw(11)) + 1, 8).astype(F32), _block(_draw(11), 8).astype(F32)
    cases["SimpleSoftMax"] = Case(
        "SimpleSoftMax<float>(d, s, m, x0, tmp, rows<SoftMaxTiling>(11, 72, 11), SoftMaxShapeInfo{11, 72, 11, 72});",
        {"x0": x32, "s": given_sum, "m": given_max},
        {"d": (F32, x32.size)},
        lambda: (np.exp(x32.astype(float) - given_max[:, :1]) / given_sum[:, :1],),
    )
    cases["LogSoftMax"] = Case(
        "LogSoftMax<float>(d, s, m, x0, tmp, rows<LogSoftMaxTiling>(11, 72, 11), SoftMaxShapeInfo{11, 72, 11, 72});",
        {"x0": x32},
        {"d": (F32, x32.size), "s": (F32, 88), "m": (F32, 88)},
        lambda: (np.log10(_softmax(x32, 72)[0]), *stats(_softmax(x32, 72), 8)[1:]),
    )

    def flash(out: tuple[Array, ...], lanes: int, shrink_lanes: int) -> tuple[Array, ...]:
        return out[0], _block(out[1], lanes), _block(out[2], lanes), _block(out[3], shrink_lanes)

    cases["SoftmaxFlashV2 float, updating in place"] = Case(
        "SoftmaxFlashV2<float, true>(d, s, m, x0, e, s, m, tmp, rows<SoftMaxTiling>(11, 72, 11), {11, 72, 11, 72});",
        {"x0": x32, "s": given_sum, "m": given_max},
        {"d": (F32, x32.size), "s": (F32, 88), "m": (F32, 88), "e": (F32, 88)},
        lambda: flash(_flash2(x32, given_sum, given_max), 8, 8),
    )
    half_sum, half_max = given_sum[:9], given_max[:9]
    cases["SoftmaxFlashV2 half with float statistics"] = Case(
        "SoftmaxFlashV2<half, true>(d, s, m, x0, e, is, im, tmp, rows<SoftMaxTiling>(9, 144, 9), {9, 144, 9, 144});",
        {"x0": x16, "is": half_sum, "im": half_max},
        {"d": (F16, x16.size), "s": (F32, 72), "m": (F32, 72), "e": (F16, 144)},
        lambda: flash(_flash2(x16, half_sum, half_max), 8, 16),
        rtol=6e-4,
    )
    one_sum, one_max = given_sum[:, :1].copy(), given_max[:, :1].copy()
    cases["SoftmaxFlashV2 with one value a row and the row's own maximum"] = Case(
        "SoftmaxFlashV2<float, true, false, false, false, kOneValue>(d, f, s, m, x0, e, is, im, tmp,"
        "rows<SoftMaxTiling>(11, 72, 11), {11, 72, 11, 72});",
        {"x0": x32, "is": one_sum, "im": one_max},
        {"d": (F32, x32.size), "s": (F32, 11), "m": (F32, 11), "e": (F32, 11), "f": (F32, 11)},
        lambda: (*flash(_flash2(x32, one_sum, one_max), 1, 1), x32.max(axis=1)),
    )
    cases["SoftmaxFlashV2 that updates nothing, tiling made in the kernel"] = Case(
        "constexpr auto t = SoftMaxFlashV2TilingFunc({11, 72, 11, 72}, 4, 4, 8192);"
        "SoftmaxFlashV2<float>(d, s, m, x0, m, s, m, tmp, t, {11, 72, 11, 72});",
        {"x0": x32},
        {"d": (F32, x32.size), "s": (F32, 88), "m": (F32, 88)},
        lambda: (np.exp(x32.astype(float) - x32.max(axis=1, keepdims=True)), *stats(_softmax(x32, 72), 8)[1:]),
    )

    def flash1() -> tuple[Array, ...]:
        e, total, top, shrink = _flash2(x32, given_sum, given_max)
        return e / total, _block(total, 8), _block(top, 8), _block(shrink * given_sum[:, :1] / total, 8)

    cases["SoftmaxFlash"] = Case(
        "SoftmaxFlash<float>(d, s, m, x0, e, is, im, tmp, rows<SoftMaxTiling>(11, 72, 11), true, {11, 72, 11, 72});",
        {"x0": x32, "is": given_sum, "im": given_max},
        {"d": (F32, x32.size), "s": (F32, 88), "m": (F32, 88), "e": (F32, 88)},
        flash1,
    )
    v3, v3_mean = _draw(8, 1024, dtype=F16), _block(_draw(8, scale=0.1), 8).astype(F32)
    cases["SoftmaxFlashV3"] = Case(
        "SoftmaxFlashV3<half, float, true>(d, me, s, m, x0, e, ime, is, im, tmp, rows<SoftMaxTiling>(8, 1024, 8),"
        "SoftMaxParams{8, 1024, 8, 1024, 3, 8, 0.9375f});",
        {"x0": v3, "ime": v3_mean, "is": given_sum[:8], "im": given_max[:8]},
        {"d": (F16, v3.size), "me": (F32, 64), "s": (F32, 64), "m": (F32, 64), "e": (F16, 128)},
        lambda: (lambda o: (o[0], *(_block(v, 8) for v in o[1:4]), _block(o[4], 16)))(
            _flash3(v3, 0.9375, 3, v3_mean[:, :1].astype(float), given_sum[:8, :1], given_max[:8, :1])
        ),
        rtol=6e-4,
    )
    y32, g32 = _softmax(x32, 72)[0].astype(F32), _draw(11, 72)

    def grad() -> tuple[Array, Array]:
        y, g = y32.astype(float), g32.astype(float)
        total = (y * g).sum(axis=1, keepdims=True)
        return (g - total) * y, total

    cases["SoftmaxGrad"] = Case(
        "SoftmaxGrad<float>(d, g, y0, tmp, rows<SoftMaxTiling>(11, 72, 11), false, {11, 72, 11, 72});",
        {"y0": y32, "g": g32},
        {"d": (F32, x32.size)},
        lambda: grad()[:1],
    )
    cases["SoftmaxGradFront"] = Case(
        "SoftmaxGradFront<float>(d, g, y0, tmp, rows<SoftMaxTiling>(11, 72, 11), {11, 72, 11, 72});",
        {"y0": y32, "g": g32},
        {"d": (F32, 88)},
        lambda: (_block(grad()[1], 8),),
        rtol=2e-5,
    )
    top = _block(np.array([1, 2, 3, 4]), 8).astype(F32)
    cases["AdjustSoftMaxRes"] = Case(
        "bool any = AdjustSoftMaxRes<float, float>(x0, m, 0x40400000, 7.0f, SoftMaxShapeInfo{4, 16, 4, 16});"
        "x0.SetValue(0, any ? 1.0f : 0.0f);",
        {"x0": np.zeros((4, 16), F32), "m": top},
        {"x0": (F32, 64)},
        lambda: (np.where(np.arange(64) // 16 == 2, 7.0, np.arange(64) == 0),),
    )

    # ---- normalisations
    gamma, beta = _draw(72), _draw(72)
    cases["LayerNorm float"] = Case(
        "auto t = bsh<LayerNormTiling>(11, 72, 72); LayerNorm<float>(d, m, v, x0, g, b, tmp, 1e-3f, t);",
        {"x0": x32, "g": gamma, "b": beta},
        {"d": (F32, x32.size), "m": (F32, 11), "v": (F32, 11)},
        lambda: _layer_norm(x32, gamma, beta, 1e-3, 72),
        rtol=2e-5,
    )
    pad = x32.copy()
    pad[:, 70:] = 0
    cases["LayerNorm float, padding takes part"] = Case(
        "auto t = bsh<LayerNormTiling>(11, 72, 70); LayerNorm<float>(d, m, v, x0, g, b, tmp, 1e-3f, t);",
        {"x0": pad, "g": gamma, "b": beta},
        {"d": (F32, x32.size), "m": (F32, 11), "v": (F32, 11)},
        lambda: _layer_norm(pad, gamma, beta, 1e-3, 70),
        rtol=2e-5,
    )
    gamma16, beta16 = gamma.astype(F16), beta.astype(F16)
    wide16 = x32.repeat(2, axis=1).astype(F16)
    gg16, bb16 = np.tile(gamma16, 2), np.tile(beta16, 2)
    cases["LayerNorm half"] = Case(
        "auto t = bsh<LayerNormTiling>(11, 144, 144); LayerNorm<half>(d, m, v, x0, g, b, tmp, half(0.001), t);",
        {"x0": wide16, "g": gg16, "b": bb16},
        {"d": (F16, wide16.size), "m": (F16, 11), "v": (F16, 11)},
        lambda: _layer_norm(wide16, gg16, bb16, float(F16(0.001)), 144),
        rtol=2e-3,
    )

    def rstd() -> tuple[Array, Array, Array]:
        y, m, v = _layer_norm(wide16, np.tile(gamma, 2), np.zeros(144), 1e-3, 144)
        return y, m, 1 / np.sqrt(v + 1e-3)

    cases["LayerNorm over [A, R], float factors of half, no beta"] = Case(
        "LayerNormSeparateTiling t; t.aLength = 11; t.rLength = 144; t.rValueBack = 1.0f / 144; t.oneTmpSize = 144;"
        "t.secondTmpStartPos = 160; static constexpr LayerNormConfig c = {true, false, false, true};"
        "LayerNorm<float, half, false, c>(d, m, r, x0, g, g, 1e-3f, tmp, LayerNormPara{11, 144, 144}, t);",
        {"x0": wide16, "g": np.tile(gamma, 2)},
        {"d": (F16, wide16.size), "m": (F32, 11), "r": (F32, 11)},
        lambda: (lambda o: (o[0], o[1], 1 / np.sqrt(o[2] + 1e-3)))(
            _layer_norm(wide16, np.tile(gamma, 2), np.zeros(144), 1e-3, 144)
        ),
        rtol=2e-3,
    )
    mean, var = x32.mean(axis=1).astype(F32), x32.var(axis=1).astype(F32)

    def normalized() -> tuple[Array, Array]:
        root = 1 / np.sqrt(var.astype(float) + 1e-3)
        return (x32 - mean.astype(float)[:, None]) * root[:, None] * gamma + beta, root

    cases["Normalize"] = Case(
        "Normalize<float, float>(d, r, m, v, x0, g, b, tmp, 1e-3f, NormalizePara{11, 72, 72});",
        {"x0": x32, "m": mean, "v": var, "g": gamma, "b": beta},
        {"d": (F32, x32.size), "r": (F32, 11)},
        normalized,
        rtol=2e-5,
    )
    cases["RmsNorm"] = Case(
        "RmsNormTiling t; t.bLength = 1; t.sLength = 11; t.hLength = 72; t.originalHLength = 70;"
        "t.reciprocalOfHLength = 1.0f / 70; t.mainBshLength = 72; t.mainBsLengthAlign = 8;"
        "RmsNorm<float>(d, x0, g, tmp, 1e-3f, t);",
        {"x0": x32, "g": gamma},
        {"d": (F32, x32.size)},
        lambda: (x32 / np.sqrt((x32[:, :70].astype(float) ** 2).mean(axis=1, keepdims=True) + 1e-3) * gamma,),
        rtol=1e-5,
    )
    gx = _draw(11, 72)
    cases["DeepNorm"] = Case(
        "auto t = bsh<DeepNormTiling>(11, 72, 72); DeepNorm<float>(d, m, v, x0, gx, b, g, tmp, 0.5f, 1e-3f, t);",
        {"x0": x32, "gx": gx, "b": beta, "g": gamma},
        {"d": (F32, x32.size), "m": (F32, 11), "v": (F32, 11)},
        lambda: _layer_norm(0.5 * x32.astype(float) + gx, gamma, beta, 1e-3, 72),
        rtol=2e-5,
    )
    bg, bb = _draw(11), _draw(11)

    def batch() -> tuple[Array, Array, Array]:
        y, m, v = _layer_norm(x32.T, np.ones(11), np.zeros(11), 1e-3, 11)
        return (y * bg + bb).T, m, v

    cases["BatchNorm"] = Case(
        "BatchNormTiling t; t.originalBLength = 11; t.meanVarSize = 72; t.firstDimValueBack = 1.0f / 11;"
        "BatchNorm<float>(d, m, v, x0, g, b, tmp, 1e-3f, t);",
        {"x0": x32, "g": bg, "b": bb},
        {"d": (F32, x32.size), "m": (F32, 72), "v": (F32, 72)},
        batch,
        rtol=2e-5,
    )
    images = _draw(2, 6, 16)  # N, C, H * W, in three groups
    cg, cb = _draw(6), _draw(6)

    def group() -> tuple[Array, Array, Array]:
        y, m, v = _layer_norm(images.reshape(6, 32), np.ones(32), np.zeros(32), 1e-3, 32)
        return y.reshape(2, 6, 16) * cg[None, :, None] + cb[None, :, None], m, v

    cases["GroupNorm"] = Case(
        "GroupNormTiling t; t.n = 2; t.c = 6; t.g = 3; t.d = 2; t.hw = 16; t.hwAlignSize = 16; t.factor = 1.0f / 32;"
        "GroupNorm<float>(d, m, v, x0, g, b, tmp, 1e-3f, t);",
        {"x0": images, "g": cg, "b": cb},
        {"d": (F32, images.size), "m": (F32, 6), "v": (F32, 6)},
        group,
        rtol=2e-5,
    )
    dy = _draw(11, 72)
    cases["LayerNormGrad"] = Case(
        "LayerNormGradTiling t; t.bLength = 1; t.sLength = 11; t.hLength = t.originalHLength = t.oneCalSize = 72;"
        "t.lastDimValueBack = __builtin_bit_cast(uint32_t, 1.0f / 72);"
        "t.lastDimValueBackMulTwo = __builtin_bit_cast(uint32_t, 2.0f / 72);"
        "LayerNormGrad<float>(d, r, dy, x0, v, m, g, tmp, 1e-3f, t);",
        {"dy": dy, "x0": x32, "v": var, "m": mean, "g": gamma},
        {"d": (F32, x32.size), "r": (F32, x32.size)},
        lambda: _norm_grad(dy, x32.astype(float), var, mean, gamma, 1e-3),
        rtol=3e-5,
    )
    cases["LayerNormGradBeta"] = Case(
        "LayerNormGradBetaTiling t; t.bLength = 1; t.sLength = 11; t.hLength = t.originalHLength = t.oneCalSize = 72;"
        "LayerNormGradBeta<float>(dg, db, r, dy, tmp, t);",
        {"r": x32, "dy": dy},
        {"dg": (F32, 72), "db": (F32, 72)},
        lambda: ((x32.astype(float) * dy).sum(axis=0), dy.astype(float).sum(axis=0)),
        rtol=2e-5,
    )
    wx, wm, wv = _draw(64, dtype=F16), _draw(64), np.abs(_draw(64))

    def update() -> tuple[Array, Array]:
        x, m = wx.astype(float)[:40], wm.astype(float)[:40]
        new = m + (x - m) / 5
        return np.r_[new, wm[40:]], np.r_[wv[:40] + (x - m) * (x - new), wv[40:]]

    cases["WelfordUpdate"] = Case(
        "static constexpr WelfordUpdateConfig c = {true};"
        "WelfordUpdate<half, float, false, c>(m, v, im, iv, x0, tmp, WelfordUpdateParam{1, 64, 40, 0.2f});",
        {"x0": wx, "im": wm, "iv": wv},
        {"m": (F32, 64), "v": (F32, 64)},
        update,
        rtol=1e-5,
    )
    counts = _RNG.integers(1, 9, 64).astype(np.int32)

    def finalize(weights: Array) -> tuple[Array, Array]:
        total = weights.sum()
        m = (wm.astype(float) * weights).sum() / total
        v = (wv.astype(float) + weights * (wm.astype(float) - m) ** 2).sum() / total
        return np.r_[m, np.zeros(7)], np.r_[v, np.zeros(7)]

    heads = np.where(np.arange(64) < 24, 5.0, 3.0)
    cases["WelfordFinalize, heads and tails"] = Case(
        f"WelfordFinalizePara p = {{5, 64, 5, 24, 3, 40, 1.0f / 64, {1 / heads.sum()}f}};"
        "WelfordFinalize(m, v, im, iv, tmp, p);",
        {"im": wm, "iv": wv},
        {"m": (F32, 8), "v": (F32, 8)},
        lambda: finalize(heads),
        rtol=1e-5,
    )
    cases["WelfordFinalize with counts"] = Case(
        f"WelfordFinalizePara p = {{5, 64, 5, 64, 0, 0, 1.0f / 64, {1 / counts.sum()}f}};"
        "WelfordFinalize(m, v, im, iv, c, tmp, p);",
        {"im": wm, "iv": wv, "c": counts},
        {"m": (F32, 8), "v": (F32, 8)},
        lambda: finalize(counts.astype(float)),
        rtol=1e-5,
    )
    return cases


_ALL = _cases()


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Array]]:
    text, data, places, size = _kernel(_ALL)
    candidate = Candidate({"rows.cpp": text}, {"kernel": "rows.cpp"})
    built = build_kernel(candidate, sandbox=sandbox("auto"), timeout_s=120, workdir=tmp_path_factory.mktemp("rows"))
    launch = Launch(1, [GmBuffer("x", "in", data), GmBuffer("y", "out", nbytes=size)], TARGET)
    result = run_kernel(built.program, launch, sandbox=sandbox("auto"), timeout_s=60)
    assert result.findings == ()
    y = result.outputs[0]
    got: dict[str, dict[str, Array]] = {}
    for name, tensors in places.items():
        got[name] = {}
        for tensor, (at, dtype, n) in tensors.items():
            got[name][tensor] = y[at : at + n * np.dtype(dtype).itemsize].view(dtype)
    return got


@pytest.mark.parametrize("name", list(_ALL))
def test_against_double_precision(name: str, outputs: dict[str, dict[str, Array]]) -> None:
    case = _ALL[name]
    for (tensor, got), expected in zip(outputs[name].items(), case.expected(), strict=True):
        expected = np.asarray(expected, float).reshape(-1)
        scale = case.rtol * max(1.0, float(np.abs(expected).max())) * 0.1
        np.testing.assert_allclose(got, expected, rtol=case.rtol, atol=scale, err_msg=f"{name}: {tensor}")


# ---- rules ----------------------------------------------------------------------------------------------------------

_PLACES = (
    "LocalTensor<float> a(TPosition::VECIN, 0, 1024), b(TPosition::VECOUT, 4096, 1024), s(TPosition::VECOUT, 8192, 64),"
    "m(TPosition::VECOUT, 8448, 64), g(TPosition::VECIN, 12288, 64); "
    "LocalTensor<half> h(TPosition::VECIN, 16384, 1024);"
    "LocalTensor<uint8_t> tmp(TPosition::VECCALC, 20480, 8192); Duplicate(a, 1.0f, 1024); Duplicate(g, 1.0f, 64);"
    "Duplicate(h, half(1), 1024);"
)
_SOFT = "rows<SoftMaxTiling>(8, 64, 8)"
_BODIES = {
    f"SoftMax<float>(b, s, m, a, tmp, {_SOFT}, {{8, 64, 8, 64}});": "",
    f"SoftMax<float>(b, s, m, a, tmp[8192 - 512], {_SOFT}, {{8, 64, 8, 64}});":
        "E9 sharedTmpBuffer: expected at least 544",
    "SoftMax<float>(b, s, m, a, tmp[8192 - 544], rows<SoftMaxTiling>(8, 64, 2), {8, 64, 8, 64});": "",
    f"SoftMax<float>(b, s, m, a, tmp, {_SOFT}, {{8, 60, 8, 60}});": "E2 srcK: expected a last axis of a multiple of 32",
    f"SoftMax<float>(b, s, m, a, tmp, {_SOFT}, {{8, 64, 8, 65}});": "E9 oriSrcK: expected 1 to srcK, got 65",
    f"SoftMax<float>(b, s, m, a, tmp, {_SOFT}, {{}});": "E9 softmaxShapeInfo: expected srcM and srcK",
    "SoftMax<float>(b, s, m, a, tmp, rows<SoftMaxTiling>(8, 64, 1), {8, 64, 8, 64});": "",
    "auto t = rows<SoftMaxTiling>(8, 64, 8); t.splitM = 0; SoftMax<float>(b, s, m, a, tmp, t, {8, 64, 8, 64});":
        "E44 tiling.splitM: expected 1 or more",
    f"SoftMax<float>(a[8], s, m, a, tmp, {_SOFT}, {{8, 64, 8, 64}});": "E11 srcTensor overlaps dstTensor in part",
    f"SoftMax<float>(b, s, s, a, tmp, {_SOFT}, {{8, 64, 8, 64}});": "E11 sumTensor overlaps maxTensor",
    f"SoftMax<float>(b, s, m, a, b.ReinterpretCast<uint8_t>(), {_SOFT}, {{8, 64, 8, 64}});":
        "E11 sharedTmpBuffer overlaps",
    f"SoftMax<float>(b, s[32], m, a, tmp, {_SOFT}, {{8, 64, 8, 64}});": "E9",
    "SoftMax<float, false, true>(b, s, m, a, tmp, rows<SoftMaxTiling>(8, 56, 8), {8, 56, 8, 56});":
        "E9 isBasicBlock, srcK: expected a multiple of 64",
    f"SoftMax<float>(b, a, {_SOFT}, {{8, 64, 8, 64}});": "E34 without sharedTmpBuffer: expected a TPipe",
    f"TPipe p; TBuf<TPosition::VECCALC> q; p.InitBuffer(q, 196608); SoftMax<float>(b, a, {_SOFT}, {{8, 64, 8, 64}});":
        "E14",
    "LogSoftMax<float>(a, s, m, a, tmp, rows<LogSoftMaxTiling>(8, 64, 8), {8, 64, 8, 64});":
        "E11 srcTensor overlaps dst",
    "SoftmaxFlashV3<half, float>(h, s, s, m, h, h, s, s, m, tmp, rows<SoftMaxTiling>(8, 64, 8), {8, 64, 8, 64});":
        "E9 srcK: expected a multiple of 64, at least 512",
    "auto t = bsh<LayerNormTiling>(8, 64, 64); LayerNorm<float>(b, s, m, a, g, g, tmp, 1e-3f, t);": "",
    "LayerNormTiling t; LayerNorm<float>(b, s, m, a, g, g, tmp, 1e-3f, t);": "E44 rows of the tiling data",
    "auto t = bsh<LayerNormTiling>(8, 60, 60); LayerNorm<half>(h, h, h, h, h, h, tmp, half(1), t);": "E2 last axis",
    "auto t = bsh<LayerNormTiling>(8, 64, 64); LayerNorm<float>(b, s, m, a, g, g, tmp[7552], 1e-3f, t);":
        "E9 sharedTmpBuffer: expected at least 832 bytes, got 640",
    "auto t = bsh<LayerNormTiling>(8, 64, 64); LayerNorm<float>(g, s, m, a, g, g, tmp, 1e-3f, t);": "E9",
    "LayerNormSeparateTiling t; LayerNorm<float, float>(b, s, m, a, g, g, 1e-3f, tmp, LayerNormPara{8, 64, 64}, t);":
        "E44 tiling.aLength: expected para.aLength, got 0",
    "auto t = bsh<DeepNormTiling>(1, 2048, 2048); DeepNorm<float>(b, s, m, a, a, g, g, tmp, 1.0f, 1.0f, t);":
        "E9 last axis: expected at most 2040, got 2048",
    "WelfordUpdate<float, float>(s, m, g, g[32], a, tmp, WelfordUpdateParam{2, 32, 32, 1.0f});":
        "E9 para.rnLength: expected 1",
    "WelfordUpdate<float, float>(s, m, g, g[32], a, tmp, WelfordUpdateParam{1, 32, 32, 1.0f});": "",
    "WelfordFinalizePara p = {1, 32, 1, 16, 0, 16, 1, 1}; WelfordFinalize(s, m, g, g[32], tmp, p);":
        "E9 para.tailCountLength: expected 0 where tailCount is 0",
}  # fmt: skip


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Probe:
    prelude = _HEAD.split("using namespace AscendC;\n")[1]
    return build_probe([_PLACES + body for body in _BODIES], tmp_path_factory.mktemp("rules"), prelude)


@pytest.mark.parametrize("body", range(len(_BODIES)))
def test_a_broken_rule_is_told_and_its_neighbour_passes(body: int, probe: Probe) -> None:
    expected = list(_BODIES.values())[body]
    findings: tuple[Any, ...]
    try:
        findings = probe.run(body, blocks=1).findings
    except RunError as error:
        findings = error.findings
    text = "; ".join(f"{f.rule} {f.message}" for f in findings if f.severity == "error" or not expected)
    if not expected:
        assert not findings, text
        return
    rule, _, message = expected.partition(" ")
    told = [f for f in findings if f.rule == rule and message in f.message]
    assert told, f"{expected}, got {findings}"
    assert told[0].line == probe.line[body]
