// What clang's code and libc++ expect of the C++ ABI beyond libc++abi's own files.
#include <link.h>
#include <stdlib.h>

#include <exception>
#include <typeinfo>

#include "internal.h"
#include "kbfs.h"

extern "C" {

// Destructors of statics never run: a process ends by kbfs::exit.
int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }
int __cxa_thread_atexit_impl(void (*)(void*), void*, void*) { return 0; }
void __cxa_finalize(void*) {}

[[noreturn]] void __cxa_pure_virtual() { kbfs::die("crash", "calls a pure virtual function"); }
[[noreturn]] void __cxa_deleted_virtual() { kbfs::die("crash", "calls a deleted virtual function"); }

int __cxa_guard_acquire(uint64_t* guard) {
  auto* state = reinterpret_cast<char*>(guard);
  if (state[0]) return 0;
  if (state[1]) kbfs::die("crash", "the initialiser of a local static enters itself");
  state[1] = 1;
  return 1;
}
void __cxa_guard_release(uint64_t* guard) { reinterpret_cast<char*>(guard)[0] = 1; }
void __cxa_guard_abort(uint64_t* guard) { reinterpret_cast<char*>(guard)[1] = 0; }

// The unwinder asks where the code and its tables lie; there is one program and nothing is loaded later.
int dl_iterate_phdr(int (*visit)(struct dl_phdr_info*, size_t, void*), void* data) {
  struct dl_phdr_info info = {};
  size_t count = 0;
  info.dlpi_name = "";
  info.dlpi_phdr = static_cast<const ElfW(Phdr)*>(kbfs::program_headers(&count));
  info.dlpi_phnum = static_cast<ElfW(Half)>(count);
  return visit(&info, sizeof info, data);
}

__attribute__((format(printf, 1, 2))) [[noreturn]] void __abort_message(const char* pattern, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, pattern);
  kbfs::vformat(text, sizeof text, pattern, arguments);
  va_end(arguments);
  kbfs::die("crash", "%s", text);
}

}  // extern "C"

namespace std {

// libc++ calls this where -fno-exceptions code would throw ("vector was thrown in -fno-exceptions mode …").
inline namespace __1 {
[[noreturn]] void __libcpp_verbose_abort(const char* pattern, ...) noexcept {
  char text[400];
  va_list arguments;
  va_start(arguments, pattern);
  kbfs::vformat(text, sizeof text, pattern, arguments);
  va_end(arguments);
  kbfs::die("crash", "%s", text);
}
}  // namespace __1

}  // namespace std
