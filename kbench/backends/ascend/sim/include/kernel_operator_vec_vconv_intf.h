// Conversions between element types, and the scale register that some of them multiply by.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_binary.h"
#include "kernel_struct_unary.h"
#include "kernel_struct_vdeq.h"
#include "kernel_tensor.h"

namespace AscendC {

namespace kb_cast {

template <typename From, typename To, typename F, typename... Ts>
inline constexpr bool from = std::is_same_v<From, F> && SupportType<To, Ts...>();

// The pairs of the device: what the rounding mode may be for each is checked when the conversion runs.
template <typename To, typename From>
inline constexpr bool legal =
    from<From, To, int4b_t, half> || from<From, To, uint8_t, half> || from<From, To, int8_t, half> ||
    from<From, To, int16_t, half, float> || from<From, To, half, int4b_t, int8_t, uint8_t, int16_t, int32_t, float> ||
    from<From, To, bfloat16_t, int32_t, float> || from<From, To, int32_t, int16_t, half, float, int64_t> ||
    from<From, To, float, int16_t, half, bfloat16_t, int32_t, float, int64_t> || from<From, To, int64_t, int32_t, float>;

}  // namespace kb_cast

#define KB_LEGAL_PAIR                                                                                                 \
    static_assert((kb_cast::legal<T, U>),                                                                             \
                  "Failed to check dtype in Cast, current api support dtype combination is src -> dst: int4b_t -> half; " \
                  "uint8_t / int8_t -> half; int16_t -> half / float; half -> int4b_t / int8_t / uint8_t / int16_t / "  \
                  "int32_t / float; bfloat16_t -> int32_t / float; int32_t -> int16_t / half / float / int64_t; "     \
                  "float -> int16_t / half / bfloat16_t / int32_t / float / int64_t; int64_t -> int32_t / float.")

template <typename T, typename U, bool isSetMask = true>
KB_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask[],
                 const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_mode(kb::with_unary(kb::vec_bits<isSetMask>(kb::VecOp::Cast, mask, repeatTime), repeatParams),
                                 static_cast<int>(roundMode)));
}

template <typename T, typename U, bool isSetMask = true>
KB_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint64_t mask,
                 const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_mode(kb::with_unary(kb::vec_first<isSetMask>(kb::VecOp::Cast, mask, repeatTime), repeatParams),
                                 static_cast<int>(roundMode)));
}

template <typename T, typename U>
KB_API void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const uint32_t count) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_mode(kb::vec_count(kb::VecOp::Cast, count), static_cast<int>(roundMode)));
}

#undef KB_LEGAL_PAIR

// An addition or subtraction, its Relu, and a conversion to the narrower type, which saturates.
#define KB_RELU_CAST(Name)                                                                                              \
    template <typename T, typename U, bool isSetMask = true>                                                            \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,                 \
                     const uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {           \
        static_assert(kb_relu_cast_legal<T, U>, KB_RELU_CAST_MESSAGE(Name));                                            \
        kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),                                                   \
                       kb::with_binary(kb::vec_first<isSetMask>(kb::VecOp::Name, mask, repeatTime), repeatParams));     \
    }                                                                                                                   \
    template <typename T, typename U, bool isSetMask = true>                                                            \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,                 \
                     const uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {         \
        static_assert(kb_relu_cast_legal<T, U>, KB_RELU_CAST_MESSAGE(Name));                                            \
        kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),                                                   \
                       kb::with_binary(kb::vec_bits<isSetMask>(kb::VecOp::Name, mask, repeatTime), repeatParams));      \
    }                                                                                                                   \
    template <typename T, typename U>                                                                                   \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,                 \
                     const uint32_t count) {                                                                            \
        static_assert(kb_relu_cast_legal<T, U>, KB_RELU_CAST_MESSAGE(Name));                                            \
        kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1), kb::vec_count(kb::VecOp::Name, count));           \
    }

