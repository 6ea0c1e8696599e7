// Lookup tables. A table for four parallel accesses has four copies of its entries: two at each of its pointers,
// interleaved at the width of a memory bank (16 bytes on AIE2, 32 on AIE2P). Lane i reads copy i modulo 4.
#include "lanes.h"
#include "memory.h"

namespace kbrt {
namespace {

// A table in the tile's memory, and the instruction that reads it (for the finding, where it reads beyond a buffer).
struct Table {
  uint32_t ab, cd, entry_bytes, bank_bytes;
  int32_t loc;

  template <class S>
  S read(unsigned lane, uint32_t entry, uint32_t offset = 0) const {
    const uint32_t per_bank = bank_bytes / entry_bytes;
    const uint32_t row = entry / per_bank * 2 + lane % 2;
    const uint32_t at = (lane / 2 % 2 ? cd : ab) + row * bank_bytes + entry % per_bank * entry_bytes + offset;
    kbrt_check_read(at, sizeof(S), 1, loc);
    S value;
    __builtin_memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
    return value;
  }
};

// A documented limit: tables are aligned like vectors of 512 bits.
void check_alignment(const Table& table) {
  const uint32_t align = table.bank_bytes * 2;
  kbrt_check_read(table.ab, 1, align, table.loc);
  kbrt_check_read(table.cd, 1, align, table.loc);
}

int32_t argument(const Desc* d, const void* const* a, unsigned index) {
  return int(index) < d->nargs ? *static_cast<const int32_t*>(a[index]) : 0;
}

int64_t clamp(int64_t value, int64_t low, int64_t high) { return value < low ? low : value > high ? high : value; }

bool is_signed_key(Kind kind) { return kind == Kind::i8 || kind == Kind::i16 || kind == Kind::i32; }

// The device reads its table with addresses of this many bits below an entry, so that its rounding of the index starts
// there.
unsigned address_bits(unsigned value_bytes) { return value_bytes <= 2 ? 2 : value_bytes == 4 ? 3 : 4; }

struct Lookup {
  int64_t last;  // largest address of an entry
  int64_t bias;
  bool is_signed, truncate;

  // The address of an entry, from the rounded key.
  int64_t address(int64_t key) const {
    if (!is_signed) return truncate ? key & last : clamp(key, 0, last);
    if (truncate) return (key + bias) & last;
    return clamp(key, -bias, last - bias) + bias;
  }
};

// Operands: keys, both pointers, entries, step bits, bias, whether to truncate, bytes of a bank and of a value.
void parallel_lookup(const Desc* d, void* r, const void* const* a) {
  static Ints keys;
  const Kind key_kind = d->kind(1);
  load_ints(key_kind, a[0], d->lanes(0), keys.v);
  const unsigned value_bytes = unsigned(argument(d, a, 8));
  const unsigned bits = address_bits(value_bytes);
  // Values of 8 bits are stored as 16.
  const Table table{uint32_t(argument(d, a, 1)), uint32_t(argument(d, a, 2)), value_bytes == 1 ? 2 : value_bytes,
                    uint32_t(argument(d, a, 7)), d->loc};
  check_alignment(table);
  const int32_t bias = argument(d, a, 5);
  if (bias & (bias - 1)) broken_rule(d, "aie::parallel_lookup: the bias is a power of 2");
  const int64_t entries = argument(d, a, 3);
  const Lookup lookup{(entries << bits) - 1, int64_t(bias) << bits, is_signed_key(key_kind), argument(d, a, 6) != 0};
  const unsigned lanes = unsigned(d->ret.bytes()) / value_bytes;
  for (unsigned i = 0; i < lanes; ++i) {
    const int64_t key = shift_round(keys[int(i)], argument(d, a, 4) - int(bits));
    const uint32_t entry = uint32_t(lookup.address(int32_t(key)) >> bits);
    uint8_t* out = static_cast<uint8_t*>(r) + i * value_bytes;
    for (unsigned byte = 0; byte < value_bytes; ++byte) out[byte] = table.read<uint8_t>(i, entry, byte);
  }
}

struct Approximation {
  Table table;
  int64_t entries;
  int step_bits, bias, shift_offset;

