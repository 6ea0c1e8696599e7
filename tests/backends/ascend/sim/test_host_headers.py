"""The vendor-named headers of the host side: each stands alone, and the small types behave as documented."""

from __future__ import annotations

from pathlib import Path

from kbench.backends.ascend.sim import host

from .header_module import compile_apart
from .host_demo import build, host_source, tile


def test_every_header_stands_alone_and_brings_no_warning(tmp_path: Path) -> None:
    headers = sorted(host.INCLUDE.rglob("*.h"))
    assert all("#pragma once" in header.read_text() for header in headers)
    compile_apart(host.INCLUDE, headers, tmp_path, part="host")


def test_unmodelled_names_are_not_declared() -> None:
    declared = host.known_host_apis()
    assert not declared & host.unmodelled_host_apis()


TYPES = r"""
    gert::Shape shape{2, 3, 4};
    shape.AppendDim(5).SetDim(0, 7);
    printf("%zu %ld %ld %ld\n", shape.GetDimNum(), shape.GetShapeSize(), shape.GetDim(4), shape[3]);
    printf("%d %d\n", shape == gert::Shape({7, 3, 4, 5}), shape != gert::Shape({7, 3}));
    gert::Shape unknown{-1, 3};
    gert::Shape scalar;
    printf("%ld %ld %d\n", unknown.GetShapeSize(), scalar.GetShapeSize(), scalar.IsScalar());
    printf("%d\n", gert::Shape().GetDim(99) == gert::Shape::kInvalidDimValue);
    printf("%d %d %d %d\n", ge::GetSizeByDataType(ge::DT_BF16), ge::GetSizeByDataType(ge::DT_COMPLEX64),
           ge::GetSizeByDataType(ge::DT_INT4), ge::GetSizeByDataType(ge::DT_UNDEFINED));
    uint32_t bytes = 0;
    bool known = ge::TypeUtils::GetDataTypeLength(ge::DT_INT64, bytes);
    printf("%d %u %s %s\n", known, bytes, ge::TypeUtils::DataTypeToSerialString(ge::DT_FLOAT16).c_str(),
           ge::TypeUtils::FormatToSerialString(ge::FORMAT_FRACTAL_NZ).c_str());
    printf("%d %d\n", ge::TypeUtils::SerialStringToDataType("DT_BOOL") == ge::DT_BOOL,
           ge::TypeUtils::SerialStringToFormat("NCDHW") == ge::FORMAT_NCDHW);
    printf("%ld %ld\n", ge::Shape({2, 3}).GetShapeSize(), ge::Shape(std::vector<int64_t>{}).GetShapeSize());
    uint32_t most = 0, least = 0;
    AscendC::GetSigmoidMaxMinTmpSize(ge::Shape({1000}), 2, false, most, least);
    printf("%u %u\n", most, least);
    const auto platform = *platform_ascendc::PlatformAscendCManager::GetInstance();
    printf("%u %u %u\n", platform.CalcTschBlockDim(48, 24, 48), platform.CalcTschBlockDim(5, 24, 48),
           platform.CalcTschBlockDim(5, 0, 48));
    std::string soc;
    bool found = context->GetPlatformInfo()->GetPlatformResWithLock("version", "Short_SoC_version", soc);
    printf("%d %s %u\n", found, soc.c_str(), context->GetPlatformInfo()->GetCoreNum());
    DemoData data;
    data.SetDataPtr(context->GetRawTilingData()->GetData());
    data.set_flag(9);
    data.part.set_wide(11);
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    printf("%d\n", context->GetRawTilingData()->Append(uint32_t{12}) == ge::GRAPH_SUCCESS);
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
"""


def test_shapes_types_platform_and_tiling_data(tmp_path: Path) -> None:
    include = '#include "graph/utils/type_utils.h"\n'
    tiling = tile(build(include + host_source(TYPES), tmp_path))
    assert tiling.stdout.splitlines() == [
        "4 420 0 5",
        "1 1",
        "-1 1 1",
        "1",
        "2 8 1004 -1",
        "1 8 DT_FLOAT16 FRACTAL_NZ",
        "1 1",
        "6 0",
        "2000 256",
        "24 3 5",
        "1 Ascend910B 48",
        "1",
    ]
    assert (tiling.data[0], tiling.data[28], tiling.data[40]) == (9, 11, 12)
