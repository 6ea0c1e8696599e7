// The parts of <math.h> that musl's own C files in the toolchain do not give (toolchain.py lists those): within one
// unit in the last place, the same bits on every machine (no contraction, no library of the host).
#include <math.h>
#include <stdint.h>

namespace {

constexpr double kLn2High = 0x1.62e42fee00000p-1;  // ln 2 in two parts; the first has 21 trailing zero bits
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
constexpr double kHalfPiHigh = 0x1.921fb54442d18p+0;
constexpr double kHalfPiLow = 0x1.1a62633145c07p-54;

uint64_t bits_of(double x) { return __builtin_bit_cast(uint64_t, x); }
double of_bits(uint64_t b) { return __builtin_bit_cast(double, b); }
double invalid() { return __builtin_nan(""); }

struct Pair {
  double high;
  double low;
};

Pair add(double a, double b) {  // exact sum, |a| >= |b|
  double s = a + b;
  return {s, b - (s - a)};
}

Pair multiply(double a, double b) {  // exact product, by splitting each factor
  constexpr double kSplit = 134217729.0;
  double ta = a * kSplit;
  double ah = ta - (ta - a);
  double al = a - ah;
  double tb = b * kSplit;
  double bh = tb - (tb - b);
  double bl = b - bh;
  double p = a * b;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

double power_of_two(int n) { return of_bits(static_cast<uint64_t>(n + 1023) << 52); }  // -1022 <= n <= 1023

double scale(double x, int power) {  // x * 2^power for x near 1, rounded once
  if (power > 1023) return x * 0x1p1023 * power_of_two(power > 2046 ? 1023 : power - 1023);
  if (power < -1022) return x * power_of_two(power < -1200 ? -1000 : power + 200) * 0x1p-200;
  return x * power_of_two(power);
}

// e^(high + low) with |high| <= ~750.
double exp_of(double high, double low) {
  double k = __builtin_rint(high * kInverseLn2);
  Pair r = add(high - k * kLn2High, -(k * kLn2Low) + low);
  double x = r.high;
  double p = 0;
  // Taylor: |x| <= 0.3466, the last term is below 2^-60.
  for (double divisor = 13; divisor >= 3; --divisor) p = (p + 1) * x / divisor;
  double tail = r.low + x * r.low + x * x * 0.5 * (1 + p);
  return scale(1 + (x + tail), static_cast<int>(k));
}

struct Log {
  double whole;  // exponent
  double high;   // log of the fraction
  double low;
};

Log log_of(double x) {  // x > 0, finite
  int exponent = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    exponent = -54;
  }
  uint64_t bits = bits_of(x);
  exponent += static_cast<int>(bits >> 52) - 1023;
  double m = of_bits((bits & ((uint64_t(1) << 52) - 1)) | (uint64_t(1023) << 52));
  if (m > 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    ++exponent;
  }
  double f = m - 1;
  double s = f / (2 + f);
  double z = s * s;
  double r = 0;
  for (double n = 25; n >= 3; n -= 2) r = r * z + 2 / n;
  r *= z;  // log(1+f) = f - f²/2 + s (f²/2 + r)
  Pair square = multiply(f, f);
  double half = 0.5 * square.high;
  Pair main = add(f, -half);
  return {static_cast<double>(exponent), main.high, main.low - 0.5 * square.low + s * (half + r)};
}

double log_scaled(double x, double factor_high, double factor_low, double two_high, double two_low) {
  Log l = log_of(x);
  Pair sum = add(l.high, l.low);
  Pair product = multiply(sum.high, factor_high);
  double low = product.low + sum.low * factor_high + sum.high * factor_low;
  double whole = l.whole * two_high;
  Pair total = __builtin_fabs(whole) > __builtin_fabs(product.high) ? add(whole, product.high)
                                                                    : add(product.high, whole);
  return total.high + (total.low + low + l.whole * two_low);
}

bool log_edge(double x, double* result) {
  if (x == 0) *result = -__builtin_inf();
  else if (x < 0) *result = invalid();
  else if (!(x < __builtin_inf())) *result = x;
  else return false;
  return true;
}

}  // namespace

