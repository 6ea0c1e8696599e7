// Exp: dst = e^src; with taylorExpandLevel n > 0 as e^i * (1 + f + ... + f^n / n!), i = floor(src), f = src - i.
#pragma once

#include "kb_adv.h"
#include "kernel_operator_vec_unary_intf.h"

namespace AscendC {

template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
KB_API void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
    static_assert(SupportType<T, half, float>(), "Exp: expected half or float");
    kb::AdvForm form = kb::adv_form(kb::AdvOp::Exp, calCount, isReuseSource ? kb::kAdvReuseSource : 0);
    form.level = taylorExpandLevel;
    kbrt_adv(kb::view(dstLocal), kb::view(srcLocal), {}, kb::view(sharedTmpBuffer), form);
}

template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
KB_API void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t calCount) {
    static_assert(SupportType<T, half, float>(), "Exp: expected half or float");
    kb::AdvForm form = kb::adv_form(kb::AdvOp::Exp, calCount,
                                    kb::kAdvFramework | (isReuseSource ? kb::kAdvReuseSource : 0));
    form.level = taylorExpandLevel;
    kbrt_adv(kb::view(dstLocal), kb::view(srcLocal), {}, {}, form);
}

}  // namespace AscendC
