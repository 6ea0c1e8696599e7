// Tiling by classes: which of an operator's classes are tried, in which order.
#include <algorithm>

#include "state.h"

namespace kbhost {

namespace {

using Templates = std::vector<const TemplateSpec*>;

Templates by_priority(const char* op_type) {
    Templates found;
    for (const TemplateSpec& known : registry().templates) {
        if (known.op_type == op_type) found.push_back(&known);
    }
    std::stable_sort(found.begin(), found.end(), [](auto* a, auto* b) { return a->priority < b->priority; });
    return found;
}

Templates chosen(const Templates& all, const std::vector<int32_t>& priorities) {
    Templates found;
    for (int32_t priority : priorities) {
        std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](auto* t) { return t->priority == priority; });
    }
    return found;
}

}  // namespace

ge::graphStatus try_templates(gert::TilingContext* context, const std::vector<int32_t>* priorities) {
    Templates all = by_priority(context->GetNodeType());
    for (const TemplateSpec* spec : priorities == nullptr ? all : chosen(all, *priorities)) {
        std::unique_ptr<optiling::TilingBaseClass> tiling(spec->create(context));
        ge::graphStatus status = tiling->DoTiling();
        if (status != ge::GRAPH_PARAM_INVALID) return status;
    }
    return ge::GRAPH_FAILED;
}

}  // namespace kbhost
