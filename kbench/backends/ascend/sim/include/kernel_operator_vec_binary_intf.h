// dst = f(src0, src1), lane by lane, the forms that accumulate into dst, and the shifts by a scalar.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_binary.h"
#include "kernel_struct_unary.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_VEC_BINARY(Name, legal, types)                                                                               \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                 \
                     uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {               \
        static_assert(legal, "Failed to check dtype in " #Name                                                          \
                             ", current api support dtype combination is src and dst both: " types ".");                \
        kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),                                                   \
                       kb::with_binary(kb::vec_bits<isSetMask>(kb::VecOp::Name, mask, repeatTime), repeatParams));      \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,  \
                     const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {                                \
        static_assert(legal, "Failed to check dtype in " #Name                                                          \
                             ", current api support dtype combination is src and dst both: " types ".");                \
        kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),                                                   \
                       kb::with_binary(kb::vec_first<isSetMask>(kb::VecOp::Name, mask, repeatTime), repeatParams));     \
    }                                                                                                                   \
    template <typename T>                                                                                               \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,                 \
                     const int32_t& count) {                                                                            \
        static_assert(legal, "Failed to check dtype in " #Name                                                          \
                             ", current api support dtype combination is src and dst both: " types ".");                \
        kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1), kb::vec_count(kb::VecOp::Name, count));           \
    }

#define KB_NUMERIC (SupportType<T, half, float, int16_t, int32_t>()), "half / float / int16_t / int32_t"
#define KB_BINARY(Name, ...) KB_VEC_BINARY(Name, __VA_ARGS__)

KB_BINARY(Add, KB_NUMERIC)
KB_BINARY(Sub, KB_NUMERIC)
KB_BINARY(Mul, KB_NUMERIC)
KB_BINARY(Max, KB_NUMERIC)
KB_BINARY(Min, KB_NUMERIC)
KB_BINARY(Div, (SupportType<T, half, float>()), "half / float")
KB_BINARY(And, (SupportType<T, int16_t, uint16_t>()), "int16_t / uint16_t")
KB_BINARY(Or, (SupportType<T, int16_t, uint16_t>()), "int16_t / uint16_t")
KB_BINARY(AddRelu, (SupportType<T, half, float, int16_t>()), "half / float / int16_t")
KB_BINARY(SubRelu, (SupportType<T, half, float, int16_t>()), "half / float / int16_t")
KB_BINARY(FusedMulAdd, (SupportType<T, half, float>()), "half / float")
KB_BINARY(FusedMulAddRelu, (SupportType<T, half, float>()), "half / float")

#undef KB_BINARY
#undef KB_NUMERIC
#undef KB_VEC_BINARY

// The newer name of FusedMulAddRelu.
template <typename T, bool isSetMask = true>
KB_API void MulAddRelu(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    FusedMulAddRelu<T, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}

template <typename T, bool isSetMask = true>
KB_API void MulAddRelu(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    FusedMulAddRelu<T, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}

template <typename T>
KB_API void MulAddRelu(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                       const int32_t& count) {
    FusedMulAddRelu<T>(dst, src0, src1, count);
}

// dst = src0 * src1 + dst; sources of half may accumulate into float (64 lanes a repeat).
#define KB_LEGAL_PAIR                                                                                              \
    static_assert((std::is_same_v<T, U> && SupportType<T, half, float>()) ||                                      \
                      (std::is_same_v<T, float> && std::is_same_v<U, half>),                                      \
                  "Failed to check dtype in MulAddDst, current api support dtype combination is src: half, dst: "  \
                  "half / float; src: float, dst: float.")

template <typename T, typename U, bool isSetMask = true>
KB_API void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                      const uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),
                   kb::with_binary(kb::vec_bits<isSetMask>(kb::VecOp::MulAddDst, mask, repeatTime), repeatParams));
}

template <typename T, typename U, bool isSetMask = true>
KB_API void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                      const uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),
                   kb::with_binary(kb::vec_first<isSetMask>(kb::VecOp::MulAddDst, mask, repeatTime), repeatParams));
}

template <typename T, typename U>
KB_API void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                      const int32_t& count) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1), kb::vec_count(kb::VecOp::MulAddDst, count));
}

#undef KB_LEGAL_PAIR

// relu(half((src0 + src1) * scale)), the scale set by SetDeqScale(half).
#define KB_LEGAL_PAIR                                                                                              \
    static_assert(std::is_same_v<T, half> && std::is_same_v<U, int32_t>,                                          \
                  "Failed to check dtype in AddDeqRelu, current api support dtype combination is src: int32_t, dst: half.")

template <typename T, typename U, bool isSetMask = true>
KB_API void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                       uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),
                   kb::with_binary(kb::vec_bits<isSetMask>(kb::VecOp::AddDeqRelu, mask, repeatTime), repeatParams));
}

