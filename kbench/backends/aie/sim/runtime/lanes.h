// Operands as numbers: every integer kind as int64_t, every float kind as float, complex numbers as pairs of lanes, and
// elements that only move as bits. Operations work on these and nothing else.
#pragma once

#include "bf16.h"
#include "kbrt.h"

namespace kbrt {

// Lanes of the longest operand, and a place for each: the module runs one operation at a time.
constexpr int kMostLanes = 2048;
template <class T>
struct Lanes {
  T v[kMostLanes];
  T& operator[](int i) { return v[i]; }
  const T& operator[](int i) const { return v[i]; }
};
using Ints = Lanes<int64_t>;
using Floats = Lanes<float>;
using Cells = Lanes<uint64_t>;

// The real kind of a complex one's parts; others are their own.
constexpr Kind part_of(Kind k) {
  switch (k) {
    case Kind::ci16: return Kind::i16;
    case Kind::ci32: return Kind::i32;
    case Kind::cbf16: return Kind::bf16;
    case Kind::cf32: return Kind::f32;
    case Kind::cacc64: return Kind::acc64;
    case Kind::caccf32: return Kind::accf32;
    default: return k;
  }
}

// --- how many -----------------------------------------------------------------------------------------------------

// A vector, an accumulator; what has one lane is a scalar, which stands for as many as are asked for.
inline bool is_scalar(const Desc* d, int i) { return d->args[i].lanes == 1; }
inline int elements(Operand o, Kind k) { return o.bytes() * 8 / static_cast<int>(bits_of(k)); }
inline int result_elements(const Desc* d) { return elements(d->ret, d->kind(0)); }
// Elements of operand i, which is no scalar.
inline int elements_in(const Desc* d, int i) { return elements(d->args[i], d->kind(i + 1)); }

// --- in and out ---------------------------------------------------------------------------------------------------

void load_ints(Kind part, const void* p, int lanes, int64_t* out);
void store_ints(Kind part, const int64_t* in, int lanes, void* p);  // the low bits
void load_floats(Kind part, const void* p, int lanes, float* out);
void store_floats(Kind part, const float* in, int lanes, void* p);  // bfloat16 rounded as the state says
void load_cells(unsigned bits, const void* p, int elements, uint64_t* out);
void store_cells(unsigned bits, const uint64_t* in, int elements, void* p);

// Operand i as `lanes` lanes of its parts; a scalar's are repeated.
void operand_ints(const Desc* d, const void* const* a, int i, int lanes, Ints& out);
void operand_floats(const Desc* d, const void* const* a, int i, int lanes, Floats& out);
// Operand i as elements that only move.
void operand_cells(const Desc* d, const void* const* a, int i, int n, Cells& out);

inline void result_ints(const Desc* d, void* r, const Ints& in) {
  store_ints(part_of(d->kind(0)), in.v, d->result_lanes(), r);
}
inline void result_floats(const Desc* d, void* r, const Floats& in) {
  store_floats(part_of(d->kind(0)), in.v, d->result_lanes(), r);
}
inline void result_cells(const Desc* d, void* r, const Cells& in) {
  store_cells(bits_of(d->kind(0)), in.v, result_elements(d), r);
}

// What an element has that nobody defined, in this run.
inline uint64_t undefined() { return 0x0101010101010101u * (kbrt_poison & 255); }

// The bits that a mask operand of n elements has.
inline bool mask_bit(const void* p, int i) { return static_cast<const uint8_t*>(p)[i / 8] >> i % 8 & 1; }

// --- numbers ------------------------------------------------------------------------------------------------------

inline bool is_nan(float x) { return x != x; }
inline float canonical(float x) { return is_nan(x) ? float_of(0x7fc00000) : x; }

struct Range {
  int64_t least, most;
};
// What saturation mode `mode` keeps a value of this kind within; `none` has no range.
inline Range range_of(Kind k, uint32_t mode) {
  const unsigned bits = lane_bits(k);
  if (is_unsigned(k)) return {0, bits == 64 ? INT64_MAX : static_cast<int64_t>((uint64_t{1} << bits) - 1)};
  const int64_t most = static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
  return {mode == 3 ? -most : -most - 1, most};
}
inline int64_t clamp_to(Range range, int64_t x) {
  return x < range.least ? range.least : x > range.most ? range.most : x;
}
// A value in a register of this kind: saturated where the state says so, else its low bits are kept by the store.
inline int64_t saturated(Kind k, int64_t x) {
  return kbrt_state.saturation ? clamp_to(range_of(k, kbrt_state.saturation), x) : x;
}

// x / 2^shift for accumulators: shifted and rounded as the state says; a negative shift multiplies.
int64_t shift_round(int64_t x, int shift);
// Documented limits of the shift of an accumulator.
inline void check_shift(const Desc* d, int shift) {
  if (shift < -4 || shift > 59) broken_rule(d, "shifts an accumulator by an amount that is not between -4 and 59");
}

// How floats are multiplied: by how many products of bfloat16 pieces, and whether the pieces are cut off by floor whatever
// the rounding mode is. As an operand: the products, and 16 for the second.
struct Emulation {
  int products = 9;
  bool floor = false;

  static Emulation of(int operand) { return {operand & 15, (operand & 16) != 0}; }
  float product(float x, float y) const;
};
inline float emulated_product(float x, float y) { return Emulation().product(x, y); }

}  // namespace kbrt
