// Entries of the runtime behind the operations that broadcast and pad.
#pragma once

#include "kb_view.h"

namespace kb {

// The temporary buffer of a call without one: the operation takes what InitBuffer has left.
KB_API constexpr View no_tmp() {
    return {nullptr, 0, 0, Dtype::none, 0};
}

struct BroadcastForm {
    int32_t dim;   // 1 or 2
    int32_t axis;  // the dimension that grows
    uint32_t dst[2];
    uint32_t src[2];
};

}  // namespace kb

extern "C" {
void kbrt_adv_broadcast(kb::View dst, kb::View src, kb::View tmp, const kb::BroadcastForm& form);
}
