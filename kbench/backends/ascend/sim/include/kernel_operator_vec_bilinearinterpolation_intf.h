// BilinearInterpolation: weighted sums of blocks that offsets choose.
#pragma once

#include "kb_vec.h"
#include "kernel_tensor.h"

namespace kb {

struct Interpolation {
    uint32_t horizontal;    // blocks of eight that are summed
    uint32_t vertical;      // results
    bool weight_per_block;  // else one weight for eight blocks
    uint32_t dst_block;     // strides of dst: between blocks in 32 bytes, between results in elements
    uint32_t dst_result;
};

}  // namespace kb

extern "C" {
void kbrt_vec_interpolate(const kb::View (&views)[5], const kb::Interpolation& how, const kb::VecForm& mask);
}

namespace AscendC {

#define KB_INTERPOLATE(form)                                                                                      \
    static_assert(std::is_same_v<T, half>, "Failed to check dtype in BilinearInterpolation, current api support " \
                                           "dtype combination is src and dst both: half.");                       \
    const kb::View views[5] = {kb::view(dst), kb::view(src0), kb::view(src0Offset), kb::view(src1),               \
                               kb::view(sharedTmpBuffer)};                                                        \
    kbrt_vec_interpolate(views, {hRepeat, vRepeat, repeatMode, dstBlkStride, vROffset}, form)

template <typename T>
KB_API void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                  const LocalTensor<uint32_t>& src0Offset, const LocalTensor<T>& src1, uint64_t mask,
                                  uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride, uint16_t vROffset,
                                  uint8_t vRepeat, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    KB_INTERPOLATE(kb::vec_first<true>(kb::VecOp::BilinearInterpolation, mask, vRepeat));
}

template <typename T>
KB_API void BilinearInterpolation(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                  const LocalTensor<uint32_t>& src0Offset, const LocalTensor<T>& src1, uint64_t mask[],
                                  uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride, uint16_t vROffset,
                                  uint8_t vRepeat, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    KB_INTERPOLATE(kb::vec_bits<true>(kb::VecOp::BilinearInterpolation, mask, vRepeat));
}

#undef KB_INTERPOLATE

}  // namespace AscendC
