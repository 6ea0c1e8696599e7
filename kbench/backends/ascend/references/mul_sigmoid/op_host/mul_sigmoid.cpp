#include "mul_sigmoid_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t BUFFER_NUM = 2;          // every queue is double-buffered
constexpr uint32_t RESERVED_UB = 8 * 1024;  // bytes of the unified buffer that belong to the system
constexpr uint32_t SLICE_BYTES = 512;       // blocks start at multiples of this in global memory
constexpr uint32_t TILE_UNIT = 256;         // tiles are whole vector repeats, and their bits whole 32-byte blocks
constexpr uint32_t WIDE_NUM = 4;            // float tensors that the kernel computes with

static ge::graphStatus MulSigmoidTiling(gert::TilingContext* context)
{
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t ubBytes = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ubBytes);
    const uint32_t coreNum = platform.GetCoreNumAiv();
    const uint32_t totalLength = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    if (coreNum == 0 || totalLength == 0) {
        return ge::GRAPH_FAILED;
    }
    const uint32_t typeBytes = sizeof(uint16_t);
    // x1, x2 and out, the float tensors, and a bit of the comparison, rounded up to a byte
    const uint32_t elementBytes = 3 * BUFFER_NUM * typeBytes + WIDE_NUM * sizeof(float) + 1;
    const uint32_t tileLength = (ubBytes - RESERVED_UB) / elementBytes / TILE_UNIT * TILE_UNIT;
    const uint32_t sliceLength = SLICE_BYTES / typeBytes;
    const uint32_t blockLength = (totalLength + coreNum * sliceLength - 1) / (coreNum * sliceLength) * sliceLength;

    MulSigmoidTilingData tiling;
    tiling.set_totalLength(totalLength);
    tiling.set_blockLength(blockLength);
    tiling.set_tileLength(tileLength);
    tiling.set_rowLength(context->GetInputShape(1)->GetStorageShape().GetShapeSize());
    tiling.set_t1(*context->GetAttrs()->GetFloat(0));
    tiling.set_t2(*context->GetAttrs()->GetFloat(1));
    tiling.set_t3(*context->GetAttrs()->GetFloat(2));
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim((totalLength + blockLength - 1) / blockLength);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class MulSigmoid : public OpDef {
public:
    explicit MulSigmoid(const char* name) : OpDef(name)
    {
        this->Input("x1")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND});
        this->Input("x2")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND});
        this->Output("out")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND});
        this->Attr("t1").AttrType(REQUIRED).Float();
        this->Attr("t2").AttrType(REQUIRED).Float();
        this->Attr("t3").AttrType(REQUIRED).Float();

        this->AICore().SetTiling(optiling::MulSigmoidTiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(MulSigmoid);
}  // namespace ops
