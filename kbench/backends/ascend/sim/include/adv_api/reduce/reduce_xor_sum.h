// The sum of x ^ y over all elements, saturated to 16 bits.
#pragma once

#include "kb_reduce.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_XOR_SUM_CHECK()                                                                                      \
    static_assert((SupportType<T, int16_t>()), "Failed to check dtype in ReduceXorSum, current api support dtype " \
                  "combination is src and dst both: int16_t.")

template <typename T, bool isReuseSource = false>
KB_API void ReduceXorSum(LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,
                         LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    KB_XOR_SUM_CHECK();
    kbrt_adv_xor_sum(dstTensor.view(), src0Tensor.view(), src1Tensor.view(), sharedTmpBuffer.view(), calCount, isReuseSource);
}

template <typename T, bool isReuseSource = false>
KB_API void ReduceXorSum(LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor,
                         const uint32_t calCount) {
    KB_XOR_SUM_CHECK();
    kbrt_adv_xor_sum(dstTensor.view(), src0Tensor.view(), src1Tensor.view(), kb::no_tmp(), calCount, isReuseSource);
}

#undef KB_XOR_SUM_CHECK

}  // namespace AscendC
