// Comparison and selection. Floats compare as IEEE says: a NaN is neither less nor equal, and the zeros are one.
#include "lanes.h"

using namespace kbrt;

namespace {

Ints x, y;
Floats f, g;
Cells p, q;

// Lanes of the operands: those of the one that is a vector.
int lanes_of_operands(const Desc* d) { return is_scalar(d, 0) ? d->lanes(1) : d->lanes(0); }

template <class Test>
void compare(const Desc* d, void* r, const void* const* a, Test test) {
  const Kind k = d->kind(1);
  const int lanes = lanes_of_operands(d), width = is_complex(k) ? 2 : 1;
  __builtin_memset(r, 0, static_cast<size_t>(d->ret.bytes()));
  auto put = [r](int element, bool bit) { static_cast<uint8_t*>(r)[element / 8] |= static_cast<uint8_t>(bit << element % 8); };
  if (is_float(k)) {
    operand_floats(d, a, 0, lanes, f);
    operand_floats(d, a, 1, lanes, g);
    for (int i = 0; i < lanes; i += width) put(i / width, test(&f[i], &g[i], width));
  } else {
    operand_ints(d, a, 0, lanes, x);
    operand_ints(d, a, 1, lanes, y);
    for (int i = 0; i < lanes; i += width) put(i / width, test(&x[i], &y[i], width));
  }
}

bool same(const auto* s, const auto* t, int width) { return s[0] == t[0] && (width == 1 || s[1] == t[1]); }

// Elements of the first operand where `second` is false, else of the second; their bits are not touched.
template <class Second>
void choose(const Desc* d, void* r, const void* const* a, Second second) {
  const int n = result_elements(d), lanes = d->result_lanes();
  const bool floats = is_float(d->kind(0));
  if (floats) {
    operand_floats(d, a, 0, lanes, f);
    operand_floats(d, a, 1, lanes, g);
  } else {
    operand_ints(d, a, 0, lanes, x);
    operand_ints(d, a, 1, lanes, y);
  }
  operand_cells(d, a, 0, n, p);
  operand_cells(d, a, 1, n, q);
  for (int i = 0; i < n; ++i) p[i] = (floats ? second(f[i], g[i]) : second(x[i], y[i])) ? q[i] : p[i];
  result_cells(d, r, p);
}

}  // namespace

KB_OP(lt) {
  compare(d, r, a, [](const auto* s, const auto* t, int) { return s[0] < t[0]; });
}
KB_OP(ge) {
  compare(d, r, a, [](const auto* s, const auto* t, int) { return s[0] >= t[0]; });
}
KB_OP(eq) {
  compare(d, r, a, [](const auto* s, const auto* t, int width) { return same(s, t, width); });
}
KB_OP(neq) {
  compare(d, r, a, [](const auto* s, const auto* t, int width) { return !same(s, t, width); });
}

KB_OP(max) {
  choose(d, r, a, [](auto s, auto t) { return s < t; });
}
KB_OP(min) {
  choose(d, r, a, [](auto s, auto t) { return t < s; });
}

KB_OP(select) {
  const int n = result_elements(d);
  operand_cells(d, a, 0, n, p);
  operand_cells(d, a, 1, n, q);
  for (int i = 0; i < n; ++i) p[i] = mask_bit(a[2], i) ? q[i] : p[i];
  result_cells(d, r, p);
}
