// Silu: dst = src / (1 + e^-src).
#pragma once

#include "kb_adv.h"

namespace AscendC {

template <typename T, bool isReuseSource = false>
KB_API void Silu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, uint32_t dataSize) {
    static_assert(SupportType<T, half, float>(), "Silu: expected half or float");
    kbrt_adv(kb::view(dstLocal), kb::view(srcLocal), {}, {},
             kb::adv_form(kb::AdvOp::Silu, dataSize, kb::kAdvFramework));
}

}  // namespace AscendC
