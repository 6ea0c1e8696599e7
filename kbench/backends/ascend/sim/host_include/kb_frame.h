// The steps of tiling by classes, in their order: what every TilingBaseClass of the vendor's does.
#pragma once

#include <cstdint>

#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "graph/utils/type_utils.h"
#include "tiling/platform/platform_ascendc.h"

namespace kbhost {

template <class Params>
class TilingFrame {
public:
    explicit TilingFrame(gert::TilingContext* context) : context_(context) {}
    virtual ~TilingFrame() = default;

    // GRAPH_PARAM_INVALID: this class does not fit, try the next.
    ge::graphStatus DoTiling() {
        ge::graphStatus status = GetShapeAttrsInfo();
        if (status != ge::GRAPH_SUCCESS) return status;
        status = GetPlatformInfo();
        if (status != ge::GRAPH_SUCCESS) return status;
        if (!IsCapable()) return ge::GRAPH_PARAM_INVALID;
        status = DoOpTiling();
        if (status != ge::GRAPH_SUCCESS) return status;
        status = DoLibApiTiling();
        if (status != ge::GRAPH_SUCCESS) return status;
        status = GetWorkspaceSize();
        if (status != ge::GRAPH_SUCCESS) return status;
        status = PostTiling();
        if (status != ge::GRAPH_SUCCESS) return status;
        context_->SetTilingKey(GetTilingKey());
        DumpTilingInfo();
        return ge::GRAPH_SUCCESS;
    }
    virtual void Reset(gert::TilingContext* context) { context_ = context; }

protected:
    virtual bool IsCapable() = 0;
    virtual ge::graphStatus GetPlatformInfo() = 0;
    virtual ge::graphStatus GetShapeAttrsInfo() = 0;
    virtual ge::graphStatus DoOpTiling() = 0;
    virtual ge::graphStatus DoLibApiTiling() = 0;
    virtual uint64_t GetTilingKey() const = 0;
    virtual ge::graphStatus GetWorkspaceSize() = 0;
    virtual ge::graphStatus PostTiling() = 0;
    virtual void DumpTilingInfo() {}
    uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aic, uint32_t aiv) {
        return platform_ascendc::PlatformAscendC(context_->GetPlatformInfo()).CalcTschBlockDim(slices, aic, aiv);
    }

    gert::TilingContext* context_ = nullptr;
    uint32_t blockDim_ = 0;
    uint64_t workspaceSize_ = 0;
    uint64_t tilingKey_ = 0;
    Params aicoreParams_ = {};
};

}  // namespace kbhost
