// Signals that a candidate's mistakes raise, told on a stack of their own.
#include <signal.h>
#include <ucontext.h>

#include "internal.h"
#include "kbfs.h"
#include "syscalls.h"

namespace kbfs {

namespace {

constexpr size_t kAlternateBytes = 64 << 10;
constexpr size_t kMostGuards = 512;
constexpr uintptr_t kNearStack = 1 << 20;  // one frame may skip this far past the end of its stack

struct Guard {
  uintptr_t low;
  uintptr_t high;
};

alignas(16) char g_stack[kAlternateBytes];
Guard g_guards[kMostGuards];
size_t g_guard_count = 0;
void (*g_handler)(const Fault&) = nullptr;
int g_faults = 0;

struct KernelAction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};

#if defined(__x86_64__)
asm(".text\n.type kbfs_restore,@function\nkbfs_restore:\nmov $15,%eax\nsyscall\n.size kbfs_restore,.-kbfs_restore\n");
extern "C" void kbfs_restore() __attribute__((visibility("hidden")));
constexpr unsigned long kRestorer = 0x04000000;
#endif

Fault describe(int signal, const siginfo_t* info, const void* raw) {
  const auto* context = static_cast<const ucontext_t*>(raw);
  Fault fault{};
  fault.signal = signal;
  fault.code = info->si_code;
  fault.syscall = signal == SIGSYS ? info->si_syscall : -1;
  if (signal == SIGSEGV || signal == SIGBUS) fault.address = reinterpret_cast<uintptr_t>(info->si_addr);
#if defined(__x86_64__)
  const auto& registers = context->uc_mcontext.gregs;
  fault.pc = static_cast<uintptr_t>(registers[REG_RIP]);
  fault.sp = static_cast<uintptr_t>(registers[REG_RSP]);
  fault.frame = static_cast<uintptr_t>(registers[REG_RBP]);
  fault.write = signal == SIGSEGV && (registers[REG_ERR] & 2) != 0;
#else
  fault.pc = context->uc_mcontext.pc;
  fault.sp = context->uc_mcontext.sp;
  fault.frame = context->uc_mcontext.regs[29];
#endif
  return fault;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  Fault fault = describe(signal, info, context);
  ++g_faults;  // a fault in the runtime's handler goes straight to the plain ending, one in that to the end
  if (g_faults == 1 && g_handler != nullptr) g_handler(fault);
  if (g_faults <= 2) default_fault(fault);
  while (true) sys::call(sys::kExitGroup, kDied);
}

bool overflows_a_stack(const Fault& fault) {
  for (size_t i = 0; i < g_guard_count; ++i) {
    if (fault.address >= g_guards[i].low && fault.address < g_guards[i].high) return true;
  }
  // The main stack: the kernel stops growing it, so the access lies just below or around the stack pointer.
  bool on_main = fault.sp <= main_stack_end() && fault.sp + (64u << 20) > main_stack_end();
  return on_main && fault.address + kNearStack > fault.sp && fault.address < fault.sp + kPage;
}

const char* words(const Fault& fault) {
  switch (fault.signal) {
    case SIGSEGV: return fault.write ? "writes to an address that is not mapped" : "reads an address that is not mapped";
    case SIGBUS: return "access beyond the end of a mapped file";
    case SIGFPE: return "integer division by zero or overflow";
    case SIGILL: return "executes an illegal instruction (or reaches code that cannot be reached)";
    case SIGTRAP: return "executes a trap";
    default: return "stopped by a signal";
  }
}

}  // namespace

void set_up_faults() noexcept {
  stack_t stack = {};
  stack.ss_sp = g_stack;
  stack.ss_size = sizeof g_stack;
  sys::call(sys::kSigaltstack, reinterpret_cast<long>(&stack), 0);
  KernelAction action = {};
  action.handler = on_signal;
  action.flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
#if defined(__x86_64__)
  action.flags |= kRestorer;
  action.restorer = kbfs_restore;
#endif
  const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  for (int signal : signals) {
    sys::call(sys::kRtSigaction, signal, reinterpret_cast<long>(&action), 0, sizeof(uint64_t));
  }
}

void on_fault(void (*handler)(const Fault&)) noexcept { g_handler = handler; }

void guard_region(const void* low, size_t bytes) noexcept {
  if (g_guard_count == kMostGuards) return;
  auto start = reinterpret_cast<uintptr_t>(low);
  g_guards[g_guard_count++] = {start, start + bytes};
}

void default_fault(const Fault& fault) noexcept {
  char text[160];
  const char* outcome = "crash";
  if (fault.signal == SIGSYS) {
    outcome = "forbidden_syscall";
    format(text, sizeof text, "calls the operating system (system call %d)", fault.syscall);
  } else if (fault.signal == SIGSEGV && overflows_a_stack(fault)) {
    outcome = "stack_overflow";
    format(text, sizeof text, "runs out of its stack");
  } else if (fault.address != 0 || fault.signal == SIGSEGV) {
    format(text, sizeof text, "%s (0x%lx)", words(fault), static_cast<unsigned long>(fault.address));
  } else {
    format(text, sizeof text, "%s", words(fault));
  }
  flush_stdout();
  end_line(outcome, text, fault.pc);
  exit(kDied);
}

size_t walk_frames(uintptr_t frame, uintptr_t stack_end, uintptr_t* out, size_t limit) noexcept {
  size_t count = 0;
  // A frame is {caller's frame, return address} on both processors; callers lie higher.
  while (count < limit && frame != 0 && frame % sizeof(uintptr_t) == 0 && frame + 2 * sizeof(uintptr_t) <= stack_end) {
    const auto* words = reinterpret_cast<const uintptr_t*>(frame);
    if (words[1] == 0) break;
    out[count++] = words[1];
    if (words[0] <= frame) break;
    frame = words[0];
  }
  return count;
}

}  // namespace kbfs
