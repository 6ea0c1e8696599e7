// DropOut: the elements that a mask keeps, divided by the probability of keeping; the others are 0.
#pragma once

#include "kb_select.h"
#include "kernel_tensor.h"

namespace AscendC {

struct DropOutShapeInfo {
    KB_API DropOutShapeInfo() {}
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

inline constexpr uint32_t DROPOUT_MODE_BYTE_MISALIGN = 1;
inline constexpr uint32_t DROPOUT_MODE_BYTE_ALIGN = 2;
inline constexpr uint32_t DROPOUT_MODE_BIT_ALIGN = 3;
inline constexpr uint32_t DROPOUT_MODE_BIT_MISALIGN = 4;

#define KB_DROPOUT(tmp)                                                                                              \
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in DropOut, current api support dtype "    \
                  "combination is src and dst both: half / float.");                                                 \
    static_assert(dropOutMode <= 4, "Failed to check dropOutMode in DropOut: expected 0 to 4.");                     \
    kbrt_adv_drop_out(dstLocal.view(), srcLocal.view(), maskLocal.view(), tmp,                                       \
                      {info.firstAxis, info.srcLastAxis, info.maskLastAxis, dropOutMode, keepProb})

template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
KB_API void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<uint8_t>& maskLocal,
                    const float keepProb, const DropOutShapeInfo& info) {
    KB_DROPOUT(kb::no_tmp());
}

template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
KB_API void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const LocalTensor<uint8_t>& maskLocal,
                    const LocalTensor<uint8_t>& sharedTmpBuffer, const float keepProb, const DropOutShapeInfo& info) {
    KB_DROPOUT(sharedTmpBuffer.view());
}

#undef KB_DROPOUT

}  // namespace AscendC
