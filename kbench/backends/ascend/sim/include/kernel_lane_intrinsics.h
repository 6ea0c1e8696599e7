// The compiler's intrinsics for lanes, on addresses in UB: arithmetic, bits, conversions. The mask register says which lanes;
// strides are in 32-byte blocks, those of blocks before those of repeats.
#pragma once

#include "kb_raw.h"
#include "kernel_types.h"

// ---- dst = op(src0, src1) -------------------------------------------------------------------------------------------

#define KB_BINARY_STRIDES                                                                                        \
    uint8_t dstBlockStride, uint8_t src0BlockStride, uint8_t src1BlockStride, uint8_t dstRepeatStride,           \
        uint8_t src0RepeatStride, uint8_t src1RepeatStride

#define KB_BINARY_CALL(Op)                                                                                       \
    kbrt_vec_lanes(kb::raw_view(dst), kb::raw_view(src0), kb::raw_view(src1),                                    \
                   kb::raw_form(kb::VecOp::Op, repeat, {dstBlockStride, src0BlockStride, src1BlockStride},       \
                                {dstRepeatStride, src0RepeatStride, src1RepeatStride}))

#define KB_RAW_BINARY(Name, Op, list, ...)                                                                       \
    template <class T>                                                                                           \
    KB_API void Name(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat, KB_BINARY_STRIDES) {   \
        KB_RAW_TYPES(Name, list, __VA_ARGS__);                                                                   \
        KB_BINARY_CALL(Op);                                                                                      \
    }

KB_RAW_BINARY(vadd, Add, "half, float, int16_t or int32_t", half, float, int16_t, int32_t)
KB_RAW_BINARY(vsub, Sub, "half, float, int16_t or int32_t", half, float, int16_t, int32_t)
KB_RAW_BINARY(vmul, Mul, "half, float, int16_t or int32_t", half, float, int16_t, int32_t)
KB_RAW_BINARY(vmax, Max, "half, float, int16_t or int32_t", half, float, int16_t, int32_t)
KB_RAW_BINARY(vmin, Min, "half, float, int16_t or int32_t", half, float, int16_t, int32_t)
KB_RAW_BINARY(vdiv, Div, "half or float", half, float)
KB_RAW_BINARY(vand, And, "int16_t or uint16_t", int16_t, uint16_t)
KB_RAW_BINARY(vor, Or, "int16_t or uint16_t", int16_t, uint16_t)
KB_RAW_BINARY(vaddrelu, AddRelu, "half, float or int16_t", half, float, int16_t)
KB_RAW_BINARY(vsubrelu, SubRelu, "half, float or int16_t", half, float, int16_t)
KB_RAW_BINARY(vmadd, FusedMulAdd, "half or float", half, float)
KB_RAW_BINARY(vmaddrelu, FusedMulAddRelu, "half or float", half, float)
KB_RAW_BINARY(vmla, MulAddDst, "half or float", half, float)

#undef KB_RAW_BINARY

// dst of another type than the sources.
#define KB_RAW_FUSED(Name, Op, D, S)                                                                             \
    KB_API void Name(__ubuf__ D* dst, __ubuf__ S* src0, __ubuf__ S* src1, uint8_t repeat, KB_BINARY_STRIDES) {   \
        KB_BINARY_CALL(Op);                                                                                      \
    }

KB_RAW_FUSED(vmla, MulAddDst, float, half)
KB_RAW_FUSED(vmulconv_f162s8, MulCast, int8_t, half)
KB_RAW_FUSED(vmulconv_f162u8, MulCast, uint8_t, half)

#undef KB_RAW_FUSED

