// The compiler's intrinsics that compare, choose, reduce and place lanes, on addresses in UB.
#pragma once

#include "kb_raw.h"
#include "kb_sort.h"
#include "kernel_types.h"

extern "C" {
// The address registers VA0 to VA7, eight addresses each.
void kbrt_raw_set_addresses(uint32_t reg, const uint64_t* addresses);
// Sixteen blocks of the registers dst and dst + 1, from those of src and src + 1.
void kbrt_raw_vnchwconv(uint32_t dst, uint32_t src, uint32_t size, bool dst_high, bool src_high, const kb::VecForm& form);
// vreducev2, whose count of elements is the mask register's in counter mode.
void kbrt_raw_reduce(kb::View dst, kb::View src, kb::View bits, uint32_t pattern, const kb::VecForm& form);
void kbrt_raw_select(kb::View dst, kb::View src0, kb::View src1, const kb::VecForm& form);
uint64_t kbrt_vec_reserved();  // elements that the last GatherMask kept
uint64_t kbrt_raw_extreme();   // value and index of the last vcmax or vcmin in one word
}

enum ub_addr8_t { VA0 = 0, VA1, VA2, VA3, VA4, VA5, VA6, VA7 };
enum class Order_t { VALUE_INDEX = 0, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX };

// ---- comparisons: vcmp_* of one repeat into CMPMASK, vcmpv_* into bits, vcmpvs_* with a scalar ------------------------------

#define KB_BINARY_STRIDES                                                                                             \
    uint8_t dstBlockStride, uint8_t src0BlockStride, uint8_t src1BlockStride, uint8_t dstRepeatStride,                \
        uint8_t src0RepeatStride, uint8_t src1RepeatStride

#define KB_BINARY_FORM(Op)                                                                                            \
    kb::raw_form(kb::VecOp::Op, repeat, {dstBlockStride, src0BlockStride, src1BlockStride},                           \
                 {dstRepeatStride, src0RepeatStride, src1RepeatStride})

#define KB_RAW_COMPARE(Name, Mode)                                                                                    \
    template <class T>                                                                                                \
    KB_API void Name(__ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat, KB_BINARY_STRIDES) {                         \
        KB_RAW_TYPES(Name, "half or float", half, float);                                                             \
        repeat = 1;                                                                                                   \
        kbrt_vec_compare({}, kb::raw_view(src0), kb::raw_view(src1),                                                  \
                         kb::with_mode(KB_BINARY_FORM(Compare), static_cast<int>(AscendC::CMPMODE::Mode)));           \
    }

KB_RAW_COMPARE(vcmp_lt, LT)
KB_RAW_COMPARE(vcmp_gt, GT)
KB_RAW_COMPARE(vcmp_eq, EQ)
KB_RAW_COMPARE(vcmp_le, LE)
KB_RAW_COMPARE(vcmp_ge, GE)
KB_RAW_COMPARE(vcmp_ne, NE)

#undef KB_RAW_COMPARE

#define KB_RAW_COMPARE(Name, Mode)                                                                                    \
    template <class T>                                                                                                \
    KB_API void Name(__ubuf__ uint8_t* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat, KB_BINARY_STRIDES) {  \
        KB_RAW_TYPES(Name, "half, float or (eq) int32_t", half, float, int32_t);                                      \
        kbrt_vec_compare(kb::raw_view(dst), kb::raw_view(src0), kb::raw_view(src1),                                   \
                         kb::with_mode(KB_BINARY_FORM(Compare), static_cast<int>(AscendC::CMPMODE::Mode)));           \
    }

KB_RAW_COMPARE(vcmpv_lt, LT)
KB_RAW_COMPARE(vcmpv_gt, GT)
KB_RAW_COMPARE(vcmpv_eq, EQ)
KB_RAW_COMPARE(vcmpv_le, LE)
KB_RAW_COMPARE(vcmpv_ge, GE)
KB_RAW_COMPARE(vcmpv_ne, NE)

