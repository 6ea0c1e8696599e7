// Between registers and vectors of other widths, between fixed and floating point.
#include "lanes.h"

using namespace kbrt;

namespace {

Ints x;
Floats f;

// 2^n, for an exponent that a double has.
double power(int n) { return __builtin_bit_cast(double, static_cast<uint64_t>(1023 + n) << 52); }
double scaled(double v, int n) {
  for (; n > 1000; n -= 1000) v *= power(1000);
  for (; n < -1000; n += 1000) v *= power(-1000);
  return v * power(n);
}

// Half way goes towards zero; what no integer is near becomes 0.
int64_t nearest(double v, Range range) {
  if (v != v) return 0;
  const double magnitude = v < 0 ? -v : v;
  if (magnitude > 9e18) return v < 0 ? range.least : range.most;
  int64_t whole = static_cast<int64_t>(magnitude);
  if (magnitude - static_cast<double>(whole) > 0.5) ++whole;
  return clamp_to(range, v < 0 ? -whole : whole);
}

int64_t floor_of(double v, Range range) {
  if (v != v) return 0;
  if (v >= 9e18) return range.most;
  if (v <= -9e18) return range.least;
  const int64_t whole = static_cast<int64_t>(v);
  return clamp_to(range, static_cast<double>(whole) > v ? whole - 1 : whole);
}

}  // namespace

// Narrower integers: their low bits, or as the saturation mode says.
KB_OP(pack) {
  const int lanes = d->result_lanes();
  operand_ints(d, a, 0, lanes, x);
  for (int i = 0; i < lanes; ++i) x[i] = saturated(part_of(d->kind(0)), x[i]);
  result_ints(d, r, x);
}
KB_OP(unpack) {
  const int lanes = d->result_lanes();
  operand_ints(d, a, 0, lanes, x);
  result_ints(d, r, x);
}

// Accumulator to vector: shift, round, saturate; floats take no shift and lose bits only to bfloat16.
KB_OP(srs) {
  const int lanes = d->result_lanes(), shift = in_int(a, 1);
  const Kind to = part_of(d->kind(0));
  if (is_float(to)) {
    if (to == Kind::f32) return (void)__builtin_memcpy(r, a[0], static_cast<size_t>(d->ret.bytes()));
    operand_floats(d, a, 0, lanes, f);
    return result_floats(d, r, f);
  }
  check_shift(d, shift);
  operand_ints(d, a, 0, lanes, x);
  for (int i = 0; i < lanes; ++i) x[i] = saturated(to, shift_round(x[i], shift));
  result_ints(d, r, x);
}

// Vector to accumulator: extended and shifted up, within the accumulator where the mode saturates.
KB_OP(ups) {
  const int lanes = d->result_lanes(), shift = in_int(a, 1);
  const Kind from = part_of(d->kind(1)), to = part_of(d->kind(0));
  if (is_float(to)) {
    if (from == Kind::f32) return (void)__builtin_memcpy(r, a[0], static_cast<size_t>(d->ret.bytes()));
    operand_floats(d, a, 0, lanes, f);
    return (void)__builtin_memcpy(r, f.v, static_cast<size_t>(d->ret.bytes()));
  }
  if (shift < 0 || shift > 63) broken_rule(d, "shifts into an accumulator by an amount that is not between 0 and 63");
  operand_ints(d, a, 0, lanes, x);
  const Range range = range_of(to, kbrt_state.saturation);
  for (int i = 0; i < lanes; ++i) {
    const bool fits = x[i] <= range.most >> shift && x[i] >= range.least >> shift;
    if (kbrt_state.saturation && !fits) {
      x[i] = x[i] < 0 ? range.least : range.most;
    } else {
      x[i] = static_cast<int64_t>(static_cast<uint64_t>(x[i]) << shift);
    }
  }
  result_ints(d, r, x);
}

// bfloat16 to 16 and 32 signed bits is one instruction: the floor in 32 bits, of which 16 are then kept. All else is
// composed of float additions that round to the nearest and saturate.
KB_OP(to_fixed) {
  const int lanes = d->result_lanes(), shift = in_int(a, 1);
  const Kind to = part_of(d->kind(0));
  const bool native = d->kind(1) == Kind::bf16 && (to == Kind::i16 || to == Kind::i32);
  operand_floats(d, a, 0, lanes, f);
  for (int i = 0; i < lanes; ++i) {
    const double v = scaled(static_cast<double>(f[i]), shift);
    x[i] = native ? floor_of(v, range_of(Kind::i32, 1)) : nearest(v, range_of(to, 1));
  }
  if (d->ret.lanes == 1) {
    *static_cast<int32_t*>(r) = static_cast<int32_t>(x[0]);
    return;
  }
  result_ints(d, r, x);
}

// A 64-bit accumulator goes in four pieces of 16 bits, the highest first, each sum rounded; narrower ones round once.
KB_OP(to_float) {
  const int lanes = d->result_lanes(), shift = in_int(a, 1);
  const Kind from = part_of(d->kind(1));
  operand_ints(d, a, 0, lanes, x);
  for (int i = 0; i < lanes; ++i) {
    if (from == Kind::acc64) {
      float sum = static_cast<float>(scaled(static_cast<double>(x[i] >> 48), 48 - shift));
      for (int low = 32; low >= 0; low -= 16) {
        sum = sum + static_cast<float>(scaled(static_cast<double>(x[i] >> low & 0xffff), low - shift));
      }
      f[i] = sum;
    } else {
      f[i] = static_cast<float>(scaled(static_cast<double>(x[i]), -shift));
    }
  }
  result_floats(d, r, f);
}
