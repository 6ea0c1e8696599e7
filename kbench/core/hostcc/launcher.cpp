// Starts one program under limits and says how it ended. Trusted; runs before anything hostile does.
//
// Arguments: KEY=VALUE …, then `--`, then the program and its arguments.
//   status=FD    the result goes there, as struct Result
//   fd=N         becomes 3, 4, … in the program, in the order given
//   cwd=PATH  as=BYTES  cpu=SECONDS  fsize=BYTES  nproc=N  nofile=N
//   filter=1     seccomp: no sockets, no tracing, no mounts, no signals to others; clone=0 and exec=0 refuse those too
//   landlock=1   files: only what ro=PATH, rw=PATH and x=PATH (may be executed) name
// The program's environment is empty. Its memory is measured apart from ours and our parent's: it is a child of ours.
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <stdlib.h>

#include "kbfs.h"
#include "syscalls.h"

extern "C" int fs_main(int, char**) { return 0; }

namespace {

using kbfs::sys::call;

struct Result {
  char magic[4];
  int32_t failed;  // 0: the program ran; else errno of the step named in `what`
  int32_t status;  // as wait4 gives it
  int32_t reserved;
  int64_t max_rss_kb;
  int64_t cpu_us;
  char what[32];
};

struct Path {
  const char* name;
  char kind;  // r, w, x
};

constexpr int kMostPaths = 256;
constexpr int kMostFds = 32;

struct Plan {
  int status = -1;
  int fds[kMostFds];
  int fd_count = 0;
  Path paths[kMostPaths];
  int path_count = 0;
  const char* cwd = nullptr;
  uint64_t as = 0, cpu = 0, fsize = 0, nproc = 0, nofile = 64;
  bool filter = false, landlock = false, clone = true, exec = true;
  char** argv = nullptr;
};

Plan g_plan;

void tell(const Result& result) { kbfs::write_all(g_plan.status, &result, sizeof result); }

[[noreturn]] void fail(const char* what, long error) {
  Result result = {};
  memcpy(result.magic, "kbL1", 4);
  result.failed = static_cast<int32_t>(error < 0 ? -error : EINVAL);
  strncpy(result.what, what, sizeof result.what - 1);
  tell(result);
  kbfs::exit(127);
}

long must(const char* what, long result) {
  if (result < 0 && result > -4096) fail(what, result);
  return result;
}

long address(const void* pointer) { return reinterpret_cast<long>(pointer); }

const char* value(const char* argument, const char* key) {
  size_t n = strlen(key);
  return strncmp(argument, key, n) == 0 && argument[n] == '=' ? argument + n + 1 : nullptr;
}

void add_path(const char* name, char kind) {
  if (g_plan.path_count == kMostPaths) fail("too many paths", -E2BIG);
  g_plan.paths[g_plan.path_count++] = {name, kind};
}

void read_argument(const char* a) {
  Plan& p = g_plan;
  const char* v;
  if ((v = value(a, "status"))) p.status = atoi(v);
  else if ((v = value(a, "fd")) && p.fd_count < kMostFds) p.fds[p.fd_count++] = atoi(v);
  else if ((v = value(a, "cwd"))) p.cwd = v;
  else if ((v = value(a, "as"))) p.as = strtoul(v, nullptr, 10);
  else if ((v = value(a, "cpu"))) p.cpu = strtoul(v, nullptr, 10);
  else if ((v = value(a, "fsize"))) p.fsize = strtoul(v, nullptr, 10);
  else if ((v = value(a, "nproc"))) p.nproc = strtoul(v, nullptr, 10);
  else if ((v = value(a, "nofile"))) p.nofile = strtoul(v, nullptr, 10);
  else if ((v = value(a, "filter"))) p.filter = *v == '1';
  else if ((v = value(a, "landlock"))) p.landlock = *v == '1';
  else if ((v = value(a, "clone"))) p.clone = *v == '1';
  else if ((v = value(a, "exec"))) p.exec = *v == '1';
  else if ((v = value(a, "ro"))) add_path(v, 'r');
  else if ((v = value(a, "rw"))) add_path(v, 'w');
  else if ((v = value(a, "x"))) add_path(v, 'x');
  else fail(a, -EINVAL);
}

// --- descriptors and limits ---------------------------------------------------------------------------------------

void place_descriptors() {
  int high[kMostFds];
  for (int i = 0; i < g_plan.fd_count; ++i) {  // first out of the way, then down to 3, 4, …
    high[i] = static_cast<int>(must("descriptor", call(SYS_fcntl, g_plan.fds[i], F_DUPFD_CLOEXEC, 64)));
  }
  int status = static_cast<int>(must("descriptor", call(SYS_fcntl, g_plan.status, F_DUPFD_CLOEXEC, 64)));
  for (int i = 0; i < g_plan.fd_count; ++i) call(SYS_close, g_plan.fds[i]);
  call(SYS_close, g_plan.status);
  g_plan.status = status;
  for (int i = 0; i < g_plan.fd_count; ++i) must("descriptor", call(SYS_dup3, high[i], 3 + i, 0));
}

// A limit that the user's shell or batch system made lower stays: raising it would be refused.
void limit(int which, uint64_t soft, uint64_t hard) {
  uint64_t theirs[2] = {0, 0};
  must("limit", call(SYS_prlimit64, 0, which, 0, address(theirs)));
  const uint64_t most = theirs[1] < hard ? theirs[1] : hard;
  const uint64_t both[2] = {soft < most ? soft : most, most};
  must("limit", call(SYS_prlimit64, 0, which, address(both), 0));
}

void set_limits() {
  const Plan& p = g_plan;
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_NOFILE, p.nofile, p.nofile);
  if (p.as) limit(RLIMIT_AS, p.as, p.as);
  if (p.cpu) limit(RLIMIT_CPU, p.cpu, p.cpu + 2);
  if (p.fsize) limit(RLIMIT_FSIZE, p.fsize, p.fsize);
  if (p.nproc) limit(RLIMIT_NPROC, p.nproc, p.nproc);
  limit(RLIMIT_STACK, 8 << 20, 8 << 20);
}

