// mem* and str*. Compiled without builtins, so that no loop here becomes a call of itself.
#include <stddef.h>
#include <stdint.h>

#include "internal.h"

namespace {

#if defined(__AVX2__)
constexpr size_t kWide = 32;
#else
constexpr size_t kWide = 16;
#endif
typedef char Wide __attribute__((vector_size(kWide)));
typedef char Narrow __attribute__((vector_size(16)));

// The builtin of a constant size is one unaligned instruction, never a call.
template <class T>
inline T load(const void* from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
inline void store(char* to, T value) {
  __builtin_memcpy(to, &value, sizeof value);
}

// n in [sizeof(T), 2 sizeof(T)]: first and last piece, which may overlap; both are read before either is written.
template <class T>
inline void move_ends(char* to, const char* from, size_t n) {
  T first = load<T>(from);
  T last = load<T>(from + n - sizeof(T));
  store<T>(to, first);
  store<T>(to + n - sizeof(T), last);
}

inline void move_small(char* to, const char* from, size_t n) {
  if (n >= 16) move_ends<Narrow>(to, from, n);
  else if (n >= 8) move_ends<uint64_t>(to, from, n);
  else if (n >= 4) move_ends<uint32_t>(to, from, n);
  else if (n >= 2) move_ends<uint16_t>(to, from, n);
  else if (n == 1) *to = *from;
}

void move(char* to, const char* from, size_t n) {
  if (n <= kWide) return move_small(to, from, n);
  if (n <= 2 * kWide) return move_ends<Wide>(to, from, n);
  if (reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from) >= n) {  // forward: no overlap that hurts
    Wide last = load<Wide>(from + n - kWide);
    char* end = to + n - kWide;
    for (; to + kWide < end; to += 2 * kWide, from += 2 * kWide) {
      Wide a = load<Wide>(from);
      Wide b = load<Wide>(from + kWide);
      store(to, a);
      store(to + kWide, b);
    }
    if (to < end) store(to, load<Wide>(from));
    store(end, last);
    return;
  }
  Wide first = load<Wide>(from);
  for (size_t left = n; left > 0;) {
    if (left <= kWide) {
      store(to, first);
      return;
    }
    left -= kWide;
    store(to + left, load<Wide>(from + left));
  }
}

void fill(char* to, int byte, size_t n) {
  auto value = static_cast<char>(byte);
  if (n < kWide) {
    for (size_t i = 0; i < n; ++i) to[i] = value;
    return;
  }
  Wide all = value - Wide{};
  for (size_t i = 0; i + kWide <= n; i += kWide) store(to + i, all);
  store(to + n - kWide, all);
}

int compare(const unsigned char* a, const unsigned char* b, size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    if (load<uint64_t>(a + i) != load<uint64_t>(b + i)) break;
  }
  for (; i < n; ++i) {
    if (a[i] != b[i]) return a[i] - b[i];
  }
  return 0;
}

inline int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
inline unsigned char byte_of(char c) { return static_cast<unsigned char>(c); }

bool among(char c, const char* set) {
  for (; *set; ++set) {
    if (*set == c) return true;
  }
  return false;
}

}  // namespace

namespace kbfs {
void copy_bytes(void* to, const void* from, size_t bytes) noexcept {
  move(static_cast<char*>(to), static_cast<const char*>(from), bytes);
}
}  // namespace kbfs

