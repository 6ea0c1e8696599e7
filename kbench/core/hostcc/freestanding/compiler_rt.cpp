// What clang calls where a processor has no instruction: 128-bit division, half and bfloat16 conversions, powers.
#include <stdint.h>

namespace {

typedef unsigned __int128 U128;
typedef __int128 I128;

U128 divide(U128 a, U128 b, U128* rest) {
  if (b == 0) __builtin_trap();
  if ((a >> 64) == 0 && (b >> 64) == 0) {
    *rest = static_cast<uint64_t>(a) % static_cast<uint64_t>(b);
    return static_cast<uint64_t>(a) / static_cast<uint64_t>(b);
  }
  U128 quotient = 0;
  U128 left = 0;
  for (int i = 127; i >= 0; --i) {
    bool carry = left >> 127;
    left = (left << 1) | ((a >> i) & 1);
    if (carry || left >= b) {
      left -= b;
      quotient |= U128{1} << i;
    }
  }
  *rest = left;
  return quotient;
}

U128 magnitude(I128 a) { return a < 0 ? 0 - static_cast<U128>(a) : static_cast<U128>(a); }

// Rounds a double to a format of `exponent_bits` and `mantissa_bits`, half to even, in one step. float to half is exact
// through double; so is float to bfloat16.
uint16_t narrow(double value, int exponent_bits, int mantissa_bits) {
  uint64_t bits = __builtin_bit_cast(uint64_t, value);
  auto sign = static_cast<uint16_t>((bits >> 63) << 15);
  int bias = (1 << (exponent_bits - 1)) - 1;
  auto infinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << mantissa_bits);
  int exponent = static_cast<int>((bits >> 52) & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 0x7ff) {
    auto payload = static_cast<uint16_t>(mantissa >> (52 - mantissa_bits));
    if (mantissa) payload |= static_cast<uint16_t>(1 << (mantissa_bits - 1));  // a quiet NaN
    return sign | infinity | payload;
  }
  if (exponent == 0) return sign;
  mantissa |= uint64_t{1} << 52;
  int target = exponent - 1023 + bias;  // biased exponent in the narrow format
  int drop = 52 - mantissa_bits + (target < 1 ? 1 - target : 0);
  if (drop > 54) return sign;
  uint64_t kept = mantissa >> drop;
  uint64_t rest = mantissa & ((uint64_t{1} << drop) - 1);
  uint64_t half = uint64_t{1} << (drop - 1);
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  // Adding lets a carry run into the exponent, and a subnormal become normal.
  uint64_t result = target < 1 ? kept : (static_cast<uint64_t>(target - 1) << mantissa_bits) + kept;
  if (result >= infinity) result = infinity;
  return sign | static_cast<uint16_t>(result);
}

float widen(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  uint32_t exponent = (half >> 10) & 31;
  uint32_t mantissa = half & 0x3ff;
  if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0));
  if (exponent == 0) {
    float small = static_cast<float>(mantissa) * 0x1p-24f;
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(uint32_t, small));
  }
  return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | mantissa << 13);
}

}  // namespace

