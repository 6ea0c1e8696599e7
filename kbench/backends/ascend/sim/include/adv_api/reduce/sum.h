// Sum of each row of a matrix.
#pragma once

#include "kb_reduce.h"
#include "kernel_tensor.h"

namespace AscendC {

// Rows; elements from one row to the next (n rounded up to 32 bytes); elements that count.
struct SumParams {
    uint32_t outter = 1;
    uint32_t inner;
    uint32_t n;
};

template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
KB_API void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                const SumParams& sumParams) {
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in Sum, current api support dtype combination "
                  "is src and dst both: half / float.");
    kbrt_adv_sum(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(),
                 {sumParams.outter, sumParams.inner, sumParams.n, kb::dtype_of<T>()});
}

template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
KB_API void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const SumParams& sumParams) {
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in Sum, current api support dtype combination "
                  "is src and dst both: half / float.");
    kbrt_adv_sum(dstTensor.view(), srcTensor.view(), kb::no_tmp(),
                 {sumParams.outter, sumParams.inner, sumParams.n, kb::dtype_of<T>()});
}

}  // namespace AscendC
