// Block floating point: 8 or 16 values of 8 bits in two's complement share an exponent, whose bias is that of f32; a
// mantissa of 64 stands for 1. As a lane vector, N elements are N mantissas, then the exponents, padded to 2 N bytes.
// In memory, each block is its exponent and then its mantissas, without padding.
#include "kbrt.h"
#include "memory.h"

namespace kbrt {
namespace {

constexpr int mantissa_shift = 17;  // from f32's 24 bits to the 7 below the sign

struct Blocks {
  unsigned elements, size;
  unsigned count() const { return elements / size; }
};

Blocks blocks_of(const Operand& lanes, unsigned size) { return {unsigned(lanes.bytes()) / 2, size}; }

int exponent_of(float x) { return int(__builtin_bit_cast(uint32_t, x) >> 23) & 255; }

// The value's mantissa under the block's exponent, rounded to minus infinity: the device's conversion truncates.
int8_t mantissa_of(float x, int shared) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, x);
  const int exponent = exponent_of(x);
  const int32_t magnitude = int32_t(bits & 0x7FFFFF) | (exponent ? 0x800000 : 0);
  const int32_t value = bits >> 31 ? -magnitude : magnitude;
  const int distance = shared - exponent;
  return int8_t(value >> (distance > 14 ? 31 : mantissa_shift + distance));
}

void from_floats(const float* values, Blocks blocks, int8_t* mantissas, uint8_t* exponents) {
  for (unsigned b = 0; b < blocks.count(); ++b) {
    int shared = 0;
    for (unsigned i = 0; i < blocks.size; ++i) {
      const int exponent = exponent_of(values[b * blocks.size + i]);
      if (exponent > shared) shared = exponent;
    }
    exponents[b] = uint8_t(shared);
    for (unsigned i = 0; i < blocks.size; ++i)
      mantissas[b * blocks.size + i] = mantissa_of(values[b * blocks.size + i], shared);
  }
}

// value * 2^power without a library: in steps that f32 holds exactly as long as the result does.
float scaled(float value, int power) {
  for (; power > 100; power -= 100) value *= 0x1p100f;
  for (; power < -100; power += 100) value *= 0x1p-100f;
  return value * __builtin_bit_cast(float, uint32_t(127 + power) << 23);
}

struct Lanes {
  const int8_t* mantissas;
  const uint8_t* exponents;
  Lanes(const void* lanes, Blocks blocks)
      : mantissas(static_cast<const int8_t*>(lanes)), exponents(static_cast<const uint8_t*>(lanes) + blocks.elements) {}
};

// Rows of A by rows of B, both of blocks of 8: C[i, j] += A[i] · B[j], the block's sum exact before it is added.
void multiply(const Lanes& a, const Lanes& b, unsigned rows, unsigned columns, float* sums) {
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) {
      int32_t dot = 0;
      for (unsigned k = 0; k < 8; ++k) dot += a.mantissas[i * 8 + k] * b.mantissas[j * 8 + k];
      sums[i * columns + j] += scaled(float(dot), a.exponents[i] + b.exponents[j] - 2 * (127 + 6));
    }
}

int32_t last(const Desc* d, const void* const* a) { return *static_cast<const int32_t*>(a[d->nargs - 1]); }

void multiply_call(const Desc* d, void* r, const void* const* a, bool with_accumulator) {
  const unsigned first = with_accumulator;
  const Blocks left = blocks_of(d->args[first], 8), right = blocks_of(d->args[first + 1], 8);
  float* sums = static_cast<float*>(r);
  if (with_accumulator)
    __builtin_memcpy(sums, a[0], size_t(d->ret.bytes()));
  else
    __builtin_memset(sums, 0, size_t(d->ret.bytes()));
  multiply(Lanes(a[first], left), Lanes(a[first + 1], right), left.count(), right.count(), sums);
}

// Operands: address, values in a block.
void load(const Desc* d, void* r, const void* const* a) {
  const Blocks blocks = blocks_of(d->ret, unsigned(last(d, a)));
  const uint32_t at = *static_cast<const uint32_t*>(a[0]);
  kbrt_check_read(at, blocks.elements + blocks.count(), 1, d->loc);
  const uint8_t* from = reinterpret_cast<const uint8_t*>(at);
  uint8_t* lanes = static_cast<uint8_t*>(r);
  __builtin_memset(lanes, 0, blocks.elements * 2);
  for (unsigned b = 0; b < blocks.count(); ++b, from += blocks.size + 1) {
    lanes[blocks.elements + b] = from[0];
    __builtin_memcpy(lanes + b * blocks.size, from + 1, blocks.size);
  }
}

// Operands: address, lanes, values in a block.
void store(const Desc* d, const void* const* a) {
  const Blocks blocks = blocks_of(d->args[1], unsigned(last(d, a)));
  const uint32_t at = *static_cast<const uint32_t*>(a[0]);
  kbrt_check_write(at, blocks.elements + blocks.count(), 1, d->loc);
  uint8_t* to = reinterpret_cast<uint8_t*>(at);
  const uint8_t* lanes = static_cast<const uint8_t*>(a[1]);
  for (unsigned b = 0; b < blocks.count(); ++b, to += blocks.size + 1) {
    to[0] = lanes[blocks.elements + b];
    __builtin_memcpy(to + 1, lanes + b * blocks.size, blocks.size);
  }
}

}  // namespace
}  // namespace kbrt

KB_OP(bfp16_from_float) {
  using namespace kbrt;
  const Blocks blocks = blocks_of(d->ret, unsigned(last(d, a)));
  int8_t* lanes = static_cast<int8_t*>(r);
  __builtin_memset(lanes, 0, blocks.elements * 2);
  from_floats(static_cast<const float*>(a[0]), blocks, lanes, reinterpret_cast<uint8_t*>(lanes) + blocks.elements);
}

// Operands: lanes, values in a block.
KB_OP(bfp16_to_float) {
  using namespace kbrt;
  const Blocks blocks = blocks_of(d->args[0], unsigned(last(d, a)));
  const Lanes from(a[0], blocks);
  for (unsigned i = 0; i < blocks.elements; ++i)
    static_cast<float*>(r)[i] = scaled(float(from.mantissas[i]), from.exponents[i / blocks.size] - (127 + 6));
}

KB_OP(mmul_bfp16) { kbrt::multiply_call(d, r, a, false); }
KB_OP(mmul_bfp16_mac) { kbrt::multiply_call(d, r, a, true); }
KB_OP(bfp16_load) { kbrt::load(d, r, a); }
KB_OP(bfp16_store) {
  (void)r;
  kbrt::store(d, a);
}
