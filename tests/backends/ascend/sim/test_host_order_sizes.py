"""Temporary buffers and tiling data of reducing, sorting, padding, transposing, quantising, from one host side."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backends.ascend.sim import order_tilings

from .host_demo import build, host_source, tile

PLAT = "platform_ascendc::PlatformAscendC(context->GetPlatformInfo())"

# Calls that set `most` and `least`, and what the documentation says they are.
SIZES: list[tuple[str, int, int]] = [
    (f"GetBroadCastMaxMinTmpSize({PLAT}, S({{1024, 1}}), S({{1024, 16}}), 2, false, most, least)", 32768, 512),
    (f"GetBroadCastMaxMinTmpSize({PLAT}, S({{10, 1}}), S({{10, 17}}), 2, false, most, least)", 512 + 640, 512 + 1024),
    (f"GetBroadCastMaxMinTmpSize({PLAT}, S({{1, 16}}), S({{5, 16}}), 2, false, most, least)", 32, 32),
    (f"GetBroadCastMaxMinTmpSize({PLAT}, S({{1, 32}}), S({{5, 32}}), 1, false, most, least)", 416, 416),
    (f"GetBroadCastMaxMinTmpSize({PLAT}, S({{1}}), S({{100}}), 4, false, most, least)", 0, 0),
    ("GetSumMaxMinTmpSize(8, 2, true, most, least)", 32, 32),
    ("GetSumMaxMinTmpSize(5000, 4, false, most, least)", 320, 320),
    ("GetMeanMaxMinTmpSize(5000, 2, 2, false, most, least)", 64, 64),
    ("GetMeanMaxMinTmpSize(300, 2, 4, false, most, least)", 32 + 304 * 4, 32 + 304 * 4),
    ("GetReduceSumMaxMinTmpSize(S({5, 200}), F, R::AR, true, false, most, least)", 2560, 2560),
    ("GetReduceSumMaxMinTmpSize(S({5, 64}), F, R::AR, true, false, most, least)", 0, 0),
    ("GetReduceMeanMaxMinTmpSize(S({9, 20}), F, R::RA, true, false, most, least)", 768, 768),
    ("GetReduceMaxMaxMinTmpSize(S({3, 20}), F16, R::AR, true, false, most, least)", 96, 96),
    ("GetReduceMinMaxMinTmpSize(S({3, 64}), F, R::AR, true, false, most, least)", 768, 768),
    ("GetReduceMinMaxMinTmpSize(S({3, 64}), F, R::AR, true, true, most, least)", 0, 0),
    ("GetReduceProdMaxMinTmpSize(S({128, 128}), F, R::AR, true, false, most, least)", 4608, 4608),
    ("GetReduceProdMaxMinTmpSize(S({128, 128}), F, R::AR, true, true, most, least)", 256, 256),
    ("GetReduceAllMaxMinTmpSize(S({6, 40}), U8, R::AR, true, true, most, least)", 320, 320),
    ("GetReduceAnyMaxMinTmpSize(S({6, 40}), U8, R::RA, true, false, most, least)", 256, 256),
    ("GetReduceXorSumMaxMinTmpSize(S({200}), 2, false, most, least)", 1200, 1200),
    ("GetSelectWithBytesMaskMaxMinTmpSize(S({128, 128}), S({1}), 2, S({128, 160}), 1, false, most, least)",
     49664, 25088),
    ("GetSelectMaxMinTmpSize(S({1}), S({1, 16}), 2, S({1, 32}), 1, true, most, least)", 1024, 1024),
    ("GetCumSumMaxMinTmpSize(S({5, 48}), 2, true, false, most, least)", 4608, 4608),
    ("GetCumSumMaxMinTmpSize(S({20, 48}), 4, true, false, most, least)", 12288, 6144),
    ("GetCumSumMaxMinTmpSize(S({5, 48}), 2, false, false, most, least)", 960, 960),
    ("GetArangeMaxMinTmpSize(most, least)", 0, 0),
    ("GetDropOutMaxMinTmpSize(S({4, 48}), 2, false, most, least)", 1536, 512),
    ("GetPadMaxMinTmpSize(S({32, 31}), 4, most, least)", 992 * 64, 1024),
    (f"GetUnPadMaxMinTmpSize({PLAT}, S({{32, 32}}), 4, most, least)", 0, 0),
    ("GetTransposeMaxMinTmpSize(S({1, 2, 64, 32}), 2, 1, most, least)", 2048, 512),
    ("GetConfusionTransposeMaxMinTmpSize(S({1, 2, 64, 32}), 4, 5, most, least)", 2048, 2048),
    ("GetAscendQuantMaxMinTmpSize(S({512}), 2, most, least)", 1024, 512),
    ("GetAscendDequantMaxMinTmpSize(S({10, 32}), 4, most, least)", 4 * (64 + 320 + 40), 4 * (64 + 32 + 40)),
    ("GetAscendDequantMaxMinTmpSize(S({320}), 4, most, least)", 4 * (64 + 320 + 328), 4 * (64 + 320 + 328)),
    ("GetAscendDequantTmpBufferFactorSize(S({10, 32}), most, least)", 1, 104),
    ("GetAscendAntiQuantMaxMinTmpSize(S({64, 32}), S({1, 32}), false, I8, BF, most, least)", 16640, 16640),
    ("GetAscendAntiQuantMaxMinTmpSize(S({64, 32}), S({1}), true, I8, BF, most, least)", 8192, 1024),
    ("GetAscendAntiQuantMaxMinTmpSize(S({64, 32}), S({1, 32}), true, I8, F16, most, least)", 0, 0),
    (f"most = least = GetSortTmpSize({PLAT}, 128, 4)", 1024, 1024),
    (f"GetTransDataMaxMinTmpSize({PLAT}, S({{1, 16, 2, 4, 4}}), S({{1, 2, 1, 4, 4, 16}}), F16, "
     "{DataFormat::NCDHW, DataFormat::NDC1HWC0}, most, least)", 64 + 1024, 64 + 1024),
    (f"GetTransDataMaxMinTmpSize({PLAT}, S({{2, 2, 2, 3, 1, 16, 16}}), S({{16, 20, 2, 2, 3}}), BF, "
     "{DataFormat::FRACTAL_Z_3D, DataFormat::NCDHW}, most, least)", 2 * 16 * 2048, 2 * 16 * 2048),
    (f"GetTransDataMaxMinTmpSize({PLAT}, S({{2, 2, 2, 3, 1, 16}}), S({{16, 20, 2, 2, 3}}), BF, "
     "{DataFormat::NDC1HWC0, DataFormat::NCDHW}, most, least) ? 0 : most = least = 7", 7, 7),
    (f"most = least = GetConcatTmpSize({PLAT}, 128, 2)", 0, 0),
    (f"GetTopKMaxMinTmpSize({PLAT}, 64, 1, false, false, TopKMode::TOPK_NORMAL, true, 2, most, least)", 1280, 1280),
    (f"GetTopKMaxMinTmpSize({PLAT}, 32, 1, false, false, TopKMode::TOPK_NSMALL, false, 4, most, least)", 576, 576),
]  # fmt: skip

TOPK = [(64, 2, 10, 4, True, False, True), (96, 3, 7, 2, False, False, False), (32, 4, 20, 4, True, True, False),
        (32, 1, 13, 2, False, True, True), (32, 1, 32, 2, True, True, True)]  # fmt: skip
TURNS = [
    ((1, 2, 60, 30), 1, 4096, order_tilings.swap_middle((1, 2, 60, 30), 4096, 2)),
    ((2, 3, 40, 20), 3, 1024, order_tilings.split_or_join(3, (2, 3, 40, 20), 2)),
    ((2, 3, 40, 20), 4, 1024, order_tilings.split_or_join(4, (2, 3, 40, 20), 2)),
    ((2, 3, 40, 20), 5, 1024, order_tilings.split_or_join(5, (2, 3, 40, 20), 2)),
    ((2, 3, 40, 20), 6, 1024, order_tilings.split_or_join(6, (2, 3, 40, 20), 2)),
]


def words(values: list[int]) -> list[int]:
    """The last eight of TopkTiling are half words."""
    return values[:24] + [values[i] | values[i + 1] << 16 for i in range(24, 32, 2)]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    lines = [
        "using S = ge::Shape; using namespace AscendC; using R = ReducePattern; uint32_t most = 1, least = 1;",
        "const auto F = ge::DT_FLOAT, F16 = ge::DT_FLOAT16, U8 = ge::DT_UINT8, I8 = ge::DT_INT8, BF = ge::DT_BF16;",
        "using Top = AscendC::tiling::TopkTiling; using Turn = AscendC::tiling::ConfusionTransposeTiling;",
    ]
    lines += [f'{call}; printf("%u %u\\n", most, least);' for call, _, _ in SIZES]
    lines.append("auto show = [](const void* p, size_t n) { for (size_t i = 0; i < n; ++i) "
                 'printf("%u ", static_cast<const uint32_t*>(p)[i]); printf("\\n"); };')  # fmt: skip
    for inner, rows, k, size, index, small, largest in TOPK:
        mode = "TopKMode::TOPK_NSMALL" if small else "TopKMode::TOPK_NORMAL"
        flags = f"{str(index).lower()}, {mode}, {str(largest).lower()}"
        call = f"TopKTilingFunc({PLAT}, {inner}, {rows}, {k}, {size}, {flags}, "
        lines.append(
            f"{{ Top t; optiling::TopkTiling o; {call} t); show(&t, 28); {call} o); Top c; "
            'o.SaveToBuffer(&c, sizeof c); printf("%d\\n", memcmp(&c, &t, sizeof t)); }'
        )
    for shape, kind, buffer, _ in TURNS:
        dims = ", ".join(map(str, shape))
        lines.append(f"{{ Turn t; GetTransposeTilingInfo(S({{{dims}}}), {buffer}, 2, {kind}, t); show(&t, 18); }}")
    lines.append("{ AscendC::tiling::PadTiling t; PadTilingFunc(S({32, 31}), S({32, 31}), 4096, 4, t); show(&t, 25); }")
    lines.append("{ AscendC::tiling::UnPadTiling t; UnPadTilingFunc(S({32, 32}), 4096, 4, t); show(&t, 8); }")
    lines.append("context->SetBlockDim(1); return ge::GRAPH_SUCCESS;")
    folder = tmp_path_factory.mktemp("sizes")
    return tile(build(host_source("\n".join(lines)), Path(folder))).stdout.splitlines()


def test_temporary_buffers(printed: list[str]) -> None:
    got = {call: line for (call, _, _), line in zip(SIZES, printed, strict=False)}
    assert got == {call: f"{most} {least}" for call, most, least in SIZES}


def test_tiling_data(printed: list[str]) -> None:
    lines = printed[len(SIZES) :]
    for number, (inner, rows, k, size, index, small, largest) in enumerate(TOPK):
        want = order_tilings.topk(inner, rows, k, size, index=index, small=small, largest=largest)
        assert list(map(int, lines[2 * number].split())) == words(want), TOPK[number]
        assert lines[2 * number + 1] == "0"
    lines = lines[2 * len(TOPK) :]
    for (shape, kind, _, want), line in zip(TURNS, lines, strict=False):
        assert list(map(int, line.split())) == want, (shape, kind)
    # 4096 bytes: two buffers of 4 groups of sixteen blocks, 64 columns or elements at a time
    pad = [32, 31, 31, 23, 3, 255, 0, 32, 7905, 23, 4, 64, 512, 64, 0, 31, 32, 64, 15, 32, 254, 0, 8, 0, 4]
    assert list(map(int, lines[len(TURNS)].split())) == pad
    assert list(map(int, lines[len(TURNS) + 1].split())) == [32, 32, 4, 64, 512, 64, 1, 32]
