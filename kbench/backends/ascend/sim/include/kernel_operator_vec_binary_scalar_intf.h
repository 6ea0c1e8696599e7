// dst = f(src, scalar), lane by lane. The scalar has the tensors' element type: nothing is promoted.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_unary.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_VEC_SCALAR(Name, legal, types)                                                                               \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask[],       \
                     const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {                                 \
        static_assert(legal, "Failed to check dtype in " #Name                                                          \
                             ", current api support dtype combination is src and dst both: " types ".");                \
        kbrt_vec_lanes(kb::view(dst), kb::view(src), {},                                                                \
                       kb::with_scalar(kb::with_unary(kb::vec_bits<isSetMask>(kb::VecOp::Name, mask, repeatTime),       \
                                                      repeatParams), kb::scalar_bits(scalarValue)));                    \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask,         \
                     const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {                                 \
        static_assert(legal, "Failed to check dtype in " #Name                                                          \
                             ", current api support dtype combination is src and dst both: " types ".");                \
        kbrt_vec_lanes(kb::view(dst), kb::view(src), {},                                                                \
                       kb::with_scalar(kb::with_unary(kb::vec_first<isSetMask>(kb::VecOp::Name, mask, repeatTime),      \
                                                      repeatParams), kb::scalar_bits(scalarValue)));                    \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue,                        \
                     const int32_t& count) {                                                                            \
        static_assert(legal, "Failed to check dtype in " #Name                                                          \
                             ", current api support dtype combination is src and dst both: " types ".");                \
        kbrt_vec_lanes(kb::view(dst), kb::view(src), {},                                                                \
                       kb::with_scalar(kb::vec_count(kb::VecOp::Name, count), kb::scalar_bits(scalarValue)));           \
    }

// The same with the scalar's type as a parameter of its own: it must be the tensors' element type.
#define KB_TYPED_SCALAR(Name)                                                                                           \
    template <typename T, typename U, bool isSetMask = true, std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true> \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& scalarValue, uint64_t mask[],       \
                     const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {                                 \
        Name<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams);                                      \
    }                                                                                                                   \
    template <typename T, typename U, bool isSetMask = true, std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true> \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& scalarValue, uint64_t mask,         \
                     const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {                                 \
        Name<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams);                                      \
    }                                                                                                                   \
    template <typename T, typename U, bool isSetMask = true, std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true> \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& scalarValue,                        \
                     const int32_t& count) {                                                                            \
        Name<T, isSetMask>(dst, src, scalarValue, count);                                                               \
    }

#define KB_NUMERIC (SupportType<T, half, float, int16_t, int32_t>()), "half / float / int16_t / int32_t"
#define KB_SCALAR(Name, ...) KB_VEC_SCALAR(Name, __VA_ARGS__)

KB_SCALAR(Adds, KB_NUMERIC)
KB_SCALAR(Muls, KB_NUMERIC)
KB_SCALAR(Maxs, KB_NUMERIC)
KB_SCALAR(Mins, KB_NUMERIC)
KB_SCALAR(LeakyRelu, (SupportType<T, half, float>()), "half / float")

KB_TYPED_SCALAR(Adds)
KB_TYPED_SCALAR(Muls)
KB_TYPED_SCALAR(Maxs)
KB_TYPED_SCALAR(Mins)
KB_TYPED_SCALAR(LeakyRelu)

#undef KB_TYPED_SCALAR
#undef KB_SCALAR
#undef KB_NUMERIC
#undef KB_VEC_SCALAR

}  // namespace AscendC
