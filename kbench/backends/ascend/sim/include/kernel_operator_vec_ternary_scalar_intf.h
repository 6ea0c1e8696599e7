// Axpy: dst = src * scalar + dst. Half sources may accumulate into float (64 lanes a repeat).
#pragma once

#include "kb_vec.h"
#include "kernel_struct_unary.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_LEGAL_PAIR                                                                                         \
    static_assert((std::is_same_v<T, U> && SupportType<T, half, float>()) ||                                 \
                      (std::is_same_v<T, float> && std::is_same_v<U, half>),                                 \
                  "Failed to check dtype in Axpy, current api support dtype combination is src: half, dst: " \
                  "half / float; src: float, dst: float.")

template <typename T, typename U, bool isSetMask = true>
KB_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, uint64_t mask[],
                 const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_scalar(kb::with_unary(kb::vec_bits<isSetMask>(kb::VecOp::Axpy, mask, repeatTime),
                                                  repeatParams), kb::scalar_bits(scalarValue)));
}

template <typename T, typename U, bool isSetMask = true>
KB_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, uint64_t mask,
                 const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_scalar(kb::with_unary(kb::vec_first<isSetMask>(kb::VecOp::Axpy, mask, repeatTime),
                                                  repeatParams), kb::scalar_bits(scalarValue)));
}

template <typename T, typename U>
KB_API void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, const int32_t& count) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_scalar(kb::vec_count(kb::VecOp::Axpy, count), kb::scalar_bits(scalarValue)));
}

#undef KB_LEGAL_PAIR

}  // namespace AscendC
