// Entries of the runtime behind sorting and merging.
#pragma once

#include "kb_pad.h"

namespace kb {

struct MergeForm {
    uint32_t lengths[4];  // of the queues, in structures of 8 bytes
    uint32_t valid;       // a bit for each queue that takes part: 3, 7 or 15
    uint32_t repeats;
    bool suspend;         // stop when one queue is exhausted
};

// Operations on region proposals, which other architectures have.
enum class ProposalOp : uint8_t { MrgSort4, RpSort16, ProposalConcat, ProposalExtract };

// What the tiling of TopK holds: the host writes it, the kernel reads it.
struct TopKForm {
    int32_t rows;
    int32_t inner;
    int32_t n;
    int32_t k;
    bool small;       // TOPK_NSMALL
    bool has_index;   // the caller gives the indices
    bool has_finish;  // rows may be marked as finished
    bool largest;
};

}  // namespace kb

extern "C" {
// 32 scores and indices a repeat, into structures of 8 bytes in descending order.
void kbrt_sort32(kb::View dst, kb::View scores, kb::View indices, int32_t repeats);
// Up to four sorted queues into one. The counts of what was taken: 16 bits a queue.
void kbrt_merge(kb::View dst, const kb::View* queues, const kb::MergeForm& form);
uint64_t kbrt_merge_counts();
void kbrt_proposals(kb::ProposalOp op);

void kbrt_adv_concat(int32_t repeats);
void kbrt_adv_sort(kb::View dst, kb::View scores, kb::View indices, kb::View tmp, int32_t repeats, bool full);
void kbrt_adv_extract(kb::View values, kb::View indices, kb::View sorted, int32_t repeats);
}
