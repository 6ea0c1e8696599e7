// SoftmaxFlashV3 (PASA): as SoftmaxFlashV2, after each eighth of a row was shifted by (mean - its own mean) * alpha / (1 - alpha).
// Half data, float statistics.
#pragma once

#include "kb_softmax.h"

namespace AscendC {

template <typename T, typename U, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftmaxFlashV3(const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor, const LocalTensor<U>& expSumTensor,
                           const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                           const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,
                           const LocalTensor<U>& inMaxTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const SoftMaxTiling& tiling, const SoftMaxParams& params) {
    static_assert(SupportType<T, half>() && SupportType<U, float>(), "SoftmaxFlashV3: expected half and float");
    static_assert(!isDataFormatNZ, "SoftmaxFlashV3: expected the ND format");
    kb::SoftmaxCall call = kb::softmax_call(kb::RowOp::SoftmaxFlashV3, dstTensor, srcTensor, sharedTmpBuffer);
    const SoftMaxShapeInfo shape{params.srcM, params.srcK, params.oriSrcM, params.oriSrcK};
    call = kb::with_tiling(kb::with_shape<SOFTMAX_DEFAULT_CFG>(call, srcTensor, shape), tiling);
    call.update = isUpdate;
    call.with_stats = true;
    call.loops = params.loopCnt;
    call.parts = params.splitMeanCnt;
    call.alpha = params.alpha;
    call.mean = meanTensor.view();
    call.sum = expSumTensor.view();
    call.max = maxTensor.view();
    call.exp_max = expMaxTensor.view();
    call.in_mean = inMeanTensor.view();
    call.in_sum = inExpSumTensor.view();
    call.in_max = inMaxTensor.view();
    kbrt_softmax(call);
}

template <typename T, typename U, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftmaxFlashV3(const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor, const LocalTensor<U>& expSumTensor,
                           const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                           const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,
                           const LocalTensor<U>& inMaxTensor, const SoftMaxTiling& tiling, const SoftMaxParams& params) {
    SoftmaxFlashV3<T, U, isUpdate, isReuseSource, isBasicBlock, isDataFormatNZ, config>(
        dstTensor, meanTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inMeanTensor, inExpSumTensor, inMaxTensor,
        kb::rest_of_ub(), tiling, params);
}

}  // namespace AscendC
