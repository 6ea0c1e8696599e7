// Exponential, hyperbolic tangent and reciprocal of bfloat16 from tables.
//
// The tables are computed here, from what they are: e^i and e^(f/256) for every value of an 8-bit integer and an 8-bit
// fraction, rounded to the nearest bfloat16 (integers above 88 like 88, the last whose power is finite); 128 mantissas
// of reciprocals; the chords of tanh over 32 segments of [-4, 4), of which the outermost are the constants -1 and 1,
// for they serve everything beyond as well. AMD's tables are the same, but for tanh: there its slopes and offsets
// differ by up to 0.006.
#pragma once

#include "aie_api/aie.hpp"

namespace kbaie {

// e^x for 0 <= x <= 1, and e^i.
constexpr double kb_exp_fraction(double x) {
    double sum = 1;
    for (int i = 13; i > 0; --i) sum = 1 + x / i * sum;
    return sum;
}
constexpr double kb_exp_integer(int i) {
    double power = 1, base = i < 0 ? 0.36787944117144233 : 2.718281828459045;
    for (unsigned n = i < 0 ? unsigned(-i) : unsigned(i); n; n /= 2, base *= base)
        if (n % 2) power *= base;
    return power;
}
constexpr double kb_tanh(double x) {
    const double twice = 2 * (x < 0 ? -x : x);
    const double y = 1 - 2 / (kb_exp_integer(int(twice)) * kb_exp_fraction(twice - int(twice)) + 1);
    return x < 0 ? -y : y;
}

// The nearest bfloat16, even where half way.
constexpr unsigned short kb_bf16_bits(double x) {
    const unsigned bits = __builtin_bit_cast(unsigned, float(x));
    return (unsigned short)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
constexpr float kb_as_bf16(double x) { return __builtin_bit_cast(float, unsigned(kb_bf16_bits(x)) << 16); }

// N values of Words words each, with two copies at the width of a bank: what each pointer of a table for four accesses
// points to.
template <class Word, unsigned N, unsigned Words>
struct alignas(aie::vector_decl_align) table {
    Word words[2 * N * Words];

    template <class F>
    constexpr explicit table(F value) : words() {
        constexpr unsigned bank = bank_bytes / sizeof(Word);
        for (unsigned i = 0; i < N * Words; ++i) {
            const unsigned at = i / bank * 2 * bank + i % bank;
            words[at] = words[at + bank] = value(i / Words, i % Words);
        }
    }
};

constexpr unsigned short exp_of_integer(unsigned i, unsigned) {
    const int x = i < 128 ? int(i) : int(i) - 256;
    return kb_bf16_bits(kb_exp_integer(x > 88 ? 88 : x));
}
constexpr unsigned short exp_of_fraction(unsigned i, unsigned) { return kb_bf16_bits(kb_exp_fraction(i / 256.0)); }
constexpr float tanh_segment(unsigned i, unsigned word) {
    const double left = (int(i) - 16) / 4.0;
    if (i == 0 || i == 31) return word ? (i ? 1.0f : -1.0f) : 0.0f;
    const float slope = kb_as_bf16((kb_tanh(left + 0.25) - kb_tanh(left)) / 0.25);
    return word ? float(kb_tanh(left) - double(slope) * left) : slope;
}

inline constexpr table<unsigned short, 256, 1> exp_integer_ab(exp_of_integer), exp_integer_cd = exp_integer_ab;
inline constexpr table<unsigned short, 256, 1> exp_fraction_ab(exp_of_fraction), exp_fraction_cd = exp_fraction_ab;
inline constexpr table<float, 32, 2> tanh_ab(tanh_segment), tanh_cd = tanh_ab;

// The seven bits after the leading one of 2 / (1 + m / 128).
struct reciprocals {
    unsigned char mantissas[128];
    constexpr reciprocals() : mantissas() {
        for (int m = 1; m < 128; ++m) mantissas[m] = (unsigned char)((2 / (1 + m / 128.0) - 1) * 128 + 0.5);
    }
};
inline constexpr reciprocals reciprocal_table;

}  // namespace kbaie

// e^x as e^(whole part) times e^(fraction), of x with 8 bits on each side of the point: beyond [-128, 128) x wraps. The
// lookup of the whole part rounds as the core is set, so that it expects the rounding mode floor.
KB_INLINE v16accfloat getExpBf16(v16bfloat16 x) {
    using entries = aie::lut<4, bfloat16, bfloat16>;
    using lookup = aie::parallel_lookup<uint16, entries, aie::lut_oor_policy::truncate>;
    const entries whole(256, kbaie::exp_integer_ab.words, kbaie::exp_integer_cd.words);
    const entries fraction(256, kbaie::exp_fraction_ab.words, kbaie::exp_fraction_cd.words);
    lookup of_whole(whole, 8), of_fraction(fraction, 0);
    const aie::vector<uint16, 32> fixed =
        aie::to_fixed<int32>(aie::vector<bfloat16, 16>(x), 8).template cast_to<uint16>();
    const aie::vector<uint16, 16> keys = aie::filter_even(fixed);
    return aie::mul(of_whole.fetch(keys), of_fraction.fetch(keys));
}

// 1 / |x|, of x rounded to bfloat16.
KB_INLINE bfloat16 getInvBf16(float x) {
    const unsigned bits = __builtin_bit_cast(unsigned, x) + 0x8000;
    const unsigned exponent = bits >> 23 & 255, mantissa = bits >> 16 & 127;
    const unsigned inverse = (mantissa == 0) + 253 - exponent;
    return __builtin_bit_cast(bfloat16, (unsigned short)((inverse << 7) + kbaie::reciprocal_table.mantissas[mantissa]));
}

KB_INLINE v16bfloat16 getTanhBf16(v16bfloat16 x) {
    using segments = aie::lut<4, float, bfloat16>;
    const segments table(32, kbaie::tanh_ab.words, kbaie::tanh_cd.words);
    aie::linear_approx<bfloat16, segments> line(table, unsigned(-2), 16);
    return line.compute(aie::vector<bfloat16, 16>(x)).template to_vector<bfloat16>();
}
