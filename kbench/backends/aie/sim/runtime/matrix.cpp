// Matrix, sliding and weighted multiplication: sums of products, of lanes in different patterns.
//
// Integers wrap at the accumulator's width. A floating-point sum starts from the accumulator, or from zero, and adds
// one product after the other, each step rounded to f32: the order inside the device's multiplier is not documented.
#include "lanes.h"

using namespace kbrt;

namespace {

int64_t plus(int64_t sum, int64_t p, int64_t q, bool minus, bool) {
  const uint64_t product = static_cast<uint64_t>(p) * static_cast<uint64_t>(q);
  return static_cast<int64_t>(minus ? static_cast<uint64_t>(sum) - product : static_cast<uint64_t>(sum) + product);
}

float plus(float sum, float p, float q, bool minus, bool in_pieces) {
  const float product = in_pieces ? emulated_product(p, q) : p * q;
  return minus ? sum - product : sum + product;
}

void load(Kind kind, const void* lanes, int n, int64_t* out) { load_ints(part_of(kind), lanes, n, out); }
void load(Kind kind, const void* lanes, int n, float* out) { load_floats(part_of(kind), lanes, n, out); }
void store(Kind kind, const int64_t* lanes, int n, void* out) { store_ints(part_of(kind), lanes, n, out); }
void store(Kind kind, const float* lanes, int n, void* out) { store_floats(part_of(kind), lanes, n, out); }

// An operand as numbers: element e is at e, a complex one's parts at 2 e and 2 e + 1.
template <class V>
struct Numbers {
  Lanes<V> lanes;
  int elements;
  bool complex;

  V real(int e) const { return lanes[complex ? 2 * e : e]; }
  V imaginary(int e) const { return lanes[2 * e + 1]; }
};

// A call of an operation: an accumulator in front where there is one, two or more operands, and constants at the end.
template <class V>
class Sums {
 public:
  Sums(const Desc* d, const void* const* a, bool with_accumulator, int constants)
      : desc_(d),
        args_(a),
        first_(with_accumulator),
        constants_(constants),
        complex_(is_complex(d->kind(0))),
        in_pieces_(part_of(d->kind(first_ + 1)) == Kind::f32) {
    const int n = d->result_lanes();
    if (with_accumulator)
      load(d->kind(1), a[0], n, sums.v);
    else
      for (int i = 0; i < n; ++i) sums[i] = 0;
  }

  int constant(int i) const { return in_int(args_, desc_->nargs - constants_ + i); }
  int results() const { return result_elements(desc_); }
  bool complex() const { return complex_; }
  bool in_pieces() const { return in_pieces_; }
  V* lanes() { return sums.v; }
  int operands() const { return desc_->nargs - constants_ - first_; }

  void read(int i, Numbers<V>& out) const {
    const Kind kind = desc_->kind(first_ + i + 1);
    load(kind, args_[first_ + i], desc_->lanes(first_ + i), out.lanes.v);
    out.complex = is_complex(kind);
    out.elements = desc_->lanes(first_ + i) / (out.complex ? 2 : 1);
  }

  // Adds the product of elements p of `x` and q of `y` to element e; `minus` subtracts it.
  void add(int e, const Numbers<V>& x, int p, const Numbers<V>& y, int q, bool minus = false) {
    V& re = sums[complex_ ? 2 * e : e];
    re = plus(re, x.real(p), y.real(q), minus, in_pieces_);
    if (!complex_) return;
    V& im = sums[2 * e + 1];
    if (x.complex && y.complex) re = plus(re, x.imaginary(p), y.imaginary(q), !minus, in_pieces_);
    if (y.complex) im = plus(im, x.real(p), y.imaginary(q), minus, in_pieces_);
    if (x.complex) im = plus(im, x.imaginary(p), y.real(q), minus, in_pieces_);
  }

  void store_to(void* r) const { store(desc_->kind(0), sums.v, desc_->result_lanes(), r); }

  static Numbers<V> left, right;

 private:
  static Lanes<V> sums;
  const Desc* desc_;
  const void* const* args_;
  int first_, constants_;
  bool complex_, in_pieces_;
};

template <class V>
Numbers<V> Sums<V>::left;
template <class V>
Numbers<V> Sums<V>::right;
template <class V>
Lanes<V> Sums<V>::sums;

// C[m, n] += sum over k of A[m, k] * B[k, n], each row by row. Real numbers: k goes in the middle, which leaves each
// sum's order as it is and lets the compiler take several columns at once.
template <class V>
void real_matrix(const V* x, const V* y, int M, int K, int N, bool in_pieces, V* sums) {
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n) sums[m * N + n] = plus(sums[m * N + n], x[m * K + k], y[k * N + n], false, in_pieces);
}

