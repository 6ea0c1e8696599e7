// Elementwise arithmetic. Integers wrap; complex numbers are added part by part.
#include "lanes.h"

using namespace kbrt;

namespace {

Ints x, y;
Floats f, g;

void load_both(const Desc* d, const void* const* a, int lanes) {
  if (is_float(d->kind(0))) {
    operand_floats(d, a, 0, lanes, f);
    operand_floats(d, a, 1, lanes, g);
  } else {
    operand_ints(d, a, 0, lanes, x);
    operand_ints(d, a, 1, lanes, y);
  }
}

int64_t wrapping_sum(int64_t p, int64_t q) {
  return static_cast<int64_t>(static_cast<uint64_t>(p) + static_cast<uint64_t>(q));
}
int64_t wrapping_difference(int64_t p, int64_t q) {
  return static_cast<int64_t>(static_cast<uint64_t>(p) - static_cast<uint64_t>(q));
}

void add_all(const Desc* d, void* r, const void* const* a) {
  const int lanes = d->result_lanes();
  load_both(d, a, lanes);
  if (is_float(d->kind(0))) {
    for (int i = 0; i < lanes; ++i) f[i] = f[i] + g[i];
    return result_floats(d, r, f);
  }
  for (int i = 0; i < lanes; ++i) x[i] = wrapping_sum(x[i], y[i]);
  result_ints(d, r, x);
}

void subtract_all(const Desc* d, void* r, const void* const* a) {
  const int lanes = d->result_lanes();
  load_both(d, a, lanes);
  if (is_float(d->kind(0))) {
    for (int i = 0; i < lanes; ++i) f[i] = f[i] - g[i];
    return result_floats(d, r, f);
  }
  for (int i = 0; i < lanes; ++i) x[i] = wrapping_difference(x[i], y[i]);
  result_ints(d, r, x);
}

// Lane i of a register of this many bits becomes what `bits` makes of it.
template <class F>
void on_bits(const Desc* d, void* r, const void* const* a, F bits) {
  const int lanes = d->result_lanes();
  const unsigned width = lane_bits(d->kind(0));
  load_cells(width, a[0], lanes, reinterpret_cast<uint64_t*>(x.v));
  for (int i = 0; i < lanes; ++i) x[i] = static_cast<int64_t>(bits(static_cast<uint64_t>(x[i]), i, width));
  store_cells(width, reinterpret_cast<const uint64_t*>(x.v), lanes, r);
}

uint64_t sign_of(unsigned width) { return uint64_t{1} << (width - 1); }

}  // namespace

KB_OP(add) { add_all(d, r, a); }
KB_OP(radd) { add_all(d, r, a); }
KB_OP(sub) { subtract_all(d, r, a); }
KB_OP(rsub) { subtract_all(d, r, a); }

KB_OP(saturating_add) {
  const int lanes = d->result_lanes();
  load_both(d, a, lanes);
  for (int i = 0; i < lanes; ++i) x[i] = saturated(d->kind(0), x[i] + y[i]);
  result_ints(d, r, x);
}
KB_OP(saturating_sub) {
  const int lanes = d->result_lanes();
  load_both(d, a, lanes);
  for (int i = 0; i < lanes; ++i) x[i] = saturated(d->kind(0), x[i] - y[i]);
  result_ints(d, r, x);
}

// The device flips the sign bit of floats, of NaN and zero too; the least integer is its own negative.
KB_OP(neg) {
  if (is_float(d->kind(0))) return on_bits(d, r, a, [](uint64_t v, int, unsigned w) { return v ^ sign_of(w); });
  on_bits(d, r, a, [](uint64_t v, int, unsigned) { return -v; });
}
KB_OP(abs) {
  if (is_float(d->kind(0))) return on_bits(d, r, a, [](uint64_t v, int, unsigned w) { return v & ~sign_of(w); });
  if (is_unsigned(d->kind(0))) return on_bits(d, r, a, [](uint64_t v, int, unsigned) { return v; });
  on_bits(d, r, a, [](uint64_t v, int, unsigned w) { return v & sign_of(w) ? -v : v; });
}
KB_OP(conj) {
  if (is_float(d->kind(0))) {
    return on_bits(d, r, a, [](uint64_t v, int i, unsigned w) { return i % 2 ? v ^ sign_of(w) : v; });
  }
  on_bits(d, r, a, [](uint64_t v, int i, unsigned) { return i % 2 ? -v : v; });
}

// The difference where it is positive, else 0.
KB_OP(maxdiff) {
  const int lanes = d->result_lanes();
  load_both(d, a, lanes);
  if (is_float(d->kind(0))) {
    for (int i = 0; i < lanes; ++i) f[i] = f[i] > g[i] ? f[i] - g[i] : 0;
    return result_floats(d, r, f);
  }
  for (int i = 0; i < lanes; ++i) x[i] = x[i] > y[i] ? wrapping_difference(x[i], y[i]) : 0;
  result_ints(d, r, x);
}
