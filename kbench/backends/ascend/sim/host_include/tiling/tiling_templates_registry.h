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
}  // namespace kbhost

namespace optiling {

class TilingRegistry {
public:
    static TilingRegistry& GetInstance();
    ge::graphStatus DoTilingImpl(gert::TilingContext* context);
    ge::graphStatus DoTilingImpl(gert::TilingContext* context, const std::vector<int32_t>& priorities);
};

}  // namespace optiling

#define REGISTER_TILING_TEMPLATE(op_type, class_name, priority)                                                    \
    [[maybe_unused]] static const ::kbhost::TilingTemplate kbhost_template_##class_name##_##priority(              \
        op_type, priority,                                                                                         \
        [](gert::TilingContext* context) -> ::optiling::TilingBaseClass* { return new class_name(context); })
