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

// A matrix reduced along its columns (AR) or along its rows (RA); `op` is a kb::sizes::Reduce.
struct ReduceForm {
    uint8_t op;
    bool along_columns;
    bool reuse;    // the source may be overwritten
    bool padded;   // srcInnerPad
    uint32_t rows, columns;
};

}  // namespace kb

extern "C" {
void kbrt_adv_sum(kb::View dst, kb::View src, kb::View tmp, const kb::RowForm& form);
void kbrt_adv_reduce(kb::View dst, kb::View src, kb::View tmp, const kb::ReduceForm& form);
void kbrt_adv_xor_sum(kb::View dst, kb::View src0, kb::View src1, kb::View tmp, uint32_t count, bool reuse);
void kbrt_adv_mean(kb::View dst, kb::View src, kb::View tmp, const kb::RowForm& form);
}
