// Comparisons into bits, and selection by bits. A2/A3 ignore the mask of a comparison: it covers whole repeats.
#pragma once

#include "kb_vec.h"
#include "kernel_struct_binary.h"
#include "kernel_struct_unary.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_LEGAL_PAIR(Name)                                                                                         \
    static_assert((SupportType<T, half, float, int32_t>() && SupportType<U, int8_t, uint8_t>()),                    \
                  "Failed to check dtype in " #Name                                                                 \
                  ", current api support dtype combination is src: half / float / int32_t, dst: int8_t / uint8_t.")

template <typename T, typename U, bool isSetMask = true>
KB_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                    const uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR(Compare);
    (void)mask;
    kbrt_vec_compare(kb::view(dst), kb::view(src0), kb::view(src1),
                     kb::with_mode(kb::with_binary(kb::vec_first<false>(kb::VecOp::Compare, 0, repeatTime), repeatParams),
                                   static_cast<int>(cmpMode)));
}

template <typename T, typename U, bool isSetMask = true>
KB_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                    const uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR(Compare);
    (void)mask;
    kbrt_vec_compare(kb::view(dst), kb::view(src0), kb::view(src1),
                     kb::with_mode(kb::with_binary(kb::vec_first<false>(kb::VecOp::Compare, 0, repeatTime), repeatParams),
                                   static_cast<int>(cmpMode)));
}

template <typename T, typename U>
KB_API void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
                    uint32_t count) {
    KB_LEGAL_PAIR(Compare);
    kbrt_vec_compare(kb::view(dst), kb::view(src0), kb::view(src1),
                     kb::with_mode(kb::vec_count(kb::VecOp::Compare, count), static_cast<int>(cmpMode)));
}

// One repeat into the comparison register.
template <typename T, bool isSetMask = true>
KB_API void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask[],
                    const BinaryRepeatParams& repeatParams) {
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in Compare, current api support dtype "
                                                   "combination is src: half / float.");
    (void)mask;
    kbrt_vec_compare({}, kb::view(src0), kb::view(src1),
                     kb::with_mode(kb::with_binary(kb::vec_first<false>(kb::VecOp::Compare, 0, 1), repeatParams),
                                   static_cast<int>(cmpMode)));
}

template <typename T, bool isSetMask = true>
KB_API void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask,
                    const BinaryRepeatParams& repeatParams) {
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in Compare, current api support dtype "
                                                   "combination is src: half / float.");
    (void)mask;
    kbrt_vec_compare({}, kb::view(src0), kb::view(src1),
                     kb::with_mode(kb::with_binary(kb::vec_first<false>(kb::VecOp::Compare, 0, 1), repeatParams),
                                   static_cast<int>(cmpMode)));
}

// Compares is the newer name of CompareScalar.
#define KB_COMPARE_SCALAR(Name)                                                                                        \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    KB_API void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,       \
                     const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {               \
        KB_LEGAL_PAIR(Name);                                                                                           \
        (void)mask;                                                                                                    \
        kbrt_vec_compare(kb::view(dst), kb::view(src0), {},                                                            \
                         kb::with_scalar(kb::with_mode(kb::with_unary(                                                 \
                             kb::vec_first<false>(kb::VecOp::CompareScalar, 0, repeatTime), repeatParams),             \
                             static_cast<int>(cmpMode)), kb::scalar_bits(src1Scalar)));                                \
    }                                                                                                                  \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    KB_API void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,       \
                     const uint64_t mask, uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {                 \
        KB_LEGAL_PAIR(Name);                                                                                           \
        (void)mask;                                                                                                    \
        kbrt_vec_compare(kb::view(dst), kb::view(src0), {},                                                            \
                         kb::with_scalar(kb::with_mode(kb::with_unary(                                                 \
                             kb::vec_first<false>(kb::VecOp::CompareScalar, 0, repeatTime), repeatParams),             \
                             static_cast<int>(cmpMode)), kb::scalar_bits(src1Scalar)));                                \
    }                                                                                                                  \
    template <typename T, typename U>                                                                                  \
    KB_API void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,       \
                     uint32_t count) {                                                                                 \
        KB_LEGAL_PAIR(Name);                                                                                           \
        kbrt_vec_compare(kb::view(dst), kb::view(src0), {},                                                            \
                         kb::with_scalar(kb::with_mode(kb::vec_count(kb::VecOp::CompareScalar, count),                 \
                                                       static_cast<int>(cmpMode)), kb::scalar_bits(src1Scalar)));      \
    }

KB_COMPARE_SCALAR(CompareScalar)
KB_COMPARE_SCALAR(Compares)

#undef KB_COMPARE_SCALAR
#undef KB_LEGAL_PAIR

