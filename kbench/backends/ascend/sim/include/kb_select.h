// Entries of the runtime behind the operations that select and drop elements.
#pragma once

#include "kb_pad.h"

namespace kb {

// dst = mask element is 0 ? the first source : the second. One of the two is the scalar.
struct ByteSelectForm {
    uint32_t rows;
    uint32_t columns;       // of the source
    uint32_t mask_columns;  // of the mask
    bool scalar_first;      // the scalar is taken where the mask is 0
    bool reuse_mask;        // the mask may be overwritten
    uint64_t scalar;        // its bits
};

struct DropOutForm {
    uint32_t rows, columns, mask_columns;
    uint32_t mode;  // 0: by the shape; 1, 2: bytes, 3, 4: bits; 1 and 4 with unused bytes at the end of a mask's row
    float keep;
};

}  // namespace kb

extern "C" {
void kbrt_adv_drop_out(kb::View dst, kb::View src, kb::View mask, kb::View tmp, const kb::DropOutForm& form);
void kbrt_adv_select_bytes(kb::View dst, kb::View src, kb::View mask, kb::View tmp, const kb::ByteSelectForm& form);
}
