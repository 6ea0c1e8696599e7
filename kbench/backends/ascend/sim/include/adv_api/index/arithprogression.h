// An arithmetic progression.
#pragma once

#include "kb_pad.h"
#include "kb_vec.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_ARANGE(Name)                                                                                                     \
    template <typename T>                                                                                                   \
    KB_API void Name(const LocalTensor<T>& dst, const T firstValue, const T diffValue, const int32_t count) {               \
        static_assert((SupportType<T, int16_t, half, int32_t, float>()), "Failed to check dtype in " #Name ", current api " \
                      "support dtype combination is: int16_t / half / int32_t / float.");                                  \
        kbrt_adv_arange(dst.view(), kb::scalar_bits<T>(firstValue), kb::scalar_bits<T>(diffValue), count);                  \
    }

KB_ARANGE(Arange)
KB_ARANGE(ArithProgression)

#undef KB_ARANGE

}  // namespace AscendC
