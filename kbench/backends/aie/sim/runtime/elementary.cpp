// inv, invsqrt, sqrt, and the second generation's tanh and exp2.
#include "lanes.h"

using namespace kbrt;

namespace {

Floats f;

float to_bf16(float v) { return widen_bf16(round_bf16(v, kbrt_state.rounding)); }
float bf16_constant(float v) { return widen_bf16(round_bf16(v, 12)); }  // as the compiler rounds it

// One step of refinement after a guess by subtraction of the bits; the constants are the vendor's.
float inv_bf16(float v) {
  const float guess = widen_bf16(static_cast<uint16_t>(0x7eb5 - (float_bits(v) >> 16)));
  float y = to_bf16(1.436142f - v * guess);
  y = to_bf16(y * guess);
  y = to_bf16(-(y * bf16_constant(1.9395974f)));  // the reciprocal, negative
  const float error = to_bf16(2.0f + y * v);
  return -(y * error);
}
float inv_float(float v, Emulation e) {
  const float guess = float_of(0x7eb53567u - float_bits(v));
  float y = 1.436142f - e.product(v, guess);
  y = e.product(y, guess);
  y = -e.product(y, 1.9395974f);
  const float error = 2.0f + e.product(y, v);
  return -e.product(y, error);
}

// The guess halves the bits in an accumulator, with its rounding.
float invsqrt_guess(float v) {
  const int64_t half = saturated(Kind::i32, shift_round(static_cast<int32_t>(float_bits(v)), 1));
  return float_of(0x5f1ffff9u - static_cast<uint32_t>(half));
}
constexpr float kInvsqrt2 = 0.703952253f, kInvsqrt3 = 2.38924456f;

float invsqrt_bf16(float v) {
  const float scaled = to_bf16(v * bf16_constant(kInvsqrt2));
  const float y = to_bf16(invsqrt_guess(v));
  const float square = to_bf16(y * y);
  const float factor = to_bf16(kInvsqrt2 * kInvsqrt3 - scaled * square);
  return y * factor;
}
float invsqrt_float(float v, Emulation e) {
  const float scaled = e.product(v, kInvsqrt2);
  const float y = invsqrt_guess(v);
  const float square = e.product(y, y);
  const float factor = kInvsqrt2 * kInvsqrt3 - e.product(scaled, square);
  return e.product(y, factor);
}

// 2^v and tanh(v) within a few units of the double's last place: what the device's table holds is not documented.
double exp2_of(double v) {
  if (v > 1100) return __builtin_inf();
  if (v < -1100) return 0;
  const double whole = __builtin_floor(v + 0.5);
  const double t = (v - whole) * 0.693147180559945309417;
  double sum = 1;
  for (int i = 16; i > 0; --i) sum = 1 + sum * t / i;
  int n = static_cast<int>(whole);
  for (; n < -1000; n += 500) sum *= 0x1p-500;
  for (; n > 1000; n -= 500) sum *= 0x1p500;
  return sum * __builtin_bit_cast(double, static_cast<uint64_t>(1023 + n) << 52);
}
double tanh_of(double v) {
  const double m = v < 0 ? -v : v;
  if (m > 20) return v < 0 ? -1 : 1;
  if (m < 0x1p-10) return v - v * v * v / 3;
  const double e = exp2_of(2 * m * 1.44269504088896340736);
  const double t = 1 - 2 / (e + 1);
  return v < 0 ? -t : t;
}

template <class F>
void each(const Desc* d, void* r, const void* const* a, F function) {
  const int lanes = d->ret.lanes == 1 ? 1 : d->result_lanes();
  operand_floats(d, a, 0, lanes, f);
  for (int i = 0; i < lanes; ++i) f[i] = function(f[i]);
  __builtin_memset(r, 0, static_cast<size_t>(d->ret.bytes()));
  store_floats(d->kind(0), f.v, lanes, r);
}

// Further operands: how floats are multiplied, and whether the function is exact.
Emulation emulation(const Desc* d, const void* const* a) {
  return d->nargs > 1 ? Emulation::of(in_int(a, 1)) : Emulation();
}
bool exact(const Desc* d, const void* const* a) { return d->nargs > 2 && in_int(a, 2); }

}  // namespace

KB_OP(inv) {
  if (exact(d, a)) return each(d, r, a, [](float v) { return 1.0f / v; });
  if (d->kind(0) == Kind::bf16) return each(d, r, a, inv_bf16);
  each(d, r, a, [e = emulation(d, a)](float v) { return inv_float(v, e); });
}
KB_OP(invsqrt) {
  if (exact(d, a)) return each(d, r, a, [](float v) { return 1.0f / __builtin_sqrtf(v); });
  if (d->kind(0) == Kind::bf16) return each(d, r, a, invsqrt_bf16);
  each(d, r, a, [e = emulation(d, a)](float v) { return invsqrt_float(v, e); });
}
KB_OP(sqrt) {
  each(d, r, a, [](float v) { return __builtin_sqrtf(v); });
}
KB_OP(tanh) {
  each(d, r, a, [](float v) { return static_cast<float>(tanh_of(static_cast<double>(v))); });
}
KB_OP(exp2) {
  each(d, r, a, [](float v) { return static_cast<float>(exp2_of(static_cast<double>(v))); });
}
