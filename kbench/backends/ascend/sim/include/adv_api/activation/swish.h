// Swish: dst = src / (1 + e^(-scalar src)).
#pragma once

#include "kb_adv.h"

namespace AscendC {

template <typename T, bool isReuseSource = false>
KB_API void Swish(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, uint32_t dataSize,
                  const T scalarValue) {
    static_assert(SupportType<T, half, float>(), "Swish: expected half or float");
    kbrt_adv(kb::view(dstLocal), kb::view(srcLocal), {}, {},
             kb::with_adv_scalar(kb::adv_form(kb::AdvOp::Swish, dataSize, kb::kAdvFramework),
                                 kb::scalar_bits(scalarValue)));
}

}  // namespace AscendC
