// MulCast: half products converted to 8-bit integers, rounded to nearest even and saturated.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_binary.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_LEGAL_PAIR                                                                                   \
    static_assert((std::is_same_v<U, half> && SupportType<T, int8_t, uint8_t>()),                       \
                  "Failed to check dtype in MulCast, current api support dtype combination is src -> "  \
                  "dst: half -> int8_t / uint8_t.")

template <typename T, typename U, bool isSetMask = true>
KB_API void MulCast(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask,
                    const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),
                   kb::with_binary(kb::vec_first<isSetMask>(kb::VecOp::MulCast, mask, repeatTime), repeatParams));
}

template <typename T, typename U, bool isSetMask = true>
KB_API void MulCast(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask[],
                    const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),
                   kb::with_binary(kb::vec_bits<isSetMask>(kb::VecOp::MulCast, mask, repeatTime), repeatParams));
}

template <typename T, typename U>
KB_API void MulCast(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint32_t count) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1), kb::vec_count(kb::VecOp::MulCast, count));
}

#undef KB_LEGAL_PAIR

}  // namespace AscendC
