// Select by a mask of whole elements (not bits): 0 takes the first source, anything else the second.
#pragma once

#include "kb_select.h"
#include "kb_vec.h"
#include "kernel_tensor.h"

namespace AscendC {

struct SelectWithBytesMaskShapeInfo {
    KB_API SelectWithBytesMaskShapeInfo() {}
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

#define KB_SELECT_BYTES(dst, src, scalar, first)                                                                        \
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in Select, current api support dtype "       \
                  "combination is src and dst both: half / float.");                                                   \
    static_assert((SupportType<U, bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>()),                     \
                  "Failed to check dtype in Select, current api support mask dtype: bool / uint8_t / int8_t / uint16_t / " \
                  "int16_t / uint32_t / int32_t.");                                                                    \
    kbrt_adv_select_bytes(dst.view(), src.view(), mask.view(), sharedTmpBuffer.view(),                                 \
                          {info.firstAxis, info.srcLastAxis, info.maskLastAxis, first, isReuseMask,                    \
                           kb::scalar_bits<T>(scalar)})

template <typename T, typename U, bool isReuseMask = true>
KB_API void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, T src1, const LocalTensor<U>& mask,
                   const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info) {
    KB_SELECT_BYTES(dst, src0, src1, false);
}

template <typename T, typename U, bool isReuseMask = true>
KB_API void Select(const LocalTensor<T>& dst, T src0, const LocalTensor<T>& src1, const LocalTensor<U>& mask,
                   const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info) {
    KB_SELECT_BYTES(dst, src1, src0, true);
}

// The name of earlier versions.
template <typename T, typename U, bool isReuseMask = true>
KB_API void SelectWithBytesMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, T src1, const LocalTensor<U>& mask,
                                const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info) {
    KB_SELECT_BYTES(dst, src0, src1, false);
}

template <typename T, typename U, bool isReuseMask = true>
KB_API void SelectWithBytesMask(const LocalTensor<T>& dst, T src0, const LocalTensor<T>& src1, const LocalTensor<U>& mask,
                                const LocalTensor<uint8_t>& sharedTmpBuffer, const SelectWithBytesMaskShapeInfo& info) {
    KB_SELECT_BYTES(dst, src1, src0, true);
}

#undef KB_SELECT_BYTES

}  // namespace AscendC
