// What the standard library says of bfloat16: 8 bits of significand, f32's exponents.
#ifndef KB_AIE_LIMITS_H
#define KB_AIE_LIMITS_H

#include <limits>

#include "element.h"

namespace std {

template <>
class numeric_limits<bfloat16> {
    static constexpr bfloat16 of(unsigned short bits) { return __builtin_bit_cast(bfloat16, bits); }

public:
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
    static constexpr bool is_iec559 = false, is_bounded = true, is_modulo = false, traps = false,
                          tinyness_before = false;
    static constexpr float_round_style round_style = round_to_nearest;
    static constexpr int radix = 2, digits = 8, digits10 = 2, max_digits10 = 4;
    static constexpr int min_exponent = -125, min_exponent10 = -37, max_exponent = 128, max_exponent10 = 38;
    static constexpr bfloat16 min() { return of(0x0080); }
    static constexpr bfloat16 max() { return of(0x7F7F); }
    static constexpr bfloat16 lowest() { return of(0xFF7F); }
    static constexpr bfloat16 epsilon() { return of(0x3C00); }
    static constexpr bfloat16 round_error() { return of(0x3F00); }
    static constexpr bfloat16 infinity() { return of(0x7F80); }
    static constexpr bfloat16 quiet_NaN() { return of(0x7FC0); }
    static constexpr bfloat16 signaling_NaN() { return of(0x7FA0); }
    static constexpr bfloat16 denorm_min() { return of(0x0001); }
};

}  // namespace std

#endif
