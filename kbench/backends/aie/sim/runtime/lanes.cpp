#include "lanes.h"

namespace kbrt {

namespace {

template <class T>
void widen(const void* p, int lanes, int64_t* out) {
  const T* x = static_cast<const T*>(p);
  for (int i = 0; i < lanes; ++i) out[i] = static_cast<int64_t>(x[i]);
}
template <class T>
void narrow(const int64_t* in, int lanes, void* p) {
  T* x = static_cast<T*>(p);
  for (int i = 0; i < lanes; ++i) x[i] = static_cast<T>(in[i]);
}
template <class T>
void copy_in(const void* p, int n, uint64_t* out) {
  const T* x = static_cast<const T*>(p);
  for (int i = 0; i < n; ++i) out[i] = x[i];
}
template <class T>
void copy_out(const uint64_t* in, int n, void* p) {
  T* x = static_cast<T*>(p);
  for (int i = 0; i < n; ++i) x[i] = static_cast<T>(in[i]);
}

int nibble(const void* p, int i) { return static_cast<const uint8_t*>(p)[i / 2] >> 4 * (i % 2) & 15; }
void put_nibble(void* p, int i, uint64_t x) {
  uint8_t& byte = static_cast<uint8_t*>(p)[i / 2];
  byte = static_cast<uint8_t>(i % 2 ? (byte & 15) | (x & 15) << 4 : (byte & 0xf0) | (x & 15));
}

void check_count(const Desc* d, int lanes) {
  if (lanes > kMostLanes) broken_rule(d, "works on more lanes than any register has");
}

}  // namespace

void load_ints(Kind part, const void* p, int lanes, int64_t* out) {
  switch (part) {
    case Kind::i4:
      for (int i = 0; i < lanes; ++i) out[i] = (nibble(p, i) ^ 8) - 8;
      return;
    case Kind::u4:
      for (int i = 0; i < lanes; ++i) out[i] = nibble(p, i);
      return;
    case Kind::i8: return widen<int8_t>(p, lanes, out);
    case Kind::u8: return widen<uint8_t>(p, lanes, out);
    case Kind::i16: return widen<int16_t>(p, lanes, out);
    case Kind::u16: return widen<uint16_t>(p, lanes, out);
    case Kind::i32: case Kind::acc32: return widen<int32_t>(p, lanes, out);
    case Kind::u32: return widen<uint32_t>(p, lanes, out);
    default: return widen<int64_t>(p, lanes, out);
  }
}

void store_ints(Kind part, const int64_t* in, int lanes, void* p) {
  switch (lane_bits(part)) {
    case 4:
      for (int i = 0; i < lanes; ++i) put_nibble(p, i, static_cast<uint64_t>(in[i]));
      return;
    case 8: return narrow<uint8_t>(in, lanes, p);
    case 16: return narrow<uint16_t>(in, lanes, p);
    case 32: return narrow<uint32_t>(in, lanes, p);
    default: return narrow<uint64_t>(in, lanes, p);
  }
}

void load_floats(Kind part, const void* p, int lanes, float* out) {
  if (part == Kind::bf16) {
    for (int i = 0; i < lanes; ++i) out[i] = widen_bf16(static_cast<const uint16_t*>(p)[i]);
  } else {
    __builtin_memcpy(out, p, static_cast<size_t>(lanes) * sizeof(float));
  }
}

void store_floats(Kind part, const float* in, int lanes, void* p) {
  if (part == Kind::bf16) {
    for (int i = 0; i < lanes; ++i) static_cast<uint16_t*>(p)[i] = round_bf16(in[i], kbrt_state.rounding);
  } else {
    for (int i = 0; i < lanes; ++i) static_cast<float*>(p)[i] = canonical(in[i]);
  }
}

void load_cells(unsigned bits, const void* p, int n, uint64_t* out) {
  switch (bits) {
    case 4:
      for (int i = 0; i < n; ++i) out[i] = static_cast<uint64_t>(nibble(p, i));
      return;
    case 8: return copy_in<uint8_t>(p, n, out);
    case 16: return copy_in<uint16_t>(p, n, out);
    case 32: return copy_in<uint32_t>(p, n, out);
    default: return copy_in<uint64_t>(p, n, out);
  }
}

void store_cells(unsigned bits, const uint64_t* in, int n, void* p) {
  switch (bits) {
    case 4:
      for (int i = 0; i < n; ++i) put_nibble(p, i, in[i]);
      return;
    case 8: return copy_out<uint8_t>(in, n, p);
    case 16: return copy_out<uint16_t>(in, n, p);
    case 32: return copy_out<uint32_t>(in, n, p);
    default: return copy_out<uint64_t>(in, n, p);
  }
}

void operand_ints(const Desc* d, const void* const* a, int i, int lanes, Ints& out) {
  check_count(d, lanes);
  const Kind k = d->kind(i + 1);
  if (!is_scalar(d, i)) return load_ints(part_of(k), a[i], lanes, out.v);
  const int period = is_complex(k) ? 2 : 1;
  load_ints(part_of(k), a[i], period, out.v);
  for (int j = period; j < lanes; ++j) out[j] = out[j - period];
}

void operand_floats(const Desc* d, const void* const* a, int i, int lanes, Floats& out) {
  check_count(d, lanes);
  const Kind k = d->kind(i + 1);
  if (!is_scalar(d, i)) return load_floats(part_of(k), a[i], lanes, out.v);
  const int period = is_complex(k) ? 2 : 1;
  load_floats(part_of(k), a[i], period, out.v);
  for (int j = period; j < lanes; ++j) out[j] = out[j - period];
}

void operand_cells(const Desc* d, const void* const* a, int i, int n, Cells& out) {
  check_count(d, n);
  const unsigned bits = bits_of(d->kind(i + 1));
  load_cells(bits, a[i], is_scalar(d, i) ? 1 : n, out.v);
  if (is_scalar(d, i)) {
    for (int j = 1; j < n; ++j) out[j] = out[0];
  }
}

int64_t shift_round(int64_t x, int shift) {
  if (shift <= 0) return static_cast<int64_t>(static_cast<uint64_t>(x) << -shift);
  const int64_t kept = x >> shift;
  const bool guard = x >> (shift - 1) & 1;
  const bool sticky = (static_cast<uint64_t>(x) & ((uint64_t{1} << (shift - 1)) - 1)) != 0;
  const bool negative = x < 0, odd = kept & 1;
  switch (kbrt_state.rounding) {
    case 1: return kept + (guard || sticky);                             // ceil
    case 2: return kept + (negative && (guard || sticky));               // symmetric_floor
    case 3: return kept + (!negative && (guard || sticky));              // symmetric_ceil
    case 8: return kept + (guard && sticky);                             // negative_inf
    case 9: return kept + guard;                                         // positive_inf
    case 10: return kept + (guard && (sticky || negative));              // symmetric_zero
    case 11: return kept + (guard && (sticky || !negative));             // symmetric_inf
    case 12: return kept + (guard && (sticky || odd));                   // conv_even
    case 13: return kept + (guard && (sticky || !odd));                  // conv_odd
    default: return kept;                                                // floor
  }
}

namespace {

// A float as three bfloat16 that add up to it, each cut off as the rounding mode says.
struct Pieces {
  float high, middle, low;

  Pieces(float x, uint32_t mode) {
    high = widen_bf16(round_bf16(x, mode));
    const float rest = x - high;
    middle = widen_bf16(round_bf16(rest, mode));
    low = widen_bf16(round_bf16(rest - middle, mode));
  }
};

}  // namespace

// The last six or three of the nine are the compiler's cheaper variants; smallest first is the order of all.
float Emulation::product(float x, float y) const {
  const uint32_t mode = floor ? 0 : kbrt_state.rounding;
  const Pieces a(x, mode), b(y, mode);
  const float terms[9] = {
      a.low * b.low,       a.low * b.middle, a.middle * b.low,  a.high * b.low,   a.middle * b.middle,
      a.low * b.high,      a.middle * b.high, a.high * b.middle, a.high * b.high,
  };
  float sum = terms[9 - products];
  for (int i = 10 - products; i < 9; ++i) sum = sum + terms[i];
  return sum;
}

}  // namespace kbrt
