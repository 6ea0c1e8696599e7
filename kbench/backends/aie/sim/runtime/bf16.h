// float → bfloat16, rounded as the core's control state says.
#pragma once

#include "kbrt.h"

namespace kbrt {

inline uint32_t float_bits(float value) { return __builtin_bit_cast(uint32_t, value); }
inline float float_of(uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline float widen_bf16(uint16_t bits) { return float_of(static_cast<uint32_t>(bits) << 16); }

// Whether a magnitude is rounded up: `lsb` is the last kept bit, `guard` the first discarded one, `sticky` any other.
inline bool rounds_up(uint32_t mode, bool negative, bool lsb, bool guard, bool sticky) {
  switch (mode) {
    case 0: return negative && (guard || sticky);         // floor
    case 1: return !negative && (guard || sticky);        // ceil
    case 3: return guard || sticky;                       // symmetric_ceil
    case 8: return guard && (sticky || negative);         // negative_inf
    case 9: return guard && (sticky || !negative);        // positive_inf
    case 10: return guard && sticky;                      // symmetric_zero
    case 11: return guard;                                // symmetric_inf
    case 12: return guard && (sticky || lsb);             // conv_even
    case 13: return guard && (sticky || !lsb);            // conv_odd
    default: return false;                                // symmetric_floor
  }
}

inline uint16_t round_bf16(float value, uint32_t mode) {
  const uint32_t bits = float_bits(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fc0;
  const bool up = rounds_up(mode, bits >> 31, bits >> 16 & 1, bits >> 15 & 1, bits & 0x7fff);
  return static_cast<uint16_t>((bits >> 16) + up);
}

}  // namespace kbrt
