// TransData: NCDHW, whose images are padded to blocks, to and from channels (and batches) in groups of 16. Groups that are
// not full are filled with zeros; what pads an image is nobody's to rely on.
#include <string.h>

#include "../sizes/trans_data.h"
#include "adv.h"
#include "kb_turn.h"

namespace kb::adv {
namespace {

using sizes::TransDataWay;

constexpr const char* kApi = "TransData";

// Place of (n, c, d, image) in the grouped operand.
uint64_t grouped_at(const sizes::TransData& t, uint64_t n, uint64_t c, uint64_t d, uint64_t at) {
    const uint64_t c1 = t.channels() / 16;
    const uint64_t image = static_cast<uint64_t>(t.h) * t.w;
    if (t.way == TransDataWay::to_6hd || t.way == TransDataWay::from_6hd) {
        return (((n * t.d + d) * c1 + c / 16) * image + at) * 16 + c % 16;
    }
    return (((d * c1 + c / 16) * image + at) * t.batches() + n) * 16 + c % 16;
}

uint64_t plain_at(const sizes::TransData& t, uint64_t n, uint64_t c, uint64_t d, uint64_t at) {
    return ((n * t.c + c) * t.d + d) * t.image() + at;
}

template <class Move>
void each(const sizes::TransData& t, const Move& move) {
    for (uint64_t n = 0; n < t.n; ++n) {
        for (uint64_t c = 0; c < t.c; ++c) {
            for (uint64_t d = 0; d < t.d; ++d) {
                for (uint64_t at = 0; at < static_cast<uint64_t>(t.h) * t.w; ++at) {
                    move(plain_at(t, n, c, d, at), grouped_at(t, n, c, d, at));
                }
            }
        }
    }
}

}  // namespace
}  // namespace kb::adv

extern "C" void kbrt_adv_trans_data(kb::View dst, kb::View src, kb::View tmp, const kb::TransDataForm& form) {
    using namespace kb::adv;
    const uint32_t* p = form.plain;
    const kb::sizes::TransData t{static_cast<TransDataWay>(form.way), p[0], p[1], p[2], p[3], p[4]};
    const bool to_groups = t.way == TransDataWay::to_6hd || t.way == TransDataWay::to_fractal;
    if (!kb::sizes::trans_data_fits(t, form.rank, form.grouped)) {
        kb::warning("E9", kApi, "params: expected layouts of one tensor; the sizes of NCDHW are {%u, %u, %u, %u, %u}", p[0], p[1],
                    p[2], p[3], p[4]);
    }
    const uint64_t plain = kb::sizes::trans_data_plain(t) * 2;
    const uint64_t grouped = kb::sizes::trans_data_grouped(t) * 2;
    if (plain == 0) {
        return emit(Op::TransData, 0);
    }
    const Bytes operands[] = {{dst.ptr, to_groups ? grouped : plain, "dstTensor"},
                              {src.ptr, to_groups ? plain : grouped, "srcTensor"}};
    reads(src, "srcTensor", operands[1].count, kApi);
    writes(dst, "dstTensor", operands[0].count, kApi);
    const uint64_t needed = kb::sizes::trans_data(t);
    const Tmp work = temporary(tmp, needed, kApi);
    check_apart(work, needed, kApi, operands, 2);
    if (operands[0].meets(operands[1])) {
        kb::error("E11", kApi, "dstTensor overlaps srcTensor: expected no overlap");
    }
    memset(dst.ptr, to_groups ? 0 : 0xA5, operands[0].count);
    each(t, [&](uint64_t in_plain, uint64_t in_groups) {
        memcpy(dst.ptr + (to_groups ? in_groups : in_plain) * 2, src.ptr + (to_groups ? in_plain : in_groups) * 2, 2);
    });
    spoil(work, needed, kApi);
    reset_mask();
    emit(Op::TransData, operands[1].count);
}