#undef KB_RAW_COMPARE

#define KB_RAW_COMPARE(Name, Mode)                                                                                    \
    template <class T>                                                                                                \
    KB_API void Name(__ubuf__ uint8_t* dst, __ubuf__ T* src, kb::raw_scalar<T> value, uint8_t repeat,                 \
                     uint16_t dstBlockStride, uint16_t srcBlockStride, uint16_t dstRepeatStride,                      \
                     uint16_t srcRepeatStride) {                                                                      \
        KB_RAW_TYPES(Name, "half, float or (eq) int32_t", half, float, int32_t);                                      \
        kb::VecForm form = kb::raw_form(kb::VecOp::CompareScalar, repeat, {dstBlockStride, srcBlockStride, 1},        \
                                        {dstRepeatStride, srcRepeatStride, 8});                                       \
        form.mode = static_cast<uint8_t>(AscendC::CMPMODE::Mode);                                                     \
        kbrt_vec_compare(kb::raw_view(dst), kb::raw_view(src), {}, kb::with_scalar(form, kb::scalar_bits(value)));    \
    }

KB_RAW_COMPARE(vcmpvs_lt, LT)
KB_RAW_COMPARE(vcmpvs_gt, GT)
KB_RAW_COMPARE(vcmpvs_eq, EQ)
KB_RAW_COMPARE(vcmpvs_le, LE)
KB_RAW_COMPARE(vcmpvs_ge, GE)
KB_RAW_COMPARE(vcmpvs_ne, NE)

#undef KB_RAW_COMPARE

// Mode 0: CMPMASK has the bits. Mode 1: src1 points to the bits, CMPMASK has the scalar. Mode 2: CMPMASK has the bits' address.
template <class T, class U>
KB_API void vsel(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ U* src1, uint8_t repeat, KB_BINARY_STRIDES, uint8_t mode = 0) {
    KB_RAW_TYPES(vsel, "half or float", half, float);
    kbrt_raw_select(kb::raw_view(dst), kb::raw_view(src0), kb::raw_view(src1), kb::with_mode(KB_BINARY_FORM(Select), mode));
}

#undef KB_BINARY_FORM
#undef KB_BINARY_STRIDES

template <class T>
KB_API void set_cmpmask(__ubuf__ T* src) {
    kbrt_vec_set_compare_mask(kb::raw_view(src));
}

template <class T>
KB_API void get_cmpmask(__ubuf__ T* dst) {
    kbrt_vec_get_compare_mask(kb::raw_view(dst));
}

// ---- reductions -----------------------------------------------------------------------------------------------------

namespace kb {

// dst's stride counts results; without a dst the results only go to registers.
template <class T>
KB_API void raw_reduce(View dst, T* src, VecForm form) {
    kbrt_vec_reduce(dst, raw_view(src), form);
}

}  // namespace kb

#define KB_REDUCE_STRIDES uint16_t dstRepeatStride, uint16_t srcBlockStride, uint16_t srcRepeatStride

#define KB_REDUCE_FORM(Op) \
    kb::raw_form(kb::VecOp::Op, repeat, {1, srcBlockStride, 1}, {dstRepeatStride, srcRepeatStride, 8})

// One sum a repeat into dst; with `accumulate` (and always without a dst) only into the register that GetAccVal reads.
template <class T>
KB_API void vcadd(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, KB_REDUCE_STRIDES, bool accumulate = false) {
    KB_RAW_TYPES(vcadd, "half or float", half, float);
    kb::raw_reduce(accumulate ? kb::View{} : kb::raw_view(dst), src, KB_REDUCE_FORM(WholeReduceSum));
}

template <class T>
KB_API void vcadd(decltype(nullptr), __ubuf__ T* src, uint8_t repeat, KB_REDUCE_STRIDES, bool accumulate = true) {
    KB_RAW_TYPES(vcadd, "half or float", half, float);
    (void)accumulate;
    kb::raw_reduce(kb::View{}, src, KB_REDUCE_FORM(WholeReduceSum));
}

