// Products, exact in the accumulator's bits; an accumulator wraps at them. Those of floats are sums of bfloat16 products.
#include "lanes.h"

using namespace kbrt;

namespace {

Ints x, y, sum;
Floats f, g, total;

// One part of a product: real × real, or a part of complex × complex.
float times(Kind operand, float p, float q) {
  return part_of(operand) == Kind::f32 ? emulated_product(p, q) : p * q;
}

struct Part {
  bool complex;  // whether the operand has imaginary parts
  int at(int element) const { return complex ? 2 * element : element; }
};

// lanes of the product's element e, from those of its operands
template <class T, class Mul, class Add, class Sub>
void product_of(const T* p, Part a, const T* q, Part b, bool complex, int n, T* out, Mul mul, Add add, Sub sub) {
  for (int e = 0; e < n; ++e) {
    const T ar = p[a.at(e)], br = q[b.at(e)];
    if (!complex) {
      out[e] = mul(ar, br);
    } else if (!a.complex) {
      out[2 * e] = mul(ar, br);
      out[2 * e + 1] = mul(ar, q[2 * e + 1]);
    } else if (!b.complex) {
      out[2 * e] = mul(ar, br);
      out[2 * e + 1] = mul(p[2 * e + 1], br);
    } else {
      const T ai = p[2 * e + 1], bi = q[2 * e + 1];
      out[2 * e] = sub(mul(ar, br), mul(ai, bi));
      out[2 * e + 1] = add(mul(ar, bi), mul(ai, br));
    }
  }
}

uint64_t bits(int64_t v) { return static_cast<uint64_t>(v); }

// The product of operands `first` and `first + 1`, in `sum` or in `total`.
void multiply(const Desc* d, const void* const* a, int first) {
  const Kind ka = d->kind(first + 1), kb = d->kind(first + 2);
  const int n = result_elements(d);
  const Part pa{is_complex(ka)}, pb{is_complex(kb)};
  const bool complex = is_complex(d->kind(0));
  if (is_float(d->kind(0))) {
    operand_floats(d, a, first, pa.at(n), f);
    operand_floats(d, a, first + 1, pb.at(n), g);
    product_of(f.v, pa, g.v, pb, complex, n, total.v, [ka](float p, float q) { return times(ka, p, q); },
               [](float p, float q) { return p + q; }, [](float p, float q) { return p - q; });
  } else {
    operand_ints(d, a, first, pa.at(n), x);
    operand_ints(d, a, first + 1, pb.at(n), y);
    product_of(x.v, pa, y.v, pb, complex, n, sum.v,
               [](int64_t p, int64_t q) { return static_cast<int64_t>(bits(p) * bits(q)); },
               [](int64_t p, int64_t q) { return static_cast<int64_t>(bits(p) + bits(q)); },
               [](int64_t p, int64_t q) { return static_cast<int64_t>(bits(p) - bits(q)); });
  }
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
