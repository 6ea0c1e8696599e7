// SimpleSoftMax: dst = e^(src - inMax) / inSum, with maximum and sum of each row given as blocks of 32 bytes.
#pragma once

#include "kb_softmax.h"

namespace kb {

template <bool isBasicBlock, bool isDataFormatNZ, const AscendC::SoftmaxConfig& config, class T, class U>
KB_API void simple_softmax(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& sum,
                           const AscendC::LocalTensor<U>& max, const AscendC::LocalTensor<T>& src,
                           const AscendC::LocalTensor<uint8_t>& tmp, const SoftMaxTiling& tiling,
                           const AscendC::SoftMaxShapeInfo& shape) {
    SoftmaxCall call = with_tiling(with_shape<config>(softmax_call(RowOp::SimpleSoftMax, dst, src, tmp), src, shape), tiling);
    call.basic = isBasicBlock;
    call.nz = isDataFormatNZ;
    call.in_sum = sum.view();
    call.in_max = max.view();
    kbrt_softmax(call);
}

}  // namespace kb

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SimpleSoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& inSumTensor, const LocalTensor<T>& inMaxTensor,
                          const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                          const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::simple_softmax<isBasicBlock, isDataFormatNZ, config>(dstTensor, inSumTensor, inMaxTensor, srcTensor, sharedTmpBuffer,
                                                             tiling, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SimpleSoftMax(const LocalTensor<half>& dstTensor, const LocalTensor<float>& inSumTensor,
                          const LocalTensor<float>& inMaxTensor, const LocalTensor<half>& srcTensor,
                          const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                          const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::simple_softmax<isBasicBlock, isDataFormatNZ, config>(dstTensor, inSumTensor, inMaxTensor, srcTensor, sharedTmpBuffer,
                                                             tiling, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SimpleSoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& inSumTensor, const LocalTensor<T>& inMaxTensor,
                          const LocalTensor<T>& srcTensor, const SoftMaxTiling& tiling,
                          const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::simple_softmax<isBasicBlock, isDataFormatNZ, config>(dstTensor, inSumTensor, inMaxTensor, srcTensor, kb::rest_of_ub(),
                                                             tiling, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SimpleSoftMax(const LocalTensor<half>& dstTensor, const LocalTensor<float>& inSumTensor,
                          const LocalTensor<float>& inMaxTensor, const LocalTensor<half>& srcTensor,
                          const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::simple_softmax<isBasicBlock, isDataFormatNZ, config>(dstTensor, inSumTensor, inMaxTensor, srcTensor, kb::rest_of_ub(),
                                                             tiling, softmaxShapeInfo);
}

}  // namespace AscendC
