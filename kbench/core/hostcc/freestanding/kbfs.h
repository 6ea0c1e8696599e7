// The support library of freestanding executables: no libc, no libc++ archive, one static program.
//
// Order of a program's life:
//   _start → thread-local storage, fault handlers on an alternate stack
//          → fs_before(argc, argv)   the linking runtime's own: reads its plan, maps its files, allow_write(fd)
//          → lock_down()             always; from here on the kernel refuses every system call but those listed below
//          → constructors            the candidate's included
//          → fs_main(argc, argv)     the linking runtime's; its return value is the exit code
//
// After lock-down: write to allowed descriptors (1 and 2 always), exit, anonymous private mmap without PROT_EXEC and
// MAP_FIXED, munmap, mprotect without PROT_EXEC, madvise, rt_sigreturn, rt_sigprocmask. Anything else raises SIGSYS
// and ends the program as `forbidden_syscall`. So read and map everything in fs_before.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

// Given by the linking runtime. Dynamic initialisers of its globals have NOT run when fs_before is called (constant
// initialised ones are fine). fs_before may be left out.
extern "C" void fs_before(int argc, char** argv);
extern "C" int fs_main(int argc, char** argv);

namespace kbfs {

// Exit code of a program that ended through die() or a fault: the reason is in the report's last line.
inline constexpr int kDied = 86;

// --- output -----------------------------------------------------------------------------------------------------

// Writes all bytes, however many calls it takes. False where the kernel refuses.
bool write_all(int fd, const void* data, size_t bytes) noexcept;

// Pushes out what printf/std::cout hold back. Done by exit() and die().
void flush_stdout() noexcept;

// Ends the process. No destructors, no atexit handlers: a candidate gets no say in the end.
[[noreturn]] void exit(int code) noexcept;

// Ends the process with a class of failure (`crash`, `rule_violation`, `memory_limit`, …; see taxonomy.py) and a text:
// the report gets {"end": true, "outcome": OUTCOME, "message": TEXT}, the exit code is kDied.
[[noreturn]] void die(const char* outcome, const char* format, ...) noexcept __attribute__((format(printf, 2, 3)));

// Called once by die() and by the fault handler before they write the end line, so that the runtime can add its
// counters or name the line; may write to the report. A second die() inside it goes straight to the end.
void before_death(void (*hook)(const char* outcome)) noexcept;

// Where reports go; default 4. Call it in fs_before; the descriptor is allowed for writing.
void report_to(int fd) noexcept;
int report_fd() noexcept;

// Writes one JSON object on one line of the report. Never allocates; safe in fault handlers.
//   Report r; r.text("rule", "E2"); r.number("line", 12); r.open_list("shape"); r.item(3); r.close(); r.end();
// Keys are given inside objects, items inside lists. Text is escaped; bytes that are not UTF-8 become '?'.
class Report {
 public:
  explicit Report(int fd = report_fd()) noexcept;
  ~Report() { end(); }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  Report& text(const char* key, const char* value) noexcept;
  Report& text(const char* key, const char* value, size_t length) noexcept;
  Report& number(const char* key, int64_t value) noexcept;
  Report& unsigned_number(const char* key, uint64_t value) noexcept;
  Report& real(const char* key, double value) noexcept;  // NaN and infinities are written as text
  Report& boolean(const char* key, bool value) noexcept;
  Report& hex(const char* key, const void* data, size_t bytes) noexcept;  // "00ff…"

  Report& item(int64_t value) noexcept;
  Report& item_unsigned(uint64_t value) noexcept;
  Report& item_real(double value) noexcept;
  Report& item_text(const char* value) noexcept;

  Report& open_list(const char* key = nullptr) noexcept;    // null key inside a list
  Report& open_object(const char* key = nullptr) noexcept;  // null key inside a list
  Report& close() noexcept;                                 // closes the innermost list or object
  void end() noexcept;                                      // closes all, writes the line; once

 private:
  void put(const char* text, size_t length) noexcept;
  void quoted(const char* text, size_t length) noexcept;
  void separate(const char* key) noexcept;
  void flush() noexcept;

