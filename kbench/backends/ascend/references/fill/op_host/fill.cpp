#include "fill_tiling.h"

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t TILE_BYTES = 32 * 1024;  // of constant values, written over and over
constexpr uint32_t SLICE_BYTES = 512;       // blocks start at multiples of this in global memory

static uint32_t TypeBytes(ge::DataType dtype)
{
    switch (dtype) {
        case ge::DT_INT64:
            return sizeof(int64_t);
        case ge::DT_FLOAT:
        case ge::DT_INT32:
            return sizeof(int32_t);
        case ge::DT_FLOAT16:
        case ge::DT_BF16:
            return sizeof(int16_t);
        default:
            return sizeof(int8_t);  // int8 and bool
    }
}

static ge::graphStatus FillTiling(gert::TilingContext* context)
{
    const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const uint32_t coreNum = platform.GetCoreNumAiv();
    const gert::Tensor* dims = context->GetInputTensor(0);
    const int64_t* sizes = dims->GetData<int64_t>();
    if (coreNum == 0 || sizes == nullptr) {
        return ge::GRAPH_FAILED;
    }
    uint32_t totalLength = 1;
    for (int64_t i = 0; i < dims->GetShapeSize(); ++i) {
        totalLength *= sizes[i];
    }
    if (totalLength == 0) {
        return ge::GRAPH_FAILED;
    }
    const uint32_t typeBytes = TypeBytes(context->GetInputDesc(1)->GetDataType());
    const uint32_t sliceLength = SLICE_BYTES / typeBytes;
    const uint32_t blockLength = (totalLength + coreNum * sliceLength - 1) / (coreNum * sliceLength) * sliceLength;
    const uint32_t wholeTile = TILE_BYTES / typeBytes;

    FillTilingData tiling;
    tiling.set_totalLength(totalLength);
    tiling.set_blockLength(blockLength);
    tiling.set_tileLength(blockLength < wholeTile ? blockLength : wholeTile);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim((totalLength + blockLength - 1) / blockLength);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
class Fill : public OpDef {
public:
    explicit Fill(const char* name) : OpDef(name)
    {
        const std::vector<ge::DataType> types = {
            ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT, ge::DT_INT8,
            ge::DT_INT32, ge::DT_INT64, ge::DT_BOOL};
        const std::vector<ge::Format> formats(types.size(), ge::FORMAT_ND);

        this->Input("dims")
            .ParamType(REQUIRED)
            .DataType(std::vector<ge::DataType>(types.size(), ge::DT_INT64))
            .Format(formats)
            .ValueDepend(REQUIRED);
        this->Input("value")
            .ParamType(REQUIRED)
            .DataType(types)
            .Format(formats);
        this->Output("y")
            .ParamType(REQUIRED)
            .DataType(types)
            .Format(formats);

        this->AICore().SetTiling(optiling::FillTiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};

OP_ADD(Fill);
}  // namespace ops