// The flag asks for the upper half of each block of dst, which is not modelled.
#define KB_RAW_RELU_CAST(Name, Op, D, S)                                                                         \
    KB_API void Name(__ubuf__ D* dst, __ubuf__ S* src0, __ubuf__ S* src1, uint8_t repeat, KB_BINARY_STRIDES,     \
                     bool h) {                                                                                   \
        if (h) {                                                                                                 \
            kbrt_unsupported(#Name " into the upper half of a block");                                           \
        }                                                                                                        \
        KB_BINARY_CALL(Op);                                                                                      \
    }

KB_RAW_RELU_CAST(vaddreluconv_f162s8, AddReluCast, int8_t, half)
KB_RAW_RELU_CAST(vaddreluconv_f322f16, AddReluCast, half, float)
KB_RAW_RELU_CAST(vaddreluconv_s162s8, AddReluCast, int8_t, int16_t)
KB_RAW_RELU_CAST(vsubreluconv_f162s8, SubReluCast, int8_t, half)
KB_RAW_RELU_CAST(vsubreluconv_f322f16, SubReluCast, half, float)
KB_RAW_RELU_CAST(vsubreluconv_s162s8, SubReluCast, int8_t, int16_t)

#undef KB_RAW_RELU_CAST
#undef KB_BINARY_CALL
#undef KB_BINARY_STRIDES

// ---- dst = op(src) and dst = op(src, scalar) ------------------------------------------------------------------------

#define KB_UNARY_STRIDES uint16_t dstBlockStride, uint16_t srcBlockStride, uint16_t dstRepeatStride, uint16_t srcRepeatStride

#define KB_UNARY_FORM(Op) \
    kb::raw_form(kb::VecOp::Op, repeat, {dstBlockStride, srcBlockStride, 1}, {dstRepeatStride, srcRepeatStride, 8})

#define KB_RAW_UNARY(Name, Op, list, ...)                                                   \
    template <class T>                                                                      \
    KB_API void Name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, KB_UNARY_STRIDES) {  \
        KB_RAW_TYPES(Name, list, __VA_ARGS__);                                              \
        kbrt_vec_lanes(kb::raw_view(dst), kb::raw_view(src), {}, KB_UNARY_FORM(Op));        \
    }

KB_RAW_UNARY(vabs, Abs, "half or float", half, float)
KB_RAW_UNARY(vexp, Exp, "half or float", half, float)
KB_RAW_UNARY(vln, Ln, "half or float", half, float)
KB_RAW_UNARY(vsqrt, Sqrt, "half or float", half, float)
KB_RAW_UNARY(vrsqrt, Rsqrt, "half or float", half, float)
KB_RAW_UNARY(vrec, Reciprocal, "half or float", half, float)
KB_RAW_UNARY(vrelu, Relu, "half, float or int32_t", half, float, int32_t)
KB_RAW_UNARY(vnot, Not, "int16_t or uint16_t", int16_t, uint16_t)
KB_RAW_UNARY(vcopy, Copy, "int16_t, uint16_t, int32_t or uint32_t", int16_t, uint16_t, int32_t, uint32_t)

#undef KB_RAW_UNARY

#define KB_RAW_SCALAR(Name, Op, list, ...)                                                                           \
    template <class T>                                                                                               \
    KB_API void Name(__ubuf__ T* dst, __ubuf__ T* src, kb::raw_scalar<T> value, uint8_t repeat, KB_UNARY_STRIDES) {  \
        KB_RAW_TYPES(Name, list, __VA_ARGS__);                                                                       \
        kbrt_vec_lanes(kb::raw_view(dst), kb::raw_view(src), {},                                                     \
                       kb::with_scalar(KB_UNARY_FORM(Op), kb::scalar_bits(value)));                                  \
    }

KB_RAW_SCALAR(vadds, Adds, "half, float, int16_t or int32_t", half, float, int16_t, int32_t)
KB_RAW_SCALAR(vmuls, Muls, "half, float, int16_t or int32_t", half, float, int16_t, int32_t)
KB_RAW_SCALAR(vmaxs, Maxs, "half, float, int16_t or int32_t", half, float, int16_t, int32_t)
KB_RAW_SCALAR(vmins, Mins, "half, float, int16_t or int32_t", half, float, int16_t, int32_t)
KB_RAW_SCALAR(vlrelu, LeakyRelu, "half or float", half, float)
KB_RAW_SCALAR(vaxpy, Axpy, "half or float", half, float)

#undef KB_RAW_SCALAR

KB_API void vaxpy(__ubuf__ float* dst, __ubuf__ half* src, half value, uint8_t repeat, KB_UNARY_STRIDES) {
    kbrt_vec_lanes(kb::raw_view(dst), kb::raw_view(src), {}, kb::with_scalar(KB_UNARY_FORM(Axpy), kb::scalar_bits(value)));
}

