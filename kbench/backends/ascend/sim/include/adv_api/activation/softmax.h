// SoftMax: dst = e^(src - max) / sum over each row of src [m, k], and AdjustSoftMaxRes. Half computes in float.
#pragma once

#include "kb_softmax.h"

namespace kb {

template <bool isBasicBlock, bool isDataFormatNZ, const AscendC::SoftmaxConfig& config, class T, class U>
KB_API void softmax(RowOp op, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& sum,
                    const AscendC::LocalTensor<U>& max, const AscendC::LocalTensor<T>& src,
                    const AscendC::LocalTensor<uint8_t>& tmp, const SoftMaxTiling& tiling,
                    const AscendC::SoftMaxShapeInfo& shape) {
    static_assert(config.mode == AscendC::SoftmaxMode::SOFTMAX_NORMAL, "SoftMax: mode is not supported");
    SoftmaxCall call = with_tiling(with_shape<config>(softmax_call(op, dst, src, tmp), src, shape), tiling);
    constexpr bool constant = config.oriSrcM != 0 && config.oriSrcK != 0;  // then isBasicBlock has no effect
    call.basic = isBasicBlock && !constant;
    call.nz = isDataFormatNZ;
    call.with_stats = true;
    call.sum = sum.view();
    call.max = max.view();
    kbrt_softmax(call);
}

template <bool isBasicBlock, const AscendC::SoftmaxConfig& config, class T>
KB_API void softmax(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                    const AscendC::LocalTensor<uint8_t>& tmp, const SoftMaxTiling& tiling,
                    const AscendC::SoftMaxShapeInfo& shape) {
    SoftmaxCall call = with_tiling(with_shape<config>(softmax_call(RowOp::SoftMax, dst, src, tmp), src, shape), tiling);
    constexpr bool constant = config.oriSrcM != 0 && config.oriSrcK != 0;
    call.basic = isBasicBlock && !constant;
    kbrt_softmax(call);
}

}  // namespace kb

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor, const LocalTensor<T>& maxTensor,
                    const LocalTensor<T>& srcTensor, const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax<isBasicBlock, isDataFormatNZ, config>(kb::RowOp::SoftMax, dstTensor, sumTensor, maxTensor, srcTensor,
                                                      sharedTmpBuffer, tiling, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftMax(const LocalTensor<half>& dstTensor, const LocalTensor<float>& sumTensor,
                    const LocalTensor<float>& maxTensor, const LocalTensor<half>& srcTensor,
                    const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax<isBasicBlock, isDataFormatNZ, config>(kb::RowOp::SoftMax, dstTensor, sumTensor, maxTensor, srcTensor,
                                                      sharedTmpBuffer, tiling, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& sumTensor, const LocalTensor<T>& maxTensor,
                    const LocalTensor<T>& srcTensor, const SoftMaxTiling& tiling,
                    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    SoftMax<T, isReuseSource, isBasicBlock, isDataFormatNZ, config>(dstTensor, sumTensor, maxTensor, srcTensor,
                                                                    kb::rest_of_ub(), tiling, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftMax(const LocalTensor<half>& dstTensor, const LocalTensor<float>& sumTensor,
                    const LocalTensor<float>& maxTensor, const LocalTensor<half>& srcTensor, const SoftMaxTiling& tiling,
                    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    SoftMax<T, isReuseSource, isBasicBlock, isDataFormatNZ, config>(dstTensor, sumTensor, maxTensor, srcTensor,
                                                                    kb::rest_of_ub(), tiling, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                    const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax<isBasicBlock, config>(dstTensor, srcTensor, sharedTmpBuffer, tiling, softmaxShapeInfo);
}

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const SoftMaxTiling& tiling,
                    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::softmax<isBasicBlock, config>(dstTensor, srcTensor, kb::rest_of_ub(), tiling, softmaxShapeInfo);
}

// Rows whose maximum has the bits of `from` become `to`. True where there was one.
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
KB_API bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes, const LocalTensor<T2>& maxTensor, const uint32_t from,
                             const T1 to, const SoftMaxShapeInfo& softmaxShapeInfo) {
    static_assert(SupportType<T2, half, float>(), "AdjustSoftMaxRes: expected a maxTensor of half or float");
    kb::SoftmaxCall call = kb::with_shape<SOFTMAX_DEFAULT_CFG>(
        kb::softmax_call(kb::RowOp::AdjustSoftMaxRes, softMaxRes, softMaxRes, {}), softMaxRes, softmaxShapeInfo);
    call.nz = isDataFormatNZ;
    call.broadcast = isDataFormatNZ || stepSizeMode == 0;
    call.in_max = maxTensor.view();
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &to, sizeof(to));
    return kbrt_softmax_adjust(call, from, bits);
}

}  // namespace AscendC