extern "C" {

void* memcpy(void* to, const void* from, size_t n) {
  move(static_cast<char*>(to), static_cast<const char*>(from), n);
  return to;
}
void* memmove(void* to, const void* from, size_t n) {
  move(static_cast<char*>(to), static_cast<const char*>(from), n);
  return to;
}
void* mempcpy(void* to, const void* from, size_t n) { return static_cast<char*>(memcpy(to, from, n)) + n; }
void* memset(void* to, int byte, size_t n) {
  fill(static_cast<char*>(to), byte, n);
  return to;
}
int memcmp(const void* a, const void* b, size_t n) {
  return compare(static_cast<const unsigned char*>(a), static_cast<const unsigned char*>(b), n);
}
int bcmp(const void* a, const void* b, size_t n) { return memcmp(a, b, n); }
void* memchr(const void* s, int c, size_t n) {
  const auto* p = static_cast<const unsigned char*>(s);
  for (; n; --n, ++p) {
    if (*p == static_cast<unsigned char>(c)) return const_cast<unsigned char*>(p);
  }
  return nullptr;
}
void* memrchr(const void* s, int c, size_t n) {
  const auto* p = static_cast<const unsigned char*>(s);
  while (n--) {
    if (p[n] == static_cast<unsigned char>(c)) return const_cast<unsigned char*>(p + n);
  }
  return nullptr;
}

size_t strlen(const char* s) {
  size_t n = 0;
  while (s[n]) ++n;
  return n;
}
size_t strnlen(const char* s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) ++n;
  return n;
}
int strcmp(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return byte_of(*a) - byte_of(*b);
}
int strncmp(const char* a, const char* b, size_t n) {
  for (; n; --n, ++a, ++b) {
    if (*a != *b || !*a) return byte_of(*a) - byte_of(*b);
  }
  return 0;
}
int strcoll(const char* a, const char* b) { return strcmp(a, b); }
int strcasecmp(const char* a, const char* b) {
  while (*a && lower(byte_of(*a)) == lower(byte_of(*b))) ++a, ++b;
  return lower(byte_of(*a)) - lower(byte_of(*b));
}
int strncasecmp(const char* a, const char* b, size_t n) {
  for (; n; --n, ++a, ++b) {
    int difference = lower(byte_of(*a)) - lower(byte_of(*b));
    if (difference || !*a) return difference;
  }
  return 0;
}
char* strcpy(char* to, const char* from) {
  memcpy(to, from, strlen(from) + 1);
  return to;
}
char* stpcpy(char* to, const char* from) {
  size_t n = strlen(from);
  memcpy(to, from, n + 1);
  return to + n;
}
char* strncpy(char* to, const char* from, size_t n) {
  size_t length = strnlen(from, n);
  memcpy(to, from, length);
  memset(to + length, 0, n - length);
  return to;
}
char* strcat(char* to, const char* from) {
  strcpy(to + strlen(to), from);
  return to;
}
char* strncat(char* to, const char* from, size_t n) {
  char* end = to + strlen(to);
  size_t length = strnlen(from, n);
  memcpy(end, from, length);
  end[length] = 0;
  return to;
}
char* strchr(const char* s, int c) {
  for (;; ++s) {
    if (*s == static_cast<char>(c)) return const_cast<char*>(s);
    if (!*s) return nullptr;
  }
}
char* strchrnul(const char* s, int c) {
  while (*s && *s != static_cast<char>(c)) ++s;
  return const_cast<char*>(s);
}
char* strrchr(const char* s, int c) { return static_cast<char*>(memrchr(s, c, strlen(s) + 1)); }
char* strstr(const char* s, const char* wanted) {
  size_t n = strlen(wanted);
  for (;; ++s) {
    if (strncmp(s, wanted, n) == 0) return const_cast<char*>(s);
    if (!*s) return nullptr;
  }
}
size_t strspn(const char* s, const char* set) {
  size_t n = 0;
  while (s[n] && among(s[n], set)) ++n;
  return n;
}
size_t strcspn(const char* s, const char* set) {
  size_t n = 0;
  while (s[n] && !among(s[n], set)) ++n;
  return n;
}
char* strpbrk(const char* s, const char* set) {
  s += strcspn(s, set);
  return *s ? const_cast<char*>(s) : nullptr;
}
char* strtok_r(char* s, const char* set, char** state) {
  if (s == nullptr) s = *state;
  s += strspn(s, set);
  if (!*s) {
    *state = s;
    return nullptr;
  }
  char* end = s + strcspn(s, set);
  *state = *end ? end + 1 : end;
  *end = 0;
  return s;
}
char* strtok(char* s, const char* set) {
  static char* state;
  return strtok_r(s, set, &state);
}

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isprint(int c) { return c >= 0x20 && c < 0x7f; }
int isgraph(int c) { return c > 0x20 && c < 0x7f; }
int iscntrl(int c) { return (c >= 0 && c < 0x20) || c == 0x7f; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }
int tolower(int c) { return lower(c); }
int toupper(int c) { return islower(c) ? c - 32 : c; }

}  // extern "C"
