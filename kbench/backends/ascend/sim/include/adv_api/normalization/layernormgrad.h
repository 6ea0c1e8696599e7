// LayerNormGrad: the gradient of LayerNorm for its input, and (x - mean) / sqrt(variance + epsilon) for LayerNormGradBeta.
#pragma once

#include "adv_api/normalization/layernormgrad_utils.h"
#include "kb_norm.h"

namespace AscendC {

template <typename T, bool isReuseSource = false>
KB_API void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
                          const LocalTensor<T>& inputX, const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
                          const LocalTensor<T>& inputGamma, const LocalTensor<uint8_t>& sharedTmpBuffer, T epsilon,
                          LayerNormGradTiling& tiling, const LayerNormGradShapeInfo& shapeInfo = {}) {
    static_assert(SupportType<T, half, float>(), "LayerNormGrad: expected half or float");
    if (shapeInfo.dataFormat != DataFormat::ND) {
        return;  // nothing else is supported
    }
    const uint32_t buffers = kb::row_size::layer_norm_grad_buffers(sizeof(T), isReuseSource);
    kb::NormGradCall call{};
    call.op = kb::RowOp::LayerNormGrad;
    call.reuse = isReuseSource;
    call.rows = tiling.bLength * tiling.sLength;
    call.h = tiling.hLength;
    call.valid = tiling.originalHLength;
    const uint32_t all = call.rows * call.h;
    const uint32_t square = call.h * call.h;
    const uint32_t last = all < tiling.oneCalSize ? all : tiling.oneCalSize;
    call.used = (buffers - 1) * tiling.oneCalSize + last;
    call.needed = (all < square ? all : square) * buffers * static_cast<uint32_t>(sizeof(T));
    call.factor = __builtin_bit_cast(float, tiling.lastDimValueBack);
    call.twice = __builtin_bit_cast(float, tiling.lastDimValueBackMulTwo);
    call.epsilon = static_cast<float>(epsilon);
    call.dx = outputPdX.view();
    call.res = resForGamma.view();
    call.dy = inputDy.view();
    call.x = inputX.view();
    call.variance = inputVariance.view();
    call.mean = inputMean.view();
    call.gamma = inputGamma.view();
    call.tmp = sharedTmpBuffer.view();
    kbrt_norm_grad(call);
}

template <typename T, bool isReuseSource = false>
KB_API void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
                          const LocalTensor<T>& inputX, const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
                          const LocalTensor<T>& inputGamma, T epsilon, LayerNormGradTiling& tiling,
                          const LayerNormGradShapeInfo& shapeInfo = {}) {
    LayerNormGrad<T, isReuseSource>(outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma,
                                    kb::rest_of_ub(), epsilon, tiling, shapeInfo);
}

}  // namespace AscendC
