// Mean of each row of a matrix.
#pragma once

#include "kb_reduce.h"
#include "kernel_tensor.h"

namespace AscendC {

// Rows; elements from one row to the next (n rounded up to 32 bytes); elements that count.
struct MeanParams {
    uint32_t outter = 1;
    uint32_t inner;
    uint32_t n;
};

#define KB_MEAN_CHECKS()                                                                                             \
    static_assert((SupportType<T, half, float>()) && (SupportType<accType, T, float>()),                             \
                  "Failed to check dtype in Mean, current api support dtype combination is src and dst both: half / " \
                  "float, accType the same or float.")

template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false, int32_t reduceDim = -1>
KB_API void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                 const MeanParams& meanParams) {
    KB_MEAN_CHECKS();
    kbrt_adv_mean(dstTensor.view(), srcTensor.view(), sharedTmpBuffer.view(),
                  {meanParams.outter, meanParams.inner, meanParams.n, kb::dtype_of<accType>()});
}

template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false, int32_t reduceDim = -1>
KB_API void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const MeanParams& meanParams) {
    KB_MEAN_CHECKS();
    kbrt_adv_mean(dstTensor.view(), srcTensor.view(), kb::no_tmp(),
                  {meanParams.outter, meanParams.inner, meanParams.n, kb::dtype_of<accType>()});
}

#undef KB_MEAN_CHECKS

}  // namespace AscendC
