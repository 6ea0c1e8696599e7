// Matrix, sliding and weighted multiplications.
#include "products.h"

namespace kbrt {
namespace {

template <class V>
struct Buffers {
  Wide<V> a, b;
  Sum<V> sums[max_lanes];
};

template <class V>
Buffers<V>& buffers() {
  static Buffers<V> all;
  return all;
}

// C[m, n] += sum over k of A[m, k] * B[k, n], all row-major.
template <class V>
void matrix(const Call& call, void* out) {
  const unsigned M = call.constant(0, 3), K = call.constant(1, 3), N = call.constant(2, 3);
  auto& [a, b, sums] = buffers<V>();
  call.operand(0, a);
  call.operand(1, b);
  call.start(sums);
  for (unsigned m = 0; m < M; ++m)
    for (unsigned n = 0; n < N; ++n)
      for (unsigned k = 0; k < K; ++k) sums[m * N + n].add(a, m * K + k, b, k * N + n, false);
  store_sums(call.result_kind(), out, sums, M * N);
}

unsigned wrapped(int index, unsigned count) {
  const int rest = index % int(count);
  return unsigned(rest < 0 ? rest + int(count) : rest);
}

struct Pattern {
  int points, coeff_start, coeff_step, data_start, step_x, step_y, channels;
  bool minus;

  explicit Pattern(const Call& c)
      : points(c.constant(0, 8)), coeff_start(c.constant(1, 8)), coeff_step(c.constant(2, 8)),
        data_start(c.constant(3, 8)), step_x(c.constant(4, 8)), step_y(c.constant(5, 8)), channels(c.constant(6, 8)),
        minus(c.constant(7, 8)) {}

  // Positions of lane l, point p. Without channels, lanes lie step_y apart; with them, a lane is (output, channel) and each
  // channel has its own coefficients.
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
void sliding(const Call& call, void* out) {
  const Pattern pattern(call);
  auto& [coeff, data, sums] = buffers<V>();
  call.operand(0, coeff);
  call.operand(1, data);
  call.start(sums);
  const int lanes = int(call.result_count());
  for (int lane = 0; lane < lanes; ++lane)
    for (int point = 0; point < pattern.points; ++point)
      sums[lane].add(coeff, wrapped(pattern.coeff(lane, point), coeff.count), data,
                     wrapped(pattern.data(lane, point), data.count), pattern.minus);
  store_sums(call.result_kind(), out, sums, unsigned(lanes));
}

// out[l] += sum over i of coeff[start + i] * data_i[l]
template <class V>
void weighted(const Call& call, void* out, unsigned vectors) {
  const int start = call.constant(0, 1);
  auto& [coeff, data, sums] = buffers<V>();
  call.operand(0, coeff);
  call.start(sums);
  const unsigned lanes = call.result_count();
  for (unsigned i = 0; i < vectors; ++i) {
    call.operand(1 + i, data);
    const unsigned weight = wrapped(start + int(i), coeff.count);
    for (unsigned lane = 0; lane < lanes; ++lane) sums[lane].add(coeff, weight, data, lane, false);
  }
  store_sums(call.result_kind(), out, sums, lanes);
}

}  // namespace
}  // namespace kbrt

#define KB_MULTIPLY(name, with_accumulator, run, ...)                       \
  KB_OP(name) {                                                             \
    const kbrt::Call call(d, a, with_accumulator);                          \
    call.floating() ? kbrt::run<float>(call, r __VA_OPT__(, ) __VA_ARGS__)  \
                    : kbrt::run<int64_t>(call, r __VA_OPT__(, ) __VA_ARGS__); \
  }

KB_MULTIPLY(mmul, false, matrix)
KB_MULTIPLY(mmul_mac, true, matrix)
KB_MULTIPLY(sliding_mul, false, sliding)
KB_MULTIPLY(sliding_mac, true, sliding)
KB_MULTIPLY(accumulate, false, weighted, d->nargs - 2)
KB_MULTIPLY(accumulate_mac, true, weighted, d->nargs - 3)

#undef KB_MULTIPLY
