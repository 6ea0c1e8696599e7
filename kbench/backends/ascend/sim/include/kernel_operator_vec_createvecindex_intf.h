// CreateVecIndex: dst = firstValue, firstValue + 1, …
#pragma once

#include "kb_vec.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_LEGAL_TYPE                                                                                         \
    static_assert((SupportType<T, half, float, int16_t, int32_t>()),                                          \
                  "Failed to check dtype in CreateVecIndex, current api support dtype combination is dst: "   \
                  "half / float / int16_t / int32_t.")

template <typename T>
KB_API void CreateVecIndex(const LocalTensor<T>& dst, const T& firstValue, uint64_t mask, uint8_t repeatTime,
                           uint16_t dstBlkStride, uint8_t dstRepStride) {
    KB_LEGAL_TYPE;
    kb::VecForm form = kb::with_scalar(kb::vec_first<true>(kb::VecOp::CreateVecIndex, mask, repeatTime),
                                       kb::scalar_bits(firstValue));
    form.block[0] = dstBlkStride;
    form.repeat[0] = dstRepStride;
    kbrt_vec_index(kb::view(dst), form);
}

template <typename T>
KB_API void CreateVecIndex(const LocalTensor<T>& dst, const T& firstValue, uint64_t mask[], uint8_t repeatTime,
                           uint16_t dstBlkStride, uint8_t dstRepStride) {
    KB_LEGAL_TYPE;
    kb::VecForm form = kb::with_scalar(kb::vec_bits<true>(kb::VecOp::CreateVecIndex, mask, repeatTime),
                                       kb::scalar_bits(firstValue));
    form.block[0] = dstBlkStride;
    form.repeat[0] = dstRepStride;
    kbrt_vec_index(kb::view(dst), form);
}

template <typename T>
KB_API void CreateVecIndex(LocalTensor<T> dst, const T& firstValue, uint32_t count) {
    KB_LEGAL_TYPE;
    kbrt_vec_index(kb::view(dst), kb::with_scalar(kb::vec_count(kb::VecOp::CreateVecIndex, count),
                                                  kb::scalar_bits(firstValue)));
}

#undef KB_LEGAL_TYPE

}  // namespace AscendC