// --- Landlock -----------------------------------------------------------------------------------------------------

constexpr uint64_t kFileRights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                 LANDLOCK_ACCESS_FS_READ_FILE;
constexpr uint64_t kTruncate = 1u << 14;  // since ABI 3
constexpr uint64_t kIoctl = 1u << 15;     // since ABI 5
constexpr uint64_t kRefer = 1u << 13;     // since ABI 2
constexpr uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                            LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                            LANDLOCK_ACCESS_FS_MAKE_REG | kTruncate | kRefer;

struct Rules {  // as the kernel's newest landlock_ruleset_attr; older kernels take a shorter one
  uint64_t fs;
  uint64_t net;
  uint64_t scoped;
};

void enter_landlock() {
  long version = must("Landlock", call(SYS_landlock_create_ruleset, 0, 0, LANDLOCK_CREATE_RULESET_VERSION));
  uint64_t all = (1u << 13) - 1;
  if (version >= 2) all |= kRefer;
  if (version >= 3) all |= kTruncate;
  if (version >= 5) all |= kIoctl;
  Rules rules = {all, version >= 4 ? 3u : 0u, version >= 6 ? 3u : 0u};
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  long ruleset = must("Landlock", call(SYS_landlock_create_ruleset, address(&rules), static_cast<long>(size), 0));
  for (int i = 0; i < g_plan.path_count; ++i) {
    const Path& path = g_plan.paths[i];
    long fd = must(path.name, call(SYS_openat, AT_FDCWD, address(path.name), O_PATH | O_CLOEXEC, 0));
    struct stat status;
    must(path.name, call(SYS_fstat, fd, address(&status)));
    uint64_t rights = path.kind == 'w' ? kRead | kWrite : path.kind == 'x' ? kRead | LANDLOCK_ACCESS_FS_EXECUTE : kRead;
    if (!S_ISDIR(status.st_mode)) rights &= kFileRights | kTruncate;
    struct landlock_path_beneath_attr rule = {};
    rule.allowed_access = rights & all;
    rule.parent_fd = static_cast<int>(fd);
    must("Landlock rule", call(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, address(&rule), 0));
    call(SYS_close, fd);
  }
  must("Landlock", call(SYS_landlock_restrict_self, ruleset, 0));
  call(SYS_close, ruleset);
}

// --- seccomp ------------------------------------------------------------------------------------------------------

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

const long kRefused[] = {
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_sendmmsg, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_fsopen,
    SYS_fsmount, SYS_fsconfig, SYS_fspick, SYS_move_mount, SYS_open_tree, SYS_mount_setattr, SYS_bpf,
    SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_userfaultfd, SYS_kexec_load, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_io_uring_setup, SYS_io_uring_enter,
    SYS_io_uring_register, SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget,
    SYS_msgsnd, SYS_msgrcv, SYS_semget, SYS_semop, SYS_semctl, SYS_mq_open, SYS_mq_unlink, SYS_setpriority,
    SYS_ioprio_set, SYS_acct, SYS_quotactl, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex,
    SYS_sethostname, SYS_setdomainname, SYS_vhangup, SYS_personality, SYS_lookup_dcookie, SYS_fanotify_init,
    SYS_inotify_init1, SYS_execveat, SYS_mknodat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_fchmodat, SYS_fchmod,
    SYS_fchownat, SYS_fchown, SYS_utimensat, SYS_symlinkat, SYS_linkat, SYS_setuid, SYS_setgid, SYS_setreuid,
    SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setgroups, SYS_capset, SYS_setsid, SYS_setpgid,
#if defined(SYS_memfd_secret)
    SYS_memfd_secret,
#endif
#if defined(__x86_64__)
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_kexec_file_load, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown,
    SYS_symlink, SYS_link, SYS_utime, SYS_utimes, SYS_inotify_init,
#endif
};
const long kClones[] = {
    SYS_clone, SYS_clone3,
#if defined(__x86_64__)
    SYS_fork, SYS_vfork,
#endif
};
constexpr uint32_t kNo = SECCOMP_RET_ERRNO | EPERM;

