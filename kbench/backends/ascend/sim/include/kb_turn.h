// Entries of the runtime behind TopK and the transpositions of the library.
#pragma once

#include "kb_sort.h"

namespace kb {

struct TopKViews {
    View values, indices, src, src_index, finish, tmp;
};

struct TransDataForm {
    uint8_t direction;  // AscendC::TransDataConfig's formats: see the runtime
    uint32_t n, d, c, h, w;
};

}  // namespace kb

extern "C" {
// `tiling`: the tiling data as the kernel got them.
void kbrt_adv_topk(const kb::TopKViews& views, const kb::TopKForm& form, const void* tiling);
// `type` is an AscendC::TransposeType; `params` its eighteen numbers.
void kbrt_adv_turn(kb::View dst, kb::View src, kb::View tmp, uint8_t type, const void* params);
}