extern "C" {

int __rem_pio2(double x, double* remainder);
double __sin(double x, double tail, int has_tail);
double __cos(double x, double tail);
double __tan(double x, double tail, int odd);

double fabs(double x) { return __builtin_fabs(x); }
float fabsf(float x) { return __builtin_fabsf(x); }
double floor(double x) { return __builtin_floor(x); }
float floorf(float x) { return __builtin_floorf(x); }
double ceil(double x) { return __builtin_ceil(x); }
float ceilf(float x) { return __builtin_ceilf(x); }
double trunc(double x) { return __builtin_trunc(x); }
float truncf(float x) { return __builtin_truncf(x); }
double rint(double x) { return __builtin_rint(x); }
float rintf(float x) { return __builtin_rintf(x); }
double sqrt(double x) { return __builtin_sqrt(x); }
float sqrtf(float x) { return __builtin_sqrtf(x); }
double copysign(double x, double s) { return __builtin_copysign(x, s); }
float copysignf(float x, float s) { return __builtin_copysignf(x, s); }
double round(double x) {
  double t = __builtin_trunc(x);
  return __builtin_copysign(__builtin_fabs(x - t) >= 0.5 ? t + __builtin_copysign(1.0, x) : t, x);
}
float roundf(float x) {
  float t = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_fabsf(x - t) >= 0.5f ? t + __builtin_copysignf(1.0f, x) : t, x);
}
double roundeven(double x) { return __builtin_rint(x); }
float roundevenf(float x) { return __builtin_rintf(x); }
long lrint(double x) { return static_cast<long>(__builtin_rint(x)); }
long lrintf(float x) { return static_cast<long>(__builtin_rintf(x)); }
long lround(double x) { return static_cast<long>(round(x)); }
long lroundf(float x) { return static_cast<long>(roundf(x)); }
double fmax(double a, double b) { return a != a ? b : b != b ? a : (a == b && __builtin_signbit(a)) || a < b ? b : a; }
double fmin(double a, double b) { return a != a ? b : b != b ? a : (a == b && __builtin_signbit(b)) || b < a ? b : a; }
float fmaxf(float a, float b) { return static_cast<float>(fmax(a, b)); }
float fminf(float a, float b) { return static_cast<float>(fmin(a, b)); }
double fdim(double a, double b) { return a != a || b != b ? a + b : a > b ? a - b : 0; }
float fdimf(float a, float b) { return a != a || b != b ? a + b : a > b ? a - b : 0; }
double nan(const char*) { return __builtin_nan(""); }
float nanf(const char*) { return __builtin_nanf(""); }

double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}
float modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}
double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0 || x - x != 0) return x;
  int shift = 0;
  if (__builtin_fabs(x) < 0x1p-1022) {
    x *= 0x1p54;
    shift = -54;
  }
  uint64_t bits = bits_of(x);
  *exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1022 + shift;
  return of_bits((bits & ~(uint64_t(0x7ff) << 52)) | (uint64_t(1022) << 52));
}
float frexpf(float x, int* exponent) { return static_cast<float>(frexp(x, exponent)); }

// Exact: both are whole multiples of a power of two, and the division runs on their digits.
double fmod(double x, double y) {
  if (y == 0 || x - x != 0 || y != y) return invalid();
  double a = __builtin_fabs(x);
  double b = __builtin_fabs(y);
  if (a < b) return x;
  int ea;
  int eb;
  auto ma = static_cast<uint64_t>(frexp(a, &ea) * 0x1p53);
  auto mb = static_cast<uint64_t>(frexp(b, &eb) * 0x1p53);
  for (int n = ea - eb; n > 0;) {
    ma %= mb;
    int step = n < 11 ? n : 11;
    ma <<= step;
    n -= step;
  }
  ma %= mb;
  return __builtin_copysign(ldexp(static_cast<double>(ma), eb - 53), x);
}
float fmodf(float x, float y) { return static_cast<float>(fmod(x, y)); }

