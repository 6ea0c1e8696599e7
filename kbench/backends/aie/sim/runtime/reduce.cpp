// Reductions. Sums and products go by halves: element i with element i + n/2, then over the n/2 results.
#include "lanes.h"

using namespace kbrt;

namespace {

Ints x;
Floats f;
Cells cells;

// The sum of n elements of operand i, in lane 0 (and 1 where they are complex).
void sum_up(const Desc* d, const void* const* a, int i) {
  const Kind k = d->kind(1);
  const int lanes = d->lanes(i), width = is_complex(k) ? 2 : 1;
  if (is_float(k)) {
    operand_floats(d, a, i, lanes, f);
    for (int half = lanes / 2; half >= width; half /= 2) {
      for (int j = 0; j < half; ++j) f[j] = f[j] + f[j + half];
    }
  } else {
    operand_ints(d, a, i, lanes, x);
    for (int j = width; j < lanes; ++j) x[j % width] += x[j];
  }
}

// Lanes 0 (and 1) as an element of operand 0's kind.
void put_sum(const Desc* d, void* p) {
  const Kind k = d->kind(1);
  const int width = is_complex(k) ? 2 : 1;
  if (is_float(k)) {
    store_floats(part_of(k), f.v, width, p);
  } else {
    store_ints(part_of(k), x.v, width, p);
  }
}

void add_up(const Desc* d, void* r, const void* const* a) {
  __builtin_memset(r, 0, static_cast<size_t>(d->ret.bytes()));
  sum_up(d, a, 0);
  put_sum(d, r);
}

void add_up_each(const Desc* d, void* r, const void* const* a) {
  const int bytes = static_cast<int>(bits_of(d->kind(0))) / 8;
  __builtin_memset(r, static_cast<int>(kbrt_poison), static_cast<size_t>(d->ret.bytes()));
  for (int i = 0; i < d->nargs; ++i) {
    sum_up(d, a, i);
    put_sum(d, static_cast<char*>(r) + i * bytes);
  }
}

// The first of the elements that no other comes before.
template <class Before>
void extreme(const Desc* d, void* r, const void* const* a, Before before) {
  const int n = elements_in(d, 0);
  const bool floats = is_float(d->kind(1));
  if (floats) {
    operand_floats(d, a, 0, n, f);
  } else {
    operand_ints(d, a, 0, n, x);
  }
  int best = 0;
  for (int i = 1; i < n; ++i) {
    if (floats ? before(f[i], f[best]) : before(x[i], x[best])) best = i;
  }
  operand_cells(d, a, 0, n, cells);
  __builtin_memset(r, 0, static_cast<size_t>(d->ret.bytes()));
  store_cells(bits_of(d->kind(1)), &cells[best], 1, r);
}

// What a product becomes on its way through an accumulator into an element again.
float back(Kind k, float v) { return k == Kind::bf16 ? widen_bf16(round_bf16(v, kbrt_state.rounding)) : v; }
int64_t back(Kind k, int64_t v) {
  v = saturated(k, v);
  store_ints(k, &v, 1, &v);
  int64_t kept;
  load_ints(k, &v, 1, &kept);
  return kept;
}

}  // namespace

KB_OP(reduce_add) { add_up(d, r, a); }
KB_OP(rreduce_add) { add_up(d, r, a); }
KB_OP(reduce_add_v) { add_up_each(d, r, a); }
KB_OP(rreduce_add_v) { add_up_each(d, r, a); }

KB_OP(reduce_max) {
  extreme(d, r, a, [](auto p, auto best) { return p > best; });
}
KB_OP(reduce_min) {
  extreme(d, r, a, [](auto p, auto best) { return p < best; });
}

KB_OP(reduce_mul) {
  const Kind k = d->kind(1);
  const int n = elements_in(d, 0);
  const Emulation emulation = d->nargs > 1 ? Emulation::of(in_int(a, 1)) : Emulation();
  if (is_complex(k)) broken_rule(d, "multiplies all elements of a complex vector");
  __builtin_memset(r, 0, static_cast<size_t>(d->ret.bytes()));
  if (is_float(k)) {
    operand_floats(d, a, 0, n, f);
    for (int half = n / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; ++i) {
        f[i] = back(k, k == Kind::f32 ? emulation.product(f[i], f[i + half]) : f[i] * f[i + half]);
      }
    }
    return store_floats(k, f.v, 1, r);
  }
  operand_ints(d, a, 0, n, x);
  for (int half = n / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) x[i] = back(k, x[i] * x[i + half]);
  }
  store_ints(k, x.v, 1, r);
}
