// Entries of the runtime behind the high-level reductions.
#pragma once

#include "kb_pad.h"

namespace kb {

// `rows` of `n` elements, `stride` elements apart. `work` is the type that a mean's sum is kept in.
struct RowForm {
    uint32_t rows;
    uint32_t stride;
    uint32_t n;
    Dtype work;
};

}  // namespace kb

extern "C" {
void kbrt_adv_sum(kb::View dst, kb::View src, kb::View tmp, const kb::RowForm& form);
void kbrt_adv_mean(kb::View dst, kb::View src, kb::View tmp, const kb::RowForm& form);
}
