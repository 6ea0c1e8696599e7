// Gather and Gatherb: elements, or 32-byte blocks, from byte offsets behind a tensor.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_gather.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_LEGAL_TYPE                                                                                              \
    static_assert((SupportType<T, half, bfloat16_t, int16_t, uint16_t, int32_t, uint32_t, float>()),              \
                  "Failed to check dtype in Gather, current api support dtype combination is src and dst both: "  \
                  "half / bfloat16_t / int16_t / uint16_t / int32_t / uint32_t / float.")

template <typename T>
KB_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
                   const uint32_t srcBaseOffset, const uint64_t mask, const uint8_t repeatTime,
                   const uint16_t dstRepStride) {
    KB_LEGAL_TYPE;
    kb::VecForm form = kb::vec_first<true>(kb::VecOp::Gather, mask, repeatTime);
    form.repeat[0] = dstRepStride;
    kbrt_vec_gather(kb::view(dst), kb::view(src), kb::view(srcOffset), srcBaseOffset, form);
}

template <typename T>
KB_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
                   const uint32_t srcBaseOffset, const uint64_t mask[], const uint8_t repeatTime,
                   const uint16_t dstRepStride) {
    KB_LEGAL_TYPE;
    kb::VecForm form = kb::vec_bits<true>(kb::VecOp::Gather, mask, repeatTime);
    form.repeat[0] = dstRepStride;
    kbrt_vec_gather(kb::view(dst), kb::view(src), kb::view(srcOffset), srcBaseOffset, form);
}

template <typename T>
KB_API void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
                   const uint32_t srcBaseOffset, const uint32_t count) {
    KB_LEGAL_TYPE;
    kbrt_vec_gather(kb::view(dst), kb::view(src), kb::view(srcOffset), srcBaseOffset,
                    kb::vec_count(kb::VecOp::Gather, count));
}

#undef KB_LEGAL_TYPE

template <typename T>
KB_API void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& offset,
                    const uint8_t repeatTime, const GatherRepeatParams& repeatParams) {
    static_assert((SupportType<T, uint16_t, uint32_t>()),
                  "Failed to check dtype in Gatherb, current api support dtype combination is src and dst both: "
                  "uint16_t / uint32_t.");
    kb::VecForm form = kb::vec_first<false>(kb::VecOp::Gatherb, 0, repeatTime);
    form.block[0] = repeatParams.dstBlkStride;
    form.repeat[0] = repeatParams.dstRepStride;
    kbrt_vec_gather(kb::view(dst), kb::view(src0), kb::view(offset), 0, form);
}

}  // namespace AscendC
