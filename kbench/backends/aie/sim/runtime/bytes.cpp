// What the compiler calls by itself.
#include <stddef.h>
#include <stdint.h>

extern "C" {

void* memcpy(void* to, const void* from, size_t n) {
  for (size_t i = 0; i < n; ++i) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
  return to;
}

void* memmove(void* to, const void* from, size_t n) {
  if (to <= from) return memcpy(to, from, n);
  while (n-- > 0) static_cast<char*>(to)[n] = static_cast<const char*>(from)[n];
  return to;
}

void* memset(void* to, int value, size_t n) {
  for (size_t i = 0; i < n; ++i) static_cast<char*>(to)[i] = static_cast<char>(value);
  return to;
}

int memcmp(const void* a, const void* b, size_t n) {
  const auto *x = static_cast<const unsigned char*>(a), *y = static_cast<const unsigned char*>(b);
  for (size_t i = 0; i < n; ++i) {
    if (x[i] != y[i]) return x[i] - y[i];
  }
  return 0;
}

int bcmp(const void* a, const void* b, size_t n) { return memcmp(a, b, n); }

size_t strlen(const char* text) {
  size_t n = 0;
  while (text[n]) ++n;
  return n;
}

// 128-bit product, from 64-bit ones.
__int128 __multi3(__int128 x, __int128 y) {
  const auto a = static_cast<uint64_t>(x), b = static_cast<uint64_t>(y);
  const uint64_t al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
  const uint64_t low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + (mid & 0xffffffff);
  const uint64_t high = ah * bh + (mid >> 32) + (mid2 >> 32) + static_cast<uint64_t>(x >> 64) * b +
                        a * static_cast<uint64_t>(y >> 64);
  return static_cast<__int128>(static_cast<unsigned __int128>(high) << 64 | (mid2 << 32 | (low & 0xffffffff)));
}

// One rounding: the product is exact in double, and the sum is made odd where it is not, so that it rounds to float as
// the exact one does.
float fmaf(float a, float b, float c) {
  const double product = static_cast<double>(a) * b, sum = product + c, back = sum - product;
  const double rest = (product - (sum - back)) + (c - back);
  auto bits = __builtin_bit_cast(uint64_t, sum);
  if (rest == rest && rest != 0 && (bits & 1) == 0) bits += (rest > 0) == (sum > 0) ? 1 : -1;
  return static_cast<float>(__builtin_bit_cast(double, bits));
}
}
