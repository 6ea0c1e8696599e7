// The filter between the candidate and the kernel, and the few system calls that the runtime makes before it.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "internal.h"
#include "kbfs.h"
#include "syscalls.h"

namespace kbfs {

namespace {

constexpr size_t kMostFds = 12;
int g_writable[kMostFds] = {1, 2, 4};
size_t g_writable_count = 3;
int g_report_fd = 4;
bool g_locked = false;

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

constexpr uint32_t kNumberAt = 0;
constexpr uint32_t kArchAt = 4;
constexpr uint32_t argument_at(unsigned i) { return 16 + 8 * i; }  // low half: both processors are little-endian

// A program is a row of tests `number == N [and argument ok] → allow`; what falls through traps.
class Filter {
 public:
  void load(uint32_t at) { add({BPF_LD | BPF_W | BPF_ABS, 0, 0, at}); }
  void done(uint32_t action) { add({BPF_RET | BPF_K, 0, 0, action}); }
  void skip_unless_equal(uint32_t value, uint8_t skip) { add({BPF_JMP | BPF_JEQ | BPF_K, 0, skip, value}); }
  void skip_if_set(uint32_t bits, uint8_t skip) { add({BPF_JMP | BPF_JSET | BPF_K, skip, 0, bits}); }

  void allow(long number) {
    skip_unless_equal(static_cast<uint32_t>(number), 1);
    done(SECCOMP_RET_ALLOW);
  }
  void allow_write(long number) {
    skip_unless_equal(static_cast<uint32_t>(number), static_cast<uint8_t>(2 + 2 * g_writable_count));
    load(argument_at(0));
    for (size_t i = 0; i < g_writable_count; ++i) {
      skip_unless_equal(static_cast<uint32_t>(g_writable[i]), 1);
      done(SECCOMP_RET_ALLOW);
    }
    done(SECCOMP_RET_TRAP);
  }
  // protection (argument 2) without PROT_EXEC; the same for mmap and mprotect
  void allow_memory(long number, bool anonymous_only) {
    skip_unless_equal(static_cast<uint32_t>(number), anonymous_only ? 7 : 4);
    load(argument_at(2));
    skip_if_set(~3u, anonymous_only ? 4 : 1);
    if (anonymous_only) {
      load(argument_at(3));
      skip_if_set(~static_cast<uint32_t>(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE), 2);
      add({BPF_JMP | BPF_JSET | BPF_K, 0, 1, MAP_ANONYMOUS});
    }
    done(SECCOMP_RET_ALLOW);
    done(SECCOMP_RET_TRAP);
  }
  bool install() {
    sock_fprog program = {static_cast<unsigned short>(used_), code_};
    return sys::call(sys::kSeccomp, SECCOMP_SET_MODE_FILTER, 0, reinterpret_cast<long>(&program)) == 0;
  }

 private:
  void add(sock_filter instruction) { code_[used_++] = instruction; }
  sock_filter code_[96];
  size_t used_ = 0;
};

}  // namespace

bool is_writable(int fd) noexcept {
  for (size_t i = 0; i < g_writable_count; ++i) {
    if (g_writable[i] == fd) return true;
  }
  return false;
}

void allow_write(int fd) noexcept {
  if (!g_locked && !is_writable(fd) && g_writable_count < kMostFds) g_writable[g_writable_count++] = fd;
}

void report_to(int fd) noexcept {
  allow_write(fd);
  g_report_fd = fd;
}

int report_fd() noexcept { return g_report_fd; }
bool locked_down() noexcept { return g_locked; }

void lock_down() noexcept {
  if (g_locked) return;
  Filter filter;
  filter.load(kArchAt);
  filter.skip_unless_equal(kArchitecture, 1);
  filter.skip_unless_equal(0xffffffff, 1);  // never equal: skips the refusal below
  filter.done(SECCOMP_RET_KILL_PROCESS);
  filter.load(kNumberAt);
  filter.allow(sys::kExitGroup);
  filter.allow(sys::kMunmap);
  filter.allow(sys::kMadvise);
  filter.allow(sys::kRtSigreturn);
  filter.allow(sys::kRtSigprocmask);
  filter.allow_memory(sys::kMprotect, false);
  filter.allow_memory(sys::kMmap, true);
  filter.allow_write(sys::kWrite);
  filter.done(SECCOMP_RET_TRAP);
  sys::call(sys::kPrctl, PR_SET_NO_NEW_PRIVS, 1);
  sys::call(sys::kPrctl, PR_SET_DUMPABLE, 0);
  if (!filter.install()) die("harness_error", "the kernel refuses seccomp filters: candidates cannot run here");
  g_locked = true;
}

bool random_bytes(void* data, size_t bytes) noexcept {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    long got = sys::call(sys::kGetrandom, reinterpret_cast<long>(at), static_cast<long>(bytes > 256 ? 256 : bytes));
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

namespace {

void* mapped(long result) { return result < 0 && result > -4096 ? nullptr : reinterpret_cast<void*>(result); }

}  // namespace

void* map_file(int fd, uint64_t offset, size_t bytes, Protection protection, bool shared, void* at) noexcept {
  int flags = (shared ? MAP_SHARED : MAP_PRIVATE) | (at ? MAP_FIXED : 0);
  return mapped(sys::call(sys::kMmap, reinterpret_cast<long>(at), static_cast<long>(bytes), protection, flags, fd,
                          static_cast<long>(offset)));
}

void* map_memory(size_t bytes, Protection protection, void* at) noexcept {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0);
  return mapped(
      sys::call(sys::kMmap, reinterpret_cast<long>(at), static_cast<long>(bytes), protection, flags, -1, 0));
}

bool protect(void* address, size_t bytes, Protection protection) noexcept {
  return sys::call(sys::kMprotect, reinterpret_cast<long>(address), static_cast<long>(bytes), protection) == 0;
}

void unmap(void* address, size_t bytes) noexcept {
  sys::call(sys::kMunmap, reinterpret_cast<long>(address), static_cast<long>(bytes));
}

int64_t file_bytes(int fd) noexcept {
  struct stat status;
  if (sys::call(sys::kFstat, fd, reinterpret_cast<long>(&status)) < 0) return -1;
  return status.st_size;
}

bool read_at(int fd, void* data, size_t bytes, uint64_t offset) noexcept {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    long got = sys::call(sys::kPread, fd, reinterpret_cast<long>(at), static_cast<long>(bytes),
                         static_cast<long>(offset));
    if (got <= 0) return false;
    at += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

char* read_all(int fd, size_t* bytes) noexcept {
  size_t capacity = 1 << 16;
  size_t used = 0;
  auto* block = static_cast<char*>(map_memory(capacity, kReadWrite));
  while (block != nullptr) {
    if (used + 1 >= capacity) {  // one byte stays zero, so that the text has an end
      auto* larger = static_cast<char*>(map_memory(capacity * 4, kReadWrite));
      if (larger != nullptr) copy_bytes(larger, block, used);
      unmap(block, capacity);
      block = larger;
      capacity *= 4;
      if (block == nullptr) break;
    }
    long got = sys::call(sys::kRead, fd, reinterpret_cast<long>(block + used), static_cast<long>(capacity - used - 1));
    if (got == -4 /* EINTR */) continue;
    if (got < 0) {
      unmap(block, capacity);
      return nullptr;
    }
    if (got == 0) break;
    used += static_cast<size_t>(got);
  }
  *bytes = used;
  return block;
}

}  // namespace kbfs