template <class T>
KB_API void vshl(__ubuf__ T* dst, __ubuf__ T* src, uint32_t distance, uint8_t repeat, KB_UNARY_STRIDES) {
    KB_RAW_TYPES(vshl, "int16_t, uint16_t, int32_t or uint32_t", int16_t, uint16_t, int32_t, uint32_t);
    kbrt_vec_lanes(kb::raw_view(dst), kb::raw_view(src), {},
                   kb::with_scalar(KB_UNARY_FORM(ShiftLeft), kb::scalar_bits(static_cast<T>(distance))));
}

template <class T>
KB_API void vshr(__ubuf__ T* dst, __ubuf__ T* src, int32_t distance, uint8_t repeat, KB_UNARY_STRIDES, bool roundEn) {
    KB_RAW_TYPES(vshr, "int16_t, uint16_t, int32_t or uint32_t", int16_t, uint16_t, int32_t, uint32_t);
    kb::VecForm form = KB_UNARY_FORM(ShiftRight);
    form.op = roundEn ? kb::VecOp::ShiftRightRound : form.op;
    kbrt_vec_lanes(kb::raw_view(dst), kb::raw_view(src), {}, kb::with_scalar(form, kb::scalar_bits(static_cast<T>(distance))));
}

// The source's strides stand where other intrinsics have them and say nothing.
template <class T>
KB_API void vector_dup(__ubuf__ T* dst, kb::raw_scalar<T> value, uint8_t repeat, uint16_t dstBlockStride,
                       uint16_t srcBlockStride, uint16_t dstRepeatStride, uint16_t srcRepeatStride) {
    KB_RAW_TYPES(vector_dup, "half, bfloat16_t, float, int16_t, uint16_t, int32_t or uint32_t", half, bfloat16_t, float,
                 int16_t, uint16_t, int32_t, uint32_t);
    kbrt_vec_lanes(kb::raw_view(dst), {}, {}, kb::with_scalar(KB_UNARY_FORM(Duplicate), kb::scalar_bits(value)));
}

// ---- conversions: the name has the types and the rounding: r even, a away from zero, f floor, c ceil, z zero, o odd -----

namespace kb {

template <class D, class S>
KB_API void raw_cast(D* dst, S* src, const VecForm& form, AscendC::RoundMode mode) {
    kbrt_vec_lanes(raw_view(dst), raw_view(src), {}, with_mode(form, static_cast<int>(mode)));
}

}  // namespace kb