double exp(double x) {
  if (x != x) return x;
  if (x > 709.8) return __builtin_inf();
  if (x < -745.2) return 0;
  return exp_of(x, 0);
}
double exp2(double x) {
  if (x != x) return x;
  if (x >= 1024) return __builtin_inf();
  if (x < -1075) return 0;
  double k = __builtin_rint(x);
  Pair p = multiply(x - k, 0x1.62e42fefa39efp-1);
  return scale(exp_of(p.high, p.low + (x - k) * 0x1.abc9e3b39803fp-56), static_cast<int>(k));
}
double exp10(double x) { return pow(10.0, x); }
double log(double x) {
  double edge;
  if (log_edge(x, &edge)) return edge;
  Log l = log_of(x);
  double whole = l.whole * kLn2High;
  Pair total = __builtin_fabs(whole) > __builtin_fabs(l.high) ? add(whole, l.high) : add(l.high, whole);
  return total.high + (total.low + l.low + l.whole * kLn2Low);
}
double log2(double x) {
  double edge;
  if (log_edge(x, &edge)) return edge;
  return log_scaled(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1, 0);
}
double log10(double x) {
  double edge;
  if (log_edge(x, &edge)) return edge;
  return log_scaled(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59);
}
double log1p(double x) {
  if (x <= -1) return x == -1 ? -__builtin_inf() : invalid();
  if (__builtin_fabs(x) < 0x1p-54 || !(x < __builtin_inf())) return x;
  double u = 1 + x;
  double lost = x >= 1 ? 1 - (u - x) : x - (u - 1);
  return log(u) + lost / u;
}

constexpr double kQuarterPi = 0x1.921fb54442d18p-1;  // up to here nothing is reduced

double sin(double x) {
  if (x - x != 0) return invalid();
  if (__builtin_fabs(x) < 0x1p-26) return x;
  if (__builtin_fabs(x) <= kQuarterPi) return __sin(x, 0, 0);
  double r[2];
  int quadrant = __rem_pio2(x, r) & 3;
  double v = quadrant & 1 ? __cos(r[0], r[1]) : __sin(r[0], r[1], 1);
  return quadrant & 2 ? -v : v;
}
double cos(double x) {
  if (x - x != 0) return invalid();
  if (__builtin_fabs(x) <= kQuarterPi) return __cos(x, 0);
  double r[2];
  int quadrant = __rem_pio2(x, r) & 3;
  double v = quadrant & 1 ? __sin(r[0], r[1], 1) : __cos(r[0], r[1]);
  return quadrant == 1 || quadrant == 2 ? -v : v;
}
double tan(double x) {
  if (x - x != 0) return invalid();
  if (__builtin_fabs(x) < 0x1p-27) return x;
  if (__builtin_fabs(x) <= kQuarterPi) return __tan(x, 0, 0);
  double r[2];
  int quadrant = __rem_pio2(x, r);
  return __tan(r[0], r[1], quadrant & 1);
}
void sincos(double x, double* s, double* c) {
  *s = sin(x);
  *c = cos(x);
}
void sincosf(float x, float* s, float* c) {
  *s = static_cast<float>(sin(x));
  *c = static_cast<float>(cos(x));
}