struct Filter {
  sock_filter code[400];
  unsigned short used = 0;

  void add(uint16_t op, uint32_t k, uint8_t yes = 0, uint8_t no = 0) { code[used++] = {op, yes, no, k}; }
  void load(uint32_t at) { add(BPF_LD | BPF_W | BPF_ABS, at); }
  void refuse(long number, uint32_t action = kNo) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 1);
    add(BPF_RET | BPF_K, action);
  }
  // Allowed only where argument 0 is `low`, `high`; the accumulator holds the number again afterwards.
  void only_with(long number, uint32_t low, uint32_t high) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 6);
    load(16);
    add(BPF_JMP | BPF_JEQ | BPF_K, low, 0, 3);
    load(20);
    add(BPF_JMP | BPF_JEQ | BPF_K, high, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    add(BPF_RET | BPF_K, kNo);
  }
};

void enter_filter(const char* program) {
  Filter f;
  f.load(4);
  f.add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
  f.add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  f.load(0);
#if defined(__x86_64__)
  f.add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);  // the x32 numbers
  f.add(BPF_RET | BPF_K, kNo);
#endif
  for (long number : kRefused) f.refuse(number);
  if (!g_plan.clone) {
    for (long number : kClones) f.refuse(number);
  }
  f.only_with(SYS_prlimit64, 0, 0);  // nobody's limits but its own
  if (!g_plan.exec) {  // the one exec that follows is known by where its path lies; nothing lies there afterwards
    auto at = reinterpret_cast<uint64_t>(program);
    f.only_with(SYS_execve, static_cast<uint32_t>(at), static_cast<uint32_t>(at >> 32));
  }
  f.add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  sock_fprog bpf = {f.used, f.code};
  must("seccomp", call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, address(&bpf)));
}

// A copy of the path at an address that nobody can guess.
const char* hidden_copy(const char* path) {
  uint64_t where = 0;
  must("random", call(SYS_getrandom, address(&where), sizeof where, 0));
  auto* at = reinterpret_cast<char*>((where & 0x3ffffffff000) | 0x100000000);
  long got = call(SYS_mmap, address(at), 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* copy = reinterpret_cast<char*>(must("memory", got));
  strncpy(copy, path, 8191);
  return copy;
}

[[noreturn]] void become_program() {
  char* no_environment[1] = {nullptr};
  call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  place_descriptors();
  if (g_plan.cwd) must("cwd", call(SYS_chdir, address(g_plan.cwd)));
  const char* program = hidden_copy(g_plan.argv[0]);
  must("no_new_privs", call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1));
  if (g_plan.landlock) enter_landlock();
  set_limits();
  if (g_plan.filter) enter_filter(program);
  long error = call(SYS_execve, address(program), address(g_plan.argv), address(no_environment));
  fail("exec", error);
}

}  // namespace

extern "C" void fs_before(int argc, char** argv) {
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--") != 0; ++i) read_argument(argv[i]);
  if (i + 1 >= argc) {
    if (argc == 2) kbfs::exit(0);  // `launcher status=1`: used as the program of a probe
    fail("no program", -EINVAL);
  }
  g_plan.argv = argv + i + 1;
  call(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);  // what the program leaves behind is ours to bury
  long child = must("fork", call(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  if (child == 0) become_program();
  for (int k = 0; k < g_plan.fd_count; ++k) call(SYS_close, g_plan.fds[k]);
  call(SYS_close, 0);
  call(SYS_close, 1);  // so that the reader sees the end of the program's output, not of ours
  call(SYS_close, 2);
  Result result = {};
  struct rusage usage;
  long waited;
  do waited = call(SYS_wait4, child, address(&result.status), 0, address(&usage));
  while (waited == -EINTR);
  memcpy(result.magic, "kbL1", 4);
  result.max_rss_kb = usage.ru_maxrss;
  result.cpu_us = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
                  usage.ru_stime.tv_usec;
  tell(result);
  while (call(SYS_wait4, -1, 0, 1 /* WNOHANG */, 0) > 0) {
  }
  kbfs::exit(0);
}