// Constants: M, K, N.
template <class V>
void matrix(const Desc* d, void* r, const void* const* a, bool with_accumulator) {
  Sums<V> sums(d, a, with_accumulator, 3);
  const int M = sums.constant(0), K = sums.constant(1), N = sums.constant(2);
  sums.read(0, sums.left);
  sums.read(1, sums.right);
  if (sums.complex()) {
    for (int m = 0; m < M; ++m)
      for (int n = 0; n < N; ++n)
        for (int k = 0; k < K; ++k) sums.add(m * N + n, sums.left, m * K + k, sums.right, k * N + n);
  } else if (sums.in_pieces()) {
    real_matrix(sums.left.lanes.v, sums.right.lanes.v, M, K, N, true, sums.lanes());
  } else {
    real_matrix(sums.left.lanes.v, sums.right.lanes.v, M, K, N, false, sums.lanes());
  }
  sums.store_to(r);
}

int wrapped(int index, int count) {
  const int rest = index % count;
  return rest < 0 ? rest + count : rest;
}

// Constants of a sliding multiplication. Without channels, lanes lie step_y apart; with them, lane l is output l /
// channels of channel l % channels, and each channel has its own coefficients.
struct Pattern {
  int points, coeff_start, coeff_step, data_start, step_x, step_y, channels;

  int coeff(int lane, int point) const {
    const int row = coeff_start + point * coeff_step;
    return channels ? row * channels + lane % channels : row;
  }
  int data(int lane, int point) const {
    if (!channels) return data_start + lane * step_y + point * step_x;
    return (data_start + (lane / channels + point) * step_x) * channels + lane % channels * step_y;
  }
};

// Indices wrap around the registers.
template <class V>
void sliding(const Desc* d, void* r, const void* const* a, bool with_accumulator) {
  Sums<V> sums(d, a, with_accumulator, 8);
  const Pattern p{sums.constant(0), sums.constant(1), sums.constant(2), sums.constant(3),
                  sums.constant(4), sums.constant(5), sums.constant(6)};
  const bool minus = sums.constant(7);
  sums.read(0, sums.left);
  sums.read(1, sums.right);
  for (int lane = 0; lane < sums.results(); ++lane)
    for (int point = 0; point < p.points; ++point)
      sums.add(lane, sums.left, wrapped(p.coeff(lane, point), sums.left.elements), sums.right,
               wrapped(p.data(lane, point), sums.right.elements), minus);
  sums.store_to(r);
}

// Constant: the first coefficient. out[l] += sum over i of coeff[start + i] * data_i[l].
template <class V>
void weighted(const Desc* d, void* r, const void* const* a, bool with_accumulator) {
  Sums<V> sums(d, a, with_accumulator, 1);
  const int start = sums.constant(0);
  sums.read(0, sums.left);
  for (int i = 1; i < sums.operands(); ++i) {
    sums.read(i, sums.right);
    const int weight = wrapped(start + i - 1, sums.left.elements);
    for (int lane = 0; lane < sums.results(); ++lane) sums.add(lane, sums.left, weight, sums.right, lane);
  }
  sums.store_to(r);
}

}  // namespace

#define KB_SUMS(name, run, with_accumulator)                                \
  KB_OP(name) {                                                             \
    if (is_float(d->kind(0))) return run<float>(d, r, a, with_accumulator); \
    run<int64_t>(d, r, a, with_accumulator);                                \
  }
KB_SUMS(mmul, matrix, false)
KB_SUMS(mmul_mac, matrix, true)
KB_SUMS(rmmul, matrix, false)
KB_SUMS(rmmul_mac, matrix, true)
KB_SUMS(sliding_mul, sliding, false)
KB_SUMS(sliding_mac, sliding, true)
KB_SUMS(rsliding_mul, sliding, false)
KB_SUMS(rsliding_mac, sliding, true)
KB_SUMS(accumulate, weighted, false)
KB_SUMS(accumulate_mac, weighted, true)
KB_SUMS(raccumulate, weighted, false)
KB_SUMS(raccumulate_mac, weighted, true)
#undef KB_SUMS
