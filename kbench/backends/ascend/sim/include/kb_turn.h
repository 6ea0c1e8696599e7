// Entries of the runtime behind TopK and the transpositions of the library.
#pragma once

#include "kb_sort.h"

namespace kb {

struct TopKViews {
    View values, indices, src, src_index, finish, tmp;
};

struct TransDataForm {
    uint8_t way;          // sizes::TransDataWay
    uint8_t rank;         // of `grouped`
    uint32_t plain[5];    // N, C, D, H, W
    uint32_t grouped[7];  // of the other operand, as its layout has them
};

}  // namespace kb

extern "C" {
// `tiling`: the tiling data as the kernel got them.
void kbrt_adv_topk(const kb::TopKViews& views, const kb::TopKForm& form, const void* tiling);
// `type` is an AscendC::TransposeType; `params` its eighteen numbers.
void kbrt_adv_turn(kb::View dst, kb::View src, kb::View tmp, uint8_t type, const void* params);
void kbrt_adv_trans_data(kb::View dst, kb::View src, kb::View tmp, const kb::TransDataForm& form);
}
