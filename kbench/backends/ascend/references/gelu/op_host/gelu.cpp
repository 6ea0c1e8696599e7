#include "gelu_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t BUFFER_NUM = 2;          // every queue is double-buffered
constexpr uint32_t RESERVED_UB = 8 * 1024;  // bytes of the unified buffer that belong to the system
constexpr uint32_t SLICE_BYTES = 512;       // blocks start at multiples of this in global memory
constexpr uint32_t TILE_UNIT = 128;         // tiles are whole vector repeats, of 16-bit elements too
constexpr uint32_t SCRATCH_NUM = 4;         // float tensors that the kernel computes with

static ge::graphStatus GeluTiling(gert::TilingContext* context)
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
    // x and y, the scratch, and the float copy of 16-bit types
    const uint32_t wideNum = SCRATCH_NUM + (dtype == ge::DT_FLOAT ? 0 : 1);
    const uint32_t elementBytes = 2 * BUFFER_NUM * typeBytes + wideNum * sizeof(float);
    const uint32_t tileLength = (ubBytes - RESERVED_UB) / elementBytes / TILE_UNIT * TILE_UNIT;
    const uint32_t sliceLength = SLICE_BYTES / typeBytes;
    const uint32_t blockLength = (totalLength + coreNum * sliceLength - 1) / (coreNum * sliceLength) * sliceLength;

    GeluTilingData tiling;
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
class Gelu : public OpDef {
public:
    explicit Gelu(const char* name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});

        this->AICore().SetTiling(optiling::GeluTiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(Gelu);
}  // namespace ops
