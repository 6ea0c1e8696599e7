// RmsNorm: x / sqrt(mean(x^2) + epsilon) * gamma over the last axis of [B, S, H].
#pragma once

#include "kb_norm.h"

namespace AscendC {

template <typename T, bool isBasicBlock = false>
KB_API void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<T>& gammaLocal,
                    const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon, const RmsNormTiling& tiling) {
    kb::NormCall call = kb::norm_call(kb::RowOp::RmsNorm, dstLocal, srcLocal, sharedTmpBuffer, static_cast<float>(epsilon));
    call.basic = isBasicBlock;
    call.no_beta = true;
    call.gamma = gammaLocal.view();
    call.rows = tiling.bLength * tiling.sLength;
    call.h = tiling.hLength;
    call.valid = tiling.originalHLength;
    call.factor = tiling.reciprocalOfHLength;
    call.used = tiling.mainBshLength * (sizeof(T) == 2 ? 2 : 1) + tiling.mainBsLengthAlign;
    call.needed = kb::row_size::rms_norm_least(call.h, sizeof(T) == 2);
    kbrt_norm(call);
}

template <typename T, bool isBasicBlock = false>
KB_API void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<T>& gammaLocal,
                    const T epsilon, const RmsNormTiling& tiling) {
    RmsNorm<T, isBasicBlock>(dstLocal, srcLocal, gammaLocal, kb::rest_of_ub(), epsilon, tiling);
}

}  // namespace AscendC
