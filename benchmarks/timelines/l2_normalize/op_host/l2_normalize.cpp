#include "l2_normalize_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t BLOCKS = 48;
constexpr uint32_t TILE = 4096;
constexpr uint32_t PART_BYTES = 32;

static ge::graphStatus L2NormalizeTiling(gert::TilingContext* context)
{
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const uint32_t length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    if (platform.GetCoreNumAiv() < BLOCKS || length % (BLOCKS * TILE) != 0) {
        return ge::GRAPH_FAILED;
    }
    L2NormalizeTilingData tiling;
    tiling.set_blockLength(length / BLOCKS);
    tiling.set_tileLength(TILE);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim(BLOCKS);
    context->SetScheduleMode(1);  // blocks wait for each other: all of them must run at once
    context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + BLOCKS * PART_BYTES;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class L2Normalize : public OpDef {
public:
    explicit L2Normalize(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().SetTiling(optiling::L2NormalizeTiling);
        this->AICore().AddConfig("ascend910b");
    }
};

OP_ADD(L2Normalize);
}  // namespace ops