#define KB_RELU_CAST_MESSAGE(Name)          \
    "Failed to check dtype in " #Name       \
    ", current api support dtype combination is src -> dst: half -> int8_t; float -> half; int16_t -> int8_t."

template <typename T, typename U>
inline constexpr bool kb_relu_cast_legal = (std::is_same_v<U, half> && std::is_same_v<T, int8_t>) ||
                                           (std::is_same_v<U, float> && std::is_same_v<T, half>) ||
                                           (std::is_same_v<U, int16_t> && std::is_same_v<T, int8_t>);

KB_RELU_CAST(AddReluCast)
KB_RELU_CAST(SubReluCast)

#undef KB_RELU_CAST_MESSAGE
#undef KB_RELU_CAST

// The scale that int32_t to half multiplies by.
KB_API void SetDeqScale(half scale) {
    kbrt_vec_deq_half(static_cast<float>(scale));
}

KB_API void SetDeqScale(float scale, int16_t offset, bool signMode) {
    kbrt_vec_deq_tensor(scale, offset, signMode);
}

// Scale, offset and sign for each of 16 lanes. The device reads them from `vdeq` in a packed form of its own; here they
// are kept as given.
template <typename T>
KB_API void SetDeqScale(const LocalTensor<T>&, const VdeqInfo& vdeqInfo) {
    kbrt_vec_deq_lanes(vdeqInfo.vdeqScale, vdeqInfo.vdeqOffset, vdeqInfo.vdeqSignMode);
}

// int32_t to half by the half scale, int16_t to int8_t or uint8_t by scale, offset and sign: of one half of every block.
#define KB_CAST_DEQ(Name)                                                                                               \
    template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>               \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[], uint8_t repeatTime,   \
                     const UnaryRepeatParams& repeatParams) {                                                           \
        static_assert(kb_deq_legal<T, U>, KB_CAST_DEQ_MESSAGE(Name));                                                   \
        kbrt_vec_cast_deq(kb::view(dst), kb::view(src),                                                                 \
                          kb::with_unary(kb::vec_bits<isSetMask>(kb::VecOp::CastDeq, mask, repeatTime), repeatParams),  \
                          isVecDeq, halfBlock);                                                                         \
    }                                                                                                                   \
    template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>               \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask, uint8_t repeatTime,      \
                     const UnaryRepeatParams& repeatParams) {                                                           \
        static_assert(kb_deq_legal<T, U>, KB_CAST_DEQ_MESSAGE(Name));                                                   \
        kbrt_vec_cast_deq(kb::view(dst), kb::view(src),                                                                 \
                          kb::with_unary(kb::vec_first<isSetMask>(kb::VecOp::CastDeq, static_cast<uint64_t>(mask),      \
                                                                  repeatTime), repeatParams), isVecDeq, halfBlock);     \
    }                                                                                                                   \
    template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>                                      \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {                      \
        static_assert(kb_deq_legal<T, U>, KB_CAST_DEQ_MESSAGE(Name));                                                   \
        kbrt_vec_cast_deq(kb::view(dst), kb::view(src), kb::vec_count(kb::VecOp::CastDeq, count), isVecDeq, halfBlock); \
    }

#define KB_CAST_DEQ_MESSAGE(Name)     \
    "Failed to check dtype in " #Name \
    ", current api support dtype combination is src -> dst: int16_t -> int8_t / uint8_t; int32_t -> half."

template <typename T, typename U>
inline constexpr bool kb_deq_legal = (std::is_same_v<U, int16_t> && SupportType<T, int8_t, uint8_t>()) ||
                                     (std::is_same_v<U, int32_t> && std::is_same_v<T, half>);

KB_CAST_DEQ(CastDeq)
KB_CAST_DEQ(CastDequant)

#undef KB_CAST_DEQ_MESSAGE
#undef KB_CAST_DEQ

}  // namespace AscendC
