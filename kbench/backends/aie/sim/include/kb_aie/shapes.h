// The shapes of matrix multiplication that each device has, for which types, and what they accumulate in.
#ifndef KB_AIE_SHAPES_H
#define KB_AIE_SHAPES_H

#include "blocks.h"

namespace kbaie {

// Operand types as the shapes tell them apart: the sign does not matter.
enum class Operand : unsigned char { i4, i8, i16, i32, bf16, f32, ci16, ci32, cbf16, bfp8, bfp16, other };

template <class T>
constexpr Operand operand_of() {
    if constexpr (std::is_same_v<T, bfloat16>) return Operand::bf16;
    else if constexpr (std::is_same_v<T, float>) return Operand::f32;
    else if constexpr (std::is_same_v<T, cint16>) return Operand::ci16;
    else if constexpr (std::is_same_v<T, cint32>) return Operand::ci32;
#if __AIE_ARCH__ == 20
    else if constexpr (std::is_same_v<T, cbfloat16>) return Operand::cbf16;
#else
    else if constexpr (std::is_same_v<T, bfp16ebs8>) return Operand::bfp8;
    else if constexpr (std::is_same_v<T, bfp16ebs16>) return Operand::bfp16;
#endif
    else if constexpr (!is_element<T> || element<T>::family != Family::integer) return Operand::other;
    else if constexpr (bits_of<T> == 4) return Operand::i4;
    else if constexpr (bits_of<T> == 8) return Operand::i8;
    else if constexpr (bits_of<T> == 16) return Operand::i16;
    else return Operand::i32;
}

// `bits` of an accumulator's lane: some shapes accumulate in 64 bits although fewer are asked for; only `any_tag`
// takes a request for more. A sparse shape takes only a sparse B.
struct Shape {
    Operand a, b;
    unsigned short M, K, N;
    unsigned char bits;
    bool sparse = false, any_tag = false;
};

#if __AIE_ARCH__ == 20
inline constexpr Shape shapes[] = {
    {Operand::i8, Operand::i4, 4, 16, 8, 32},
    {Operand::i8, Operand::i4, 8, 16, 8, 32},
    {Operand::i8, Operand::i4, 4, 32, 8, 32},
    {Operand::i8, Operand::i8, 4, 8, 4, 32, false, true},
    {Operand::i8, Operand::i8, 4, 16, 4, 32, false, true},
    {Operand::i8, Operand::i8, 8, 8, 4, 32, false, true},
    {Operand::i8, Operand::i8, 2, 8, 8, 32},
    {Operand::i8, Operand::i8, 4, 8, 8, 32},
    {Operand::i8, Operand::i8, 8, 8, 8, 32},
    {Operand::i8, Operand::i8, 1, 16, 8, 32},
    {Operand::i8, Operand::i8, 2, 16, 8, 32},
    {Operand::i8, Operand::i8, 4, 16, 8, 32},
    {Operand::i8, Operand::i8, 8, 16, 8, 32, true},
    {Operand::i8, Operand::i8, 4, 16, 16, 32, true},
    {Operand::i16, Operand::i8, 4, 4, 4, 32},
    {Operand::i16, Operand::i8, 8, 4, 4, 32},
    {Operand::i16, Operand::i8, 4, 8, 4, 64},
    {Operand::i16, Operand::i8, 4, 4, 8, 32},
    {Operand::i16, Operand::i8, 8, 4, 8, 32},
    {Operand::i16, Operand::i8, 2, 8, 8, 64},
    {Operand::i16, Operand::i8, 2, 16, 8, 64, true},
    {Operand::i16, Operand::i8, 4, 16, 8, 64, true},
    {Operand::i8, Operand::i16, 4, 4, 8, 64},
    {Operand::i8, Operand::i16, 4, 4, 4, 64},
    {Operand::i16, Operand::i16, 4, 4, 4, 64, false, true},
    {Operand::i16, Operand::i16, 2, 4, 8, 64, false, true},
    {Operand::i16, Operand::i16, 4, 4, 8, 64, false, true},
    {Operand::i16, Operand::i16, 4, 2, 8, 32},
    {Operand::i16, Operand::i16, 8, 2, 8, 32},
    {Operand::i16, Operand::i16, 8, 1, 8, 32},
    {Operand::i16, Operand::i16, 2, 8, 8, 64, true, true},
    {Operand::i16, Operand::i16, 4, 8, 8, 64, true, true},
    {Operand::i16, Operand::i16, 2, 8, 16, 64, true, true},
    {Operand::i32, Operand::i16, 2, 4, 8, 64},
    {Operand::i32, Operand::i16, 4, 4, 8, 64},
    {Operand::i32, Operand::i16, 4, 4, 4, 64},
    {Operand::i32, Operand::i16, 4, 2, 4, 64},
    {Operand::i32, Operand::i16, 4, 1, 8, 64},
    {Operand::i16, Operand::i32, 2, 4, 8, 64},
    {Operand::i16, Operand::i32, 4, 4, 4, 64},
    {Operand::i32, Operand::i32, 4, 2, 4, 64},
    {Operand::i32, Operand::i32, 4, 4, 4, 64},
    {Operand::i32, Operand::i32, 8, 2, 4, 64},
    {Operand::i32, Operand::i32, 4, 1, 8, 64},
    {Operand::bf16, Operand::bf16, 4, 8, 4, 32},
    {Operand::bf16, Operand::bf16, 8, 8, 4, 32},
    {Operand::bf16, Operand::bf16, 4, 8, 8, 32},
    {Operand::bf16, Operand::bf16, 8, 8, 8, 32},
    {Operand::bf16, Operand::bf16, 8, 1, 8, 32},
    {Operand::bf16, Operand::bf16, 4, 16, 4, 32, true},
    {Operand::bf16, Operand::bf16, 4, 16, 8, 32, true},
    {Operand::f32, Operand::f32, 4, 8, 4, 32},
    {Operand::f32, Operand::f32, 4, 1, 4, 32},
    {Operand::f32, Operand::f32, 4, 1, 8, 32},
    {Operand::ci16, Operand::i16, 2, 4, 8, 64},
    {Operand::ci16, Operand::i16, 4, 4, 4, 64},
    {Operand::ci16, Operand::ci16, 1, 4, 8, 64},
    {Operand::ci16, Operand::ci16, 2, 4, 8, 64},
    {Operand::ci32, Operand::ci16, 1, 2, 4, 64},
    {Operand::ci32, Operand::ci16, 1, 2, 8, 64},
    {Operand::ci32, Operand::ci16, 2, 2, 8, 64},
    {Operand::ci32, Operand::ci16, 1, 4, 8, 64},
    {Operand::ci32, Operand::ci16, 2, 4, 8, 64},
    {Operand::ci32, Operand::ci32, 1, 2, 8, 64},
    {Operand::bf16, Operand::cbf16, 2, 8, 2, 32},
    {Operand::cbf16, Operand::bf16, 2, 8, 2, 32},
    {Operand::cbf16, Operand::cbf16, 2, 8, 2, 32},
};
#else
inline constexpr Shape shapes[] = {
    {Operand::i8, Operand::i4, 4, 16, 16, 32},
    {Operand::i8, Operand::i8, 2, 8, 8, 32},
    {Operand::i8, Operand::i8, 4, 8, 8, 32},
    {Operand::i8, Operand::i8, 8, 8, 8, 32},
    {Operand::i8, Operand::i8, 4, 16, 8, 32, true},
    {Operand::i8, Operand::i8, 8, 16, 8, 32, true},
    {Operand::i16, Operand::i8, 4, 4, 8, 32},
    {Operand::i16, Operand::i8, 8, 4, 8, 32},
    {Operand::i16, Operand::i8, 4, 8, 8, 64, false, true},
    {Operand::i16, Operand::i8, 2, 16, 8, 64, true, true},
    {Operand::i16, Operand::i8, 4, 16, 8, 64, true, true},
    {Operand::i8, Operand::i16, 8, 2, 8, 32},
    {Operand::i8, Operand::i16, 4, 4, 8, 64},
    {Operand::i16, Operand::i16, 4, 2, 8, 32},
    {Operand::i16, Operand::i16, 8, 2, 8, 32},
    {Operand::i16, Operand::i16, 2, 4, 8, 64, false, true},
    {Operand::i16, Operand::i16, 4, 4, 8, 64, false, true},
    {Operand::i16, Operand::i16, 8, 1, 8, 32},
    {Operand::i16, Operand::i16, 2, 8, 8, 64, true, true},
    {Operand::i16, Operand::i16, 4, 8, 8, 64, true, true},
    {Operand::i32, Operand::i16, 4, 2, 8, 64},
    {Operand::i32, Operand::i16, 2, 4, 8, 64},
    {Operand::i32, Operand::i16, 4, 4, 8, 64},
    {Operand::i32, Operand::i16, 4, 1, 8, 64},
    {Operand::i16, Operand::i32, 4, 4, 8, 64},
    {Operand::i32, Operand::i32, 4, 2, 8, 64},
    {Operand::i32, Operand::i32, 4, 4, 4, 64},
    {Operand::i32, Operand::i32, 4, 4, 8, 64},
    {Operand::i32, Operand::i32, 8, 2, 8, 64},
    {Operand::i32, Operand::i32, 4, 1, 8, 64},
    {Operand::bf16, Operand::bf16, 8, 8, 4, 32},
    {Operand::bf16, Operand::bf16, 4, 8, 4, 32},
    {Operand::bf16, Operand::bf16, 4, 8, 8, 32},
    {Operand::bf16, Operand::bf16, 8, 8, 8, 32},
    {Operand::bf16, Operand::bf16, 8, 1, 8, 32},
    {Operand::f32, Operand::f32, 4, 8, 4, 32},
    {Operand::f32, Operand::f32, 4, 1, 4, 32},
    {Operand::f32, Operand::f32, 4, 1, 8, 32},
    {Operand::bfp8, Operand::bfp8, 8, 8, 8, 32},
    {Operand::bfp8, Operand::bfp8, 8, 8, 16, 32},
    {Operand::bf16, Operand::bfp8, 8, 8, 8, 32},
    {Operand::ci16, Operand::i16, 4, 4, 8, 64},
    {Operand::ci16, Operand::i16, 2, 4, 8, 64},
    {Operand::ci16, Operand::ci16, 1, 4, 8, 64},
    {Operand::ci16, Operand::ci16, 2, 2, 16, 64},
    {Operand::ci32, Operand::ci16, 1, 2, 4, 64},
    {Operand::ci32, Operand::ci16, 1, 2, 8, 64},
    {Operand::ci32, Operand::ci16, 1, 2, 16, 64},
    {Operand::ci32, Operand::ci32, 1, 2, 8, 64},
};
#endif

// The device's shape, or one of no size.
constexpr Shape shape_of(Operand a, Operand b, unsigned M, unsigned K, unsigned N) {
    for (const Shape& s : shapes)
        if (s.a == a && s.b == b && s.M == M && s.K == K && s.N == N) return s;
    return {a, b, 0, 0, 0, 0};
}

// What a kernel is told that asks for another shape: those that there are for its types.
template <Operand A, Operand B, bool There>
constexpr bool has_shape() {
#define KB_SHAPES(a, b, types, list)                                                       \
    if constexpr (A == Operand::a && B == Operand::b) {                                    \
        static_assert(There, "aie::mmul: of " types " this device has the shapes " list); \
        return true;                                                                       \
    } else
#if __AIE_ARCH__ == 20
    KB_SHAPES(i8, i4, "int8 x int4", "4x16x8 8x16x8 4x32x8")
    KB_SHAPES(i8, i8, "int8 x int8", "4x8x4 4x16x4 8x8x4 2x8x8 4x8x8 8x8x8 1x16x8 2x16x8 4x16x8")
    KB_SHAPES(i16, i8, "int16 x int8", "4x4x4 8x4x4 4x8x4 4x4x8 8x4x8 2x8x8")
    KB_SHAPES(i8, i16, "int8 x int16", "4x4x8 4x4x4")
    KB_SHAPES(i16, i16, "int16 x int16", "4x4x4 2x4x8 4x4x8 4x2x8 8x2x8 8x1x8")
    KB_SHAPES(i32, i16, "int32 x int16", "2x4x8 4x4x8 4x4x4 4x2x4 4x1x8")
    KB_SHAPES(i16, i32, "int16 x int32", "2x4x8 4x4x4")
    KB_SHAPES(i32, i32, "int32 x int32", "4x2x4 4x4x4 8x2x4 4x1x8")
    KB_SHAPES(bf16, bf16, "bfloat16 x bfloat16", "4x8x4 8x8x4 4x8x8 8x8x8 8x1x8")
    KB_SHAPES(f32, f32, "float x float", "4x8x4 4x1x4 4x1x8")
    KB_SHAPES(ci16, i16, "cint16 x int16", "2x4x8 4x4x4")
    KB_SHAPES(ci16, ci16, "cint16 x cint16", "1x4x8 2x4x8")
    KB_SHAPES(ci32, ci16, "cint32 x cint16", "1x2x4 1x2x8 2x2x8 1x4x8 2x4x8")
    KB_SHAPES(ci32, ci32, "cint32 x cint32", "1x2x8")
    KB_SHAPES(bf16, cbf16, "bfloat16 x cbfloat16", "2x8x2")
    KB_SHAPES(cbf16, bf16, "cbfloat16 x bfloat16", "2x8x2")
    KB_SHAPES(cbf16, cbf16, "cbfloat16 x cbfloat16", "2x8x2")
#else
    KB_SHAPES(i8, i4, "int8 x int4", "4x16x16")
    KB_SHAPES(i8, i8, "int8 x int8", "2x8x8 4x8x8 8x8x8")
    KB_SHAPES(i16, i8, "int16 x int8", "4x4x8 8x4x8 4x8x8")
    KB_SHAPES(i8, i16, "int8 x int16", "8x2x8 4x4x8")
    KB_SHAPES(i16, i16, "int16 x int16", "4x2x8 8x2x8 2x4x8 4x4x8 8x1x8")
    KB_SHAPES(i32, i16, "int32 x int16", "4x2x8 2x4x8 4x4x8 4x1x8")
    KB_SHAPES(i16, i32, "int16 x int32", "4x4x8")
    KB_SHAPES(i32, i32, "int32 x int32", "4x2x8 4x4x4 4x4x8 8x2x8 4x1x8")
    KB_SHAPES(bf16, bf16, "bfloat16 x bfloat16", "8x8x4 4x8x4 4x8x8 8x8x8 8x1x8")
    KB_SHAPES(f32, f32, "float x float", "4x8x4 4x1x4 4x1x8")
    KB_SHAPES(bfp8, bfp8, "bfp16ebs8 x bfp16ebs8", "8x8x8 8x8x16")
    KB_SHAPES(bf16, bfp8, "bfloat16 x bfp16ebs8", "8x8x8")
    KB_SHAPES(ci16, i16, "cint16 x int16", "4x4x8 2x4x8")
    KB_SHAPES(ci16, ci16, "cint16 x cint16", "1x4x8 2x2x16")
    KB_SHAPES(ci32, ci16, "cint32 x cint16", "1x2x4 1x2x8 1x2x16")
    KB_SHAPES(ci32, ci32, "cint32 x cint32", "1x2x8")
#endif
    static_assert(There, "aie::mmul: this device has no matrix multiplication of these types");
#undef KB_SHAPES
    return true;
}

}  // namespace kbaie

#endif
