// DeepNorm: LayerNorm of alpha * src + gx over the last axis of [B, S, H], at most 2040 long. rstdLocal receives the variance.
#pragma once

#include "kb_norm.h"

namespace AscendC {

template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
KB_API void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal, const LocalTensor<T>& rstdLocal,
                     const LocalTensor<T>& srcLocal, const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,
                     const LocalTensor<T>& gammaLocal, const LocalTensor<uint8_t>& sharedTmpBuffer, const T alpha,
                     const T epsilon, DeepNormTiling& tiling) {
    static_assert(!isReuseSrc || sizeof(T) == 4, "DeepNorm: isReuseSrc takes float");
    kb::NormCall call = kb::norm_call(kb::RowOp::DeepNorm, dstLocal, srcLocal, sharedTmpBuffer, static_cast<float>(epsilon));
    call = kb::with_affine(kb::with_bsh<T>(call, tiling, isReuseSrc), gammaLocal, betaLocal);
    call.basic = isBasicBlock;
    call.limit = 2040;
    call.alpha = static_cast<float>(alpha);
    call.other = gxLocal.view();
    call.mean = meanLocal.view();
    call.spread = rstdLocal.view();
    kbrt_norm(call);
}

template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
KB_API void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal, const LocalTensor<T>& rstdLocal,
                     const LocalTensor<T>& srcLocal, const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,
                     const LocalTensor<T>& gammaLocal, const T alpha, const T epsilon, DeepNormTiling& tiling) {
    DeepNorm<T, isReuseSrc, isBasicBlock>(dstLocal, meanLocal, rstdLocal, srcLocal, gxLocal, betaLocal, gammaLocal,
                                          kb::rest_of_ub(), alpha, epsilon, tiling);
}

}  // namespace AscendC
