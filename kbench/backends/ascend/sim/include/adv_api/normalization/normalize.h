// Normalize: (x - mean) / sqrt(variance + epsilon) * gamma + beta over [A, R], with mean and variance given.
#pragma once

#include "adv_api/normalization/normalize_utils.h"
#include "kb_norm.h"

namespace AscendC {

template <typename U, typename T, bool isReuseSource = false, const NormalizeConfig& config = NLCFG_NORM>
KB_API void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd, const LocalTensor<float>& inputMean,
                      const LocalTensor<float>& inputVariance, const LocalTensor<T>& inputX, const LocalTensor<U>& gamma,
                      const LocalTensor<U>& beta, const LocalTensor<uint8_t>& sharedTmpBuffer, const float epsilon,
                      const NormalizePara& para) {
    static_assert(kb::affine_types<U, T>(), "Normalize: expected half or float, gamma and beta no less precise");
    static_assert(!config.isOnlyOutput && config.aLength != 1, "Normalize: isOnlyOutput has to be false, aLength not 1");
    kb::NormCall call = kb::norm_call(kb::RowOp::Normalize, output, inputX, sharedTmpBuffer, epsilon);
    call = kb::with_affine(call, gamma, beta);
    call.no_gamma = config.isNoGamma;
    call.no_beta = config.isNoBeta;
    call.rows = para.aLength;
    call.h = para.rLengthWithPadding;
    call.valid = para.rLength;
    call.needed = kb::row_size::normalize_least(call.rows, call.h, sizeof(U) == 4);
    call.mean = inputMean.view();
    call.other = inputVariance.view();
    call.spread = outputRstd.view();
    kbrt_norm(call);
}

template <typename U, typename T, bool isReuseSource = false, const NormalizeConfig& config = NLCFG_NORM>
KB_API void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd, const LocalTensor<float>& inputMean,
                      const LocalTensor<float>& inputVariance, const LocalTensor<T>& inputX, const LocalTensor<U>& gamma,
                      const LocalTensor<U>& beta, const float epsilon, const NormalizePara& para) {
    Normalize<U, T, isReuseSource, config>(output, outputRstd, inputMean, inputVariance, inputX, gamma, beta, kb::rest_of_ub(),
                                           epsilon, para);
}

}  // namespace AscendC
