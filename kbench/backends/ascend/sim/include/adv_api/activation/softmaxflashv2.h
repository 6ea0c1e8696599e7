// SoftmaxFlashV2 (FlashAttention-2): dst = e^(src - max) without division; max and sum go on from inMax and inExpSum, and
// expMax = e^(inMax - max) says by how much earlier results shrink.
#pragma once

#include "kb_softmax.h"

namespace kb {

// The tiling data as the kernel side makes it; `work` is the temporary space in floats.
KB_API constexpr SoftMaxTiling flash_v2_tiling(uint32_t m, uint32_t k, uint32_t src_bytes, uint32_t stat_bytes, uint32_t work,
                                               bool basic, bool nz, bool without_broadcast) {
    const uint32_t block = row_size::kBlock / stat_bytes;
    const bool tiles = !nz && basic && k % row_size::kRepeat == 0 && m % row_size::kTile == 0;
    uint32_t rows = work / (nz ? 3 * 16 + k : (src_bytes == 2 ? (tiles ? 1 : 2) * block + k : block) + row_size::kRepeat);
    rows = rows < m ? rows : m;
    if (tiles && rows > row_size::kTile) {
        rows -= rows % row_size::kTile;
        while (m % rows != 0) {
            rows -= row_size::kTile;
        }
        while (rows * k >= row_size::kRepeat * 256) {
            rows /= 2;
        }
    }
    const uint32_t unit = without_broadcast && src_bytes == 2 ? 16 : row_size::kTile;
    if (rows < m && rows > unit) {
        rows -= rows % unit;
    }
    SoftMaxTiling t;
    t.srcM = m;
    t.srcK = k;
    t.srcSize = m * k;
    t.outMaxM = m;
    t.outMaxK = block;
    t.outMaxSize = m * block;
    t.splitM = t.reduceM = rows;
    t.splitK = k;
    t.splitSize = rows * k;
    t.reduceK = block;
    t.reduceSize = rows * block;
    t.rangeM = rows == 0 ? 0 : m / rows;
    t.tailM = rows == 0 ? 0 : m % rows;
    t.tailSplitSize = t.tailM * k;
    t.tailReduceSize = t.tailM * block;
    return t;
}

template <bool isUpdate, bool isBasicBlock, bool isDataFormatNZ, const AscendC::SoftmaxConfig& config, class T, class U>
KB_API SoftmaxCall flash_v2_call(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<U>& sum,
                                 const AscendC::LocalTensor<U>& max, const AscendC::LocalTensor<T>& src,
                                 const AscendC::LocalTensor<T>& exp_max, const AscendC::LocalTensor<U>& in_sum,
                                 const AscendC::LocalTensor<U>& in_max, const AscendC::LocalTensor<uint8_t>& tmp,
                                 const SoftMaxTiling& tiling, const AscendC::SoftMaxShapeInfo& shape) {
    constexpr bool one_value = config.mode == AscendC::SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC;
    static_assert(!(one_value && isDataFormatNZ), "SoftmaxFlashV2: mode is not supported in the NZ format");
    constexpr bool constant = config.oriSrcM != 0 && config.oriSrcK != 0;
    SoftmaxCall call = softmax_call(RowOp::SoftmaxFlashV2, dst, src, tmp);
    call = with_tiling(with_shape<config>(call, src, shape), tiling);
    if constexpr (!config.isCheckTiling && !isDataFormatNZ) {  // the tiling data alone says what there is to do
        call.m = call.ori_m = call.tiling_m = tiling.rangeM * tiling.splitM + tiling.tailM;
        call.k = tiling.srcK;
    }
    call.update = isUpdate;
    call.basic = isBasicBlock && !constant;
    call.nz = isDataFormatNZ;
    call.broadcast = !one_value;
    call.with_stats = true;
    call.sum = sum.view();
    call.max = max.view();
    call.exp_max = exp_max.view();
    call.in_sum = in_sum.view();
    call.in_max = in_max.view();
    return call;
}

}  // namespace kb

