// The classes of an operator's tiling, tried by rising priority number.
#pragma once

#include <cstdint>
#include <vector>

#include "tiling/tiling_base.h"

namespace kbhost {
class TilingTemplate {
public:
    using Create = optiling::TilingBaseClass* (*)(gert::TilingContext*);
    TilingTemplate(const char* op_type, int32_t priority, Create create);
};
// The first of the operator's classes that fits decides; `priorities` null: all, by rising number.
ge::graphStatus try_templates(gert::TilingContext* context, const std::vector<int32_t>* priorities);
}  // namespace kbhost

namespace optiling {

class TilingRegistry {
public:
    static TilingRegistry& GetInstance() {
        static TilingRegistry only;
        return only;
    }
    ge::graphStatus DoTilingImpl(gert::TilingContext* context) { return kbhost::try_templates(context, nullptr); }
    ge::graphStatus DoTilingImpl(gert::TilingContext* context, const std::vector<int32_t>& priorities) {
        return kbhost::try_templates(context, &priorities);
    }
};

}  // namespace optiling

#define REGISTER_TILING_TEMPLATE(op_type, class_name, priority)                                                    \
    [[maybe_unused]] static const ::kbhost::TilingTemplate kbhost_template_##class_name##_##priority(              \
        op_type, priority,                                                                                         \
        [](gert::TilingContext* context) -> ::optiling::TilingBaseClass* { return new class_name(context); })
