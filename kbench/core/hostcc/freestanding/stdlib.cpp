// Numbers from text, sorting, ends of the program, and clocks that tick the same on every run.
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "decimal.h"
#include "internal.h"
#include "kbfs.h"

namespace {

int g_errno = 0;

bool space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool digit(char c) { return c >= '0' && c <= '9'; }
char low(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// --- integers -----------------------------------------------------------------------------------------------------

struct Whole {
  uint64_t magnitude = 0;
  bool negative = false;
  bool overflow = false;
  const char* end;
};

int value_of(char c) { return digit(c) ? c - '0' : low(c) >= 'a' && low(c) <= 'z' ? low(c) - 'a' + 10 : 99; }

Whole whole(const char* text, int base) {
  Whole n;
  n.end = text;
  const char* p = text;
  while (space(*p)) ++p;
  if (*p == '+' || *p == '-') n.negative = *p++ == '-';
  bool hex = p[0] == '0' && low(p[1]) == 'x' && value_of(p[2]) < 16;
  if ((base == 0 || base == 16) && hex) {
    p += 2;
    base = 16;
  } else if (base == 0) {
    base = *p == '0' ? 8 : 10;
  }
  for (; value_of(*p) < base; ++p) {
    n.overflow |= __builtin_mul_overflow(n.magnitude, static_cast<uint64_t>(base), &n.magnitude);
    n.overflow |= __builtin_add_overflow(n.magnitude, static_cast<uint64_t>(value_of(*p)), &n.magnitude);
    n.end = p + 1;
  }
  return n;
}

long clamp(const Whole& n) {
  if (n.overflow || n.magnitude > static_cast<uint64_t>(LONG_MAX) + n.negative) {
    errno = ERANGE;
    return n.negative ? LONG_MIN : LONG_MAX;
  }
  return static_cast<long>(n.negative ? 0 - n.magnitude : n.magnitude);
}

// --- doubles ------------------------------------------------------------------------------------------------------

struct Digits {  // the digits of a text: 0.d1d2d3… times 10^point
  char digit[800];
  int count = 0;
  int point = 0;
  bool more = false;  // non-zero digits beyond those kept
};

int compare(const Digits& text, const kbfs::Decimal& exact) {
  if (text.count == 0 || exact.count == 0) return (text.count > 0) - (exact.count > 0);
  if (text.point != exact.point) return text.point < exact.point ? -1 : 1;
  for (int i = 0; i < text.count || i < exact.count; ++i) {
    int a = i < text.count ? text.digit[i] : 0;
    int b = i < exact.count ? exact.digits[i] : 0;
    if (a != b) return a < b ? -1 : 1;
  }
  return text.more;
}

double from_bits(uint64_t bits) { return __builtin_bit_cast(double, bits); }

// The point halfway from the double of these bits to the next larger one, exactly.
kbfs::Decimal halfway(uint64_t bits) {
  int exponent = static_cast<int>(bits >> 52);
  uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  if (exponent) mantissa |= uint64_t{1} << 52;
  else exponent = 1;
  return kbfs::Decimal(2 * mantissa + 1, exponent - 1076);
}

double power_of_ten(int n) {
  double result = 1;
  double base = 10;
  for (; n; n >>= 1, base *= base) {
    if (n & 1) result *= base;
  }
  return result;
}

// A guess from the first digits, then steps to the double whose halfway points enclose the text: exact by comparison.
double nearest(const Digits& d) {
  if (d.count == 0 || d.point < -330) return 0;
  if (d.point > 310) return __builtin_inf();
  uint64_t lead = 0;
  int used = d.count < 17 ? d.count : 17;
  for (int i = 0; i < used; ++i) lead = lead * 10 + static_cast<uint64_t>(d.digit[i]);
  int scale = d.point - used;
  auto guess = static_cast<double>(lead);
  for (; scale > 200; scale -= 200) guess *= 1e200;
  for (; scale < -200; scale += 200) guess /= 1e200;
  guess = scale < 0 ? guess / power_of_ten(-scale) : guess * power_of_ten(scale);
  constexpr uint64_t kInfinity = uint64_t{0x7ff} << 52;
  uint64_t bits = __builtin_bit_cast(uint64_t, guess);
  if (bits >= kInfinity) bits = kInfinity - 1;
  while (bits < kInfinity) {
    int up = compare(d, halfway(bits));
    if (up > 0 || (up == 0 && (bits & 1))) {
      ++bits;
      continue;
    }
    if (bits == 0) break;
    int down = compare(d, halfway(bits - 1));
    if (down < 0 || (down == 0 && (bits & 1))) --bits;
    else break;
  }
  return from_bits(bits);
}

double hexadecimal(const char* p, const char** end) {
  double value = 0;
  int exponent = 0;
  bool point = false;
  for (;; ++p) {
    if (*p == '.' && !point) {
      point = true;
      continue;
    }
    if (value_of(*p) >= 16) break;
    value = value * 16 + value_of(*p);
    if (point) exponent -= 4;
  }
  if (low(*p) == 'p') {
    char* after;
    long given = strtol(p + 1, &after, 10);
    if (after != p + 1) {
      exponent += static_cast<int>(given);
      p = after;
    }
  }
  *end = p;
  return __builtin_ldexp(value, exponent);
}

bool begins(const char* p, const char* word) {
  for (; *word; ++p, ++word) {
    if (low(*p) != *word) return false;
  }
  return true;
}

const char* read_digits(const char* p, Digits& d) {
  bool any = false;
  bool point = false;
  bool started = false;
  const char* end = nullptr;
  for (;; ++p) {
    if (*p == '.' && !point) {
      point = true;
      if (any) end = p + 1;
      continue;
    }
    if (!digit(*p)) break;
    any = true;
    end = p + 1;
    if (!started && *p == '0') {
      if (point) --d.point;
      continue;
    }
    started = true;
    if (!point) ++d.point;
    if (d.count < static_cast<int>(sizeof d.digit)) d.digit[d.count++] = static_cast<char>(*p - '0');
    else d.more |= *p != '0';
  }
  while (d.count && d.digit[d.count - 1] == 0) --d.count;
  return end;
}

}  // namespace

double kbfs::parse_double(const char* text, char** end) noexcept {
  const char* p = text;
  const char* after = text;
  while (space(*p)) ++p;
  bool negative = *p == '-';
  if (*p == '+' || *p == '-') ++p;
  double value = 0;
  if (begins(p, "inf")) {
    after = p + (begins(p, "infinity") ? 8 : 3);
    value = __builtin_inf();
  } else if (begins(p, "nan")) {
    after = p + 3;
    value = __builtin_nan("");
  } else if (p[0] == '0' && low(p[1]) == 'x' && (value_of(p[2]) < 16 || (p[2] == '.' && value_of(p[3]) < 16))) {
    value = hexadecimal(p + 2, &after);
  } else {
    Digits d;
    if (const char* stop = read_digits(p, d)) {
      after = stop;
      if (low(*stop) == 'e') {
        Whole exponent = whole(stop + 1, 10);
        bool spaced = space(stop[1]);
        if (!spaced && exponent.end != stop + 1) {
          after = exponent.end;
          int size = exponent.magnitude > 100000 || exponent.overflow ? 100000 : static_cast<int>(exponent.magnitude);
          d.point += exponent.negative ? -size : size;
        }
      }
      value = nearest(d);
    }
  }
  if (end != nullptr) *end = const_cast<char*>(after);
  return negative ? -value : value;
}

namespace {

// Heap sort: no recursion, no memory, the same order on every machine.
void swap_bytes(char* a, char* b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

void sift(char* base, size_t each, size_t root, size_t count, int (*order)(const void*, const void*)) {
  for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
    if (child + 1 < count && order(base + child * each, base + (child + 1) * each) < 0) ++child;
    if (order(base + root * each, base + child * each) >= 0) return;
    swap_bytes(base + root * each, base + child * each, each);
    root = child;
  }
}

uint32_t g_random = 1;
int64_t g_microseconds = 0;

}  // namespace

extern "C" {

int* __errno_location() { return &g_errno; }
char* strerror(int code) {
  static char text[32];
  kbfs::format(text, sizeof text, "error %d", code);
  return text;
}

long strtol(const char* text, char** end, int base) {
  Whole n = whole(text, base);
  if (end) *end = const_cast<char*>(n.end);
  return clamp(n);
}
unsigned long strtoul(const char* text, char** end, int base) {
  Whole n = whole(text, base);
  if (end) *end = const_cast<char*>(n.end);
  if (n.overflow) {
    errno = ERANGE;
    return ULONG_MAX;
  }
  return n.negative ? 0 - n.magnitude : n.magnitude;
}
long long strtoll(const char* text, char** end, int base) { return strtol(text, end, base); }
unsigned long long strtoull(const char* text, char** end, int base) { return strtoul(text, end, base); }
int atoi(const char* text) { return static_cast<int>(strtol(text, nullptr, 10)); }
long atol(const char* text) { return strtol(text, nullptr, 10); }
long long atoll(const char* text) { return strtol(text, nullptr, 10); }
double strtod(const char* text, char** end) { return kbfs::parse_double(text, end); }
float strtof(const char* text, char** end) { return static_cast<float>(kbfs::parse_double(text, end)); }
long double strtold(const char* text, char** end) { return kbfs::parse_double(text, end); }
double atof(const char* text) { return kbfs::parse_double(text, nullptr); }

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }
div_t div(int a, int b) { return {a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return {a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return {a / b, a % b}; }

void qsort(void* data, size_t count, size_t each, int (*order)(const void*, const void*)) {
  auto* base = static_cast<char*>(data);
  for (size_t i = count / 2; i-- > 0;) sift(base, each, i, count, order);
  for (size_t last = count; last-- > 1;) {
    swap_bytes(base, base + last * each, each);
    sift(base, each, 0, last, order);
  }
}
void* bsearch(const void* key, const void* data, size_t count, size_t each, int (*order)(const void*, const void*)) {
  size_t low_end = 0;
  while (low_end < count) {
    size_t middle = low_end + (count - low_end) / 2;
    const char* at = static_cast<const char*>(data) + middle * each;
    int side = order(key, at);
    if (side == 0) return const_cast<char*>(at);
    if (side < 0) count = middle;
    else low_end = middle + 1;
  }
  return nullptr;
}

int rand() {
  g_random = g_random * 1103515245u + 12345u;
  return static_cast<int>(g_random >> 1);
}
void srand(unsigned seed) { g_random = seed; }

char* getenv(const char*) { return nullptr; }

void abort() { kbfs::die("crash", "calls abort"); }
void exit(int code) { kbfs::die("crash", "calls exit(%d): the kernel and its host return to their caller", code); }
void _Exit(int code) { exit(code); }
void quick_exit(int code) { exit(code); }
int atexit(void (*)()) { return 0; }
void __assert_fail(const char* what, const char* file, int line, const char*) {
  kbfs::die("crash", "assertion failed: %s (%s:%d)", what, file, line);
}
void __stack_chk_fail() { kbfs::die("crash", "overwrites its stack"); }

// Time is a count of the questions asked about it, a microsecond each: results depend on no machine's speed.
int clock_gettime(clockid_t, struct timespec* out) {
  int64_t now = ++g_microseconds;
  out->tv_sec = now / 1000000;
  out->tv_nsec = now % 1000000 * 1000;
  return 0;
}
time_t time(time_t* out) {
  time_t now = ++g_microseconds / 1000000;
  if (out) *out = now;
  return now;
}
clock_t clock() { return ++g_microseconds; }

}  // extern "C"
