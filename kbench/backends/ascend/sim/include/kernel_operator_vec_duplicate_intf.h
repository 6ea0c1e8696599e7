// Duplicate: a scalar into every lane.
#pragma once

#include "kb_vec.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_LEGAL_TYPE                                                                                              \
    static_assert((SupportType<T, half, bfloat16_t, int16_t, uint16_t, int32_t, uint32_t, float>()),              \
                  "Failed to check dtype in Duplicate, current api support dtype combination is dst: half / "     \
                  "bfloat16_t / int16_t / uint16_t / int32_t / uint32_t / float.")

template <typename T, bool isSetMask = true>
KB_API void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask, const uint8_t repeatTime,
                      const uint16_t dstBlockStride, const uint8_t dstRepeatStride) {
    KB_LEGAL_TYPE;
    kb::VecForm form = kb::with_scalar(kb::vec_first<isSetMask>(kb::VecOp::Duplicate, mask, repeatTime),
                                       kb::scalar_bits(scalarValue));
    form.block[0] = dstBlockStride;
    form.repeat[0] = dstRepeatStride;
    kbrt_vec_lanes(kb::view(dst), {}, {}, form);
}

template <typename T, bool isSetMask = true>
KB_API void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask[], const uint8_t repeatTime,
                      const uint16_t dstBlockStride, const uint8_t dstRepeatStride) {
    KB_LEGAL_TYPE;
    kb::VecForm form = kb::with_scalar(kb::vec_bits<isSetMask>(kb::VecOp::Duplicate, mask, repeatTime),
                                       kb::scalar_bits(scalarValue));
    form.block[0] = dstBlockStride;
    form.repeat[0] = dstRepeatStride;
    kbrt_vec_lanes(kb::view(dst), {}, {}, form);
}

template <typename T>
KB_API void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const int32_t& count) {
    KB_LEGAL_TYPE;
    kbrt_vec_lanes(kb::view(dst), {}, {},
                   kb::with_scalar(kb::vec_count(kb::VecOp::Duplicate, count), kb::scalar_bits(scalarValue)));
}

#undef KB_LEGAL_TYPE

}  // namespace AscendC
