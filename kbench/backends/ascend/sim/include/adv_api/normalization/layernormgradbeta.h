// LayerNormGradBeta: the gradients of gamma, sum(dy * res) over B and S, and of beta, sum(dy).
#pragma once

#include "kb_norm.h"

namespace AscendC {

template <typename T, bool isReuseSource = false>
KB_API void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,
                              const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
                              const LocalTensor<uint8_t>& sharedTmpBuffer, const LayerNormGradBetaTiling& tiling) {
    static_assert(SupportType<T, half, float>(), "LayerNormGradBeta: expected half or float");
    kb::NormGradCall call{};
    call.op = kb::RowOp::LayerNormGradBeta;
    call.reuse = isReuseSource;
    call.rows = tiling.bLength * tiling.sLength;
    call.h = tiling.hLength;
    call.valid = tiling.originalHLength;
    call.used = sizeof(T) == 4 && isReuseSource ? 0 : tiling.resForGammaTmpTensorPos + tiling.oneCalSize;
    call.needed = kb::row_size::layer_norm_grad_beta(call.h, sizeof(T) == 2);
    call.dgamma = outputPdGamma.view();
    call.dbeta = outputPdBeta.view();
    call.res = resForGamma.view();
    call.dy = inputDy.view();
    call.tmp = sharedTmpBuffer.view();
    kbrt_norm_grad(call);
}

template <typename T, bool isReuseSource = false>
KB_API void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,
                              const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy, LayerNormGradBetaTiling& tiling) {
    LayerNormGradBeta<T, isReuseSource>(outputPdGamma, outputPdBeta, resForGamma, inputDy, kb::rest_of_ub(), tiling);
}

}  // namespace AscendC
