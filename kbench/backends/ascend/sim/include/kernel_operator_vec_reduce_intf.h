// Reductions: one result a repeat, a block or a pair of lanes; all of a tensor into one.
#pragma once

#include "kb_vec.h"
#include "kernel_tensor.h"

namespace AscendC {

#define KB_LEGAL_TYPE(Name)                                                            \
    static_assert((SupportType<T, half, float>()),                                     \
                  "Failed to check dtype in " #Name                                    \
                  ", current api support dtype combination is src and dst both: half / float.")

KB_API constexpr kb::VecForm kb_reduce_form(kb::VecForm form, int32_t dstRep, int32_t srcBlk, int32_t srcRep) {
    form.repeat[0] = dstRep;
    form.block[1] = srcBlk;
    form.repeat[1] = srcRep;
    return form;
}

// ---- WholeReduce*: the mask comes before the repeats ----------------------------------------------------------------

template <typename T, bool isSetMask = true>
KB_API void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],
                           const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                           const int32_t srcRepStride) {
    KB_LEGAL_TYPE(WholeReduceSum);
    kbrt_vec_reduce(kb::view(dst), kb::view(src),
                    kb_reduce_form(kb::vec_bits<isSetMask>(kb::VecOp::WholeReduceSum, mask, repeatTime), dstRepStride,
                                   srcBlkStride, srcRepStride));
}

template <typename T, bool isSetMask = true>
KB_API void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,
                           const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                           const int32_t srcRepStride) {
    KB_LEGAL_TYPE(WholeReduceSum);
    kbrt_vec_reduce(kb::view(dst), kb::view(src),
                    kb_reduce_form(kb::vec_first<isSetMask>(kb::VecOp::WholeReduceSum, static_cast<uint32_t>(mask),
                                                            repeatTime), dstRepStride, srcBlkStride, srcRepStride));
}

#define KB_WHOLE_BEST(Name)                                                                                             \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[],                       \
                     const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,                  \
                     const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                  \
        KB_LEGAL_TYPE(Name);                                                                                            \
        kbrt_vec_reduce(kb::view(dst), kb::view(src),                                                                   \
                        kb::with_mode(kb_reduce_form(kb::vec_bits<isSetMask>(kb::VecOp::Name, mask, repeatTime),        \
                                                     dstRepStride, srcBlkStride, srcRepStride),                         \
                                      static_cast<int>(order)));                                                        \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t mask,                          \
                     const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,                  \
                     const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                  \
        KB_LEGAL_TYPE(Name);                                                                                            \
        kbrt_vec_reduce(kb::view(dst), kb::view(src),                                                                   \
                        kb::with_mode(kb_reduce_form(kb::vec_first<isSetMask>(kb::VecOp::Name,                          \
                                                                              static_cast<uint32_t>(mask), repeatTime), \
                                                     dstRepStride, srcBlkStride, srcRepStride),                         \
                                      static_cast<int>(order)));                                                        \
    }

KB_WHOLE_BEST(WholeReduceMax)
KB_WHOLE_BEST(WholeReduceMin)

#undef KB_WHOLE_BEST

// ---- BlockReduce*, PairReduceSum, RepeatReduceSum: the repeats come before the mask ---------------------------------

#define KB_GROUPED(Name)                                                                                                \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,                    \
                     const int32_t mask, const int32_t dstRepStride, const int32_t srcBlkStride,                        \
                     const int32_t srcRepStride) {                                                                      \
        KB_LEGAL_TYPE(Name);                                                                                            \
        kbrt_vec_reduce(kb::view(dst), kb::view(src),                                                                   \
                        kb_reduce_form(kb::vec_first<isSetMask>(kb::VecOp::Name, static_cast<uint32_t>(mask),           \
                                                                repeatTime), dstRepStride, srcBlkStride, srcRepStride));\
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,                    \
                     const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride,                     \
                     const int32_t srcRepStride) {                                                                      \
        KB_LEGAL_TYPE(Name);                                                                                            \
        kbrt_vec_reduce(kb::view(dst), kb::view(src),                                                                   \
                        kb_reduce_form(kb::vec_bits<isSetMask>(kb::VecOp::Name, mask, repeatTime), dstRepStride,        \
                                       srcBlkStride, srcRepStride));                                                    \
    }

KB_GROUPED(BlockReduceSum)
KB_GROUPED(BlockReduceMax)
KB_GROUPED(BlockReduceMin)
KB_GROUPED(PairReduceSum)

#undef KB_GROUPED

// dstBlkStride is reserved: a repeat has one result.
template <typename T, bool isSetMask = true>
KB_API void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                            const int32_t mask, const int32_t dstBlkStride, const int32_t srcBlkStride,
                            const int32_t dstRepStride, const int32_t srcRepStride) {
    KB_LEGAL_TYPE(RepeatReduceSum);
    (void)dstBlkStride;
    kbrt_vec_reduce(kb::view(dst), kb::view(src),
                    kb_reduce_form(kb::vec_first<isSetMask>(kb::VecOp::WholeReduceSum, static_cast<uint32_t>(mask),
                                                            repeatTime), dstRepStride, srcBlkStride, srcRepStride));
}

// ---- the newer names ------------------------------------------------------------------------------------------------

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true, typename M>
KB_API void kb_reduce_repeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const M& mask, int32_t repeatTime,
                             int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride, ReduceOrder order) {
    static_assert(std::is_same_v<T, U>, "Failed to check dtype in ReduceRepeat, current api support dtype combination is "
                                        "src and dst both: half / float.");
    if constexpr (reduceType == ReduceType::SUM) {
        WholeReduceSum<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);
    } else if constexpr (reduceType == ReduceType::MAX) {
        WholeReduceMax<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
    } else {
        WholeReduceMin<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
    }
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
KB_API void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask, const int32_t repeatTime,
                         const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,
                         ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    kb_reduce_repeat<reduceType, T, U, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
