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

}  // namespace kbaie

#endif
