// What the wrappers of vector operations hand to the runtime: which operation, which lanes, which strides.
#pragma once

#include "kb_view.h"

namespace kb {

// Numbers are what kb::event() reports; copies and synchronisation use those below 256.
enum class VecOp : uint16_t {
    Abs = 256, Exp, Ln, Sqrt, Rsqrt, Reciprocal, Relu, Not,
    Add, Sub, Mul, Div, Max, Min, And, Or, AddRelu, SubRelu, MulAddDst, FusedMulAdd, FusedMulAddRelu,
    Adds, Muls, Maxs, Mins, ShiftLeft, ShiftRight, ShiftRightRound, LeakyRelu, Axpy,
    Cast, CastDeq, AddDeqRelu, AddReluCast, SubReluCast, MulCast,
    Duplicate, CreateVecIndex, Copy,
    Compare, CompareScalar, Select, SelectScalar, SetCmpMask, GetCmpMask,
    WholeReduceSum, WholeReduceMax, WholeReduceMin, BlockReduceSum, BlockReduceMax, BlockReduceMin, PairReduceSum,
    ReduceSum, ReduceMax, ReduceMin, Brcb, Gather, Gatherb, GatherMask, TransDataTo5HD, Transpose,
    TransposeFormat, BilinearInterpolation,
};

enum class VecMask : uint8_t {
    count,  // the first `count` elements, contiguous
    first,  // the first mask[0] lanes of every repeat
    bits,   // the lanes whose bit is set in mask
    keep,   // the mask that SetVectorMask left (isSetMask = false)
};

// Strides are in 32-byte blocks; index 0 is dst, 1 and 2 the sources. `scalar` holds the bits of a scalar operand, `mode`
// a RoundMode, CMPMODE, SELMODE or ReduceOrder.
struct VecForm {
    VecOp op;
    VecMask kind;
    uint8_t mode;
    int32_t count;  // elements for VecMask::count, else repeats
    uint64_t mask[2];
    uint64_t scalar;
    int32_t block[3];
    int32_t repeat[3];
};

// The bits of a scalar operand, widened with zeros.
template <class T>
KB_API constexpr uint64_t scalar_bits(T value) {
    if constexpr (sizeof(T) == 2) {
        return __builtin_bit_cast(uint16_t, value);
    } else if constexpr (sizeof(T) == 4) {
        return __builtin_bit_cast(uint32_t, value);
    } else if constexpr (sizeof(T) == 8) {
        return __builtin_bit_cast(uint64_t, value);
    } else {
        return __builtin_bit_cast(uint8_t, value);
    }
}

// The forms, from the arguments that every API of a family shares.
KB_API constexpr VecForm vec_count(VecOp op, int64_t count) {
    const int32_t bounded = count > INT32_MAX ? INT32_MAX : static_cast<int32_t>(count);
    return {op, VecMask::count, 0, bounded, {0, 0}, 0, {1, 1, 1}, {8, 8, 8}};
}

template <bool isSetMask>
KB_API constexpr VecForm vec_first(VecOp op, uint64_t mask, int32_t repeats) {
    return {op, isSetMask ? VecMask::first : VecMask::keep, 0, repeats, {mask, 0}, 0, {1, 1, 1}, {8, 8, 8}};
}

template <bool isSetMask>
KB_API VecForm vec_bits(VecOp op, const uint64_t* mask, int32_t repeats) {
    if constexpr (isSetMask) {
        return {op, VecMask::bits, 0, repeats, {mask[0], mask[1]}, 0, {1, 1, 1}, {8, 8, 8}};
    } else {
        return {op, VecMask::keep, 0, repeats, {0, 0}, 0, {1, 1, 1}, {8, 8, 8}};
    }
}

template <class Params>
KB_API constexpr VecForm with_unary(VecForm form, const Params& p) {
    form.block[0] = p.dstBlkStride;
    form.block[1] = p.srcBlkStride;
    form.repeat[0] = p.dstRepStride;
    form.repeat[1] = p.srcRepStride;
    return form;
}

template <class Params>
KB_API constexpr VecForm with_binary(VecForm form, const Params& p) {
    form.block[0] = p.dstBlkStride;
    form.block[1] = p.src0BlkStride;
    form.block[2] = p.src1BlkStride;
    form.repeat[0] = p.dstRepStride;
    form.repeat[1] = p.src0RepStride;
    form.repeat[2] = p.src1RepStride;
    return form;
}

KB_API constexpr VecForm with_scalar(VecForm form, uint64_t bits) {
    form.scalar = bits;
    return form;
}

KB_API constexpr VecForm with_mode(VecForm form, int mode) {
    form.mode = static_cast<uint8_t>(mode);
    return form;
}

struct ImageShape {
    uint32_t images;
    uint32_t channels;
    uint32_t pixels;  // height × width
    bool to_nhwc;
};

}  // namespace kb