  // An index below the table wraps to a large unsigned one, unless saturation clamps it at zero.
  uint32_t index(int64_t above) const {
    if (above < 0 && !kbrt_state.saturation) return uint32_t(entries - 1);
    return uint32_t(clamp(above, 0, entries - 1));
  }

  // The pair (slope, offset) lies together; the slope is applied to the input's low bits.
  template <class S>
  int64_t run(unsigned lane, int64_t input) const {
    const uint32_t entry = index((input >> step_bits) + bias);
    const int64_t slope = table.read<S>(lane, entry), offset = table.read<S>(lane, entry, sizeof(S));
    const int64_t rest = input & ((int64_t(1) << step_bits) - 1);
    return int64_t(uint64_t(offset) << shift_offset) + slope * rest;
  }
};

void integer_approximation(const Approximation& approximation, unsigned pair_bytes, const Desc* d, void* r,
                           const void* input) {
  static Ints inputs;
  load_ints(d->kind(1), input, d->lanes(0), inputs.v);
  for (unsigned i = 0; i < unsigned(d->lanes(0)); ++i) {
    const int64_t x = inputs[int(i)];
    const int64_t y = pair_bytes == 2   ? approximation.run<int8_t>(i, x)
                      : pair_bytes == 4 ? approximation.run<int16_t>(i, x)
                                        : approximation.run<int32_t>(i, x);
    if (d->ret.bits == 32)
      static_cast<int32_t*>(r)[i] = int32_t(uint32_t(y));
    else
      static_cast<int64_t*>(r)[i] = y;
  }
}

// floor(x * 2^shift), clamped to what any index needs; NaN counts as infinity with its sign.
int64_t floor_scaled(uint16_t bf16, int shift) {
  const int exponent = (bf16 >> 7) & 255;
  const int64_t magnitude = (bf16 & 127) | (exponent ? 128 : 0);
  const int power = (exponent ? exponent : 1) - 134 + shift;
  const bool negative = bf16 >> 15;
  if (magnitude && power > 30) return negative ? -(int64_t(1) << 40) : int64_t(1) << 40;
  const int64_t value = negative ? -magnitude : magnitude;
  return power >= 0 ? value << power : value >> (power < -40 ? 40 : -power);
}

// Offsets are f32, slopes bf16 in the upper half of their word.
void float_approximation(const Approximation& approximation, const Desc* d, void* r, const void* input) {
  const uint16_t* inputs = static_cast<const uint16_t*>(input);
  for (unsigned i = 0; i < unsigned(d->ret.lanes); ++i) {
    const int64_t above = floor_scaled(inputs[i], -approximation.step_bits) + approximation.bias;
    const uint32_t entry = uint32_t(clamp(above, 0, approximation.entries - 1));
    const float slope = widen_bf16(approximation.table.read<uint16_t>(i, entry, 2));
    const float offset = approximation.table.read<float>(i, entry, 4);
    static_cast<float*>(r)[i] = offset + slope * widen_bf16(inputs[i]);
  }
}

// Operands: inputs, both pointers, entries, step bits, bias, shift of the offset, bytes of a bank and of a pair.
void linear_approx(const Desc* d, void* r, const void* const* a) {
  const unsigned pair_bytes = unsigned(argument(d, a, 8));
  const Table table{uint32_t(argument(d, a, 1)), uint32_t(argument(d, a, 2)), pair_bytes, uint32_t(argument(d, a, 7)),
                    d->loc};
  const Approximation approximation{table, argument(d, a, 3), argument(d, a, 4), argument(d, a, 5), argument(d, a, 6)};
  check_alignment(table);
  if (is_float(d->kind(0))) return float_approximation(approximation, d, r, a[0]);
  if (approximation.step_bits < (pair_bytes == 2 ? 2 : pair_bytes == 4 ? 3 : 4))
    broken_rule(d, "aie::linear_approx: step_bits is at least 2 for int8, 3 for int16 and 4 for int32 values");
  integer_approximation(approximation, pair_bytes, d, r, a[0]);
}

}  // namespace
}  // namespace kbrt

KB_OP(parallel_lookup) { kbrt::parallel_lookup(d, r, a); }
KB_OP(linear_approx) { kbrt::linear_approx(d, r, a); }
