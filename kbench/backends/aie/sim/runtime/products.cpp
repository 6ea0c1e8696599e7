// Products, exact in the accumulator's bits; an accumulator wraps at them. Those of floats are sums of bfloat16 products.
#include "lanes.h"

using namespace kbrt;

namespace {

Ints x, y, sum;
Floats f, g, total;

// Whether an operand's elements have imaginary parts.
struct Part {
  bool complex;
  int lanes(int elements) const { return complex ? 2 * elements : elements; }
};

// Element e of a complex product, from the lanes of its operands, of which at least one is complex.
template <class T, class Mul, class Add, class Sub>
void complex_product(const T* p, Part a, const T* q, Part b, int e, T* out, Mul mul, Add add, Sub sub) {
  if (!a.complex) {
    out[2 * e] = mul(p[e], q[2 * e]);
    out[2 * e + 1] = mul(p[e], q[2 * e + 1]);
  } else if (!b.complex) {
    out[2 * e] = mul(p[2 * e], q[e]);
    out[2 * e + 1] = mul(p[2 * e + 1], q[e]);
  } else {
    const T ar = p[2 * e], ai = p[2 * e + 1], br = q[2 * e], bi = q[2 * e + 1];
    out[2 * e] = sub(mul(ar, br), mul(ai, bi));
    out[2 * e + 1] = add(mul(ar, bi), mul(ai, br));
  }
}

template <class T, class Mul, class Add, class Sub>
void products(const T* p, Part a, const T* q, Part b, int n, T* out, Mul mul, Add add, Sub sub) {
  if (!a.complex && !b.complex) {
    for (int e = 0; e < n; ++e) out[e] = mul(p[e], q[e]);
    return;
  }
  for (int e = 0; e < n; ++e) complex_product(p, a, q, b, e, out, mul, add, sub);
}

uint64_t bits(int64_t v) { return static_cast<uint64_t>(v); }

// Negates imaginary parts where the operands' last says so: exactly, before they are multiplied.
template <class T>
void conjugate(T* lanes, Part part, int n, bool wanted) {
  for (int e = 0; e < n && wanted && part.complex; ++e) lanes[2 * e + 1] = -lanes[2 * e + 1];
}

float sum_of(float p, float q) { return p + q; }
float difference_of(float p, float q) { return p - q; }

// The product of operands `first` and `first + 1`, in `sum` or in `total`.
void multiply(const Desc* d, const void* const* a, int first) {
  const Kind ka = d->kind(first + 1), kb = d->kind(first + 2);
  const int n = result_elements(d);
  const Part pa{is_complex(ka)}, pb{is_complex(kb)};
  const int conj = d->nargs > first + 2 ? in_int(a, first + 2) : 0;
  const Emulation emulation = d->nargs > first + 3 ? Emulation::of(in_int(a, first + 3)) : Emulation();
  if (is_float(d->kind(0))) {
    operand_floats(d, a, first, pa.lanes(n), f);
    operand_floats(d, a, first + 1, pb.lanes(n), g);
    conjugate(f.v, pa, n, conj & 1);
    conjugate(g.v, pb, n, conj & 2);
    if (part_of(ka) == Kind::f32) {
      products(f.v, pa, g.v, pb, n, total.v, [emulation](float p, float q) { return emulation.product(p, q); }, sum_of,
               difference_of);
    } else {
      products(f.v, pa, g.v, pb, n, total.v, [](float p, float q) { return p * q; }, sum_of, difference_of);
    }
    return;
  }
  operand_ints(d, a, first, pa.lanes(n), x);
  operand_ints(d, a, first + 1, pb.lanes(n), y);
  conjugate(x.v, pa, n, conj & 1);
  conjugate(y.v, pb, n, conj & 2);
  products(x.v, pa, y.v, pb, n, sum.v, [](int64_t p, int64_t q) { return static_cast<int64_t>(bits(p) * bits(q)); },
           [](int64_t p, int64_t q) { return static_cast<int64_t>(bits(p) + bits(q)); },
           [](int64_t p, int64_t q) { return static_cast<int64_t>(bits(p) - bits(q)); });
}

void accumulate(const Desc* d, void* r, const void* const* a, bool subtract) {
  multiply(d, a, 1);
  const int lanes = d->result_lanes();
  if (is_float(d->kind(0))) {
    operand_floats(d, a, 0, lanes, f);
    for (int i = 0; i < lanes; ++i) total[i] = subtract ? f[i] - total[i] : f[i] + total[i];
    return result_floats(d, r, total);
  }
  operand_ints(d, a, 0, lanes, x);
  for (int i = 0; i < lanes; ++i) {
    sum[i] = static_cast<int64_t>(subtract ? bits(x[i]) - bits(sum[i]) : bits(x[i]) + bits(sum[i]));
  }
  result_ints(d, r, sum);
}

void product(const Desc* d, void* r, const void* const* a, bool negate) {
  multiply(d, a, 0);
  const int lanes = d->result_lanes();
  if (is_float(d->kind(0))) {
    for (int i = 0; i < lanes && negate; ++i) total[i] = -total[i];
    return result_floats(d, r, total);
  }
  for (int i = 0; i < lanes && negate; ++i) sum[i] = static_cast<int64_t>(-bits(sum[i]));
  result_ints(d, r, sum);
}

}  // namespace

KB_OP(mul) { product(d, r, a, false); }
KB_OP(rmul) { product(d, r, a, false); }
KB_OP(negmul) { product(d, r, a, true); }
KB_OP(rnegmul) { product(d, r, a, true); }
KB_OP(mac) { accumulate(d, r, a, false); }
KB_OP(rmac) { accumulate(d, r, a, false); }
KB_OP(msc) { accumulate(d, r, a, true); }
KB_OP(rmsc) { accumulate(d, r, a, true); }
