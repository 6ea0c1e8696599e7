// Log, Log2, Log10: dst = logarithm of src. Only Log2 has a temporary.
#pragma once

#include "kb_adv.h"

namespace AscendC {

KB_ADV_UNARY(Log2)

#define KB_ADV_LOG(Name)                                                                                               \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, uint32_t calCount) {            \
        static_assert(SupportType<T, half, float>(), #Name ": expected half or float");                                \
        kbrt_adv(kb::view(dstTensor), kb::view(srcTensor), {}, {},                                                     \
                 kb::adv_form(kb::AdvOp::Name, calCount, kb::kAdvFramework));                                          \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    KB_API void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor) {                               \
        Name<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());                                             \
    }

KB_ADV_LOG(Log)
KB_ADV_LOG(Log10)

#undef KB_ADV_LOG

}  // namespace AscendC
