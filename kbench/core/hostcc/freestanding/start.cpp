// From _start to fs_main: thread-local storage, faults, the runtime's own preparation, lock-down, constructors.
#include <elf.h>

#include "kbfs.h"
#include "internal.h"
#include "syscalls.h"

extern "C" {
using Initialiser = void (*)(int, char**, char**);
extern Initialiser __preinit_array_start[] __attribute__((weak, visibility("hidden")));
extern Initialiser __preinit_array_end[] __attribute__((weak, visibility("hidden")));
extern Initialiser __init_array_start[] __attribute__((weak, visibility("hidden")));
extern Initialiser __init_array_end[] __attribute__((weak, visibility("hidden")));

__attribute__((weak)) void fs_before(int, char**) {}
__attribute__((visibility("hidden"))) void* __dso_handle = nullptr;
char** environ = nullptr;
}

#if defined(__x86_64__)
asm(".text\n.globl _start\n.type _start,@function\n_start:\n"
    "xor %ebp,%ebp\nmov %rsp,%rdi\nand $-16,%rsp\ncall kbfs_start\nud2\n.size _start,.-_start\n");
#else
asm(".text\n.globl _start\n.type _start,@function\n_start:\n"
    "mov x29,#0\nmov x30,#0\nmov x0,sp\nand x1,x0,#-16\nmov sp,x1\nbl kbfs_start\nbrk #0\n.size _start,.-_start\n");
#endif

namespace kbfs {

namespace {

struct Auxiliary {
  const Elf64_Phdr* headers = nullptr;
  size_t count = 0;
  size_t page = kPage;
};

Auxiliary g_aux;
uintptr_t g_stack_end;
char* g_no_environment[1] = {nullptr};

void read_auxiliary(const uint64_t* vector) {
  for (; vector[0] != AT_NULL; vector += 2) {
    if (vector[0] == AT_PHDR) g_aux.headers = reinterpret_cast<const Elf64_Phdr*>(vector[1]);
    if (vector[0] == AT_PHNUM) g_aux.count = vector[1];
    if (vector[0] == AT_PAGESZ) g_aux.page = vector[1];
  }
}

// One thread, so one block: laid out as the ABI of each processor wants it around the thread pointer.
void set_up_tls() {
  const Elf64_Phdr* tls = nullptr;
  for (size_t i = 0; i < g_aux.count; ++i) {
    if (g_aux.headers[i].p_type == PT_TLS) tls = &g_aux.headers[i];
  }
  size_t bytes = tls ? tls->p_memsz : 0;
  size_t align = tls && tls->p_align > 16 ? tls->p_align : 16;
  size_t room = (bytes + 2 * align + 256 + g_aux.page) & ~(g_aux.page - 1);
  char* block = static_cast<char*>(map_memory(room, kReadWrite));
  if (block == nullptr) exit(kDied);
#if defined(__x86_64__)
  char* pointer = block + ((bytes + align - 1) & ~(align - 1));
  char* data = pointer - ((bytes + align - 1) & ~(align - 1));
  *reinterpret_cast<char**>(pointer) = pointer;
  sys::call(sys::kArchPrctl, 0x1002 /* ARCH_SET_FS */, reinterpret_cast<long>(pointer));
#else
  char* pointer = block;
  char* data = pointer + ((16 + align - 1) & ~(align - 1));
  asm volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
#endif
  if (tls) copy_bytes(data, reinterpret_cast<const void*>(tls->p_vaddr), tls->p_filesz);
}

void run_constructors(int argc, char** argv) {
  for (auto* f = __preinit_array_start; f < __preinit_array_end; ++f) (*f)(argc, argv, environ);
  for (auto* f = __init_array_start; f < __init_array_end; ++f) (*f)(argc, argv, environ);
}

}  // namespace

const void* program_headers(size_t* count) noexcept {
  *count = g_aux.count;
  return g_aux.headers;
}

size_t page_size() noexcept { return g_aux.page; }
uintptr_t main_stack_end() noexcept { return g_stack_end; }

}  // namespace kbfs

extern "C" __attribute__((noreturn, used)) void kbfs_start(uint64_t* stack) {
  int argc = static_cast<int>(stack[0]);
  char** argv = reinterpret_cast<char**>(stack + 1);
  char** after = argv + argc + 1;
  while (*after != nullptr) ++after;
  environ = kbfs::g_no_environment;  // whatever the parent had is not for candidates
  kbfs::read_auxiliary(reinterpret_cast<uint64_t*>(after + 1));
  kbfs::g_stack_end = reinterpret_cast<uintptr_t>(stack);
  kbfs::set_up_tls();
  kbfs::set_up_faults();
  fs_before(argc, argv);
  kbfs::lock_down();
  kbfs::run_constructors(argc, argv);
  kbfs::exit(fs_main(argc, argv));
}
