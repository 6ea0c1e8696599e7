// Tries what it is told, word by word, and prints what came of it. Everything happens before the lock-down of the
// support library, so that only the sandbox stands in its way.
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <netinet/in.h>

#include "kbfs.h"
#include "syscalls.h"

extern "C" int fs_main(int, char**) { return 0; }

namespace {

using kbfs::sys::call;

long at(const void* pointer) { return reinterpret_cast<long>(pointer); }

void say(const char* text) {
  printf("%s\n", text);
  kbfs::flush_stdout();
}

void show(const char* path) {
  char text[4096];
  long fd = call(SYS_openat, AT_FDCWD, at(path), O_RDONLY, 0);
  long n = fd < 0 ? -1 : call(SYS_read, fd, at(text), sizeof text - 1);
  if (n < 0) return say("refused");
  text[n] = 0;
  say(text);
}

void write_to(const char* path) {
  long fd = call(SYS_openat, AT_FDCWD, at(path), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  static const char text[] = "written by the prober";
  long n = fd < 0 ? -1 : call(SYS_write, fd, at(text), sizeof text - 1);
  say(n < 0 ? "refused" : "written");
}

void connect_to(int port) {
  long fd = call(SYS_socket, AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = static_cast<in_port_t>((port >> 8) | (port & 255) << 8);
  address.sin_addr.s_addr = 0x0100007f;
  bool refused = fd < 0 || call(SYS_connect, fd, at(&address), sizeof address) < 0;
  say(refused ? "refused" : "connected");
}

void fork_once() {
  long child = call(SYS_clone, SIGCHLD);
  if (child == 0) kbfs::exit(0);
  say(child < 0 ? "refused" : "forked");
}

void start_thread() {
  clone_args arguments = {};
  arguments.flags = CLONE_VM | CLONE_VFORK;
  arguments.exit_signal = SIGCHLD;
  long child = call(SYS_clone3, at(&arguments), sizeof arguments);
  if (child == 0) call(SYS_exit, 0);
  say(child < 0 ? "refused" : "started");
}

void touch(size_t mib) {
  auto* memory = static_cast<volatile char*>(kbfs::map_memory(mib << 20, kbfs::kReadWrite));
  if (memory == nullptr) return say("refused");
  for (size_t i = 0; i < mib << 20; i += 4096) memory[i] = 1;
  say("touched");
}

void list_descriptors() {
  printf("descriptors:");
  for (int fd = 0; fd < 64; ++fd) {
    if (call(SYS_fcntl, fd, F_GETFD) >= 0) printf(" %d", fd);
  }
  say("");
}

void execute(char* path) {
  char* argv[] = {path, nullptr};
  char* environment[] = {nullptr};
  call(SYS_execve, at(path), at(argv), at(environment));
  say("refused");
}

void ignore_signals() {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void* restorer;
    uint64_t mask;
  } action = {reinterpret_cast<void (*)(int)>(1), 0, nullptr, 0};
  for (int signal = 1; signal < 32; ++signal) call(SYS_rt_sigaction, signal, at(&action), 0, 8);
}

void change_limit(int pid) {
  uint64_t both[2] = {0, 0};
  say(call(SYS_prlimit64, pid, 7, at(both), 0) < 0 ? "refused" : "changed");
}

// One word and what follows it; the number of arguments used.
int act(char** words) {
  char* next = words[1];
  const char* word = words[0];
  if (!strcmp(word, "print")) return say(next), 2;
  if (!strcmp(word, "exit")) kbfs::exit(atoi(next));
  if (!strcmp(word, "read")) return show(next), 2;
  if (!strcmp(word, "write")) return write_to(next), 2;
  if (!strcmp(word, "connect")) return connect_to(atoi(next)), 2;
  if (!strcmp(word, "fork")) return fork_once(), 1;
  if (!strcmp(word, "thread")) return start_thread(), 1;
  if (!strcmp(word, "touch")) return touch(strtoul(next, nullptr, 10)), 2;
  if (!strcmp(word, "descriptors")) return list_descriptors(), 1;
  if (!strcmp(word, "exec")) return execute(next), 2;
  if (!strcmp(word, "ignore")) return ignore_signals(), 1;
  if (!strcmp(word, "limit")) return change_limit(atoi(next)), 2;
  if (!strcmp(word, "kill")) return say(call(SYS_kill, atoi(next), 0) < 0 ? "refused" : "signalled"), 2;
  if (!strcmp(word, "trace")) return say(call(SYS_ptrace, 16, atoi(next), 0, 0) < 0 ? "refused" : "traced"), 2;
  if (!strcmp(word, "crash")) {
    call(SYS_rt_sigaction, SIGSEGV, at("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), 0, 8);
    *static_cast<volatile int*>(nullptr) = 1;
  }
  if (!strcmp(word, "spin")) {
    for (volatile int i = 0;; i = i + 1) {
    }
  }
  if (!strcmp(word, "sleep")) {
    long time[2] = {1000, 0};
    call(SYS_nanosleep, at(time), 0);
  }
  if (!strcmp(word, "flood")) {
    static char text[4096];
    memset(text, 'x', sizeof text);
    for (uint64_t i = 0; i < (uint64_t{4} << 30) / sizeof text; ++i) kbfs::write_all(1, text, sizeof text);
  }
  if (!strcmp(word, "pread")) {
    char text[64] = {};
    call(SYS_pread64, atoi(next), at(text), sizeof text - 1, 0);
    return say(text), 2;
  }
  if (!strcmp(word, "stdin")) {
    char text[64] = {};
    call(SYS_read, 0, at(text), sizeof text - 1);
    return say(text), 1;
  }
  return 1;
}

}  // namespace

extern "C" void fs_before(int argc, char** argv) {
  for (int i = 1; i < argc;) {
    if (!strcmp(argv[i], "environment")) {
      int count = 0;  // what follows the arguments on the stack
      for (char** variable = argv + argc + 1; *variable; ++variable) ++count;
      printf("environment: %d\n", count);
      ++i;
    } else {
      i += act(argv + i);
    }
  }
  kbfs::exit(0);
}
