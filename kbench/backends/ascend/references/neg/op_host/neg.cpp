#include "neg_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t BUFFER_NUM = 2;          // every queue is double-buffered
constexpr uint32_t RESERVED_UB = 8 * 1024;  // bytes of the unified buffer that belong to the system
constexpr uint32_t SLICE_BYTES = 512;       // blocks start at multiples of this in global memory
constexpr uint32_t TILE_UNIT = 128;         // tiles are whole vector repeats, of 16-bit elements too

static ge::graphStatus NegTiling(gert::TilingContext* context)
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
    uint32_t typeBytes = sizeof(uint16_t);
    uint32_t scratchBytes = 0;
    if (dtype == ge::DT_FLOAT || dtype == ge::DT_INT32) {
        typeBytes = sizeof(uint32_t);
    } else if (dtype == ge::DT_BF16) {
        scratchBytes = sizeof(float);
    } else if (dtype == ge::DT_INT8) {
        typeBytes = sizeof(int8_t);
        scratchBytes = 2 * sizeof(uint16_t);  // the half copy, and what wraps
    }
    const uint32_t elementBytes = 2 * BUFFER_NUM * typeBytes + scratchBytes;
    const uint32_t tileLength = (ubBytes - RESERVED_UB) / elementBytes / TILE_UNIT * TILE_UNIT;
    const uint32_t sliceLength = SLICE_BYTES / typeBytes;
    const uint32_t blockLength = (totalLength + coreNum * sliceLength - 1) / (coreNum * sliceLength) * sliceLength;

    NegTilingData tiling;
    tiling.set_totalLength(totalLength);
    tiling.set_blockLength(blockLength);
    tiling.set_tileLength(tileLength);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim((totalLength + blockLength - 1) / blockLength);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class Neg : public OpDef {
public:
    explicit Neg(const char* name) : OpDef(name)
    {
        const std::vector<ge::DataType> types = {
            ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT, ge::DT_INT32,
            ge::DT_INT8};
        const std::vector<ge::Format> formats(types.size(), ge::FORMAT_ND);

        this->Input("x")
            .ParamType(REQUIRED)
            .DataType(types)
            .Format(formats);
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType(types)
            .Format(formats);

        this->AICore().SetTiling(optiling::NegTiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(Neg);
}  // namespace ops
