// LogSoftMax: the decimal logarithm of SoftMax's result, with sum and max of each row as blocks of 32 bytes.
#pragma once

#include "kb_softmax.h"

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
KB_API void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum, const LocalTensor<T>& max, const LocalTensor<T>& src,
                       const LocalTensor<uint8_t>& sharedTmpBuffer, const LogSoftMaxTiling& tiling,
                       const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
    kb::SoftmaxCall call = kb::softmax_call(kb::RowOp::LogSoftMax, dst, src, sharedTmpBuffer);
    call = kb::with_tiling(kb::with_shape<SOFTMAX_DEFAULT_CFG>(call, src, softmaxShapeInfo), tiling);
    call.nz = isDataFormatNZ;
    call.with_stats = true;
    call.sum = sum.view();
    call.max = max.view();
    kbrt_softmax(call);
}

}  // namespace AscendC
