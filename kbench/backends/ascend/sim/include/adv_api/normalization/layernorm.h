// LayerNorm over the last axis: [B, S, H] with mean and variance, [A, R] with mean and 1 / sqrt(variance + epsilon); and
// WelfordUpdate, a step of mean and variance.
#pragma once

#include "adv_api/normalization/layernorm_utils.h"
#include "kb_norm.h"

namespace AscendC {

template <typename T, bool isReuseSource = false>
KB_API void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance,
                      const LocalTensor<T>& inputX, const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                      const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon, LayerNormTiling& tiling) {
    static_assert(!isReuseSource || sizeof(T) == 4, "LayerNorm: isReuseSource takes float");
    kb::NormCall call = kb::norm_call(kb::RowOp::LayerNorm, output, inputX, sharedTmpBuffer, static_cast<float>(epsilon));
    call = kb::with_affine(kb::with_bsh<T>(call, tiling, isReuseSource), gamma, beta);
    call.mean = outputMean.view();
    call.spread = outputVariance.view();
    kbrt_norm(call);
}

template <typename T, bool isReuseSource = false>
KB_API void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance,
                      const LocalTensor<T>& inputX, const LocalTensor<T>& gamma, const LocalTensor<T>& beta, const T epsilon,
                      LayerNormTiling& tiling) {
    LayerNorm<T, isReuseSource>(output, outputMean, outputVariance, inputX, gamma, beta, kb::rest_of_ub(), epsilon, tiling);
}

template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
KB_API void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean, const LocalTensor<float>& outputRstd,
                      const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                      const float epsilon, const LocalTensor<uint8_t>& sharedTmpBuffer, const LayerNormPara& para,
                      const LayerNormSeparateTiling& tiling) {
    static_assert(kb::affine_types<U, T>(), "LayerNorm: expected half or float, gamma and beta no less precise");
    static_assert(!config.isOnlyOutput, "LayerNorm: isOnlyOutput has to be false");
    kb::NormCall call = kb::norm_call(kb::RowOp::LayerNormRstd, output, inputX, sharedTmpBuffer, epsilon);
    call = kb::with_affine(call, gamma, beta);
    call.no_gamma = config.isNoGamma;
    call.no_beta = config.isNoBeta;
    call.rows = para.aLength;
    call.h = para.rLengthWithPadding;
    call.valid = para.rLength;
    call.tiling_rows = tiling.aLength;
    call.factor = tiling.rValueBack;
    call.used = tiling.secondTmpStartPos + tiling.oneTmpSize;
    call.needed = kb::row_size::layer_norm_rstd_least(call.rows, call.h, sizeof(U) == 4);
    call.mean = outputMean.view();
    call.spread = outputRstd.view();
    kbrt_norm(call);
}

template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
KB_API void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean, const LocalTensor<float>& outputRstd,
                      const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                      const float epsilon, const LayerNormPara& para, const LayerNormSeparateTiling& tiling) {
    LayerNorm<U, T, isReuseSource, config>(output, outputMean, outputRstd, inputX, gamma, beta, epsilon, kb::rest_of_ub(),
                                           para, tiling);
}

// With nRec = 1 / n: mean += (x - mean) / n, variance += (x - old mean) * (x - new mean).
template <typename T, typename U, bool isReuseSource = false, const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
KB_API void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,
                          const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance, const LocalTensor<T>& inputX,
                          const LocalTensor<uint8_t>& sharedTmpBuffer, const WelfordUpdateParam& para) {
    static_assert(SupportType<T, half, float>() && SupportType<U, float>(), "WelfordUpdate: expected half or float, and float");
    kb::WelfordCall call{};
    call.op = kb::RowOp::WelfordUpdate;
    call.in_place = config.isInplace;
    call.reuse = isReuseSource;
    call.rows = para.rnLength;
    call.length = para.abLength;
    call.count = para.abComputeLength;
    call.n_rec = para.nRec;
    call.needed = kb::row_size::welford_update_least(sizeof(T), isReuseSource);
    call.mean = outputMean.view();
    call.variance = outputVariance.view();
    call.in_mean = inputMean.view();
    call.in_variance = inputVariance.view();
    call.x = inputX.view();
    call.tmp = sharedTmpBuffer.view();
    kbrt_welford(call);
}

template <typename T, typename U, bool isReuseSource = false, const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
KB_API void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,
                          const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance, const LocalTensor<T>& inputX,
                          const WelfordUpdateParam& para) {
    WelfordUpdate<T, U, isReuseSource, config>(outputMean, outputVariance, inputMean, inputVariance, inputX, kb::rest_of_ub(),
                                               para);
}

}  // namespace AscendC
