// Sigmoid: dst = 1 / (1 + e^-x), by vector operations, in pieces as large as the temporary buffer allows. A piece of the
// source is read to its end before the destination is written: kernels exist whose two tensors overlap.
#pragma once

#include "kernel_operator_vec_intf.h"
#include "kernel_tpipe.h"

namespace AscendC {

template <typename T, bool isReuseSource = false>
KB_API void Sigmoid(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                    const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(SupportType<T, half, float>(), "Sigmoid: expected half or float");
    const LocalTensor<T> tmp = sharedTmpBuffer.template ReinterpretCast<T>();
    const uint32_t piece = tmp.GetSize() / (ONE_REPEAT_BYTE_SIZE / sizeof(T)) * (ONE_REPEAT_BYTE_SIZE / sizeof(T));
    kbrt_require_tmp("Sigmoid", sharedTmpBuffer.view(), ONE_REPEAT_BYTE_SIZE);
    for (uint32_t at = 0; at < calCount; at += piece) {
        const int32_t count = static_cast<int32_t>(calCount - at < piece ? calCount - at : piece);
        const LocalTensor<T> dst = dstTensor[at];
        Muls(tmp, srcTensor[at], static_cast<T>(-1), count);
        Exp(tmp, tmp, count);
        Adds(tmp, tmp, static_cast<T>(1), count);
        Duplicate(dst, static_cast<T>(1), count);
        Div(dst, dst, tmp, count);
    }
}

template <typename T, bool isReuseSource = false>
KB_API void Sigmoid(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                    const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Sigmoid<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());
}

template <typename T, bool isReuseSource = false>
KB_API void Sigmoid(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const uint32_t calCount) {
    LocalTensor<uint8_t> rest;
    PopStackBuffer<uint8_t, TPosition::LCM>(rest);
    Sigmoid<T, isReuseSource>(dstTensor, srcTensor, rest, calCount);
}

template <typename T, bool isReuseSource = false>
KB_API void Sigmoid(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {
    Sigmoid<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());
}

}  // namespace AscendC
