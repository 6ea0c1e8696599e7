// Results at the edge of what the documentation allows, where it only bounds an operation's error (`--numerics worst`).
//
// A result moves by a number of units in its last place, up or down by a hash of its own bits: the operation stays a
// function of its operands, and both directions occur. Zeros, +-1, infinities and NaN stay, and no result moves across
// them: exact cases stay exact, and a curve that ends at 1 does not leave [-1, 1].
#pragma once

#include "vec_math.h"

namespace kb::vec {

// Units in the last place of a half and of a float.
struct Bound {
    uint32_t half;
    uint32_t single;
};

// Exp, Ln, Sqrt, Div: 1 unit, which the pages of Exp, Ln, Sqrt and Div give for the successor of this architecture and for
// this one leave open. Reciprocal, Rsqrt: their pages say that halves miss 1/1000 and floats 1/10000; here halves move by
// 1/1024 to 1/512, floats by a unit of half.
inline constexpr Bound kBasicBound{1, 1};
inline constexpr Bound kCoarseBound{2, 1u << 13};
// The advanced library: no figure is documented. Floats move by 512 units, the largest power of two that stays within the
// 1/10000 by which the documentation judges results in float; halves that the library computes in float do so before they
// are rounded to half, those that it computes in half move by a unit.
inline constexpr Bound kLibraryBound{1, 512};

template <class U>
KB_LANE U moved(U bits, U units, U one, U infinity) {
    constexpr U sign = static_cast<U>(U(1) << (8 * sizeof(U) - 1));
    const U size = static_cast<U>(bits & ~sign);
    const bool up = (static_cast<uint32_t>(bits) * 0x9e3779b1u) >> 31 != 0;
    const U higher = static_cast<U>(size + units);
    const U lower = size > units ? static_cast<U>(size - units) : U(1);
    const U top = size < one ? static_cast<U>(one) : static_cast<U>(infinity - 1);
    const U bottom = size > one ? one : U(1);
    const U chosen = up ? (higher > top ? top : higher) : (lower < bottom ? bottom : lower);
    const bool fixed = (size == 0) | (size == one) | (size >= infinity);
    return fixed ? bits : static_cast<U>(chosen | (bits & sign));
}

KB_LANE float at_bound(float x, Bound bound) {
    return bits_as<float>(moved<uint32_t>(bits_as<uint32_t>(x), bound.single, 0x3f800000u, 0x7f800000u));
}
KB_LANE F16 at_bound(F16 x, Bound bound) {
    return {moved<uint16_t>(x.bits, static_cast<uint16_t>(bound.half), 0x3c00, 0x7c00)};
}

template <class T>
inline void all_at_bound(T* d, size_t n, Bound bound) {
    _Pragma("clang loop vectorize(assume_safety)") for (size_t i = 0; i < n; ++i) { d[i] = at_bound(d[i], bound); }
}

}  // namespace kb::vec
