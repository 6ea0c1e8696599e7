// SoftmaxFlash: SoftMax, or its update by further columns: dst and expMax = e^(inMax - max) * inSum are divided by the sum.
#pragma once

#include "kb_softmax.h"

namespace kb {

template <bool isBasicBlock, class T, class U>
KB_API void softmax_flash(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& sum,
                          const AscendC::LocalTensor<U>& max, const AscendC::LocalTensor<T>& src,
                          const AscendC::LocalTensor<T>& exp_max, const AscendC::LocalTensor<U>& in_sum,
                          const AscendC::LocalTensor<U>& in_max, const AscendC::LocalTensor<uint8_t>& tmp,
                          const SoftMaxTiling& tiling, bool update, const AscendC::SoftMaxShapeInfo& shape) {
    SoftmaxCall call = softmax_call(RowOp::SoftmaxFlash, dst, src, tmp);
    call = with_tiling(with_shape<AscendC::SOFTMAX_DEFAULT_CFG>(call, src, shape), tiling);
    call.update = update;
    call.basic = isBasicBlock;
    call.with_stats = true;
    call.sum = sum.view();
    call.max = max.view();
    call.exp_max = exp_max.view();
    call.in_sum = in_sum.view();
    call.in_max = in_max.view();
    kbrt_softmax(call);
}

}  // namespace kb

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
KB_API void SoftmaxFlash(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor, const LocalTensor<T>& maxTensor,
                         const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                         const LocalTensor<T>& inSumTensor, const LocalTensor<T>& inMaxTensor,
                         const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling, bool isUpdate = false,
                         const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax_flash<isBasicBlock>(dstTensor, sumTensor, maxTensor, srcTensor, expMaxTensor, inSumTensor, inMaxTensor,
                                    sharedTmpBuffer, tiling, isUpdate, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
KB_API void SoftmaxFlash(const LocalTensor<half>& dstTensor, const LocalTensor<float>& sumTensor,
                         const LocalTensor<float>& maxTensor, const LocalTensor<half>& srcTensor,
                         const LocalTensor<half>& expMaxTensor, const LocalTensor<float>& inSumTensor,
                         const LocalTensor<float>& inMaxTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                         const SoftMaxTiling& tiling, bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax_flash<isBasicBlock>(dstTensor, sumTensor, maxTensor, srcTensor, expMaxTensor, inSumTensor, inMaxTensor,
                                    sharedTmpBuffer, tiling, isUpdate, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
KB_API void SoftmaxFlash(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor, const LocalTensor<T>& maxTensor,
                         const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                         const LocalTensor<T>& inSumTensor, const LocalTensor<T>& inMaxTensor, const SoftMaxTiling& tiling,
                         bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax_flash<isBasicBlock>(dstTensor, sumTensor, maxTensor, srcTensor, expMaxTensor, inSumTensor, inMaxTensor,
                                    kb::rest_of_ub(), tiling, isUpdate, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
KB_API void SoftmaxFlash(const LocalTensor<half>& dstTensor, const LocalTensor<float>& sumTensor,
                         const LocalTensor<float>& maxTensor, const LocalTensor<half>& srcTensor,
                         const LocalTensor<half>& expMaxTensor, const LocalTensor<float>& inSumTensor,
                         const LocalTensor<float>& inMaxTensor, const SoftMaxTiling& tiling, bool isUpdate = false,
                         const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax_flash<isBasicBlock>(dstTensor, sumTensor, maxTensor, srcTensor, expMaxTensor, inSumTensor, inMaxTensor,
                                    kb::rest_of_ub(), tiling, isUpdate, softmaxShapeInfo);
}

}  // namespace AscendC