// atan(x) = atan(c) + atan((x - c) / (1 + x c)) with c the nearest eighth; the rest is at most 1/16.
double atan(double x) {
  static const double kHigh[9] = {0, 0x1.fd5ba9aac2f6ep-4, 0x1.f5b75f92c80ddp-3, 0x1.6f61941e4def1p-2,
                                  0x1.dac670561bb4fp-2, 0x1.1e00babdefeb4p-1, 0x1.4978fa3269ee1p-1,
                                  0x1.700a7c5784634p-1, 0x1.921fb54442d18p-1};
  if (x != x) return x;
  double a = __builtin_fabs(x);
  bool inverse = a > 1;
  double t = inverse ? 1 / a : a;
  if (a < 0x1p-27) return x;
  int i = static_cast<int>(t * 8 + 0.5);
  double c = i / 8.0;
  double r = inverse ? (1 - a * c) / (a + c) : (a - c) / (1 + a * c);
  if (__builtin_isinf(a)) r = 0;
  double z = r * r;
  double p = 0;
  for (double n = 15; n >= 3; n -= 2) p = -z * (1 / n + p);
  double v = kHigh[i] + (r + r * p);
  if (inverse) v = kHalfPiHigh - (v - kHalfPiLow);
  return __builtin_copysign(v, x);
}
double asin(double x) {
  double a = __builtin_fabs(x);
  if (a > 1 || x != x) return invalid();
  if (a < 0x1p-27) return x;
  if (a <= 0.5) return atan(x / __builtin_sqrt((1 - x) * (1 + x)));
  double v = kHalfPiHigh - (2 * atan(__builtin_sqrt((1 - a) / (1 + a))) - kHalfPiLow);
  return __builtin_copysign(v, x);
}
double acos(double x) {
  if (x > 1 || x < -1 || x != x) return invalid();
  if (x == -1) return 2 * kHalfPiHigh;
  return 2 * atan(__builtin_sqrt((1 - x) / (1 + x)));
}
double cosh(double x) {
  double a = __builtin_fabs(x);
  if (a > 708) {
    double e = exp(a / 2);
    return 0.5 * e * e;
  }
  double e = exp(a);
  return 0.5 * (e + 1 / e);
}
double tanh(double x) {
  double a = __builtin_fabs(x);
  if (a != a || a < 0x1p-27) return x;
  if (a > 22) return __builtin_copysign(1.0, x);
  double e = expm1(2 * a);
  return __builtin_copysign(e / (e + 2), x);
}
double cbrt(double x) {
  if (x == 0 || x - x != 0) return x;
  double a = __builtin_fabs(x);
  double y = exp2(log2(a) / 3);
  Pair square = multiply(y, y);
  Pair cube = multiply(square.high, y);
  y -= ((cube.high - a) + (cube.low + square.low * y)) / (3 * square.high);
  return __builtin_copysign(y, x);
}
double hypot(double x, double y) {
  if (__builtin_isinf(x) || __builtin_isinf(y)) return __builtin_inf();
  double a = __builtin_fabs(x);
  double b = __builtin_fabs(y);
  if (a < b) {
    double t = a;
    a = b;
    b = t;
  }
  if (b == 0 || a != a || b != b) return a + b;
  if (b < a * 0x1p-60) return a;
  double factor = a > 0x1p500 ? 0x1p-600 : a < 0x1p-400 ? 0x1p600 : 1;
  a *= factor;
  b *= factor;
  Pair p = multiply(a, a);
  Pair q = multiply(b, b);
  Pair sum = add(p.high, q.high);
  return __builtin_sqrt(sum.high + (sum.low + p.low + q.low)) / factor;
}
double tgamma(double x) {
  if (x != x || x == __builtin_inf()) return x;
  if (x == __builtin_trunc(x)) {
    if (x < 0) return invalid();
    if (x == 0) return __builtin_copysign(__builtin_inf(), x);
    if (x <= 23) {
      double product = 1;
      for (double n = 2; n < x; ++n) product *= n;
      return product;
    }
  }
  double v = exp(lgamma(__builtin_fabs(x)));
  if (x > 0) return v;
  return -0x1.921fb54442d18p+1 / (-x * v * -sin(0x1.921fb54442d18p+1 * fmod(x, 2.0)) * -1);
}

#define KBFS_FLOAT(name) \
  float name##f(float x) { return static_cast<float>(name(static_cast<double>(x))); }
KBFS_FLOAT(exp)
KBFS_FLOAT(exp2)
KBFS_FLOAT(exp10)
KBFS_FLOAT(log)
KBFS_FLOAT(log2)
KBFS_FLOAT(log10)
KBFS_FLOAT(log1p)
KBFS_FLOAT(sin)
KBFS_FLOAT(cos)
KBFS_FLOAT(tan)
KBFS_FLOAT(atan)
KBFS_FLOAT(acos)
KBFS_FLOAT(cosh)
KBFS_FLOAT(tanh)
KBFS_FLOAT(cbrt)
KBFS_FLOAT(tgamma)
KBFS_FLOAT(acosh)
KBFS_FLOAT(atanh)
#undef KBFS_FLOAT
float hypotf(float x, float y) { return static_cast<float>(hypot(x, y)); }

}  // extern "C"
