// printf and numbers as text, exact: a double is expanded to all its decimal digits before it is rounded.
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "decimal.h"
#include "internal.h"
#include "kbfs.h"

namespace {

using kbfs::Decimal;

// --- where text goes ----------------------------------------------------------------------------------------------

struct Sink {
  char* out;        // null: to a descriptor through its buffer
  size_t capacity;  // including the closing zero
  size_t written = 0;
  int fd = -1;

  void put(const char* text, size_t n);
  void put(char c) { put(&c, 1); }
  void pad(char c, long n) {
    for (; n > 0; --n) put(c);
  }
};

struct Buffer {
  size_t used = 0;
  char text[4096];
};
Buffer g_buffers[2];  // stdout, stderr

void flush(int fd) {
  Buffer& b = g_buffers[fd - 1];
  size_t n = b.used;
  b.used = 0;
  if (n) kbfs::write_all(fd, b.text, n);
}

void print(int fd, const char* text, size_t n) {
  Buffer& b = g_buffers[fd - 1];
  while (n > 0) {
    if (b.used == sizeof b.text) flush(fd);
    size_t part = sizeof b.text - b.used < n ? sizeof b.text - b.used : n;
    kbfs::copy_bytes(b.text + b.used, text, part);
    b.used += part;
    text += part;
    n -= part;
  }
}

void Sink::put(const char* text, size_t n) {
  if (out == nullptr) {
    print(fd, text, n);
  } else if (written + 1 < capacity) {
    size_t room = capacity - 1 - written;
    kbfs::copy_bytes(out + written, text, n < room ? n : room);
  }
  written += n;
}

// --- one conversion -----------------------------------------------------------------------------------------------

struct Spec {
  bool left = false, plus = false, space = false, alternate = false, zero = false;
  int width = 0;
  int precision = -1;
  char kind = 0;
};

void padded(Sink& sink, const Spec& spec, const char* sign, size_t sign_bytes, const char* body, size_t n) {
  long gap = spec.width - static_cast<long>(sign_bytes + n);
  if (!spec.left && !spec.zero) sink.pad(' ', gap);
  sink.put(sign, sign_bytes);
  if (!spec.left && spec.zero) sink.pad('0', gap);
  sink.put(body, n);
  if (spec.left) sink.pad(' ', gap);
}

void put_integer(Sink& sink, Spec spec, uint64_t value, bool negative) {
  char body[96];
  size_t at = sizeof body;
  unsigned base = spec.kind == 'x' || spec.kind == 'X' || spec.kind == 'p' ? 16 : spec.kind == 'o' ? 8
                  : spec.kind == 'b'                                       ? 2
                                                                           : 10;
  const char* digits = spec.kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  bool zero_value = value == 0;
  for (; value; value /= base) body[--at] = digits[value % base];
  int least = spec.precision < 0 ? 1 : spec.precision > 80 ? 80 : spec.precision;
  while (static_cast<int>(sizeof body - at) < least) body[--at] = '0';
  if (spec.kind == 'o' && spec.alternate && (at == sizeof body || body[at] != '0')) body[--at] = '0';
  char sign[3];
  size_t n = 0;
  if (negative) sign[n++] = '-';
  else if (spec.plus) sign[n++] = '+';
  else if (spec.space) sign[n++] = ' ';
  if (base == 16 && (spec.kind == 'p' || (spec.alternate && !zero_value))) {
    sign[n++] = '0';
    sign[n++] = spec.kind == 'X' ? 'X' : 'x';
  }
  if (spec.precision >= 0) spec.zero = false;
  padded(sink, spec, sign, n, body + at, sizeof body - at);
}

class Text {  // the body of a double; wide enough for %f of the largest with a precision of 1000
 public:
  char text[2500];
  size_t used = 0;
  void put(char c) {
    if (used < sizeof text) text[used++] = c;
  }
  void put_digit(const Decimal& d, int i) { put(i >= 0 && i < d.count ? static_cast<char>('0' + d.digits[i]) : '0'); }
};

void fixed(Text& out, const Decimal& d, int precision, bool point) {
  if (d.point <= 0) out.put('0');
  for (int i = 0; i < d.point; ++i) out.put_digit(d, i);
  if (precision > 0 || point) out.put('.');
  for (int i = 0; i < precision; ++i) out.put_digit(d, d.point + i);
}

void scientific(Text& out, const Decimal& d, int precision, bool point, bool upper) {
  out.put_digit(d, 0);
  if (precision > 0 || point) out.put('.');
  for (int i = 1; i <= precision; ++i) out.put_digit(d, i);
  int exponent = d.count ? d.point - 1 : 0;
  out.put(upper ? 'E' : 'e');
  out.put(exponent < 0 ? '-' : '+');
  int size = exponent < 0 ? -exponent : exponent;
  if (size >= 100) out.put(static_cast<char>('0' + size / 100));
  out.put(static_cast<char>('0' + size / 10 % 10));
  out.put(static_cast<char>('0' + size % 10));
}

void hexadecimal(Text& out, double value, int precision, bool upper) {
  uint64_t bits = __builtin_bit_cast(uint64_t, value);
  int exponent = static_cast<int>((bits >> 52) & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  unsigned lead = exponent ? 1 : 0;
  exponent = exponent ? exponent - 1023 : mantissa ? -1022 : 0;
  if (precision >= 0 && precision < 13) {
    int drop = 52 - 4 * precision;
    uint64_t whole = (uint64_t{lead} << 52) | mantissa;
    uint64_t rest = whole & ((uint64_t{1} << drop) - 1);
    uint64_t half = uint64_t{1} << (drop - 1);
    whole >>= drop;
    if (rest > half || (rest == half && (whole & 1))) ++whole;
    whole <<= drop;
    lead = static_cast<unsigned>(whole >> 52);
    mantissa = whole & ((uint64_t{1} << 52) - 1);
  }
  const char* digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  int count = precision;
  if (count < 0) {
    count = 13;
    while (count > 0 && ((mantissa >> (52 - 4 * count)) & 15) == 0) --count;
  }
  out.put('0');
  out.put(upper ? 'X' : 'x');
  out.put(digits[lead]);
  if (count > 0) out.put('.');
  for (int i = 1; i <= count; ++i) out.put(i <= 13 ? digits[(mantissa >> (52 - 4 * i)) & 15] : '0');
  out.put(upper ? 'P' : 'p');
  out.put(exponent < 0 ? '-' : '+');
  unsigned size = static_cast<unsigned>(exponent < 0 ? -exponent : exponent);
  char reversed[8];
  int n = 0;
  do reversed[n++] = static_cast<char>('0' + size % 10);
  while (size /= 10);
  while (n) out.put(reversed[--n]);
}

void put_double(Sink& sink, Spec spec, double value) {
  bool upper = spec.kind >= 'A' && spec.kind <= 'Z';
  bool negative = __builtin_signbit(value);
  char sign[1];
  size_t signs = 0;
  if (negative) sign[signs++] = '-';
  else if (spec.plus) sign[signs++] = '+';
  else if (spec.space) sign[signs++] = ' ';
  if (__builtin_isnan(value) || __builtin_isinf(value)) {
    spec.zero = false;
    const char* word = __builtin_isnan(value) ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf");
    return padded(sink, spec, sign, signs, word, 3);
  }
  char kind = upper ? static_cast<char>(spec.kind + 32) : spec.kind;
  int precision = spec.precision < 0 ? 6 : spec.precision > 1000 ? 1000 : spec.precision;
  Text out;
  if (kind == 'a') {
    hexadecimal(out, negative ? -value : value, spec.precision, upper);
    return padded(sink, spec, sign, signs, out.text, out.used);
  }
  Decimal d(value);
  if (kind == 'f') {
    d.round(d.point + precision);
    fixed(out, d, precision, spec.alternate);
  } else if (kind == 'e') {
    d.round(precision + 1);
    scientific(out, d, precision, spec.alternate, upper);
  } else {
    if (precision == 0) precision = 1;
    d.round(precision);
    int exponent = d.count ? d.point - 1 : 0;
    bool plain = exponent >= -4 && exponent < precision;
    int shown = spec.alternate ? precision : (d.count > 0 ? d.count : 1);  // %g drops trailing zeros
    if (plain) {
      int behind = shown - (exponent + 1);
      fixed(out, d, behind > 0 ? behind : 0, spec.alternate);
    } else {
      scientific(out, d, shown - 1, spec.alternate, upper);
    }
  }
  padded(sink, spec, sign, signs, out.text, out.used);
}

// --- the pattern --------------------------------------------------------------------------------------------------

enum class Size : char { kInt, kChar, kShort, kLong, kLongDouble };

int64_t signed_argument(va_list arguments, Size size) {
  if (size == Size::kLong) return va_arg(arguments, long);
  int value = va_arg(arguments, int);
  return size == Size::kChar ? static_cast<signed char>(value) : size == Size::kShort ? static_cast<short>(value) : value;
}

uint64_t unsigned_argument(va_list arguments, Size size) {
  if (size == Size::kLong) return va_arg(arguments, unsigned long);
  unsigned value = va_arg(arguments, unsigned);
  return size == Size::kChar    ? static_cast<unsigned char>(value)
         : size == Size::kShort ? static_cast<unsigned short>(value)
                                : value;
}

int number_in(const char*& p, int most) {
  int n = 0;
  for (; *p >= '0' && *p <= '9'; ++p) n = n < most ? n * 10 + (*p - '0') : n;
  return n < most ? n : most;
}

const char* read_spec(const char* p, Spec& spec, Size& size, va_list arguments) {
  for (;; ++p) {
    if (*p == '-') spec.left = true;
    else if (*p == '+') spec.plus = true;
    else if (*p == ' ') spec.space = true;
    else if (*p == '#') spec.alternate = true;
    else if (*p == '0') spec.zero = true;
    else break;
  }
  if (*p == '*') {
    spec.width = va_arg(arguments, int);
    if (spec.width < 0) {
      spec.left = true;
      spec.width = -spec.width;
    }
    ++p;
  } else {
    spec.width = number_in(p, 100000);
  }
  if (spec.width > 100000 || spec.width < 0) spec.width = 100000;
  if (*p == '.') {
    ++p;
    if (*p == '*') {
      spec.precision = va_arg(arguments, int);
      ++p;
    } else {
      spec.precision = number_in(p, 1 << 30);
    }
  }
  for (;; ++p) {
    if (*p == 'h') size = size == Size::kShort ? Size::kChar : Size::kShort;
    else if (*p == 'l' || *p == 'j' || *p == 'z' || *p == 't') size = Size::kLong;
    else if (*p == 'L') size = Size::kLongDouble;
    else break;
  }
  spec.kind = *p;
  return *p ? p + 1 : p;
}

void put_text(Sink& sink, Spec spec, const char* text) {
  if (text == nullptr) text = "(null)";
  size_t n = 0;
  while ((spec.precision < 0 || n < static_cast<size_t>(spec.precision)) && text[n]) ++n;
  spec.zero = false;
  padded(sink, spec, "", 0, text, n);
}

void convert(Sink& sink, const Spec& spec, Size size, va_list arguments) {
  switch (spec.kind) {
    case 'd':
    case 'i': {
      int64_t value = signed_argument(arguments, size);
      uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
      return put_integer(sink, spec, magnitude, value < 0);
    }
    case 'u': case 'x': case 'X': case 'o': case 'b':
      return put_integer(sink, spec, unsigned_argument(arguments, size), false);
    case 'p':
      return put_integer(sink, spec, reinterpret_cast<uintptr_t>(va_arg(arguments, void*)), false);
    case 'c': {
      char c = static_cast<char>(va_arg(arguments, int));
      Spec plain = spec;
      plain.zero = false;
      return padded(sink, plain, "", 0, &c, 1);
    }
    case 's':
      return put_text(sink, spec, va_arg(arguments, const char*));
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
      return put_double(sink, spec, size == Size::kLongDouble ? static_cast<double>(va_arg(arguments, long double))
                                                              : va_arg(arguments, double));
    case '%':
      return sink.put('%');
    default:  // %n is refused on purpose; an unknown conversion is shown as it stands
      sink.put('%');
      if (spec.kind) sink.put(spec.kind);
  }
}

int run(Sink& sink, const char* pattern, va_list given) {
  va_list arguments;
  va_copy(arguments, given);
  const char* p = pattern;
  while (*p) {
    const char* start = p;
    while (*p && *p != '%') ++p;
    sink.put(start, static_cast<size_t>(p - start));
    if (!*p) break;
    Spec spec;
    Size size = Size::kInt;
    p = read_spec(p + 1, spec, size, arguments);
    convert(sink, spec, size, arguments);
  }
  va_end(arguments);
  return static_cast<int>(sink.written);
}

int fd_of(const void* stream) { return stream == static_cast<const void*>(stderr) ? 2 : 1; }

}  // namespace

namespace kbfs {

void flush_stdout() noexcept {
  flush(1);
  flush(2);
}

int vformat(char* out, size_t capacity, const char* pattern, va_list arguments) noexcept {
  char nothing[1];
  Sink sink{capacity ? out : nothing, capacity ? capacity : 1};
  int n = run(sink, pattern, arguments);
  sink.out[sink.written < sink.capacity ? sink.written : sink.capacity - 1] = 0;
  return n;
}

int format(char* out, size_t capacity, const char* pattern, ...) noexcept {
  va_list arguments;
  va_start(arguments, pattern);
  int n = vformat(out, capacity, pattern, arguments);
  va_end(arguments);
  return n;
}

size_t shortest(double value, char* out) noexcept {
  const int precisions[] = {6, 9, 12, 15, 16, 17};
  for (int precision : precisions) {
    int n = format(out, 40, "%.*g", precision, value);
    if (precision == 17 || __builtin_isnan(value) || parse_double(out, nullptr) == value) return static_cast<size_t>(n);
  }
  return 0;
}

}  // namespace kbfs

static char g_streams[2];  // only their addresses are used

extern "C" {

FILE* const stdout = reinterpret_cast<FILE*>(&g_streams[0]);
FILE* const stderr = reinterpret_cast<FILE*>(&g_streams[1]);

int vfprintf(FILE* stream, const char* pattern, va_list arguments) {
  Sink sink{nullptr, 0};
  sink.fd = fd_of(stream);
  return run(sink, pattern, arguments);
}
int vprintf(const char* pattern, va_list arguments) { return vfprintf(stdout, pattern, arguments); }
int vsnprintf(char* out, size_t capacity, const char* pattern, va_list arguments) {
  return kbfs::vformat(out, capacity, pattern, arguments);
}
int vsprintf(char* out, const char* pattern, va_list arguments) {
  return kbfs::vformat(out, size_t{1} << 30, pattern, arguments);
}
#define KBFS_FORWARD(call)       \
  va_list arguments;             \
  va_start(arguments, pattern);  \
  int n = call;                  \
  va_end(arguments);             \
  return n
int printf(const char* pattern, ...) { KBFS_FORWARD(vprintf(pattern, arguments)); }
int fprintf(FILE* stream, const char* pattern, ...) { KBFS_FORWARD(vfprintf(stream, pattern, arguments)); }
int snprintf(char* out, size_t capacity, const char* pattern, ...) {
  KBFS_FORWARD(vsnprintf(out, capacity, pattern, arguments));
}
int sprintf(char* out, const char* pattern, ...) { KBFS_FORWARD(vsprintf(out, pattern, arguments)); }
#undef KBFS_FORWARD

size_t fwrite(const void* data, size_t each, size_t count, FILE* stream) {
  size_t bytes;
  if (__builtin_mul_overflow(each, count, &bytes)) return 0;
  print(fd_of(stream), static_cast<const char*>(data), bytes);
  return count;
}
int fputs(const char* text, FILE* stream) {
  print(fd_of(stream), text, __builtin_strlen(text));
  return 0;
}
int fputc(int c, FILE* stream) {
  char byte = static_cast<char>(c);
  print(fd_of(stream), &byte, 1);
  return static_cast<unsigned char>(byte);
}
int putc(int c, FILE* stream) { return fputc(c, stream); }
int putchar(int c) { return fputc(c, stdout); }
int puts(const char* text) {
  fputs(text, stdout);
  fputc('\n', stdout);
  return 0;
}
int fflush(FILE* stream) {
  if (stream == nullptr) kbfs::flush_stdout();
  else flush(fd_of(stream));
  return 0;
}
void perror(const char* text) { fprintf(stderr, "%s: error %d\n", text, errno); }
int fileno(FILE* stream) { return fd_of(stream); }

}  // extern "C"