extern "C" {

U128 __udivti3(U128 a, U128 b) {
  U128 rest;
  return divide(a, b, &rest);
}
U128 __umodti3(U128 a, U128 b) {
  U128 rest;
  divide(a, b, &rest);
  return rest;
}
I128 __divti3(I128 a, I128 b) {
  U128 rest;
  U128 q = divide(magnitude(a), magnitude(b), &rest);
  return (a < 0) != (b < 0) ? static_cast<I128>(0 - q) : static_cast<I128>(q);
}
I128 __modti3(I128 a, I128 b) {
  U128 rest;
  divide(magnitude(a), magnitude(b), &rest);
  return a < 0 ? static_cast<I128>(0 - rest) : static_cast<I128>(rest);
}
I128 __muloti4(I128 a, I128 b, int* overflow) {
  U128 ua = magnitude(a);
  U128 ub = magnitude(b);
  U128 product = ua * ub;
  bool negative = (a < 0) != (b < 0);
  U128 most = (U128{1} << 127) - (negative ? 0 : 1);
  *overflow = (ua != 0 && product / ua != ub) || product > most;
  return static_cast<I128>(negative ? 0 - product : product);
}

double __floatuntidf(U128 a) {
  if ((a >> 64) == 0) return static_cast<double>(static_cast<uint64_t>(a));
  int shift = 64 - __builtin_clzll(static_cast<uint64_t>(a >> 64));
  auto top = static_cast<uint64_t>(a >> shift);
  if (a & ((U128{1} << shift) - 1)) top |= 1;  // sticky: the rounding below sees that more follows
  return static_cast<double>(top) * __builtin_bit_cast(double, static_cast<uint64_t>(shift + 1023) << 52);
}
double __floattidf(I128 a) { return a < 0 ? -__floatuntidf(magnitude(a)) : __floatuntidf(static_cast<U128>(a)); }
float __floatuntisf(U128 a) {
  if ((a >> 64) == 0) return static_cast<float>(static_cast<uint64_t>(a));
  int shift = 64 - __builtin_clzll(static_cast<uint64_t>(a >> 64));
  auto top = static_cast<uint64_t>(a >> shift);
  if (a & ((U128{1} << shift) - 1)) top |= 1;
  return static_cast<float>(top) * __builtin_bit_cast(float, static_cast<uint32_t>(shift + 127) << 23);
}
float __floattisf(I128 a) { return a < 0 ? -__floatuntisf(magnitude(a)) : __floatuntisf(static_cast<U128>(a)); }
U128 __fixunsdfti(double x) {
  if (!(x >= 1)) return 0;
  uint64_t bits = __builtin_bit_cast(uint64_t, x);
  int shift = static_cast<int>((bits >> 52) & 0x7ff) - 1075;
  U128 mantissa = (bits & ((uint64_t{1} << 52) - 1)) | (uint64_t{1} << 52);
  return shift >= 76 ? ~U128{0} : shift < 0 ? mantissa >> -shift : mantissa << shift;
}
I128 __fixdfti(double x) {
  U128 most = (U128{1} << 127) - 1;
  U128 size = __fixunsdfti(x < 0 ? -x : x);
  if (x < 0) return size > most ? static_cast<I128>(most + 1) : static_cast<I128>(0 - size);
  return static_cast<I128>(size > most ? most : size);
}
I128 __fixsfti(float x) { return __fixdfti(x); }
U128 __fixunssfti(float x) { return __fixunsdfti(x); }

double __powidf2(double base, int power) {
  double result = 1;
  bool inverse = power < 0;
  for (unsigned n = inverse ? 0u - static_cast<unsigned>(power) : static_cast<unsigned>(power); n; n >>= 1, base *= base) {
    if (n & 1) result *= base;
  }
  return inverse ? 1 / result : result;
}
float __powisf2(float base, int power) { return static_cast<float>(__powidf2(base, power)); }

#if defined(__x86_64__)
// Half travels in an SSE register on x86-64.
_Float16 __truncdfhf2(double x) { return __builtin_bit_cast(_Float16, narrow(x, 5, 10)); }
_Float16 __truncsfhf2(float x) { return __builtin_bit_cast(_Float16, narrow(x, 5, 10)); }
float __extendhfsf2(_Float16 x) { return widen(__builtin_bit_cast(uint16_t, x)); }
double __extendhfdf2(_Float16 x) { return widen(__builtin_bit_cast(uint16_t, x)); }
__bf16 __truncdfbf2(double x) { return __builtin_bit_cast(__bf16, narrow(x, 8, 7)); }
__bf16 __truncsfbf2(float x) { return __builtin_bit_cast(__bf16, narrow(x, 8, 7)); }
#endif

#if defined(__aarch64__)
// long double has 113 bits here and travels in a vector register; only what printing and reading need.
double __trunctfdf2(long double x) {
  U128 bits = __builtin_bit_cast(U128, x);
  uint64_t sign = static_cast<uint64_t>(bits >> 127) << 63;
  int exponent = static_cast<int>((bits >> 112) & 0x7fff);
  U128 mantissa = bits & ((U128{1} << 112) - 1);
  if (exponent == 0x7fff) {
    uint64_t payload = static_cast<uint64_t>(mantissa >> 60) | (mantissa ? uint64_t{1} << 51 : 0);
    return __builtin_bit_cast(double, sign | uint64_t{0x7ff} << 52 | payload);
  }
  int target = exponent - 16383 + 1023;
  if (exponent) mantissa |= U128{1} << 112;
  int drop = 60 + (target < 1 ? 1 - target : 0);
  if (drop > 114) return __builtin_bit_cast(double, sign);
  auto kept = static_cast<uint64_t>(mantissa >> drop);
  U128 rest = mantissa & ((U128{1} << drop) - 1);
  U128 half = U128{1} << (drop - 1);
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  uint64_t result = target < 1 ? kept : (static_cast<uint64_t>(target - 1) << 52) + kept;
  if (target >= 0x7ff || result >= uint64_t{0x7ff} << 52) result = uint64_t{0x7ff} << 52;
  return __builtin_bit_cast(double, sign | result);
}
long double __extenddftf2(double x) {
  uint64_t bits = __builtin_bit_cast(uint64_t, x);
  U128 sign = static_cast<U128>(bits >> 63) << 127;
  int exponent = static_cast<int>((bits >> 52) & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 0 && mantissa != 0) {  // subnormal here, normal there
    int shift = __builtin_clzll(mantissa) - 11;
    mantissa = (mantissa << shift) & ((uint64_t{1} << 52) - 1);
    exponent = 1 - shift;
  } else if (exponent == 0) {
    return __builtin_bit_cast(long double, sign);
  }
  U128 wide = exponent == 0x7ff ? 0x7fff : static_cast<U128>(exponent - 1023 + 16383);
  return __builtin_bit_cast(long double, sign | wide << 112 | static_cast<U128>(mantissa) << 60);
}
long double __extendsftf2(float x) { return __extenddftf2(x); }
float __trunctfsf2(long double x) { return static_cast<float>(__trunctfdf2(x)); }
#endif

// complex multiplication and division, where the plain formula gives NaN (C99 annex G)
_Complex float __mulsc3(float a, float b, float c, float d);
_Complex double __muldc3(double a, double b, double c, double d);

}  // extern "C"

