#include "foreach_abs_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t BUFFER_NUM = 2;          // every queue is double-buffered
constexpr uint32_t RESERVED_UB = 8 * 1024;  // bytes of the unified buffer that belong to the system
constexpr uint32_t SLICE_BYTES = 512;       // blocks get multiples of this
constexpr uint32_t TILE_UNIT = 128;         // tiles are whole vector repeats, of 16-bit elements too

static ge::graphStatus ForeachAbsTiling(gert::TilingContext* context)
{
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t ubBytes = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubBytes);
    const uint32_t coreNum = platform.GetCoreNumAiv();
    uint32_t lengths[MAX_TENSORS] = {};
    uint32_t tensorNum = 0;
    uint32_t totalLength = 0;
    while (const gert::StorageShape* shape = context->GetDynamicInputShape(0, tensorNum)) {
        if (tensorNum == MAX_TENSORS) {
            return ge::GRAPH_FAILED;
        }
        lengths[tensorNum] = shape->GetStorageShape().GetShapeSize();
        totalLength += lengths[tensorNum];
        tensorNum += 1;
    }
    if (coreNum == 0 || totalLength == 0) {
        return ge::GRAPH_FAILED;
    }
    const ge::DataType dtype = context->GetInputDesc(0)->GetDataType();
    const uint32_t typeBytes = dtype == ge::DT_FLOAT ? sizeof(float) : sizeof(uint16_t);
    // x and y, and the float copy of bfloat16
    const uint32_t elementBytes = 2 * BUFFER_NUM * typeBytes + (dtype == ge::DT_BF16 ? sizeof(float) : 0);
    const uint32_t sliceLength = SLICE_BYTES / typeBytes;
    const uint32_t blockLength = (totalLength + coreNum * sliceLength - 1) / (coreNum * sliceLength) * sliceLength;

    ForeachAbsTilingData tiling;
    tiling.set_tensorNum(tensorNum);
    tiling.set_blockLength(blockLength);
    tiling.set_tileLength((ubBytes - RESERVED_UB) / elementBytes / TILE_UNIT * TILE_UNIT);
    tiling.set_lengths(lengths);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim((totalLength + blockLength - 1) / blockLength);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class ForeachAbs : public OpDef {
public:
    explicit ForeachAbs(const char* name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(DYNAMIC)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(DYNAMIC)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});

        this->AICore().SetTiling(optiling::ForeachAbsTiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(ForeachAbs);
}  // namespace ops
