// Gelu (tanh approximation), FasterGelu and FasterGeluV2. Halves are worked on in half, or in float with highPrecision.
#pragma once

#include "kb_adv.h"

namespace AscendC {

#define KB_ADV_GELU(Name)                                                                                              \
    template <typename T, bool highPrecision = false, bool highPerformance = false>                                    \
    KB_API void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,                                   \
                     const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t dataSize) {                           \
        static_assert(SupportType<T, half, float>(), #Name ": expected half or float");                                \
        kbrt_adv(kb::view(dstLocal), kb::view(srcLocal), {}, kb::view(sharedTmpBuffer),                                \
                 kb::adv_form(kb::AdvOp::Name, dataSize,                                                               \
                              (highPrecision ? kb::kAdvHighPrecision : 0) |                                            \
                                  (highPerformance ? kb::kAdvHighPerformance : 0)));                                   \
    }                                                                                                                  \
    template <typename T, bool highPrecision = false, bool highPerformance = false>                                    \
    KB_API void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t dataSize) {        \
        static_assert(SupportType<T, half, float>(), #Name ": expected half or float");                                \
        kbrt_adv(kb::view(dstLocal), kb::view(srcLocal), {}, {},                                                       \
                 kb::adv_form(kb::AdvOp::Name, dataSize,                                                               \
                              kb::kAdvFramework | (highPrecision ? kb::kAdvHighPrecision : 0) |                        \
                                  (highPerformance ? kb::kAdvHighPerformance : 0)));                                   \
    }

KB_ADV_GELU(Gelu)
KB_ADV_GELU(FasterGelu)
KB_ADV_GELU(FasterGeluV2)

#undef KB_ADV_GELU

}  // namespace AscendC
