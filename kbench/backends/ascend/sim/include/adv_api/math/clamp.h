// ClampMax: dst = the smaller of src and a scalar; ClampMin: the larger.
#pragma once

#include "kb_adv.h"

namespace AscendC {

#define KB_ADV_CLAMP(Name)                                                                                             \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                                 \
                     const LocalTensor<uint8_t>& sharedTmpBuffer, const T scalar, const uint32_t calCount) {           \
        static_assert(SupportType<T, half, float>(), #Name ": expected half or float");                                \
        kbrt_adv(kb::view(dstTensor), kb::view(srcTensor), {}, kb::view(sharedTmpBuffer),                              \
                 kb::with_adv_scalar(kb::adv_form(kb::AdvOp::Name, calCount, 0), kb::scalar_bits(scalar)));            \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, const T scalar,                 \
                     const uint32_t calCount) {                                                                        \
        static_assert(SupportType<T, half, float>(), #Name ": expected half or float");                                \
        kbrt_adv(kb::view(dstTensor), kb::view(srcTensor), {}, {},                                                     \
                 kb::with_adv_scalar(kb::adv_form(kb::AdvOp::Name, calCount, kb::kAdvFramework),                       \
                                     kb::scalar_bits(scalar)));                                                        \
    }

KB_ADV_CLAMP(ClampMax)
KB_ADV_CLAMP(ClampMin)

#undef KB_ADV_CLAMP

}  // namespace AscendC