template <typename T, typename U, bool isSetMask = true>
KB_API void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask,
                       const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1),
                   kb::with_binary(kb::vec_first<isSetMask>(kb::VecOp::AddDeqRelu, mask, repeatTime), repeatParams));
}

template <typename T, typename U>
KB_API void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                       const int32_t& count) {
    KB_LEGAL_PAIR;
    kbrt_vec_lanes(kb::view(dst), kb::view(src0), kb::view(src1), kb::vec_count(kb::VecOp::AddDeqRelu, count));
}

// With its only types spelt out.
template <bool isSetMask = true>
KB_API void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
                       uint64_t mask[], const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}

template <bool isSetMask = true>
KB_API void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
                       uint64_t mask, const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}

KB_API void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
                       const int32_t& count) {
    AddDeqRelu<half, int32_t>(dst, src0, src1, count);
}

#undef KB_LEGAL_PAIR

// Shifts by a scalar: logical for unsigned types; ShiftLeft keeps the sign bit, ShiftRight is arithmetic, for signed ones.
#define KB_LEGAL_TYPE(Name)                                                                                          \
    static_assert((SupportType<T, int16_t, uint16_t, int32_t, uint32_t>()),                                          \
                  "Failed to check dtype in " #Name                                                                  \
                  ", current api support dtype combination is src and dst both: int16_t / uint16_t / int32_t / uint32_t.")

template <typename T, bool isSetMask = true>
KB_API void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask[],
                      const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    KB_LEGAL_TYPE(ShiftLeft);
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_scalar(kb::with_unary(kb::vec_bits<isSetMask>(kb::VecOp::ShiftLeft, mask, repeatTime),
                                                  repeatParams), kb::scalar_bits(scalarValue)));
}

template <typename T, bool isSetMask = true>
KB_API void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask,
                      const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    KB_LEGAL_TYPE(ShiftLeft);
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_scalar(kb::with_unary(kb::vec_first<isSetMask>(kb::VecOp::ShiftLeft, mask, repeatTime),
                                                  repeatParams), kb::scalar_bits(scalarValue)));
}

template <typename T, bool isSetMask = true>
KB_API void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count) {
    KB_LEGAL_TYPE(ShiftLeft);
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_scalar(kb::vec_count(kb::VecOp::ShiftLeft, count), kb::scalar_bits(scalarValue)));
}

template <typename T, bool isSetMask = true>
KB_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask[],
                       const uint8_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn = false) {
    KB_LEGAL_TYPE(ShiftRight);
    const kb::VecOp op = roundEn ? kb::VecOp::ShiftRightRound : kb::VecOp::ShiftRight;
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_scalar(kb::with_unary(kb::vec_bits<isSetMask>(op, mask, repeatTime), repeatParams),
                                   kb::scalar_bits(scalarValue)));
}

template <typename T, bool isSetMask = true>
KB_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, uint64_t mask,
                       const uint8_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn = false) {
    KB_LEGAL_TYPE(ShiftRight);
    const kb::VecOp op = roundEn ? kb::VecOp::ShiftRightRound : kb::VecOp::ShiftRight;
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_scalar(kb::with_unary(kb::vec_first<isSetMask>(op, mask, repeatTime), repeatParams),
                                   kb::scalar_bits(scalarValue)));
}

template <typename T, bool isSetMask = true>
KB_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const int32_t& count) {
    KB_LEGAL_TYPE(ShiftRight);
    kbrt_vec_lanes(kb::view(dst), kb::view(src), {},
                   kb::with_scalar(kb::vec_count(kb::VecOp::ShiftRight, count), kb::scalar_bits(scalarValue)));
}

// The same with the scalar's type as a parameter of its own: it must be the tensors' element type.
#define KB_TYPED_SHIFT template <typename T, typename U, bool isSetMask = true, std::enable_if_t<std::is_same_v<PrimT<T>, U>, bool> = true>

KB_TYPED_SHIFT
KB_API void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& scalarValue, uint64_t mask[],
                      const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    ShiftLeft<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams);
}

KB_TYPED_SHIFT
KB_API void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& scalarValue, uint64_t mask,
                      const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
    ShiftLeft<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams);
}

KB_TYPED_SHIFT
KB_API void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& scalarValue, const int32_t& count) {
    ShiftLeft<T, isSetMask>(dst, src, scalarValue, count);
}

KB_TYPED_SHIFT
KB_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& scalarValue, uint64_t mask[],
                       const uint8_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn) {
    ShiftRight<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams, roundEn);
}

KB_TYPED_SHIFT
KB_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& scalarValue, uint64_t mask,
                       const uint8_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn) {
    ShiftRight<T, isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams, roundEn);
}

KB_TYPED_SHIFT
KB_API void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src, const U& scalarValue, const int32_t& count) {
    ShiftRight<T, isSetMask>(dst, src, scalarValue, count);
}

#undef KB_TYPED_SHIFT
#undef KB_LEGAL_TYPE

}  // namespace AscendC