namespace AscendC {

// As SoftMaxFlashV2TilingFunc, with the temporary space in floats.
KB_API constexpr SoftMaxTiling SoftMaxFlashV2TilingFuncImpl(const uint32_t srcM, const uint32_t srcK,
                                                            const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                                                            const uint32_t localWorkSpaceSize, const bool isUpdate = false,
                                                            const bool isBasicBlock = false, const bool isDataFormatNZ = false,
                                                            const bool isFlashOutputBrc = false) {
    (void)isUpdate;
    return kb::flash_v2_tiling(srcM, srcK, dataTypeSize1, dataTypeSize2, localWorkSpaceSize, isBasicBlock, isDataFormatNZ,
                               isFlashOutputBrc);
}

KB_API constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(const SoftMaxShapeInfo& shapeInfo, const uint32_t dataTypeSize1,
                                                        const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,
                                                        const bool isUpdate = false, const bool isBasicBlock = false,
                                                        const bool isDataFormatNZ = false,
                                                        const bool isFlashOutputBrc = false) {
    return SoftMaxFlashV2TilingFuncImpl(shapeInfo.srcM, shapeInfo.srcK, dataTypeSize1, dataTypeSize2, localWorkSpaceSize / 4,
                                        isUpdate, isBasicBlock, isDataFormatNZ, isFlashOutputBrc);
}

template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& expSumTensor, const LocalTensor<T>& maxTensor,
                           const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                           const LocalTensor<T>& inExpSumTensor, const LocalTensor<T>& inMaxTensor,
                           const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                           const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kbrt_softmax(kb::flash_v2_call<isUpdate, isBasicBlock, isDataFormatNZ, config>(
        dstTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor, sharedTmpBuffer, tiling,
        softmaxShapeInfo));
}

template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftmaxFlashV2(const LocalTensor<half>& dstTensor, const LocalTensor<float>& expSumTensor,
                           const LocalTensor<float>& maxTensor, const LocalTensor<half>& srcTensor,
                           const LocalTensor<half>& expMaxTensor, const LocalTensor<float>& inExpSumTensor,
                           const LocalTensor<float>& inMaxTensor, const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kbrt_softmax(kb::flash_v2_call<isUpdate, isBasicBlock, isDataFormatNZ, config>(
        dstTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor, sharedTmpBuffer, tiling,
        softmaxShapeInfo));
}

template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& expSumTensor, const LocalTensor<T>& maxTensor,
                           const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                           const LocalTensor<T>& inExpSumTensor, const LocalTensor<T>& inMaxTensor,
                           const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    SoftmaxFlashV2<T, isUpdate, isReuseSource, isBasicBlock, isDataFormatNZ, config>(
        dstTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor, kb::rest_of_ub(), tiling,
        softmaxShapeInfo);
}

template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftmaxFlashV2(const LocalTensor<half>& dstTensor, const LocalTensor<float>& expSumTensor,
                           const LocalTensor<float>& maxTensor, const LocalTensor<half>& srcTensor,
                           const LocalTensor<half>& expMaxTensor, const LocalTensor<float>& inExpSumTensor,
                           const LocalTensor<float>& inMaxTensor, const SoftMaxTiling& tiling,
                           const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    SoftmaxFlashV2<T, isUpdate, isReuseSource, isBasicBlock, isDataFormatNZ, config>(
        dstTensor, expSumTensor, maxTensor, srcTensor, expMaxTensor, inExpSumTensor, inMaxTensor, kb::rest_of_ub(), tiling,
        softmaxShapeInfo);
}

// With the row's own maximum as another output (where isUpdate). Only without broadcast; else nothing is done.
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax, const LocalTensor<T>& outExpSum,
                           const LocalTensor<T>& outMax, const LocalTensor<T>& srcTensor, const LocalTensor<T>& outExpMax,
                           const LocalTensor<T>& inExpSum, const LocalTensor<T>& inMax,
                           const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                           const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    if constexpr (config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC) {
        kb::SoftmaxCall call = kb::flash_v2_call<isUpdate, isBasicBlock, isDataFormatNZ, config>(
            dstTensor, outExpSum, outMax, srcTensor, outExpMax, inExpSum, inMax, sharedTmpBuffer, tiling, softmaxShapeInfo);
        if constexpr (isUpdate) {
            call.first_max = outReduceMax.view();
        }
        kbrt_softmax(call);
    }
}

template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
KB_API void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax, const LocalTensor<T>& outExpSum,
                           const LocalTensor<T>& outMax, const LocalTensor<T>& srcTensor, const LocalTensor<T>& outExpMax,
                           const LocalTensor<T>& inExpSum, const LocalTensor<T>& inMax, const SoftMaxTiling& tiling,
                           const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    SoftmaxFlashV2<T, isUpdate, isReuseSource, isBasicBlock, isDataFormatNZ, config>(
        dstTensor, outReduceMax, outExpSum, outMax, srcTensor, outExpMax, inExpSum, inMax, kb::rest_of_ub(), tiling,
        softmaxShapeInfo);
}

}  // namespace AscendC