namespace {

template <class T>
struct Parts {
  T re;
  T im;
};

template <class T>
T signed_as(T size, T sign) {
  return __builtin_signbit(sign) ? -size : size;
}

template <class T>
T boxed(T x) {
  return signed_as(__builtin_isinf(x) ? T(1) : T(0), x);
}

template <class T>
Parts<T> complex_product(T a, T b, T c, T d) {
  Parts<T> p = {a * c - b * d, a * d + b * c};
  if (p.re == p.re || p.im == p.im) return p;
  bool again = false;
  if (__builtin_isinf(a) || __builtin_isinf(b)) {
    a = boxed(a);
    b = boxed(b);
    if (c != c) c = signed_as(T(0), c);
    if (d != d) d = signed_as(T(0), d);
    again = true;
  }
  if (__builtin_isinf(c) || __builtin_isinf(d)) {
    c = boxed(c);
    d = boxed(d);
    if (a != a) a = signed_as(T(0), a);
    if (b != b) b = signed_as(T(0), b);
    again = true;
  }
  if (again) p = {T(__builtin_inf()) * (a * c - b * d), T(__builtin_inf()) * (a * d + b * c)};
  return p;
}

template <class T>
Parts<T> complex_quotient(T a, T b, T c, T d) {
  // in double (float) or scaled (double), so that |c|² + |d|² neither overflows nor vanishes
  double scale = 1;
  double big = __builtin_fabs(static_cast<double>(c)) > __builtin_fabs(static_cast<double>(d))
                   ? __builtin_fabs(static_cast<double>(c))
                   : __builtin_fabs(static_cast<double>(d));
  if (big > 0x1p500) scale = 0x1p-600;
  if (big < 0x1p-500 && big > 0) scale = 0x1p600;
  double x = static_cast<double>(c) * scale;
  double y = static_cast<double>(d) * scale;
  double size = x * x + y * y;
  Parts<T> q = {static_cast<T>((a * x + b * y) / size * scale), static_cast<T>((b * x - a * y) / size * scale)};
  if (q.re == q.re || q.im == q.im) return q;
  if (size == 0 && (a == a || b == b)) {
    T infinite = signed_as(T(__builtin_inf()), c);
    return {infinite * a, infinite * b};
  }
  return q;
}

template <class C, class T>
C complex_of(Parts<T> p) {
  C z;
  __real__ z = p.re;
  __imag__ z = p.im;
  return z;
}

}  // namespace

extern "C" {
_Complex float __mulsc3(float a, float b, float c, float d) {
  return complex_of<_Complex float>(complex_product(a, b, c, d));
}
_Complex double __muldc3(double a, double b, double c, double d) {
  return complex_of<_Complex double>(complex_product(a, b, c, d));
}
_Complex float __divsc3(float a, float b, float c, float d) {
  return complex_of<_Complex float>(complex_quotient(a, b, c, d));
}
_Complex double __divdc3(double a, double b, double c, double d) {
  return complex_of<_Complex double>(complex_quotient(a, b, c, d));
}
}  // extern "C"
