// Power: dst = base ^ exponent, of two tensors or of a tensor and a scalar.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_BINARY(Power, (SupportType<T, half, float, int32_t>()), "half, float or int32_t")
KB_ADV_BINARY_WHOLE(Power)

template <typename T, bool isReuseSource = false>
KB_API void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const T& src1Scalar,
                  const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount) {
    static_assert(SupportType<T, half, float, int32_t>(), "Power: expected half, float or int32_t");
    const kb::AdvForm form = kb::adv_form(kb::AdvOp::PowerScalar, calCount, 0);
    kbrt_adv(kb::view(dstTensor), kb::view(src0Tensor), {}, kb::view(sharedTmpBuffer), kb::with_adv_scalar(form, kb::scalar_bits(src1Scalar)));
}

template <typename T, bool isReuseSource = false>
KB_API void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const T& src1Scalar,
                  uint32_t calCount) {
    static_assert(SupportType<T, half, float, int32_t>(), "Power: expected half, float or int32_t");
    const kb::AdvForm form = kb::adv_form(kb::AdvOp::PowerScalar, calCount, kb::kAdvFramework);
    kbrt_adv(kb::view(dstTensor), kb::view(src0Tensor), {}, {}, kb::with_adv_scalar(form, kb::scalar_bits(src1Scalar)));
}

template <typename T, bool isReuseSource = false>
KB_API void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const T& src1Scalar, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Power<T, isReuseSource>(dstTensor, src0Tensor, src1Scalar, sharedTmpBuffer, src0Tensor.GetSize());
}

template <typename T, bool isReuseSource = false>
KB_API void Power(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor, const T& src1Scalar) {
    Power<T, isReuseSource>(dstTensor, src0Tensor, src1Scalar, src0Tensor.GetSize());
}

template <typename T, bool isReuseSource = false>
KB_API void Power(const LocalTensor<T>& dstTensor, const T& src0Scalar, const LocalTensor<T>& src1Tensor,
                  const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount) {
    static_assert(SupportType<T, half, float, int32_t>(), "Power: expected half, float or int32_t");
    const kb::AdvForm form = kb::adv_form(kb::AdvOp::PowerScalar, calCount, kb::kAdvScalarBase);
    kbrt_adv(kb::view(dstTensor), kb::view(src1Tensor), {}, kb::view(sharedTmpBuffer), kb::with_adv_scalar(form, kb::scalar_bits(src0Scalar)));
}

template <typename T, bool isReuseSource = false>
KB_API void Power(const LocalTensor<T>& dstTensor, const T& src0Scalar, const LocalTensor<T>& src1Tensor,
                  uint32_t calCount) {
    static_assert(SupportType<T, half, float, int32_t>(), "Power: expected half, float or int32_t");
    const kb::AdvForm form = kb::adv_form(kb::AdvOp::PowerScalar, calCount, kb::kAdvFramework | kb::kAdvScalarBase);
    kbrt_adv(kb::view(dstTensor), kb::view(src1Tensor), {}, {}, kb::with_adv_scalar(form, kb::scalar_bits(src0Scalar)));
}

template <typename T, bool isReuseSource = false>
KB_API void Power(const LocalTensor<T>& dstTensor, const T& src0Scalar, const LocalTensor<T>& src1Tensor, const LocalTensor<uint8_t>& sharedTmpBuffer) {
    Power<T, isReuseSource>(dstTensor, src0Scalar, src1Tensor, sharedTmpBuffer, src1Tensor.GetSize());
}

template <typename T, bool isReuseSource = false>
KB_API void Power(const LocalTensor<T>& dstTensor, const T& src0Scalar, const LocalTensor<T>& src1Tensor) {
    Power<T, isReuseSource>(dstTensor, src0Scalar, src1Tensor, src1Tensor.GetSize());
}

}  // namespace AscendC
