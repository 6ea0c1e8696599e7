"""Host sizes and tiling data of the row-wise library: numbers that the vendor's own tests of them expect."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kbench.backends.ascend.sim.kernel import INCLUDE
from kbench.backends.ascend.sim.tiling_header import tiling_header

from .host_demo import build, host_source, tile

# An expression of the host side, and its value. `s(…)` is a shape; LEAST and MOST are what the call before it gave.
_CASES = {
    "GetSoftMaxMinTmpSize(s({128, 128}), 2, true)": (16 + 128 + 64) * 4,
    "GetSoftMaxMaxTmpSize(s({128, 128}), 2, true)": 128 * (16 + 128 + 64) * 4,
    "GetSoftMaxMaxTmpSize(s({128, 128}), 1, true)": 0,
    "GetSoftMaxFlashMinTmpSize(s({128, 128}), 2, true, true)": (16 * 4 + 128 * 2) * 4,
    "GetSoftMaxFlashMinTmpSize(s({128, 128}), 4, false, true)": (8 + 128 + 64) * 4,
    "GetSoftMaxFlashMaxTmpSize(s({128, 128}), 4, true, true)": 128 * (8 * 4 + 128 * 2) * 4,
    "GetSoftMaxGradMinTmpSize(s({128, 128}), 2, true, true)": (16 * 2 + 128 * 3 + 64) * 4,
    "GetSoftMaxGradMinTmpSize(s({128, 128}), 4, true, true)": (8 + 128 + 64) * 4,
    "GetSoftMaxGradMinTmpSize(s({128, 128}), 4, false, true)": (8 * 2 + 128 + 64) * 4,
    "GetSoftMaxGradMaxTmpSize(s({128, 128}), 2, true, true)": 128 * (16 * 2 + 128 * 3 + 64) * 4,
    "(SoftMaxTilingFunc(s({128, 128}), 2, 409600, t), t.get_reduceM())": 64,
    "IsBasicBlockInSoftMax(t)": 1,
    "(SoftMaxFlashTilingFunc(s({128, 128}), 2, 77952, t, true), t.get_reduceM())": 32,
    "(SoftMaxFlashTilingFunc(s({128, 128}), 2, 77952, t, false), t.get_reduceM())": 64,
    "(SoftMaxGradTilingFunc(s({128, 128}), 2, 409600, t, false), t.get_reduceM())": 64,
    "(SoftMaxGradTilingFunc(s({128, 128}), 2, 133120, p, true), p.reduceM)": 64,
    "(LogSoftMaxTilingFunc(s({128, 128}), 2, 409600, l), l.get_reduceM())": 64,
    "GetSoftMaxFlashV2MinTmpSize(s({128, 128}), 2, 2, false, false)": (128 + 64 + 16 * 2) * 4,
    "GetSoftMaxFlashV2MinTmpSize(s({128, 128}), 2, 2, false, true)": 8 * (128 + 64 + 16) * 4,
    "GetSoftMaxFlashV2MinTmpSize(s({128, 128}), 2, 2, true, false, true)": (128 + 64 + 16 * 2) * 4 * 16,
    "GetSoftMaxFlashV2MinTmpSize(s({128, 128}), 2, 4, false, true, true)": (128 + 64 + 8) * 4 * 16,
    "GetSoftMaxFlashV2MaxTmpSize(s({128, 128}), 2, 2, false, true)": 64 * (128 + 64 + 16) * 4,
    "GetSoftMaxFlashV2MaxTmpSize(s({128, 128}), 2, 4, true, false)": 128 * (128 + 64 + 8 * 2) * 4,
    "GetSoftMaxFlashV2MinTmpSize(s({8, 1024}), 4, 4, true, true)": 8 * (8 + 128) * 4,
    "GetSoftMaxFlashV2MinTmpSize(s({8, 1024}), 2, 4, true, true)": 8 * (8 + 1024 + 64 * 2) * 4,
    "(SoftMaxFlashV2TilingFunc(s({128, 128}), 2, 4, 102400, t, false, false), t.get_reduceM())": 120,
    "(SoftMaxFlashV2TilingFunc(s({128, 128}), 2, 4, 102400, t, false, true), t.get_reduceM())": 64,
    "(SoftMaxFlashV2TilingFunc(s({128, 128}), 2, 4, 102400, t, true, false, true), t.get_reduceM())": 112,
    "(GetSoftMaxFlashV3MaxMinTmpSize(s({10, 1024}), 2, 4, MOST, LEAST, false), LEAST)": (8 * 5 + 2 * 1024 + 64) * 4,
    "MOST": 10 * (8 * 5 + 2 * 1024 + 64) * 4,
    "(SoftMaxFlashV3TilingFunc(s({10, 1024}), 2, 4, 77824, t, true, true), t.get_reduceM())": 8,
    "(GetLayerNormMaxMinTmpSize(s({128, 128, 128, 128}), 4, false, MOST, LEAST), MOST)": 12 * 128**3 + 8 * 128**2,
    "LEAST": 3 * 128 * 4 + 2 * 128**2 * 4,
    "(GetLayerNormNDTilingInfo(s({128, 128, 128, 128}), 102400, 4, false, ln), ln.get_tmpBufSize())": 25600,
    "(GetRmsNormMaxMinTmpSize(s({4, 32, 64}), 4, MOST, LEAST, true), LEAST)": (64 + 8) * 4,
    "(GetRmsNormTilingInfo(s({4, 32, 64}), s({4, 32, 64}), LEAST, 4, r, true), r.get_mainBshLength())": 64,
    "(GetRmsNormTilingInfo(s({1, 7, 16}), s({1, 7, 16}), 102400, 4, r), r.get_mainBsLength())": 7,
    "GetRmsNormTilingInfo(s({4, 32, 64}), s({4, 32, 64}), 100, 4, r)": 0,
    "(GetRmsNormTilingInfo(s({1, 8, 128}), s({1, 8, 128}), 4124, 4, r, true), r.get_mainBshLength())": 896,
    "(GetRmsNormTilingInfo(s({1, 512, 16}), s({1, 512, 16}), 65536, 4, r), r.get_tailBsLength())": 2,
    "r.get_loopRound()": 2,
    "GetRmsNormTilingInfo(s({1, 8, 2048}), s({1, 8, 2048}), 131072, 4, r, true)": 0,
    "(GetRmsNormTilingInfo(s({14, 1, 56}), s({14, 1, 56}), 2048, 4, r), r.get_tailBshLength())": 336,
    "(GetRmsNormTilingInfo(s({14, 1, 56}), s({14, 1, 56}), 2080, 4, rp), rp.mainBshLength)": 504,
    "(GetGroupNormMaxMinTmpSize(s({16, 16, 8, 8}), 4, false, 4, MOST, LEAST), MOST)": 3 * 16384 * 4 + 2 * 64 * 4,
    "LEAST + 0": 3 * (16 // 4 * 64) * 4 + 2 * 64 * 4,
    "(GetLayerNormGradMaxMinTmpSize(s({128, 128, 128, 128}), 2, false, MOST, LEAST), LEAST)": 128 * 128 * 9 * 2,
    "(GetLayerNormGradMaxMinTmpSize(s({128, 128, 128, 128}), 4, true, MOST, LEAST), LEAST)": 128 * 128 * 4 * 4,
    "(GetLayerNormGradBetaMaxMinTmpSize(s({128, 128, 128, 128}), 4, false, MOST, LEAST), MOST)": 128**3 * 4 * 2,
    "LEAST + 1": 128 * 4 * 2 + 1,
}  # fmt: skip

_DATA = """
BEGIN_TILING_DATA_DEF(RowData)
TILING_DATA_FIELD_DEF(uint32_t, n);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);
TILING_DATA_FIELD_DEF_STRUCT(LogSoftMaxTiling, log);
TILING_DATA_FIELD_DEF_STRUCT(LayerNormTiling, layer);
TILING_DATA_FIELD_DEF_STRUCT(LayerNormSeparateTiling, separate);
TILING_DATA_FIELD_DEF_STRUCT(LayerNormGradTiling, grad);
TILING_DATA_FIELD_DEF_STRUCT(LayerNormGradBetaTiling, beta);
TILING_DATA_FIELD_DEF_STRUCT(RmsNormTiling, rms);
TILING_DATA_FIELD_DEF_STRUCT(BatchNormTiling, batch);
TILING_DATA_FIELD_DEF_STRUCT(DeepNormTiling, deep);
TILING_DATA_FIELD_DEF_STRUCT(GroupNormTiling, group);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Demo, RowData)
"""


def _host() -> str:
    prints = "\n".join(f'    printf("%ld\\n", (long)({text}));' for text in _CASES)
    body = f"""
    using namespace AscendC;
    const auto s = [](const std::vector<int64_t>& dims) {{ return ge::Shape(dims); }};
    uint32_t MOST = 0, LEAST = 0;
    optiling::SoftMaxTiling t;
    AscendC::tiling::SoftMaxTiling p;
    optiling::LogSoftMaxTiling l;
    optiling::LayerNormTiling ln;
    optiling::RmsNormTiling r;
    AscendC::tiling::RmsNormTiling rp;
{prints}
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
"""
    return host_source(body, before=_DATA).replace('#include "demo_tiling.h"\n', "")


def test_sizes_and_tilings_are_those_of_the_library(tmp_path: Path) -> None:
    program = build(_host(), tmp_path)
    log = tile(program).stdout
    got = [int(line) for line in log.splitlines() if re.fullmatch(r"-?\d+", line)]
    assert dict(zip(_CASES, got, strict=True)) == _CASES
    # The kernel side's header has the same fields at the same places.
    header = tiling_header(program.registry.tiling_json())
    assert header.count("static_assert(__builtin_offsetof") == 10
    structures = [s["name"] for s in program.registry.tiling_json()["structs"]]
    assert {"RowData", "SoftMaxTiling"} <= set(structures)


def test_both_sides_declare_the_same_structures() -> None:
    def structures(path: Path) -> str:
        return path.read_text().split("#ifndef KB_LIBRARY_TILING")[1].split("#endif")[0]

    name = "kernel_tiling/kernel_tiling.h"
    assert structures(INCLUDE / name) == structures(INCLUDE.parent / "host_include" / name)


@pytest.mark.parametrize("name", ["softmax.h", "layernorm.h"])
def test_the_old_header_names_exist(name: str) -> None:
    assert any((INCLUDE / "lib" / part / name).exists() for part in ("activation", "normalization"))
