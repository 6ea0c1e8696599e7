// GroupNorm over groups of channels of [N, C, H, W], each channel padded to 32 bytes; gamma and beta are [C], mean and
// variance one value for each group of each image.
#pragma once

#include "kb_norm.h"

namespace AscendC {

template <typename T, bool isReuseSource = false>
KB_API void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance,
                      const LocalTensor<T>& inputX, const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                      const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon, GroupNormTiling& tiling) {
    static_assert(!isReuseSource || sizeof(T) == 4, "GroupNorm: isReuseSource takes float");
    kb::NormCall call = kb::norm_call(kb::RowOp::GroupNorm, output, inputX, sharedTmpBuffer, static_cast<float>(epsilon));
    call = kb::with_affine(call, gamma, beta);
    call.reuse = isReuseSource;
    call.rows = tiling.n * tiling.g;
    call.h = tiling.hwAlignSize;
    call.valid = tiling.hw;
    call.depth = tiling.d;
    call.channels = tiling.c;
    call.factor = tiling.factor;
    call.used = (isReuseSource ? tiling.secondTmpStartPos : tiling.thirdTmpStartPos) + tiling.oneTmpSize;
    call.needed = kb::row_size::group_norm(call.rows, call.depth, call.h, isReuseSource);
    call.mean = outputMean.view();
    call.spread = outputVariance.view();
    kbrt_norm(call);
}

template <typename T, bool isReuseSource = false>
KB_API void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean, const LocalTensor<T>& outputVariance,
                      const LocalTensor<T>& inputX, const LocalTensor<T>& gamma, const LocalTensor<T>& beta, const T epsilon,
                      GroupNormTiling& tiling) {
    GroupNorm<T, isReuseSource>(output, outputMean, outputVariance, inputX, gamma, beta, kb::rest_of_ub(), epsilon, tiling);
}

}  // namespace AscendC
