// Axpy: dst += src * scalar; half sources are multiplied and added in float.
#pragma once

#include "kb_adv.h"
#include "kernel_operator_vec_ternary_scalar_intf.h"

namespace AscendC {

template <typename T, typename U, bool isReuseSource = false>
KB_API void Axpy(const LocalTensor<T>& dstTensor, const LocalTensor<U>& srcTensor, const U scalarValue,
                 const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert((SupportType<T, half, float>() && kb::dtype_of<T>() == kb::dtype_of<U>()) ||
                      (kb::dtype_of<T>() == kb::Dtype::f32 && kb::dtype_of<U>() == kb::Dtype::f16),
                  "Axpy: expected half, float, or a float destination with a half source");
    kbrt_adv(kb::view(dstTensor), kb::view(srcTensor), {}, kb::view(sharedTmpBuffer),
             kb::with_adv_scalar(kb::adv_form(kb::AdvOp::Axpy, calCount, 0), kb::scalar_bits(scalarValue)));
}

}  // namespace AscendC
