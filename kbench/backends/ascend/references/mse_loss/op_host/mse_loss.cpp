#include <cstring>

#include "mse_loss_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t BUFFER_NUM = 2;          // every queue is double-buffered
constexpr uint32_t RESERVED_UB = 16 * 1024; // bytes of the unified buffer for the system and for the parts of the sum
constexpr uint32_t SLICE_BYTES = 512;       // blocks start at multiples of this in global memory
constexpr uint32_t TILE_UNIT = 128;         // tiles are whole vector repeats, of 16-bit elements too
constexpr uint32_t PARTIAL_BYTES = 32;      // of the workspace, for the sum of one block
constexpr uint64_t ELEMENTWISE = 1;         // tiling keys
constexpr uint64_t REDUCED = 2;

static ge::graphStatus MseLossTiling(gert::TilingContext* context)
{
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t ubBytes = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubBytes);
    const uint32_t coreNum = platform.GetCoreNumAiv();
    const uint32_t totalLength = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    if (coreNum == 0 || totalLength == 0) {
        return ge::GRAPH_FAILED;
    }
    const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
    const uint32_t typeBytes = dtype == ge::DT_FLOAT ? sizeof(float) : sizeof(uint16_t);
    const char* reduction = context->GetAttrs()->GetStr(0);
    const bool isMean = strcmp(reduction, "mean") == 0;
    const bool isSum = strcmp(reduction, "sum") == 0;
    if (!isMean && !isSum && strcmp(reduction, "none") != 0) {
        return ge::GRAPH_FAILED;
    }
    // predict, label and y, both inputs as float, and the running sum
    const uint32_t elementBytes = 3 * BUFFER_NUM * typeBytes + 3 * sizeof(float);
    const uint32_t tileLength = (ubBytes - RESERVED_UB) / elementBytes / TILE_UNIT * TILE_UNIT;
    const uint32_t sliceLength = SLICE_BYTES / typeBytes;
    const uint32_t blockLength = (totalLength + coreNum * sliceLength - 1) / (coreNum * sliceLength) * sliceLength;

    MseLossTilingData tiling;
    tiling.set_totalLength(totalLength);
    tiling.set_blockLength(blockLength);
    tiling.set_tileLength(tileLength);
    tiling.set_scale(isMean ? 1.0f / totalLength : 1.0f);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim((totalLength + blockLength - 1) / blockLength);
    context->SetTilingKey(isMean || isSum ? REDUCED : ELEMENTWISE);
    context->SetScheduleMode(1);  // blocks wait for each other: all of them must run at once
    context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + coreNum * PARTIAL_BYTES;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class MseLoss : public OpDef {
public:
    explicit MseLoss(const char* name) : OpDef(name)
    {
        this->Input("predict")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("label")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("reduction").AttrType(OPTIONAL).String("mean");

        this->AICore().SetTiling(optiling::MseLossTiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(MseLoss);
}  // namespace ops
