// Rounding modes: to integers, and from wide to narrow floating point.
#pragma once

#include "vec_math.h"

namespace kb::vec {

// The numbers of AscendC::RoundMode. none rounds like rint.
enum class Round : int { none = 0, rint, floor, ceil, round, trunc, odd };

template <Round mode>
KB_LANE float to_integral(float x) {
    if constexpr (mode == Round::floor) {
        return __builtin_elementwise_floor(x);
    } else if constexpr (mode == Round::ceil) {
        return __builtin_elementwise_ceil(x);
    } else if constexpr (mode == Round::trunc) {
        return __builtin_elementwise_trunc(x);
    } else if constexpr (mode == Round::round) {  // ties away from zero; x - t is exact
        const float t = __builtin_elementwise_trunc(x);
        const float away = t + __builtin_copysignf(1.0f, x);
        return __builtin_fabsf(x - t) >= 0.5f ? away : t;
    } else {
        return __builtin_elementwise_roundeven(x);
    }
}

// A float that is an integer, saturated; NaN becomes 0.
template <class I>
KB_LANE I saturated(float x) {
    constexpr bool is_signed = I(-1) < I(0);
    constexpr float high = static_cast<float>(1ull << (8 * sizeof(I) - is_signed));  // the first value beyond
    constexpr float low = is_signed ? -high : 0.0f;
    constexpr I most = static_cast<I>(is_signed ? (1ull << (8 * sizeof(I) - 1)) - 1 : ~0ull);
    constexpr I least = is_signed ? static_cast<I>(-most - 1) : I(0);
    const float safe = x >= low ? (x < high ? x : 0.0f) : 0.0f;
    const I inside = static_cast<I>(safe);
    return x >= high ? most : (x < low ? least : inside);
}

// One step in the last place of a magnitude, by the sign of x - rounded: `result` is `bits` moved to the mode's side.
template <Round mode, class U>
KB_LANE U nudged(U bits, bool below, bool above) {  // below: rounded < x; above: rounded > x
    constexpr U sign = static_cast<U>(U(1) << (8 * sizeof(U) - 1));
    const bool negative = (bits & sign) != 0;
    if constexpr (mode == Round::trunc || mode == Round::odd) {
        const bool too_far = negative ? below : above;
        return static_cast<U>(bits - (too_far ? 1 : 0));
    } else if constexpr (mode == Round::floor) {
        return static_cast<U>(above ? (negative ? bits + 1 : bits - 1) : bits);
    } else if constexpr (mode == Round::ceil) {
        return static_cast<U>(below ? (negative ? bits - 1 : bits + 1) : bits);
    } else {
        return bits;
    }
}

// float to half. Directed modes correct the nearest half by its last place; so the largest half, not infinity, is the
// result of a mode that rounds towards zero. NaN stays NaN.
template <Round mode>
KB_LANE F16 to_half(float x) {
    const F16 nearest = narrow(x);
    if constexpr (mode == Round::none || mode == Round::rint) {
        return nearest;
    } else if constexpr (mode == Round::round) {
        // Only a tie differs. The half below in magnitude and its successor are as far from |x|.
        const float near = widen(nearest);
        const float size = __builtin_fabsf(x);
        const uint16_t down = static_cast<uint16_t>((nearest.bits & 0x7fffu) - (__builtin_fabsf(near) > size ? 1 : 0));
        const uint16_t up = static_cast<uint16_t>(down + 1);
        const float above = up == 0x7c00 ? 65536.0f : widen(F16{up});
        const bool tie_or_more = size - widen(F16{down}) >= above - size;
        const uint16_t chosen = tie_or_more ? up : down;
        const bool plain = !(size < 65536.0f);  // infinity, NaN, or far beyond
        const uint16_t sign = static_cast<uint16_t>(bits_as<uint32_t>(x) >> 16 & 0x8000u);
        return {plain ? nearest.bits : static_cast<uint16_t>(chosen | sign)};
    } else {
        const float near = widen(nearest);
        uint16_t bits = nudged<mode, uint16_t>(nearest.bits, near < x, near > x);
        if constexpr (mode == Round::odd) {
            bits = static_cast<uint16_t>(bits | (near != x && x == x ? 1 : 0));
        }
        return {bits};
    }
}

template <Round mode>
KB_LANE Bf16 to_bfloat(float x) {
    const uint32_t u = bits_as<uint32_t>(x);
    const uint32_t low = u & 0xffffu;
    const uint32_t high = u >> 16;
    const bool negative = (u >> 31) != 0;
    uint32_t up = 0;
    if constexpr (mode == Round::floor) {
        up = negative && low != 0;
    } else if constexpr (mode == Round::ceil) {
        up = !negative && low != 0;
    } else if constexpr (mode == Round::round) {
        up = low >= 0x8000u;
    } else if constexpr (mode == Round::none || mode == Round::rint) {
        up = low + (high & 1u) > 0x8000u;
    }
    const bool nan = (u & 0x7fffffffu) > 0x7f800000u;
    return {static_cast<uint16_t>(nan ? 0x7fc0u : high + up)};
}

// A 32-bit integer to float. Its double is exact, and shows on which side the nearest float lies.
template <Round mode>
KB_LANE float int_to_float(int32_t x) {
    const float nearest = static_cast<float>(x);
    if constexpr (mode == Round::none || mode == Round::rint) {
        return nearest;
    } else {
        const double exact = x;
        const double near = nearest;
        uint32_t bits = bits_as<uint32_t>(nearest);
        if constexpr (mode == Round::round) {  // a tie is 2^k away, with 2^k half of the last place
            const uint32_t away = nudged<Round::trunc, uint32_t>(bits, near < exact, near > exact);
            const double down = __builtin_fabs(static_cast<double>(bits_as<float>(away)));
            const double up = __builtin_fabs(static_cast<double>(bits_as<float>(away + 1)));
            const double size = __builtin_fabs(exact);
            bits = down == size ? away : (size - down >= up - size ? away + 1 : away);
        } else {
            bits = nudged<mode, uint32_t>(bits, near < exact, near > exact);
        }
        return bits_as<float>(bits);
    }
}

// A 64-bit integer to float, by integers alone: magnitude, what is cut off, and the mode's decision.
template <Round mode>
inline float long_to_float(int64_t x) {
    const bool negative = x < 0;
    const uint64_t size = negative ? 0ull - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
    if (size < (1ull << 24)) {
        return static_cast<float>(x);
    }
    const int shift = 40 - __builtin_clzll(size);  // keeps 24 bits
    const uint64_t kept = size >> shift;
    const uint64_t rest = size & ((1ull << shift) - 1);
    const uint64_t half_way = shift > 0 ? 1ull << (shift - 1) : 1;
    bool up = rest > half_way || (rest == half_way && (kept & 1));
    if (mode == Round::floor) {
        up = negative && rest != 0;
    } else if (mode == Round::ceil) {
        up = !negative && rest != 0;
    } else if (mode == Round::trunc) {
        up = false;
    } else if (mode == Round::round) {
        up = rest >= half_way;
    }
    const float scale = bits_as<float>(static_cast<uint32_t>(127 + shift) << 23);
    const float result = static_cast<float>(kept + (up && shift > 0)) * scale;
    return negative ? -result : result;
}

}  // namespace kb::vec
