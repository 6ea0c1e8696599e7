// BatchNorm over the first axis of [B, S, H]; mean and variance are [S, H], gamma and beta have one value for each of B.
#pragma once

#include "kb_norm.h"

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
KB_API void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance,
                      const LocalTensor<T>& inputX, const LocalTensor<T>& gamm, const LocalTensor<T>& beta,
                      const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon, BatchNormTiling& tiling) {
    kb::NormCall call = kb::norm_call(kb::RowOp::BatchNorm, output, inputX, sharedTmpBuffer, static_cast<float>(epsilon));
    call = kb::with_affine(call, gamm, beta);
    call.basic = isBasicBlock;
    call.rows = tiling.originalBLength;
    call.h = call.valid = tiling.meanVarSize;
    call.factor = tiling.firstDimValueBack;
    call.used = tiling.thirdTmpStartPos + tiling.oneTmpSize;
    call.needed = kb::row_size::batch_norm_least(call.rows, call.h, sizeof(T) == 2, isBasicBlock);
    call.mean = outputMean.view();
    call.spread = outputVariance.view();
    kbrt_norm(call);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false>
KB_API void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance,
                      const LocalTensor<T>& inputX, const LocalTensor<T>& gamm, const LocalTensor<T>& beta, const T epsilon,
                      BatchNormTiling& tiling) {
    BatchNorm<T, isReuseSource, isBasicBlock>(output, outputMean, outputVariance, inputX, gamm, beta, kb::rest_of_ub(),
                                              epsilon, tiling);
}

}  // namespace AscendC
