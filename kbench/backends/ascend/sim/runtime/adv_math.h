// Elementary functions on lanes, in double: each gives a value and a bound of its error, by which the caller knows whether
// the value decides the rounding (adv_loops.h). No libm, no fused multiply-add, no table: the same bits everywhere.
//
// Polynomials were fitted by Chebyshev interpolation at 60 digits; the error of each is below 2^-52.
#pragma once

#include "vec_math.h"

namespace kb::vec {

struct Approx {
    double y;
    double error;  // absolute; 0 for infinities and NaN
};

// The common bound: every function below that uses it stays within 2^-46 of its value.
KB_LANE Approx approx(double y) {
    const double size = __builtin_fabs(y);
    return {y, size < 1e300 ? size * 0x1p-42 : 0.0};
}

KB_LANE double sign_of(double size, double sign) {
    return __builtin_copysign(size, sign);
}

// e^x without the clamps of exp_of at +-200 mattering: no float result is left there.
KB_LANE double exp_d(double x) { return exp_of<ExpLong>(x); }

// The exponential of a formula that the device evaluates in float: it overflows there.
KB_LANE double exp_float(double x) {
    const double e = exp_d(x);
    return e > 0x1.fffffefffffffp+127 ? __builtin_inf() : e;
}

KB_LANE double log_d(double x) { return ln_of<LnLong>(x); }

// log(1 + t) for t >= 0 or t > -1, to full relative precision.
KB_LANE double log1p_d(double t) {
    const double u = 1.0 + t;
    const double lost = t - (u - 1.0);
    const double value = log_d(u) + lost / u;
    return u < 1e300 ? value : log_d(u);
}

// ---- hyperbolic -----------------------------------------------------------------------------------------------------

// (sinh(x) / x - 1) / x^2 for |x| <= 1/2, z = x^2.
KB_LANE double sinh_tail(double z) {
    double p = 0x1.6267cf434f185p-33;
    p = p * z + 0x1.ae63a07779c77p-26;
    p = p * z + 0x1.71de3a84a10c3p-19;
    p = p * z + 0x1.a01a01a00ef0fp-13;
    p = p * z + 0x1.1111111111120p-7;
    return p * z + 0x1.5555555555555p-3;
}

struct Hyperbolic {
    double sinh;
    double cosh;
};

KB_LANE Hyperbolic hyperbolic(double x) {
    const double size = __builtin_fabs(x);
    const double e = exp_d(size);
    const double reciprocal = 1.0 / e;
    const double z = x * x;
    const double small = x + x * z * sinh_tail(z);
    const double large = sign_of(0.5 * (e - reciprocal), x);
    return {size < 0.5 ? small : large, 0.5 * (e + reciprocal)};
}

// ---- inverse trigonometric ------------------------------------------------------------------------------------------

// asin(x) for |x| <= 1/2.
KB_LANE double asin_small(double x) {
    const double z = x * x;
    double p = 0x1.d72b2bc82217dp-6;
    p = p * z - 0x1.e6aaa8a0c7f26p-7;
    p = p * z + 0x1.1d1894083ee60p-6;
    p = p * z + 0x1.65a9c4dfb9fd4p-8;
    p = p * z + 0x1.52420b04b6379p-7;
    p = p * z + 0x1.782651caa5ddfp-7;
    p = p * z + 0x1.c9cf076747444p-7;
    p = p * z + 0x1.1c4d35cf95419p-6;
    p = p * z + 0x1.6e8bb1c8209a2p-6;
    p = p * z + 0x1.f1c71c1db0623p-6;
    p = p * z + 0x1.6db6db6e31f13p-5;
    p = p * z + 0x1.3333333332ecap-4;
    p = p * z + 0x1.5555555555556p-3;
    return x + x * z * p;
}

inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr double kHalfPi = 0x1.921fb54442d18p+0;

// asin of sizes above 1/2 is pi/2 minus twice this; NaN beyond 1.
KB_LANE double asin_rest(double size) {
    return asin_small(root_of(0.5 * (1.0 - size)));
}

KB_LANE double asin_d(double x) {
    const double size = __builtin_fabs(x);
    return size <= 0.5 ? asin_small(x) : sign_of(kHalfPi - 2.0 * asin_rest(size), x);
}

KB_LANE double acos_d(double x) {
    const double size = __builtin_fabs(x);
    const double rest = 2.0 * asin_rest(size);
    const double outer = x > 0.0 ? rest : kPi - rest;
    return size <= 0.5 ? kHalfPi - asin_small(x) : outer;
}

// Sizes above tan(pi/8) are reduced by pi/4, those above tan(3 pi/8) by pi/2.
KB_LANE double atan_d(double x) {
    const double size = __builtin_fabs(x);
    const bool far = size > 0x1.3504f333f9de6p+1;
    const bool near = size <= 0x1.a827999fcef32p-2;
    const double top = far ? -1.0 : (near ? size : size - 1.0);
    const double bottom = far ? size : (near ? 1.0 : size + 1.0);
    const double base = far ? kHalfPi : (near ? 0.0 : 0.5 * kHalfPi);
    const double r = top / bottom;
    const double z = r * r;
    double p = -0x1.3a27dd63a87fbp-6;
    p = p * z + 0x1.415ebcba13097p-5;
    p = p * z - 0x1.a09838b71958ap-5;
    p = p * z + 0x1.dfe60585952b0p-5;
    p = p * z - 0x1.10fa73c80576cp-4;
    p = p * z + 0x1.3b1262bf324f7p-4;
    p = p * z - 0x1.745d0b25982f2p-4;
    p = p * z + 0x1.c71c71852a359p-4;
    p = p * z - 0x1.2492492436016p-3;
    p = p * z + 0x1.9999999999349p-3;
    p = p * z - 0x1.5555555555555p-2;
    return x == x ? sign_of(base + (r + r * z * p), x) : x;
}

// ---- trigonometric --------------------------------------------------------------------------------------------------

struct Angle {
    double sin;
    double cos;
    uint64_t quadrant;  // in the low two bits
};

// For floats of a size up to 65504: n = x / (pi/2) has 16 bits, so n times the first two parts of pi/2 (33 bits each) is
// exact, and so are both subtractions.
KB_LANE Angle angle(double x) {
    const double shifted = x * 0x1.45f306dc9c883p-1 + kRoundToInt;
    const double n = shifted - kRoundToInt;
    const double r = ((x - n * 0x1.921fb54400000p+0) - n * 0x1.0b4611a600000p-34) - n * 0x1.3198a2e037073p-69;
    const double z = r * r;
    double s = -0x1.ab179e142676cp-41;
    s = s * z + 0x1.61217eaffbfdbp-33;
    s = s * z - 0x1.ae64541251e39p-26;
    s = s * z + 0x1.71de3a5460533p-19;
    s = s * z - 0x1.a01a01a019936p-13;
    s = s * z + 0x1.1111111111110p-7;
    s = s * z - 0x1.5555555555555p-3;
    double c = -0x1.8ff99af71b3a8p-37;
    c = c * z + 0x1.1eea7ec4753a0p-29;
    c = c * z - 0x1.27e4f8e4284e5p-22;
    c = c * z + 0x1.a01a019de0a4bp-16;
    c = c * z - 0x1.6c16c16c15d74p-10;
    c = c * z + 0x1.5555555555551p-5;
    return {r + r * z * s, 1.0 + z * (-0.5 + z * c), bits_as<uint64_t>(shifted)};
}

KB_LANE double sin_d(double x) {
    const Angle a = angle(x);
    const double size = (a.quadrant & 1) != 0 ? a.cos : a.sin;
    return x == 0.0 ? x : ((a.quadrant & 2) != 0 ? -size : size);
}

KB_LANE double cos_d(double x) {
    const Angle a = angle(x);
    const double size = (a.quadrant & 1) != 0 ? a.sin : a.cos;
    return ((a.quadrant + 1) & 2) != 0 ? -size : size;
}

KB_LANE double tan_d(double x) {
    const Angle a = angle(x);
    const bool odd = (a.quadrant & 1) != 0;
    const double t = (odd ? -a.cos : a.sin) / (odd ? a.sin : a.cos);
    return x == 0.0 ? x : t;
}

// ---- error function -------------------------------------------------------------------------------------------------

// erf(x) for |x| <= 3/4.
KB_LANE double erf_small(double x) {
    const double z = x * x;
    double p = -0x1.05364c48f9a7fp-30;
    p = p * z + 0x1.ef41d2b29a04ap-27;
    p = p * z - 0x1.5ec0e0bec99abp-23;
    p = p * z + 0x1.b9dae461077dfp-20;
    p = p * z - 0x1.f4d1d6286861bp-17;
    p = p * z + 0x1.f9a32306e0932p-14;
    p = p * z - 0x1.c02db3ec9fd99p-11;
    p = p * z + 0x1.565bcd0e2c679p-8;
    p = p * z - 0x1.b82ce31287ce6p-6;
    p = p * z + 0x1.ce2f21a042bc6p-4;
    p = p * z - 0x1.812746b0379e7p-2;
    p = p * z + 0x1.20dd750429b6dp+0;
    return x * p;
}

// erfc(x) for 3/4 <= x <= 10.6; smaller values than at 10.6 round to 0. With t = (x - 3) / (x + 3), erfc(x) is
// e^(-x^2) p(t) / (1 + 2x).
KB_LANE double erfc_large(double size) {
    const double x = size < 10.6 ? size : 10.6;
    const double t = (x - 3.0) / (x + 3.0);
    double p = 0x1.2582eba5ef587p-25;
    p = p * t + 0x1.5e211f89a53d6p-24;
    p = p * t - 0x1.303cf38a0df46p-23;
    p = p * t - 0x1.43914fd725ae7p-21;
    p = p * t + 0x1.82b564cc4c0bdp-22;
    p = p * t + 0x1.d1557d516a15bp-19;
    p = p * t - 0x1.89e2c1a5417e8p-21;
    p = p * t - 0x1.5135d05dbbf42p-16;
    p = p * t + 0x1.4c33cfef2dd18p-18;
    p = p * t + 0x1.065a1b0ff2061p-13;
    p = p * t - 0x1.b912a0d17e5c6p-14;
    p = p * t - 0x1.98db50597239ep-11;
    p = p * t + 0x1.ef1bdd97e3776p-10;
    p = p * t + 0x1.4b884e41216d2p-9;
    p = p * t - 0x1.8574c40c22bc0p-6;
    p = p * t + 0x1.17ca2877f1e76p-4;
    p = p * t - 0x1.e88b803a487ddp-4;
    p = p * t + 0x1.098366a5b46a4p-3;
    p = p * t - 0x1.85a15c58aa619p-5;
    p = p * t - 0x1.15c084bb9e8f3p-3;
    p = p * t + 0x1.40c522d7e4987p+0;
    return exp_d(-x * x) * p / (1.0 + 2.0 * x);
}

KB_LANE double erf_d(double x) {
    const double size = __builtin_fabs(x);
    const double outer = sign_of(1.0 - erfc_large(size), x);
    return x == x ? (size <= 0.75 ? erf_small(x) : outer) : x;
}

KB_LANE double erfc_d(double x) {
    const double size = __builtin_fabs(x);
    const double rest = erfc_large(size);
    const double outer = x > 0.0 ? rest : 2.0 - rest;
    return x == x ? (size <= 0.75 ? 1.0 - erf_small(x) : outer) : x;
}

// ---- gamma ----------------------------------------------------------------------------------------------------------

// For x >= 8: sums B_2k / (2k (2k-1) x^(2k-1)), and B_2k / (2k x^2k).
KB_LANE double stirling(double x) {
    const double z = 1.0 / (x * x);
    double p = -3617.0 / 122400.0;
    p = p * z + 1.0 / 156.0;
    p = p * z - 691.0 / 360360.0;
    p = p * z + 1.0 / 1188.0;
    p = p * z - 1.0 / 1680.0;
    p = p * z + 1.0 / 1260.0;
    p = p * z - 1.0 / 360.0;
    p = p * z + 1.0 / 12.0;
    return p / x;
}
KB_LANE double digamma_tail(double x) {
    const double z = 1.0 / (x * x);
    double p = -3617.0 / 8160.0;
    p = p * z + 1.0 / 12.0;
    p = p * z - 691.0 / 32760.0;
    p = p * z + 1.0 / 132.0;
    p = p * z - 1.0 / 240.0;
    p = p * z + 1.0 / 252.0;
    p = p * z - 1.0 / 120.0;
    p = p * z + 1.0 / 12.0;
    return p * z;
}

inline constexpr double kHalfLn2Pi = 0x1.d67f1c864beb5p-1;
inline constexpr double kLnPi = 0x1.250d048e7a1bdp+0;
inline constexpr int kShift = 10;  // x is moved to x + 10 where it is below 10

// log(gamma(x)) for x > 0.
KB_LANE Approx lgamma_positive(double x) {
    double product = x;
    for (int i = 1; i < kShift; ++i) {
        product *= x + i;
    }
    const bool move = x < kShift;
    const double at = move ? x + kShift : x;
    const double log_at = log_d(at);
    const double main = (at - 0.5) * log_at - at + kHalfLn2Pi + stirling(at);
    const double moved = move ? log_d(product) : 0.0;
    const double size = (at - 0.5) * log_at + at + __builtin_fabs(moved);
    return {main - moved, size * 0x1p-46};
}

// sin(pi x) / pi's size for x of at least 1/2 a float step; exact zeros stay zeros.
KB_LANE double sin_pi(double x) {
    const double whole = __builtin_elementwise_roundeven(x);
    return sin_d((x - whole) * kPi);
}

KB_LANE Approx lgamma_d(double x) {
    const bool negative = x < 0.5;
    const Approx positive = lgamma_positive(negative ? 1.0 - x : x);
    const double sine = __builtin_fabs(sin_pi(x));
    const double log_sine = log_d(sine);
    const double reflected = (kLnPi - log_sine) - positive.y;
    const double error = negative ? positive.error + (2.0 + __builtin_fabs(log_sine)) * 0x1p-46 : positive.error;
    const double size = __builtin_fabs(x);
    const double infinity = __builtin_inf();
    const bool pole = x <= 0.0 && __builtin_elementwise_trunc(x) == x;
    const bool zero = (x == 1.0) | (x == 2.0);  // exact: no number of digits rounds to it
    const double value = zero ? 0.0 : (negative ? reflected : positive.y);
    const bool special = pole | (size == infinity) | (x != x);
    const bool fixed = special | zero | !(__builtin_fabs(value) < 1e300);
    return {special ? (x == x ? infinity : x) : value, fixed ? 0.0 : error};
}

KB_LANE Approx digamma_positive(double x) {
    double sum = 0.0;
    for (int i = kShift - 1; i >= 0; --i) {
        sum += 1.0 / (x + i);
    }
    const bool move = x < kShift;
    const double at = move ? x + kShift : x;
    const double main = log_d(at) - 0.5 / at - digamma_tail(at);
    const double moved = move ? sum : 0.0;
    return {main - moved, (__builtin_fabs(main) + 1.0 + moved) * 0x1p-46};
}

KB_LANE Approx digamma_d(double x) {
    const bool negative = x < 0.5;
    const Approx positive = digamma_positive(negative ? 1.0 - x : x);
    const double part = (x - __builtin_elementwise_roundeven(x)) * kPi;
    const double cotangent = kPi / tan_d(part);
    const double reflected = positive.y - cotangent;
    const double value = negative ? reflected : positive.y;
    const double error = positive.error + (negative ? __builtin_fabs(cotangent) * 0x1p-46 : 0.0);
    const double infinity = __builtin_inf();
    const bool pole = x < 0.0 && __builtin_elementwise_trunc(x) == x;
    const double at_zero = -sign_of(infinity, x);
    const double special = x == 0.0 ? at_zero : (x == infinity ? infinity : __builtin_nan(""));
    const bool is_special = pole | (x == 0.0) | (__builtin_fabs(x) == infinity) | (x != x);
    return {is_special ? special : value, is_special ? 0.0 : error};
}

// ---- power ----------------------------------------------------------------------------------------------------------

// IEEE 754's pow. |y ln x| below 200 decides every float, so the product's error is below 200 * 2^-52.
KB_LANE Approx pow_d(double x, double y) {
    const double infinity = __builtin_inf();
    const double size = __builtin_fabs(x);
    const double product = y * log_d(size);
    double value = exp_d(product);
    value = product == infinity ? infinity : (product == -infinity ? 0.0 : value);
    value = product != product ? (y != y || x != x ? product : 1.0) : value;  // 0 * inf: 1^inf, inf^0, 0^0
    const double ysize = __builtin_fabs(y);
    const bool integral = __builtin_elementwise_trunc(y) == y;
    const double half = 0.5 * ysize;
    const bool odd = integral & (ysize < 0x1p+53) & (__builtin_elementwise_trunc(half) != half);
    const bool minus = (bits_as<uint64_t>(x) >> 63) != 0;
    value = (minus & odd) ? -value : value;
    value = ((x < 0.0) & (size < infinity) & !integral & (ysize < infinity)) ? __builtin_nan("") : value;
    value = ((size == 1.0) & (ysize == infinity)) ? 1.0 : value;
    value = ((y == 0.0) | (x == 1.0)) ? 1.0 : value;
    return approx(value);
}

}  // namespace kb::vec