// Operations on lanes: dst = op(src0, src1, scalar). Operations without a second (or first) source ignore its view.
extern "C" {
void kbrt_vec_lanes(kb::View dst, kb::View src0, kb::View src1, const kb::VecForm& form);

// Comparisons into bits of dst; without a dst (null pointer) into the comparison register.
void kbrt_vec_compare(kb::View dst, kb::View src0, kb::View src1, const kb::VecForm& form);
// Selection by the bits of `chosen`; without it (null pointer) by the comparison register.
void kbrt_vec_select(kb::View dst, kb::View chosen, kb::View src0, kb::View src1, const kb::VecForm& form);
void kbrt_vec_set_compare_mask(kb::View src);
void kbrt_vec_get_compare_mask(kb::View dst);
uint64_t kbrt_vec_compare_mask();  // the register's low word
void kbrt_vec_cast_deq(kb::View dst, kb::View src, const kb::VecForm& form, bool by_lane, bool lower_half);

// One result a repeat, a block, or a pair; and all of a tensor into one, with `work` as the device's scratch.
void kbrt_vec_reduce(kb::View dst, kb::View src, const kb::VecForm& form);
void kbrt_vec_reduce_all(kb::View dst, kb::View src, kb::View work, const kb::VecForm& form, bool index);
uint64_t kbrt_vec_sum();         // the accumulated sum's bits
uint64_t kbrt_vec_best();        // the extreme value's bits
uint64_t kbrt_vec_best_index();

void kbrt_vec_brcb(kb::View dst, kb::View src, const kb::VecForm& form);
void kbrt_vec_index(kb::View dst, const kb::VecForm& form);
void kbrt_vec_gather(kb::View dst, kb::View src, kb::View offsets, uint32_t base, const kb::VecForm& form);
// `pattern` is a built-in one (1 to 7), or 0 where `bits` holds the user's. Returns the number of elements kept.
uint64_t kbrt_vec_gather_mask(kb::View dst, kb::View src, kb::View bits, uint32_t pattern, bool counter, uint32_t per_repeat,
                              const kb::VecForm& form);

// Sixteen blocks each; `size` of an element. The halves matter for 8-bit elements.
void kbrt_vec_transpose(const kb::View* dst, const kb::View* src, uint32_t size, bool dst_high, bool src_high,
                        const kb::VecForm& form);

// NCHW to NHWC (`to_nhwc`) or back: `images` times a matrix of channels × pixels.
void kbrt_vec_transpose_format(kb::View dst, kb::View src, kb::View tmp, const kb::ImageShape& shape);

void kbrt_vec_mask_mode(bool counter);
void kbrt_vec_mask(uint64_t high, uint64_t low);
void kbrt_vec_mask_first(int32_t length, uint32_t lanes);
void kbrt_vec_saturation(bool on);
bool kbrt_vec_saturates();

// SetDeqScale: one half; scale, offset and sign of a tensor; the same for each of 16 lanes.
void kbrt_vec_deq_half(float scale);
void kbrt_vec_deq_word(uint64_t word);
void kbrt_vec_deq_tensor(float scale, int16_t offset, bool is_signed);
void kbrt_vec_deq_lanes(const float* scale, const int16_t* offset, const bool* is_signed);
}