#define KB_RAW_GROUPED(Name, Op)                                                                \
    template <class T>                                                                          \
    KB_API void Name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, KB_REDUCE_STRIDES) {     \
        KB_RAW_TYPES(Name, "half or float", half, float);                                       \
        kb::raw_reduce(kb::raw_view(dst), src, KB_REDUCE_FORM(Op));                             \
    }

KB_RAW_GROUPED(vcgadd, BlockReduceSum)
KB_RAW_GROUPED(vcgmax, BlockReduceMax)
KB_RAW_GROUPED(vcgmin, BlockReduceMin)
KB_RAW_GROUPED(vcpadd, PairReduceSum)

#undef KB_RAW_GROUPED

#define KB_RAW_BEST(Name, Op)                                                                                   \
    template <class T>                                                                                          \
    KB_API void Name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, KB_REDUCE_STRIDES, Order_t order) {      \
        KB_RAW_TYPES(Name, "half or float", half, float);                                                       \
        kb::raw_reduce(kb::raw_view(dst), src, kb::with_mode(KB_REDUCE_FORM(Op), static_cast<int>(order)));     \
    }

KB_RAW_BEST(vcmax, WholeReduceMax)
KB_RAW_BEST(vcmin, WholeReduceMin)

#undef KB_RAW_BEST
#undef KB_REDUCE_FORM
#undef KB_REDUCE_STRIDES

KB_API int64_t get_acc_val() {
    return static_cast<int64_t>(kbrt_vec_sum());
}

KB_API int64_t get_max_min_cnt() {
    return static_cast<int64_t>(kbrt_raw_extreme());
}

// ---- placing --------------------------------------------------------------------------------------------------------

template <class T>
KB_API void vbrcb(__ubuf__ T* dst, __ubuf__ T* src, uint16_t dstBlockStride, uint16_t dstRepeatStride, uint8_t repeat) {
    KB_RAW_TYPES(vbrcb, "uint16_t or uint32_t", uint16_t, uint32_t);
    kbrt_vec_brcb(kb::raw_view(dst), kb::raw_view(src),
                  kb::raw_form(kb::VecOp::Brcb, repeat, {dstBlockStride, 1, 1}, {dstRepeatStride, 8, 8}));
}

// Offsets are bytes behind the address `src`.
template <class T>
KB_API void vgather(__ubuf__ T* dst, __ubuf__ uint32_t* srcOffset, uint64_t src, uint16_t dstRepeatStride, uint8_t repeat) {
    KB_RAW_TYPES(vgather, "uint16_t or uint32_t", uint16_t, uint32_t);
    kbrt_vec_gather(kb::raw_view(dst), kb::raw_view(reinterpret_cast<T*>(src)), kb::raw_view(srcOffset), 0,
                    kb::raw_form(kb::VecOp::Gather, repeat, {1, 1, 1}, {dstRepeatStride, 8, 8}));
}

template <class T>
KB_API void vgatherb(__ubuf__ T* dst, __ubuf__ uint32_t* srcOffset, uint64_t src, uint16_t dstRepeatStride,
                     uint8_t dstBlockStride, uint8_t repeat) {
    KB_RAW_TYPES(vgatherb, "uint16_t or uint32_t", uint16_t, uint32_t);
    kbrt_vec_gather(kb::raw_view(dst), kb::raw_view(reinterpret_cast<T*>(src)), kb::raw_view(srcOffset), 0,
                    kb::raw_form(kb::VecOp::Gatherb, repeat, {dstBlockStride, 1, 1}, {dstRepeatStride, 8, 8}));
}

