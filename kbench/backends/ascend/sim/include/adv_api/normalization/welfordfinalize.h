// WelfordFinalize: one mean and one variance from abLength of them, each over its own count. Blocks of 32 bytes, the first
// element of which is the result and the rest 0.
#pragma once

#include "adv_api/normalization/welfordfinalize_utils.h"
#include "kb_norm.h"

namespace kb {

KB_API WelfordCall finalize_call(const AscendC::LocalTensor<float>& mean, const AscendC::LocalTensor<float>& variance,
                                 const AscendC::LocalTensor<float>& in_mean, const AscendC::LocalTensor<float>& in_variance,
                                 const AscendC::LocalTensor<uint8_t>& tmp, const AscendC::WelfordFinalizePara& para) {
    WelfordCall call{};
    call.op = RowOp::WelfordFinalize;
    call.rows = para.rnLength;
    call.length = para.abLength;
    call.head_count = para.headCount;
    call.head_length = para.headCountLength;
    call.tail_count = para.tailCount;
    call.tail_length = para.tailCountLength;
    call.ab_rec = para.abRec;
    call.r_rec = para.rRec;
    call.needed = row_size::welford_finalize_least();
    call.mean = mean.view();
    call.variance = variance.view();
    call.in_mean = in_mean.view();
    call.in_variance = in_variance.view();
    call.tmp = tmp.view();
    return call;
}

}  // namespace kb

namespace AscendC {

template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
KB_API void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,
                            const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, WelfordFinalizePara& para) {
    static_assert(!config.isCorrection, "WelfordFinalize: isCorrection is not supported");
    kbrt_welford(kb::finalize_call(outputMean, outputVariance, inputMean, inputVariance, sharedTmpBuffer, para));
}

template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
KB_API void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,
                            const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                            const LocalTensor<int32_t>& counts, const LocalTensor<uint8_t>& sharedTmpBuffer,
                            WelfordFinalizePara& para) {
    static_assert(!config.isCorrection, "WelfordFinalize: isCorrection is not supported");
    kb::WelfordCall call = kb::finalize_call(outputMean, outputVariance, inputMean, inputVariance, sharedTmpBuffer, para);
    call.with_counts = true;
    call.counts = counts.view();
    kbrt_welford(call);
}

template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
KB_API void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,
                            const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                            WelfordFinalizePara& para) {
    WelfordFinalize<isReuseSource, config>(outputMean, outputVariance, inputMean, inputVariance, kb::rest_of_ub(), para);
}

template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
KB_API void WelfordFinalize(const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,
                            const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                            const LocalTensor<int32_t>& counts, WelfordFinalizePara& para) {
    WelfordFinalize<isReuseSource, config>(outputMean, outputVariance, inputMean, inputVariance, counts, kb::rest_of_ub(), para);
}

}  // namespace AscendC
