// Bits of integers.
#include "lanes.h"

using namespace kbrt;

namespace {

Cells x, y;

template <class F>
void combine(const Desc* d, void* r, const void* const* a, F f) {
  const int n = result_elements(d);
  operand_cells(d, a, 0, n, x);
  operand_cells(d, a, 1, n, y);
  for (int i = 0; i < n; ++i) x[i] = f(x[i], y[i]);
  result_cells(d, r, x);
}

}  // namespace

KB_OP(bit_and) {
  combine(d, r, a, [](uint64_t p, uint64_t q) { return p & q; });
}
KB_OP(bit_or) {
  combine(d, r, a, [](uint64_t p, uint64_t q) { return p | q; });
}
KB_OP(bit_xor) {
  combine(d, r, a, [](uint64_t p, uint64_t q) { return p ^ q; });
}
KB_OP(bit_not) {
  const int n = result_elements(d);
  operand_cells(d, a, 0, n, x);
  for (int i = 0; i < n; ++i) x[i] = ~x[i];
  result_cells(d, r, x);
}

// Zeros come in at the top, of signed numbers too.
KB_OP(logical_downshift) {
  const unsigned width = lane_bits(d->kind(0));
  const int lanes = d->result_lanes();
  const auto shift = static_cast<uint32_t>(in_int(a, 1));
  load_cells(width, a[0], lanes, x.v);
  for (int i = 0; i < lanes; ++i) x[i] = shift < width ? x[i] >> shift : 0;
  store_cells(width, x.v, lanes, r);
}
