// Sums of products over lanes of any kind: what matrix, sliding and weighted multiplications share.
//
// Operands are widened once (to i64 or f32, real and imaginary parts apart), the result is an accumulator. Integer sums wrap at
// the accumulator's width. Floating sums start from the accumulator and add one product after another, each step rounded to
// f32: the order inside the device's multiplier is not documented.
#pragma once

#include "bf16.h"
#include "kbrt.h"

namespace kbrt {

constexpr unsigned max_lanes = 512;  // the largest operand: 4x32x8, or 128 lanes of complex accumulators

// A widened operand: element i is (re[i], im[i]); the imaginary parts of a real operand are not written.
template <class V>
struct Wide {
  V re[max_lanes];
  V im[max_lanes];
  unsigned count;
  bool complex;
};

template <class S, class V>
void widen_lanes(Wide<V>& out, const void* lanes, unsigned bytes) {
  const S* from = static_cast<const S*>(lanes);
  const unsigned step = out.complex ? 2 : 1;
  out.count = bytes / sizeof(S) / step;
  for (unsigned i = 0; i < out.count; ++i) {
    out.re[i] = V(from[i * step]);
    if (out.complex) out.im[i] = V(from[i * step + 1]);
  }
}

inline void widen_nibbles(Wide<int64_t>& out, const void* lanes, unsigned bytes, bool is_signed) {
  const uint8_t* from = static_cast<const uint8_t*>(lanes);
  out.count = bytes * 2;
  for (unsigned i = 0; i < out.count; ++i) {
    const int64_t nibble = (from[i / 2] >> (i % 2 * 4)) & 15;
    out.re[i] = is_signed && nibble > 7 ? nibble - 16 : nibble;
  }
}

inline void widen(Wide<int64_t>& out, Kind kind, const void* lanes, unsigned bytes) {
  out.complex = is_complex(kind);
  switch (kind) {
    case Kind::i4: return widen_nibbles(out, lanes, bytes, true);
    case Kind::u4: return widen_nibbles(out, lanes, bytes, false);
    case Kind::i8: return widen_lanes<int8_t>(out, lanes, bytes);
    case Kind::u8: return widen_lanes<uint8_t>(out, lanes, bytes);
    case Kind::i16:
    case Kind::ci16: return widen_lanes<int16_t>(out, lanes, bytes);
    case Kind::u16: return widen_lanes<uint16_t>(out, lanes, bytes);
    case Kind::u32: return widen_lanes<uint32_t>(out, lanes, bytes);
    case Kind::acc64:
    case Kind::cacc64: return widen_lanes<int64_t>(out, lanes, bytes);
    default: return widen_lanes<int32_t>(out, lanes, bytes);
  }
}

inline void widen(Wide<float>& out, Kind kind, const void* lanes, unsigned bytes) {
  out.complex = is_complex(kind);
  if (kind != Kind::bf16 && kind != Kind::cbf16) return widen_lanes<float>(out, lanes, bytes);
  const uint16_t* from = static_cast<const uint16_t*>(lanes);
  const unsigned step = out.complex ? 2 : 1;
  out.count = bytes / 2 / step;
  for (unsigned i = 0; i < out.count; ++i) {
    out.re[i] = widen_bf16(from[i * step]);
    if (out.complex) out.im[i] = widen_bf16(from[i * step + 1]);
  }
}

// acc += a * b, or -= with `minus`; integers in two's complement, so that wrapping at 64 bits is defined.
inline int64_t plus_product(int64_t acc, int64_t a, int64_t b, bool minus) {
  const uint64_t product = uint64_t(a) * uint64_t(b);
  return int64_t(minus ? uint64_t(acc) - product : uint64_t(acc) + product);
}

// One lane of an accumulator.
template <class V>
struct Sum {
  V re, im;

  // `minus` negates the product: multiplications with a minus in front subtract each product.
  void add(const Wide<V>& a, unsigned i, const Wide<V>& b, unsigned j, bool minus) {
    re = accumulate(re, a.re[i], b.re[j], minus);
    if (a.complex && b.complex) re = accumulate(re, a.im[i], b.im[j], !minus);
    if (a.complex) im = accumulate(im, a.im[i], b.re[j], minus);
    if (b.complex) im = accumulate(im, a.re[i], b.im[j], minus);
  }

 private:
  static int64_t accumulate(int64_t acc, int64_t a, int64_t b, bool minus) { return plus_product(acc, a, b, minus); }
  static float accumulate(float acc, float a, float b, bool minus) {
    const float product = a * b;
    return minus ? acc - product : acc + product;
  }
};

template <class V>
void store_sums(Kind kind, void* out, const Sum<V>* sums, unsigned count) {
  const bool complex = is_complex(kind);
  const unsigned step = complex ? 2 : 1;
  for (unsigned i = 0; i < count; ++i) {
    if constexpr (sizeof(V) == 4) {
      static_cast<float*>(out)[i * step] = sums[i].re;
      if (complex) static_cast<float*>(out)[i * step + 1] = sums[i].im;
    } else if (kind == Kind::acc32) {
      static_cast<int32_t*>(out)[i] = int32_t(uint32_t(sums[i].re));
    } else {
      static_cast<int64_t*>(out)[i * step] = sums[i].re;
      if (complex) static_cast<int64_t*>(out)[i * step + 1] = sums[i].im;
    }
  }
}

template <class V>
void start_sums(Sum<V>* sums, unsigned count, Kind kind, const void* acc, unsigned bytes) {
  if (!acc) {
    for (unsigned i = 0; i < count; ++i) sums[i] = {0, 0};
    return;
  }
  static Wide<V> start;
  widen(start, kind, acc, bytes);
  for (unsigned i = 0; i < count; ++i) sums[i] = {start.re[i], start.complex ? start.im[i] : V(0)};
}

// The operands of a multiplication that may have an accumulator in front, and its integer constants at the end.
class Call {
 public:
  Call(const Desc* d, const void* const* args, bool with_accumulator) : desc_(d), args_(args), first_(with_accumulator) {}

  bool floating() const { return is_float(desc_->kind(0)); }
  Kind result_kind() const { return desc_->kind(0); }
  unsigned result_count() const { return unsigned(desc_->ret.lanes) / (is_complex(result_kind()) ? 2 : 1); }

  // The constants are the last `of` operands.
  int constant(unsigned index, unsigned of) const {
    return *static_cast<const int32_t*>(args_[unsigned(desc_->nargs) - of + index]);
  }

  template <class V>
  void operand(unsigned index, Wide<V>& out) const {
    const unsigned at = first_ + index;
    widen(out, desc_->kind(int(at) + 1), args_[at], unsigned(desc_->args[at].bytes()));
  }

  template <class V>
  void start(Sum<V>* sums) const {
    start_sums(sums, result_count(), desc_->kind(1), first_ ? args_[0] : nullptr, unsigned(desc_->args[0].bytes()));
  }

 private:
  const Desc* desc_;
  const void* const* args_;
  unsigned first_;
};

}  // namespace kbrt