// The mask is bits: kernels also hand over the int8_t tensor that a comparison wrote.
#define KB_LEGAL_PAIR                                                                                               \
    static_assert((SupportType<T, half, float>() &&                                                                 \
                   SupportType<U, int8_t, uint8_t, uint16_t, uint32_t, uint64_t>()),                                \
                  "Failed to check dtype in Select, current api support dtype combination is src and dst both: "    \
                  "half / float, selMask: uint8_t / uint16_t / uint32_t / uint64_t.")

// dst = selMask's bit ? src0 : src1. VSEL_CMPMASK_SPR uses the same bits in every repeat, the other modes go on.
template <typename T, typename U, bool isSetMask = true>
KB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
                   const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_select(kb::view(dst), kb::view(selMask), kb::view(src0), kb::view(src1),
                    kb::with_mode(kb::with_binary(kb::vec_bits<true>(kb::VecOp::Select, mask, repeatTime), repeatParams),
                                  static_cast<int>(selMode)));
}

template <typename T, typename U, bool isSetMask = true>
KB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime,
                   const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_select(kb::view(dst), kb::view(selMask), kb::view(src0), kb::view(src1),
                    kb::with_mode(kb::with_binary(kb::vec_first<true>(kb::VecOp::Select, mask, repeatTime), repeatParams),
                                  static_cast<int>(selMode)));
}

template <typename T, typename U>
KB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, SELMODE selMode, uint32_t count) {
    KB_LEGAL_PAIR;
    kbrt_vec_select(kb::view(dst), kb::view(selMask), kb::view(src0), kb::view(src1),
                    kb::with_mode(kb::vec_count(kb::VecOp::Select, count), static_cast<int>(selMode)));
}

template <typename T, typename U, bool isSetMask = true>
KB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1,
                   SELMODE selMode, uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_select(kb::view(dst), kb::view(selMask), kb::view(src0), {},
                    kb::with_scalar(kb::with_mode(kb::with_binary(
                        kb::vec_bits<true>(kb::VecOp::SelectScalar, mask, repeatTime), repeatParams),
                        static_cast<int>(selMode)), kb::scalar_bits(src1)));
}

template <typename T, typename U, bool isSetMask = true>
KB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1,
                   SELMODE selMode, uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
    KB_LEGAL_PAIR;
    kbrt_vec_select(kb::view(dst), kb::view(selMask), kb::view(src0), {},
                    kb::with_scalar(kb::with_mode(kb::with_binary(
                        kb::vec_first<true>(kb::VecOp::SelectScalar, mask, repeatTime), repeatParams),
                        static_cast<int>(selMode)), kb::scalar_bits(src1)));
}

template <typename T, typename U>
KB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1,
                   SELMODE selMode, uint32_t count) {
    KB_LEGAL_PAIR;
    kbrt_vec_select(kb::view(dst), kb::view(selMask), kb::view(src0), {},
                    kb::with_scalar(kb::with_mode(kb::vec_count(kb::VecOp::SelectScalar, count), static_cast<int>(selMode)),
                                    kb::scalar_bits(src1)));
}

#undef KB_LEGAL_PAIR

// Without a mask argument: bits (or the scalar) come from the comparison register, lanes from SetVectorMask.
template <typename T, SELMODE selMode>
KB_API void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint8_t repeatTime,
                   const BinaryRepeatParams& repeatParams) {
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in Select, current api support dtype "
                                                   "combination is src and dst both: half / float.");
    kbrt_vec_select(kb::view(dst), {}, kb::view(src0), kb::view(src1),
                    kb::with_mode(kb::with_binary(kb::vec_first<false>(kb::VecOp::Select, 0, repeatTime), repeatParams),
                                  static_cast<int>(selMode)));
}

template <typename T, typename U>
KB_API void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, uint8_t repeatTime,
                   const BinaryRepeatParams& repeatParams) {
    static_assert((SupportType<T, half, float>()), "Failed to check dtype in Select, current api support dtype "
                                                   "combination is src and dst both: half / float.");
    kbrt_vec_select(kb::view(dst), kb::view(selMask), kb::view(src0), {},
                    kb::with_scalar(kb::with_mode(kb::with_binary(
                        kb::vec_first<false>(kb::VecOp::SelectScalar, 0, repeatTime), repeatParams),
                        static_cast<int>(SELMODE::VSEL_TENSOR_SCALAR_MODE)), kbrt_vec_compare_mask()));
}

template <typename T>
KB_API void SetCmpMask(const LocalTensor<T>& src) {
    kbrt_vec_set_compare_mask(kb::view(src));
}

template <typename T>
KB_API void GetCmpMask(const LocalTensor<T>& dst) {
    kbrt_vec_get_compare_mask(kb::view(dst));
}

}  // namespace AscendC
