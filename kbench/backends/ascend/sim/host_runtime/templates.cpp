// Tiling by classes.
#include <algorithm>

#include "state.h"

namespace optiling {

TilingBaseClass::~TilingBaseClass() = default;

ge::graphStatus TilingBaseClass::DoTiling() {
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

uint32_t TilingBaseClass::CalcTschBlockDim(uint32_t slices, uint32_t aic, uint32_t aiv) {
    return platform_ascendc::PlatformAscendC(context_->GetPlatformInfo()).CalcTschBlockDim(slices, aic, aiv);
}

TilingRegistry& TilingRegistry::GetInstance() {
    static TilingRegistry only;
    return only;
}

namespace {

using Templates = std::vector<const kbhost::TemplateSpec*>;

Templates templates_of(const char* op_type) {
    Templates found;
    for (const kbhost::TemplateSpec& known : kbhost::registry().templates) {
        if (known.op_type == op_type) found.push_back(&known);
    }
    std::stable_sort(found.begin(), found.end(), [](auto* a, auto* b) { return a->priority < b->priority; });
    return found;
}

// The first that fits decides, for better or worse.
ge::graphStatus try_in_order(gert::TilingContext* context, const Templates& templates) {
    for (const kbhost::TemplateSpec* spec : templates) {
        std::unique_ptr<TilingBaseClass> tiling(spec->create(context));
        ge::graphStatus status = tiling->DoTiling();
        if (status != ge::GRAPH_PARAM_INVALID) return status;
    }
    return ge::GRAPH_FAILED;
}

}  // namespace

ge::graphStatus TilingRegistry::DoTilingImpl(gert::TilingContext* context) {
    return try_in_order(context, templates_of(context->GetNodeType()));
}

ge::graphStatus TilingRegistry::DoTilingImpl(gert::TilingContext* context, const std::vector<int32_t>& priorities) {
    Templates wanted;
    for (int32_t priority : priorities) {
        for (const kbhost::TemplateSpec* spec : templates_of(context->GetNodeType())) {
            if (spec->priority == priority) wanted.push_back(spec);
        }
    }
    return try_in_order(context, wanted);
}

}  // namespace optiling
