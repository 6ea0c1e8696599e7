// System calls of Linux on x86-64 and aarch64, without errno: a negative result is -errno.
#pragma once

#include <stdint.h>

namespace kbfs::sys {

#if defined(__x86_64__)
enum Number : long {
  kRead = 0, kWrite = 1, kFstat = 5, kMmap = 9, kMprotect = 10, kMunmap = 11, kRtSigaction = 13, kRtSigprocmask = 14,
  kRtSigreturn = 15, kPread = 17, kMadvise = 28, kExit = 60, kPrctl = 157, kArchPrctl = 158, kSigaltstack = 131,
  kExitGroup = 231, kSeccomp = 317, kGetrandom = 318,
};

inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) noexcept {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
enum Number : long {
  kRead = 63, kWrite = 64, kFstat = 80, kMmap = 222, kMprotect = 226, kMunmap = 215, kRtSigaction = 134,
  kRtSigprocmask = 135, kRtSigreturn = 139, kPread = 67, kMadvise = 233, kExit = 93, kPrctl = 167, kSigaltstack = 132,
  kExitGroup = 94, kSeccomp = 277, kGetrandom = 278,
};

inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) noexcept {
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  register long x4 asm("x4") = e;
  register long x5 asm("x5") = f;
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#else
#error "x86-64 and aarch64 only"
#endif

}  // namespace kbfs::sys
