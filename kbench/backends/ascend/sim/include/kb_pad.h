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

// A matrix whose rows are padded left and right; columns from `valid` on are padding already where rows are whole blocks.
struct PadForm {
    uint32_t rows, columns, valid;
    uint32_t left, right;
    int32_t value;
    uint32_t buffer_elements;  // of each of the two temporary buffers that the tiling plans with
};

struct RunningForm {
    uint32_t rows, columns;
    bool along_columns;
    bool last_row;
};

}  // namespace kb

extern "C" {
void kbrt_adv_pad(kb::View dst, kb::View src, kb::View tmp, const kb::PadForm& form);
void kbrt_adv_unpad(kb::View dst, kb::View src, const kb::PadForm& form);
void kbrt_adv_cumsum(kb::View dst, kb::View last_row, kb::View src, kb::View tmp, const kb::RunningForm& form);
// first and step are an element's bits.
void kbrt_adv_arange(kb::View dst, uint64_t first, uint64_t step, int32_t count);
void kbrt_adv_broadcast(kb::View dst, kb::View src, kb::View tmp, const kb::BroadcastForm& form);
}
