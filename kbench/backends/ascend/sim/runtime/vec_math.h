// The arithmetic of single lanes. Everything is branch-free so that loops over it vectorise, uses no host library and no
// fused multiply-add, and gives the same bits on every processor: the compiler is told not to contract, and every NaN
// that an operation produces is the canonical one (x86 and Arm disagree on the sign of a fresh NaN).
//
// Exp, Ln, Rsqrt of f32 are evaluated in double with an error below 2^-51 relative and rounded once. Over all 2^32 inputs
// that gives the correctly rounded result (measured against an oracle of 64 bits; see tests/.../test_vec_accuracy.py for
// the sample that the suite repeats). f16 results come from shorter polynomials and are correctly rounded for all inputs.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define KB_LANE __attribute__((always_inline)) inline

namespace kb::vec {

template <class To, class From>
KB_LANE constexpr To bits_as(From from) {
    return __builtin_bit_cast(To, from);
}

inline constexpr uint32_t kNan32 = 0x7fc00000u;
inline constexpr uint16_t kNan16 = 0x7e00u;

KB_LANE float canonical(float x) {
    return x == x ? x : bits_as<float>(kNan32);
}

// ---- half -----------------------------------------------------------------------------------------------------------

// Storage of a half or bfloat16. A class of its own, so that loops never mix it up with an unsigned integer.
struct F16 {
    uint16_t bits;
};
struct Bf16 {
    uint16_t bits;
};

// A half in saturation mode: stored like one, never infinite and no NaN.
struct Finite {
    F16 half;
};

// What the saturation mode makes of a result: infinities become the largest value, NaN becomes 0.
KB_LANE F16 finite(F16 h) {
    const uint16_t size = h.bits & 0x7fffu;
    const uint16_t largest = static_cast<uint16_t>((h.bits & 0x8000u) | 0x7bffu);
    return {size == 0x7c00u ? largest : size > 0x7c00u ? uint16_t{0} : h.bits};
}
KB_LANE Bf16 finite(Bf16 h) {
    const uint16_t size = h.bits & 0x7fffu;
    const uint16_t largest = static_cast<uint16_t>((h.bits & 0x8000u) | 0x7f7fu);
    return {size == 0x7f80u ? largest : size > 0x7f80u ? uint16_t{0} : h.bits};
}

#if defined(__F16C__) || defined(__aarch64__)

KB_LANE float widen(F16 h) {
    return static_cast<float>(bits_as<_Float16>(h.bits));
}

// Round to nearest, ties to even; overflow becomes infinity.
KB_LANE F16 narrow(float x) {
    return {bits_as<uint16_t>(static_cast<_Float16>(canonical(x)))};
}

#else  // in integers: the compiler's own routines are calls and keep loops from vectorising

KB_LANE float widen(F16 h) {
    const uint32_t magnitude = static_cast<uint32_t>(h.bits & 0x7fffu) << 13;
    const uint32_t exponent = magnitude & 0x0f800000u;
    const uint32_t normal = magnitude + (112u << 23);
    const uint32_t special = normal + (112u << 23);
    // A subnormal is the mantissa placed under 2^-14, minus 2^-14: exact.
    const uint32_t tiny = bits_as<uint32_t>(bits_as<float>(normal + (1u << 23)) - bits_as<float>(113u << 23));
    const uint32_t value = exponent == 0 ? tiny : (exponent == 0x0f800000u ? special : normal);
    return bits_as<float>(value | static_cast<uint32_t>(h.bits & 0x8000u) << 16);
}

KB_LANE F16 narrow(float x) {
    const uint32_t u = bits_as<uint32_t>(canonical(x));
    const uint32_t sign = u & 0x80000000u;
    const uint32_t magnitude = u ^ sign;
    const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    // Adding 2^-1 (ulp 2^-24) rounds a subnormal result to its place.
    const uint32_t tiny = bits_as<uint32_t>(bits_as<float>(magnitude) + 0.5f) - bits_as<uint32_t>(0.5f);
    const uint32_t special = magnitude > 0x7f800000u ? kNan16 : 0x7c00u;
    const uint32_t value = magnitude < (113u << 23) ? tiny : (magnitude >= (143u << 23) ? special : normal);
    return {static_cast<uint16_t>(value | sign >> 16)};
}

#endif

KB_LANE float widen(Bf16 b) {
    return bits_as<float>(static_cast<uint32_t>(b.bits) << 16);
}

// A double as the float that rounds to half as the double would: truncated, with the lost bits folded into the last one
// (a half has 13 bits less, so no double rounding). Not for values below 2^-126, which no half result needs.
KB_LANE float folded(double x) {
    const uint64_t u = bits_as<uint64_t>(x);
    const uint64_t low = u & 0x1fffffffu;
    const uint64_t sticky = (low + 0x1fffffffu) & 0x20000000u;
    return static_cast<float>(bits_as<double>((u ^ low) | sticky));
}

// ---- exponential ----------------------------------------------------------------------------------------------------

inline constexpr double kLog2e = 0x1.71547652b82fep+0;
inline constexpr double kLn2High = 0x1.62e42fefa2000p-1;  // few bits: its product with |n| < 2^10 is exact
inline constexpr double kLn2Low = 0x1.9ef35793c7673p-41;
inline constexpr double kRoundToInt = 0x1.8p+52;

// (e^r - 1 - r) / r^2 on |r| <= ln 2 / 2.
struct ExpLong {  // error of e^r: 2^-55.8
    static KB_LANE double tail(double r) {
        double p = 0x1.af38a9b0ec855p-26;
        p = p * r + 0x1.289185613a3d6p-22;
        p = p * r + 0x1.71de0dae63bb3p-19;
        p = p * r + 0x1.a019b90d2ae7ap-16;
        p = p * r + 0x1.a01a01a7c41d5p-13;
        p = p * r + 0x1.6c16c1788bd90p-10;
        p = p * r + 0x1.11111111109b3p-7;
        p = p * r + 0x1.5555555553d63p-5;
        p = p * r + 0x1.5555555555556p-3;
        return p * r + 0x1.0000000000001p-1;
    }
};
struct ExpShort {  // error of e^r: 2^-32
    static KB_LANE double tail(double r) {
        double p = 0x1.a124f19fe89acp-13;
        p = p * r + 0x1.6d43246b523b4p-10;
        p = p * r + 0x1.1110e0f238322p-7;
        p = p * r + 0x1.5554e9063586ep-5;
        p = p * r + 0x1.5555555a78ed4p-3;
        return p * r + 0x1.0000000b9129bp-1;
    }
};

template <class Polynomial>
KB_LANE double exp_of(double x) {
    const double low = x < -200.0 ? -200.0 : x;  // beyond these f32 and f16 are long since 0 or infinite
    const double clamped = low > 200.0 ? 200.0 : low;
    const double shifted = clamped * kLog2e + kRoundToInt;
    const double n = shifted - kRoundToInt;
    const double r = (clamped - n * kLn2High) - n * kLn2Low;
    const double e = 1.0 + (r + r * r * Polynomial::tail(r));
    const double scaled = bits_as<double>(bits_as<uint64_t>(e) + (bits_as<uint64_t>(shifted) << 52));
    return x == x ? scaled : x;
}

// ---- logarithm ------------------------------------------------------------------------------------------------------

// With s = f / (2 + f), log(1+f) = f - f^2/2 + s (f^2/2 + z tail(z)), z = s^2; f between sqrt(1/2) - 1 and sqrt(2) - 1.
struct LnLong {  // error 2^-60.7
    static KB_LANE double tail(double z) {
        double p = 0x1.0c0aff044a970p-3;
        p = p * z + 0x1.0fbde0f4ad17bp-3;
        p = p * z + 0x1.3b1c3c1c81c8fp-3;
        p = p * z + 0x1.745cf8e4bba1bp-3;
        p = p * z + 0x1.c71c7201a55d7p-3;
        p = p * z + 0x1.2492492476a1ap-2;
        p = p * z + 0x1.9999999999a39p-2;
        return p * z + 0x1.5555555555555p-1;
    }
};
struct LnShort {  // error 2^-35.8
    static KB_LANE double tail(double z) {
        double p = 0x1.ddd4dad98e4c4p-3;
        p = p * z + 0x1.245c273432202p-2;
        p = p * z + 0x1.9999eb9d6ddfep-2;
        return p * z + 0x1.5555554ba8b0ep-1;
    }
};

// a + b for |a| >= |b| or a = 0, rounded to odd: what is lost moves an even result to its odd neighbour on that side, so
// that rounding once more, to float, is right even where the double nearest to the sum is a tie.
KB_LANE double sum_to_odd(double a, double b) {
    const double sum = a + b;
    const double lost = b - (sum - a);
    const uint64_t u = bits_as<uint64_t>(sum);
    const uint64_t even = ~u & 1;
    const uint64_t outward = (lost > 0.0) == (sum > 0.0) ? even : 0 - even;
    return bits_as<double>(u + (lost != 0.0 ? outward : 0));
}

// x is a float or a half, so its double is never subnormal. ln(+-0) = -inf, ln(x < 0) = NaN.
template <class Polynomial>
KB_LANE double ln_of(double x) {
    const uint64_t u = bits_as<uint64_t>(x);
    const uint64_t shifted = u + (0x3ff0000000000000u - 0x3fe6a09e00000000u);  // the mantissa's cut at sqrt(1/2)
    const uint64_t biased = shifted >> 52;
    const double k = bits_as<double>(biased | 0x4330000000000000u) - (0x1p+52 + 1023.0);
    const double f = bits_as<double>(u - (biased << 52) + 0x3ff0000000000000u) - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double half_square = 0.5 * f * f;
    const double tail = s * (half_square + z * Polynomial::tail(z)) + k * kLn2Low;
    const double value = sum_to_odd(k * kLn2High, f - (half_square - tail));
    const double infinity = __builtin_inf();
    const double positive = x == infinity ? infinity : value;
    const double domain = x > 0.0 ? positive : __builtin_nan("");
    return x == 0.0 ? -infinity : domain;
}

KB_LANE double root_of(double x) {
    return __builtin_elementwise_sqrt(x);
}
KB_LANE float root_of(float x) {
    return __builtin_elementwise_sqrt(x);
}

// ---- maximum, minimum -----------------------------------------------------------------------------------------------

// NaN wins; max(-0, +0) = +0 and min(-0, +0) = -0 (equal values: the sign bits are and-ed or or-ed).
KB_LANE float max_of(float a, float b) {
    const float same = bits_as<float>(bits_as<uint32_t>(a) & bits_as<uint32_t>(b));
    const float ordered = a > b ? a : (a < b ? b : same);
    return ((a == a) & (b == b)) ? ordered : bits_as<float>(kNan32);
}
KB_LANE float min_of(float a, float b) {
    const float same = bits_as<float>(bits_as<uint32_t>(a) | bits_as<uint32_t>(b));
    const float ordered = a < b ? a : (a > b ? b : same);
    return ((a == a) & (b == b)) ? ordered : bits_as<float>(kNan32);
}

}  // namespace kb::vec
