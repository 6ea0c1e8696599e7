// Bits of integers.
#include "lanes.h"

using namespace kbrt;

namespace {

Cells p, q;
Ints x;

template <class F>
void combine(const Desc* d, void* r, const void* const* a, F f) {
  const int n = result_elements(d);
  operand_cells(d, a, 0, n, p);
  operand_cells(d, a, 1, n, q);
  for (int i = 0; i < n; ++i) p[i] = f(p[i], q[i]);
  result_cells(d, r, p);
}

}  // namespace

KB_OP(bit_and) {
  combine(d, r, a, [](uint64_t s, uint64_t t) { return s & t; });
}
KB_OP(bit_or) {
  combine(d, r, a, [](uint64_t s, uint64_t t) { return s | t; });
}
KB_OP(bit_xor) {
  combine(d, r, a, [](uint64_t s, uint64_t t) { return s ^ t; });
}
KB_OP(bit_not) {
  const int n = result_elements(d);
  operand_cells(d, a, 0, n, p);
  for (int i = 0; i < n; ++i) p[i] = ~p[i];
  result_cells(d, r, p);
}

// The bits without a sign, shifted by an accumulator: zeros come in at the top, and it rounds as any downshift.
KB_OP(logical_downshift) {
  const unsigned width = bits_of(d->kind(0));
  const Kind bare = width == 4 ? Kind::u4 : width == 8 ? Kind::u8 : width == 16 ? Kind::u16 : Kind::u32;
  const int n = result_elements(d), shift = in_int(a, 1);
  check_shift(d, shift);
  load_ints(bare, a[0], n, x.v);
  for (int i = 0; i < n; ++i) x[i] = saturated(bare, shift_round(x[i], shift));
  store_ints(bare, x.v, n, r);
}