#define KB_RAW_CONV(Name, D, S, Mode)                                                      \
    KB_API void Name(__ubuf__ D* dst, __ubuf__ S* src, uint8_t repeat, KB_UNARY_STRIDES) { \
        kb::raw_cast(dst, src, KB_UNARY_FORM(Cast), AscendC::RoundMode::CAST_##Mode);      \
    }

KB_RAW_CONV(vconv_f162s16r, int16_t, half, RINT)
KB_RAW_CONV(vconv_f162s16f, int16_t, half, FLOOR)
KB_RAW_CONV(vconv_f162s16c, int16_t, half, CEIL)
KB_RAW_CONV(vconv_f162s16a, int16_t, half, ROUND)
KB_RAW_CONV(vconv_f162s16z, int16_t, half, TRUNC)
KB_RAW_CONV(vconv_f162s32r, int32_t, half, RINT)
KB_RAW_CONV(vconv_f162s32f, int32_t, half, FLOOR)
KB_RAW_CONV(vconv_f162s32c, int32_t, half, CEIL)
KB_RAW_CONV(vconv_f162s32a, int32_t, half, ROUND)
KB_RAW_CONV(vconv_f162s32z, int32_t, half, TRUNC)
KB_RAW_CONV(vconv_f162s8r, int8_t, half, RINT)
KB_RAW_CONV(vconv_f162s8f, int8_t, half, FLOOR)
KB_RAW_CONV(vconv_f162s8c, int8_t, half, CEIL)
KB_RAW_CONV(vconv_f162s8a, int8_t, half, ROUND)
KB_RAW_CONV(vconv_f162s8z, int8_t, half, TRUNC)
KB_RAW_CONV(vconv_f162u8r, uint8_t, half, RINT)
KB_RAW_CONV(vconv_f162u8f, uint8_t, half, FLOOR)
KB_RAW_CONV(vconv_f162u8c, uint8_t, half, CEIL)
KB_RAW_CONV(vconv_f162u8a, uint8_t, half, ROUND)
KB_RAW_CONV(vconv_f162u8z, uint8_t, half, TRUNC)
KB_RAW_CONV(vconv_bf162s32r, int32_t, bfloat16_t, RINT)
KB_RAW_CONV(vconv_bf162s32f, int32_t, bfloat16_t, FLOOR)
KB_RAW_CONV(vconv_bf162s32c, int32_t, bfloat16_t, CEIL)
KB_RAW_CONV(vconv_bf162s32a, int32_t, bfloat16_t, ROUND)
KB_RAW_CONV(vconv_bf162s32z, int32_t, bfloat16_t, TRUNC)
KB_RAW_CONV(vconv_f322bf16r, bfloat16_t, float, RINT)
KB_RAW_CONV(vconv_f322bf16f, bfloat16_t, float, FLOOR)
KB_RAW_CONV(vconv_f322bf16c, bfloat16_t, float, CEIL)
KB_RAW_CONV(vconv_f322bf16a, bfloat16_t, float, ROUND)
KB_RAW_CONV(vconv_f322bf16z, bfloat16_t, float, TRUNC)
KB_RAW_CONV(vconv_f322f16r, half, float, RINT)
KB_RAW_CONV(vconv_f322f16f, half, float, FLOOR)
KB_RAW_CONV(vconv_f322f16c, half, float, CEIL)
KB_RAW_CONV(vconv_f322f16a, half, float, ROUND)
KB_RAW_CONV(vconv_f322f16z, half, float, TRUNC)
KB_RAW_CONV(vconv_f322f32r, float, float, RINT)
KB_RAW_CONV(vconv_f322f32f, float, float, FLOOR)
KB_RAW_CONV(vconv_f322f32c, float, float, CEIL)
KB_RAW_CONV(vconv_f322f32a, float, float, ROUND)
KB_RAW_CONV(vconv_f322f32z, float, float, TRUNC)
KB_RAW_CONV(vconv_f322s16r, int16_t, float, RINT)
KB_RAW_CONV(vconv_f322s16f, int16_t, float, FLOOR)
KB_RAW_CONV(vconv_f322s16c, int16_t, float, CEIL)
KB_RAW_CONV(vconv_f322s16a, int16_t, float, ROUND)
KB_RAW_CONV(vconv_f322s16z, int16_t, float, TRUNC)
KB_RAW_CONV(vconv_f322s32r, int32_t, float, RINT)
KB_RAW_CONV(vconv_f322s32f, int32_t, float, FLOOR)
KB_RAW_CONV(vconv_f322s32c, int32_t, float, CEIL)
KB_RAW_CONV(vconv_f322s32a, int32_t, float, ROUND)
KB_RAW_CONV(vconv_f322s32z, int32_t, float, TRUNC)
KB_RAW_CONV(vconv_f322s64r, int64_t, float, RINT)
KB_RAW_CONV(vconv_f322s64f, int64_t, float, FLOOR)
KB_RAW_CONV(vconv_f322s64c, int64_t, float, CEIL)
KB_RAW_CONV(vconv_f322s64a, int64_t, float, ROUND)
KB_RAW_CONV(vconv_f322s64z, int64_t, float, TRUNC)
KB_RAW_CONV(vconv_s162f16r, half, int16_t, RINT)
KB_RAW_CONV(vconv_s162f16f, half, int16_t, FLOOR)
KB_RAW_CONV(vconv_s162f16c, half, int16_t, CEIL)
KB_RAW_CONV(vconv_s162f16a, half, int16_t, ROUND)
KB_RAW_CONV(vconv_s162f16z, half, int16_t, TRUNC)
KB_RAW_CONV(vconv_s322f32r, float, int32_t, RINT)
KB_RAW_CONV(vconv_s322f32f, float, int32_t, FLOOR)
KB_RAW_CONV(vconv_s322f32c, float, int32_t, CEIL)
KB_RAW_CONV(vconv_s322f32a, float, int32_t, ROUND)
KB_RAW_CONV(vconv_s322f32z, float, int32_t, TRUNC)
KB_RAW_CONV(vconv_s642f32r, float, int64_t, RINT)
KB_RAW_CONV(vconv_s642f32f, float, int64_t, FLOOR)
KB_RAW_CONV(vconv_s642f32c, float, int64_t, CEIL)
KB_RAW_CONV(vconv_s642f32a, float, int64_t, ROUND)
KB_RAW_CONV(vconv_s642f32z, float, int64_t, TRUNC)
KB_RAW_CONV(vconv_f322f16o, half, float, ODD)
KB_RAW_CONV(vconv_f322f16, half, float, NONE)
KB_RAW_CONV(vconv_f162f32, float, half, NONE)
KB_RAW_CONV(vconv_f162s8, int8_t, half, NONE)
KB_RAW_CONV(vconv_f162u8, uint8_t, half, NONE)
KB_RAW_CONV(vconv_bf162f32, float, bfloat16_t, NONE)
KB_RAW_CONV(vconv_s82f16, half, int8_t, NONE)
KB_RAW_CONV(vconv_u82f16, half, uint8_t, NONE)
KB_RAW_CONV(vconv_s162f16, half, int16_t, NONE)
KB_RAW_CONV(vconv_s162f32, float, int16_t, NONE)
KB_RAW_CONV(vconv_s322f32, float, int32_t, NONE)
KB_RAW_CONV(vconv_s322s16, int16_t, int32_t, NONE)
KB_RAW_CONV(vconv_s322s64, int64_t, int32_t, NONE)
KB_RAW_CONV(vconv_s642s32, int32_t, int64_t, NONE)
KB_RAW_CONV(vconv_deq, half, int32_t, NONE)

#undef KB_RAW_CONV

// Four-bit elements have no type of their own here.
#define KB_RAW_CONV_S4(Name, Mode)                                                                                  \
    KB_API void Name(__ubuf__ void* dst, __ubuf__ half* src, uint8_t repeat, KB_UNARY_STRIDES) {                    \
        kbrt_vec_lanes(kb::raw_view(dst, kb::Dtype::i4), kb::raw_view(src), {},                                     \
                       kb::with_mode(KB_UNARY_FORM(Cast), static_cast<int>(AscendC::RoundMode::CAST_##Mode)));      \
    }

KB_RAW_CONV_S4(vconv_f162s4, NONE)
KB_RAW_CONV_S4(vconv_f162s4r, RINT)
KB_RAW_CONV_S4(vconv_f162s4f, FLOOR)
KB_RAW_CONV_S4(vconv_f162s4c, CEIL)
KB_RAW_CONV_S4(vconv_f162s4a, ROUND)
KB_RAW_CONV_S4(vconv_f162s4z, TRUNC)

#undef KB_RAW_CONV_S4

KB_API void vconv_s42f16(__ubuf__ half* dst, __ubuf__ void* src, uint8_t repeat, KB_UNARY_STRIDES) {
    kbrt_vec_lanes(kb::raw_view(dst), kb::raw_view(src, kb::Dtype::i4), {}, KB_UNARY_FORM(Cast));
}

KB_API void set_deqscale(half scale) {
    kbrt_vec_deq_half(static_cast<float>(scale));
}

// One scale's bits for vconv_deqs162b8*, the address of sixteen divided by 32 for vconv_vdeqs162b8*.
template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
KB_API void set_deqscale(T config) {
    kbrt_vec_deq_word(static_cast<uint64_t>(config));
}

// int16 to 8 bits by the scale register; l writes the lower half of each block of dst, h the upper.
#define KB_RAW_DEQ(Name, byLane, lowerHalf)                                                                        \
    template <class T>                                                                                             \
    KB_API void Name(__ubuf__ T* dst, __ubuf__ int16_t* src, uint8_t repeat, KB_UNARY_STRIDES) {                   \
        KB_RAW_TYPES(Name, "int8_t or uint8_t", int8_t, uint8_t);                                                  \
        kbrt_vec_cast_deq(kb::raw_view(dst), kb::raw_view(src), KB_UNARY_FORM(CastDeq), byLane, lowerHalf);        \
    }

KB_RAW_DEQ(vconv_deqs162b8l, false, true)
KB_RAW_DEQ(vconv_deqs162b8h, false, false)
KB_RAW_DEQ(vconv_vdeqs162b8l, true, true)
KB_RAW_DEQ(vconv_vdeqs162b8h, true, false)

#undef KB_RAW_DEQ
#undef KB_UNARY_FORM
#undef KB_UNARY_STRIDES