  int fd_;
  int depth_ = 0;
  bool done_ = false;
  bool first_ = true;
  uint32_t lists_ = 0;  // bit d: level d is a list
  size_t used_ = 0;
  char buffer_[1024];
};

// --- files and memory (before lock-down, except map_memory) -------------------------------------------------------

enum Protection : int { kNone = 0, kRead = 1, kReadWrite = 3 };

// Maps `bytes` of a file from `offset` (page aligned). `shared`: writes reach the file. Null where the kernel refuses.
// `at`: place it exactly there (over what map_memory reserved), else anywhere.
void* map_file(int fd, uint64_t offset, size_t bytes, Protection protection, bool shared, void* at = nullptr) noexcept;

// Anonymous zero memory, or with kNone a reservation that costs nothing (guard pages). Null where refused.
// `at` (before lock-down only): place it exactly there.
void* map_memory(size_t bytes, Protection protection, void* at = nullptr) noexcept;
bool protect(void* address, size_t bytes, Protection protection) noexcept;
void unmap(void* address, size_t bytes) noexcept;
inline constexpr size_t kPage = 4096;  // granularity used for guards; aarch64 kernels with larger pages: page_size()
size_t page_size() noexcept;

// Size of an open file, or -1.
int64_t file_bytes(int fd) noexcept;
// Reads exactly `bytes` at `offset`; false at end of file or error.
bool read_at(int fd, void* data, size_t bytes, uint64_t offset) noexcept;
// Reads until end of file (pipes too) into a fresh mapping; null on error. *bytes receives the length.
char* read_all(int fd, size_t* bytes) noexcept;

// malloc, new and friends share one arena. Beyond the limit (default 1 GiB) the program dies as `memory_limit`.
void heap_limit(size_t bytes) noexcept;
size_t heap_used() noexcept;

// --- isolation ----------------------------------------------------------------------------------------------------

// Descriptors that stay writable after lock-down, besides 1, 2 and the report. In fs_before; at most 8.
void allow_write(int fd) noexcept;

// Installs the filter. Called by the start code between fs_before and the constructors; a second call does nothing.
void lock_down() noexcept;
bool locked_down() noexcept;

// Bytes from the kernel's generator; before lock-down.
bool random_bytes(void* data, size_t bytes) noexcept;

// --- faults -------------------------------------------------------------------------------------------------------

struct Fault {
  int signal;         // SIGSEGV 11, SIGBUS 7, SIGFPE 8, SIGILL 4, SIGTRAP 5, SIGSYS 31
  int code;           // si_code
  uintptr_t address;  // that was accessed (SIGSEGV, SIGBUS), else 0
  uintptr_t pc;       // of the instruction
  uintptr_t sp;
  uintptr_t frame;    // frame pointer
  int syscall;        // of SIGSYS, else -1
  bool write;         // a store (x86-64, aarch64), where known
};

// The runtime's own look at a fault, on an alternate stack; it should end in die(). Where it returns, default_fault()
// follows: `forbidden_syscall`, `stack_overflow` (address near the stack pointer) or `crash`, with "pc" in the report.
void on_fault(void (*handler)(const Fault&)) noexcept;
[[noreturn]] void default_fault(const Fault& fault) noexcept;

// Names a stack besides the main one, so that an overflow of it is told as such: [low, low + bytes) is its guard.
void guard_region(const void* low, size_t bytes) noexcept;

// Return addresses by frame pointers, innermost first, starting from `frame`; stops at `limit` or outside the stack.
// Everything is compiled with frame pointers. Never faults on a broken chain within [frame, stack_end).
size_t walk_frames(uintptr_t frame, uintptr_t stack_end, uintptr_t* out, size_t limit) noexcept;
uintptr_t main_stack_end() noexcept;

// --- text ---------------------------------------------------------------------------------------------------------

int format(char* out, size_t capacity, const char* pattern, ...) noexcept __attribute__((format(printf, 3, 4)));
int vformat(char* out, size_t capacity, const char* pattern, va_list arguments) noexcept;

}  // namespace kbfs
