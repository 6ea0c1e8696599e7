// dst = f(src), lane by lane: Abs, Exp, Ln, Sqrt, Rsqrt, Reciprocal, Relu, Not.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_unary.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_VEC_UNARY(Name, legal, types)                                                                                \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[], const uint8_t repeatTime,   \
                     const UnaryRepeatParams& repeatParams) {                                                           \
        static_assert(legal, "Failed to check dtype in " #Name                                                          \
                             ", current api support dtype combination is src and dst both: " types ".");                \
        kbrt_vec_lanes(kb::view(dst), kb::view(src), {},                                                                \
                       kb::with_unary(kb::vec_bits<isSetMask>(kb::VecOp::Name, mask, repeatTime), repeatParams));       \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, const uint8_t repeatTime,     \
                     const UnaryRepeatParams& repeatParams) {                                                           \
        static_assert(legal, "Failed to check dtype in " #Name                                                          \
                             ", current api support dtype combination is src and dst both: " types ".");                \
        kbrt_vec_lanes(kb::view(dst), kb::view(src), {},                                                                \
                       kb::with_unary(kb::vec_first<isSetMask>(kb::VecOp::Name, mask, repeatTime), repeatParams));      \
    }                                                                                                                   \
    template <typename T>                                                                                               \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {                      \
        static_assert(legal, "Failed to check dtype in " #Name                                                          \
                             ", current api support dtype combination is src and dst both: " types ".");                \
        kbrt_vec_lanes(kb::view(dst), kb::view(src), {}, kb::vec_count(kb::VecOp::Name, count));                        \
    }

KB_VEC_UNARY(Abs, (SupportType<T, half, float>()), "half / float")
KB_VEC_UNARY(Exp, (SupportType<T, half, float>()), "half / float")
KB_VEC_UNARY(Ln, (SupportType<T, half, float>()), "half / float")
KB_VEC_UNARY(Sqrt, (SupportType<T, half, float>()), "half / float")
KB_VEC_UNARY(Rsqrt, (SupportType<T, half, float>()), "half / float")
KB_VEC_UNARY(Reciprocal, (SupportType<T, half, float>()), "half / float")
KB_VEC_UNARY(Relu, (SupportType<T, half, float, int32_t>()), "half / float / int32_t")
KB_VEC_UNARY(Not, (SupportType<T, int16_t, uint16_t>()), "int16_t / uint16_t")

#undef KB_VEC_UNARY

}  // namespace AscendC
