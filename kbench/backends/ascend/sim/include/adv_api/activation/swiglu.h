// SwiGLU: dst = src0 * src1 / (1 + e^(-scalar src1)).
#pragma once

#include "kb_adv.h"

namespace AscendC {

template <typename T, bool isReuseSource = false>
KB_API void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, const LocalTensor<T>& srcTensor1,
                   const float& scalarValue, const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(SupportType<T, half, float>(), "SwiGLU: expected half or float");
    kbrt_adv(kb::view(dstTensor), kb::view(srcTensor0), kb::view(srcTensor1), kb::view(sharedTmpBuffer),
             kb::with_adv_scalar(kb::adv_form(kb::AdvOp::SwiGLU, calCount, 0), kb::scalar_bits(scalarValue)));
}

template <typename T, bool isReuseSource = false>
KB_API void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, const LocalTensor<T>& srcTensor1,
                   const float& scalarValue, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue, sharedTmpBuffer, srcTensor0.GetSize());
}

template <typename T, bool isReuseSource = false>
KB_API void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, const LocalTensor<T>& srcTensor1,
                   const float& scalarValue, const uint32_t calCount) {
    static_assert(SupportType<T, half, float>(), "SwiGLU: expected half or float");
    const kb::AdvForm form = kb::adv_form(kb::AdvOp::SwiGLU, calCount, kb::kAdvFramework);
    kbrt_adv(kb::view(dstTensor), kb::view(srcTensor0), kb::view(srcTensor1), {},
             kb::with_adv_scalar(form, kb::scalar_bits(scalarValue)));
}

template <typename T, bool isReuseSource = false>
KB_API void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, const LocalTensor<T>& srcTensor1,
                   const float& scalarValue) {
    SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue, srcTensor0.GetSize());
}

}  // namespace AscendC