// Pattern 0 takes the bits at src1.
template <class T>
KB_API void vreducev2(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint16_t repeat, uint8_t src0BlockStride,
                      uint8_t patternMode, uint16_t src0RepeatStride, uint8_t src1RepeatStride) {
    KB_RAW_TYPES(vreducev2, "uint16_t or uint32_t", uint16_t, uint32_t);
    kb::VecForm form = kb::raw_form(kb::VecOp::GatherMask, 0, {1, src0BlockStride, 1}, {8, src0RepeatStride, src1RepeatStride});
    form.count = repeat;
    kbrt_raw_reduce(kb::raw_view(dst), kb::raw_view(src0), kb::raw_view(src1), patternMode, form);
}

KB_API int64_t get_rsvd_cnt() {
    return static_cast<int64_t>(kbrt_vec_reserved());
}

// ---- sorting: structures of a score and an index, 8 bytes each -----------------------------------------------------------

template <class T>
KB_API void vbitsort(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ uint32_t* src1, uint8_t repeat) {
    KB_RAW_TYPES(vbitsort, "half or float", half, float);
    kbrt_sort32(kb::raw_view(dst), kb::raw_view(src0), kb::raw_view(src1), repeat);
}

template <class T>
KB_API void vmrgsort4(__ubuf__ T* dst, __ubuf__ T* src[4], uint8_t repeat, uint16_t elementLength0, uint16_t elementLength1,
                      uint16_t elementLength2, uint16_t elementLength3, bool ifExhaustedSuspension, uint8_t validBit) {
    KB_RAW_TYPES(vmrgsort4, "half or float", half, float);
    const kb::View queues[4] = {kb::raw_view(src[0]), kb::raw_view(src[1]), kb::raw_view(src[2]), kb::raw_view(src[3])};
    kbrt_merge(kb::raw_view(dst), queues,
               {{elementLength0, elementLength1, elementLength2, elementLength3}, validBit, repeat, ifExhaustedSuspension});
}

// What the last vmrgsort4 took of each queue, 16 bits each.
KB_API int64_t get_vms4_sr() {
    return static_cast<int64_t>(kbrt_merge_counts());
}

// ---- addresses ------------------------------------------------------------------------------------------------------

KB_API void set_va_reg_sb(ub_addr8_t addr, uint64_t* srcArray) {
    kbrt_raw_set_addresses(addr, srcArray);
}

#define KB_RAW_NCHW(Name, size)                                                                                       \
    KB_API void Name(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dstStride, uint16_t srcStride) {        \
        kbrt_raw_vnchwconv(dst, src, size, false, false,                                                              \
                           kb::raw_form(kb::VecOp::TransDataTo5HD, repeat, {1, 1, 1}, {dstStride, srcStride, 8}));    \
    }

KB_RAW_NCHW(scatter_vnchwconv_b16, 2)
KB_RAW_NCHW(scatter_vnchwconv_b32, 4)

#undef KB_RAW_NCHW

// One half of each block, sixteen elements, goes to one half.
KB_API void scatter_vnchwconv_b8(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dstStride, uint16_t srcStride,
                                 bool dstHighHalf, bool srcHighHalf) {
    kbrt_raw_vnchwconv(dst, src, 1, dstHighHalf, srcHighHalf,
                       kb::raw_form(kb::VecOp::TransDataTo5HD, repeat, {1, 1, 1}, {dstStride, srcStride, 8}));
}

// A 16 × 16 matrix.
template <class T>
KB_API void vtranspose(__ubuf__ T* dst, __ubuf__ T* src) {
    KB_RAW_TYPES(vtranspose, "int16_t or uint16_t", int16_t, uint16_t);
    kb::View to[16], from[16];
    for (int i = 0; i < 16; ++i) {
        to[i] = kb::raw_view(dst + 16 * i);
        from[i] = kb::raw_view(src + 16 * i);
    }
    kbrt_vec_transpose(to, from, sizeof(T), false, false, kb::vec_first<false>(kb::VecOp::Transpose, 0, 1));
}