KB_API void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                         const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                         const int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    kb_reduce_repeat<reduceType, T, U, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true, typename M>
KB_API void kb_reduce_block(const LocalTensor<T>& dst, const LocalTensor<U>& src, const M& mask, int32_t repeatTime,
                            int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {
    static_assert(std::is_same_v<T, U>, "Failed to check dtype in ReduceDataBlock, current api support dtype combination is "
                                        "src and dst both: half / float.");
    if constexpr (reduceType == ReduceType::SUM) {
        BlockReduceSum<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
    } else if constexpr (reduceType == ReduceType::MAX) {
        BlockReduceMax<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
    } else {
        BlockReduceMin<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
    }
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
KB_API void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                            const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                            const int32_t srcRepStride) {
    kb_reduce_block<reduceType, T, U, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
KB_API void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                            const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                            const int32_t srcRepStride) {
    kb_reduce_block<reduceType, T, U, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
KB_API void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                           const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                           const int32_t srcRepStride) {
    static_assert(reduceType == ReduceType::SUM && std::is_same_v<T, U>, "ReducePairElem sums half or float");
    PairReduceSum<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
KB_API void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
                           const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride,
                           const int32_t srcRepStride) {
    static_assert(reduceType == ReduceType::SUM && std::is_same_v<T, U>, "ReducePairElem sums half or float");
    PairReduceSum<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
}

// ---- all of a tensor ------------------------------------------------------------------------------------------------

template <typename T>
KB_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
                      const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride) {
    KB_LEGAL_TYPE(ReduceSum);
    kbrt_vec_reduce_all(kb::view(dst), kb::view(src), kb::view(sharedTmpBuffer),
                        kb_reduce_form(kb::vec_first<true>(kb::VecOp::ReduceSum, static_cast<uint32_t>(mask), repeatTime), 1,
                                       1, srcRepStride), false);
}

template <typename T>
KB_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
                      const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride) {
    KB_LEGAL_TYPE(ReduceSum);
    kbrt_vec_reduce_all(kb::view(dst), kb::view(src), kb::view(sharedTmpBuffer),
                        kb_reduce_form(kb::vec_bits<true>(kb::VecOp::ReduceSum, mask, repeatTime), 1, 1, srcRepStride), false);
}

template <typename T, bool isSetMask = true>
KB_API void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
                      const int32_t count) {
    KB_LEGAL_TYPE(ReduceSum);
    kbrt_vec_reduce_all(kb::view(dst), kb::view(src), kb::view(sharedTmpBuffer),
                        kb::vec_count(kb::VecOp::ReduceSum, count), false);
}

#define KB_REDUCE_BEST(Name)                                                                                            \
    template <typename T>                                                                                               \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,       \
                     const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0) {     \
        KB_LEGAL_TYPE(Name);                                                                                            \
        kbrt_vec_reduce_all(kb::view(dst), kb::view(src), kb::view(sharedTmpBuffer),                                    \
                            kb_reduce_form(kb::vec_first<true>(kb::VecOp::Name, static_cast<uint32_t>(mask),            \
                                                               repeatTime), 1, 1, srcRepStride), calIndex);             \
    }                                                                                                                   \
    template <typename T>                                                                                               \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,       \
                     const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0) {  \
        KB_LEGAL_TYPE(Name);                                                                                            \
        kbrt_vec_reduce_all(kb::view(dst), kb::view(src), kb::view(sharedTmpBuffer),                                    \
                            kb_reduce_form(kb::vec_bits<true>(kb::VecOp::Name, mask, repeatTime), 1, 1,                 \
                                           srcRepStride), calIndex);                                                    \
    }                                                                                                                   \
    template <typename T>                                                                                               \
    KB_API void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,       \
                     const int32_t count, bool calIndex = 0) {                                                          \
        KB_LEGAL_TYPE(Name);                                                                                            \
        kbrt_vec_reduce_all(kb::view(dst), kb::view(src), kb::view(sharedTmpBuffer),                                    \
                            kb::vec_count(kb::VecOp::Name, count), calIndex);                                           \
    }

KB_REDUCE_BEST(ReduceMax)
KB_REDUCE_BEST(ReduceMin)

#undef KB_REDUCE_BEST
#undef KB_LEGAL_TYPE

// ---- what the last reduction left in registers ----------------------------------------------------------------------

template <typename T>
KB_API T kb_from_bits(uint64_t bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}

template <typename T>
KB_API T GetReduceRepeatSumSpr() {
    return kb_from_bits<T>(kbrt_vec_sum());
}

template <typename T>
KB_API T GetAccVal() {
    return kb_from_bits<T>(kbrt_vec_sum());
}

// The raw form: the register's bits.
KB_API int64_t GetAccVal() {
    return static_cast<int64_t>(kbrt_vec_sum());
}

template <typename T>
KB_API void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex) {
    maxMinValue = kb_from_bits<T>(kbrt_vec_best());
    maxMinIndex = kb_from_bits<T>(kbrt_vec_best_index());
}

template <typename T>
KB_API void GetReduceRepeatMaxMinSpr(T& maxMinValue) {
    maxMinValue = kb_from_bits<T>(kbrt_vec_best());
}

template <typename T>
KB_API void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex) {
    GetReduceRepeatMaxMinSpr<T>(maxMinValue, maxMinIndex);
}

template <typename T>
KB_API void GetReduceMaxMinCount(T& maxMinValue) {
    GetReduceRepeatMaxMinSpr<T>(maxMinValue);
}

}  // namespace AscendC
