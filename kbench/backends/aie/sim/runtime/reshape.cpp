// Elements in another order: they move as bits, complex ones whole.
#include "lanes.h"

using namespace kbrt;

namespace {

Cells x, y, out;

bool power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

// Result element i is element from(i) of the operand; what lies outside of it is undefined.
template <class From>
void gather(const Desc* d, void* r, const void* const* a, From from) {
  const int n = elements_in(d, 0), m = result_elements(d);
  operand_cells(d, a, 0, n, x);
  for (int i = 0; i < m; ++i) {
    const int at = from(i, n);
    out[i] = at >= 0 && at < n ? x[at] : undefined();
  }
  result_cells(d, r, out);
}

// As gather, over two operands of the same size, one behind the other.
template <class From>
void gather_both(const Desc* d, void* r, const void* const* a, From from) {
  const int n = elements_in(d, 0), m = result_elements(d);
  operand_cells(d, a, 0, n, x);
  operand_cells(d, a, 1, n, y);
  for (int i = 0; i < m; ++i) {
    const int at = from(i, n);
    out[i] = at < n ? x[at] : y[at - n];
  }
  result_cells(d, r, out);
}

int distance(const Desc* d, int n) {
  if (n < 0 || n > elements_in(d, 0)) broken_rule(d, "shuffles by more elements than the vector has");
  return n;
}

// Elements that stay together, in a vector of n.
int chunk(const Desc* d, int size, int most) {
  if (!power_of_two(size)) broken_rule(d, "takes a chunk_size that is no power of two");
  if (size > most) broken_rule(d, "takes a chunk_size that is larger than the vector allows");
  if (size * static_cast<int>(bits_of(d->kind(1))) < 8) broken_rule(d, "takes chunks of less than 8 bits");
  return size;
}

}  // namespace

KB_OP(reverse) {
  gather(d, r, a, [](int i, int n) { return n - 1 - i; });
}

KB_OP(shuffle_up) {
  gather(d, r, a, [by = distance(d, in_int(a, 1))](int i, int) { return i - by; });
}
KB_OP(shuffle_up_rotate) {
  gather(d, r, a, [by = distance(d, in_int(a, 1))](int i, int n) { return (i - by + n) % n; });
}
KB_OP(shuffle_up_replicate) {
  gather(d, r, a, [by = distance(d, in_int(a, 1))](int i, int) { return i < by ? 0 : i - by; });
}
KB_OP(shuffle_up_fill) {
  gather_both(d, r, a, [by = distance(d, in_int(a, 2))](int i, int n) { return i < by ? n + n - by + i : i - by; });
}
KB_OP(shuffle_down) {
  gather(d, r, a, [by = distance(d, in_int(a, 1))](int i, int) { return i + by; });
}
KB_OP(shuffle_down_rotate) {
  gather(d, r, a, [by = distance(d, in_int(a, 1))](int i, int n) { return (i + by) % n; });
}
KB_OP(shuffle_down_replicate) {
  gather(d, r, a, [by = distance(d, in_int(a, 1))](int i, int n) { return i + by < n ? i + by : n - 1; });
}
KB_OP(shuffle_down_fill) {
  gather_both(d, r, a, [by = distance(d, in_int(a, 2))](int i, int) { return i + by; });
}

KB_OP(transpose) {
  const int rows = in_int(a, 1), columns = in_int(a, 2);
  if (rows < 1 || columns < 1 || rows * columns != elements_in(d, 0)) {
    broken_rule(d, "transposes a matrix that does not have as many elements as the vector");
  }
  gather(d, r, a, [=](int i, int) { return i % rows * columns + i / rows; });
}

KB_OP(interleave_zip) {
  const int size = chunk(d, in_int(a, 2), elements_in(d, 0));
  gather_both(d, r, a, [=](int i, int n) {
    const int pair = i / (2 * size), place = i % (2 * size);
    return place < size ? pair * size + place : n + pair * size + place - size;
  });
}
KB_OP(interleave_unzip) {
  const int size = chunk(d, in_int(a, 2), elements_in(d, 0));
  gather_both(d, r, a, [=](int i, int n) {
    const int odd = i / n, place = i % n;
    return place / size * 2 * size + odd * size + place % size;
  });
}

KB_OP(filter_even) {
  const int size = chunk(d, in_int(a, 1), elements_in(d, 0) / 2);
  gather(d, r, a, [=](int i, int) { return i / size * 2 * size + i % size; });
}
KB_OP(filter_odd) {
  const int size = chunk(d, in_int(a, 1), elements_in(d, 0) / 2);
  gather(d, r, a, [=](int i, int) { return i / size * 2 * size + size + i % size; });
}

namespace {

void parts(const Desc* d, void* r, const void* const* a, int which) {
  const unsigned bits = lane_bits(d->kind(1));
  const int n = elements_in(d, 0);
  load_cells(bits, a[0], 2 * n, x.v);
  for (int i = 0; i < n; ++i) out[i] = x[2 * i + which];
  store_cells(bits, out.v, n, r);
}

}  // namespace

KB_OP(real) { parts(d, r, a, 0); }
KB_OP(imag) { parts(d, r, a, 1); }
