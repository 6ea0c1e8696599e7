"""What the support library's own filter lets through, even if a candidate could make any system call."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from kbench.core.hostcc.archive import library
from kbench.core.hostcc.compiler import CompileJob, Source, compile_object
from kbench.core.hostcc.linker import link, support_symbol
from kbench.core.hostcc.sandbox import sandbox

from .programs import HERE, run

TEXT = """
#include <cstdlib>
#include <cstdio>
#include <sys/syscall.h>
extern "C" long kbrt_call(long number, long a, long b, long c, long d, long e, long f);
static const char path[] = "/etc/passwd";
static const long numbers[] = {
    SYS_write, SYS_mmap, SYS_mprotect, SYS_munmap, SYS_madvise, SYS_read, SYS_openat, SYS_socket, SYS_clone,
    SYS_execve, SYS_kill, SYS_prctl, SYS_getrandom, SYS_pread64, SYS_ftruncate, SYS_getpid, SYS_rt_sigaction,
    SYS_seccomp, SYS_writev, SYS_dup, SYS_fcntl, SYS_clock_gettime, SYS_sched_yield, SYS_ptrace,
};
extern "C" void candidate(int argc, char** argv) {
  long a[7] = {};
  for (int i = 1; i < argc && i < 8; ++i) a[i - 1] = argv[i][0] == 'p' ? (long)path : strtol(argv[i], nullptr, 0);
  printf("%ld\\n", kbrt_call(numbers[a[0]], a[1], a[2], a[3], a[4], a[5], a[6]) >= 0);
}
"""
WRITE, MMAP, MPROTECT, MUNMAP, MADVISE = range(5)
OTHERS = range(5, 24)


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("caller")
    job = CompileJob(Source({"candidate.cpp": TEXT}, "candidate.cpp"), includes=(), part="host")
    object_, _ = compile_object(job, sandbox("auto"), 60, folder)
    program = Path(tempfile.mkdtemp(dir=folder)) / "program"
    runtime = library("test-caller", [HERE / "caller.cpp"], [])
    link([object_], [runtime], program, allowed=lambda name: name == "kbrt_call" or support_symbol(name))
    return program


def call(program: Path, *arguments: object) -> str:
    """`1` or `0` as the call succeeds, or the class that it ends in. Without a sandbox: the filter stands alone."""
    ran = run(program, sandbox("none"), *map(str, arguments))
    return ran.finished.stdout.decode().strip() if ran.outcome == "returned" else ran.outcome


@pytest.mark.parametrize(
    "arguments",
    [
        (WRITE, 1, "p", 0),
        (WRITE, 2, "p", 0),
        (WRITE, 4, "p", 0),
        (MMAP, 0, 4096, 3, 0x22, -1, 0),
        (MMAP, 0, 4096, 0, 0x4022, -1, 0),
        (MUNMAP, 0x10000000, 4096),
    ],
)
def test_what_the_runtime_needs_passes(caller: Path, arguments: tuple[object, ...]) -> None:
    assert call(caller, *arguments) == "1"


@pytest.mark.parametrize(
    "arguments",
    [
        (WRITE, 3, "p", 1),
        (WRITE, 0, "p", 1),
        (WRITE, 5, "p", 1),
        (MMAP, 0, 4096, 5, 0x22, -1, 0),  # executable
        (MMAP, 0, 4096, 7, 0x22, -1, 0),
        (MMAP, 0, 4096, 1, 0x2, 3, 0),  # of a file
        (MMAP, 0, 4096, 3, 0x1, 4, 0),
        (MMAP, 0x10000000, 4096, 3, 0x32, -1, 0),  # over what is there
        (MMAP, 0x10000000, 4096, 3, 0x100022, -1, 0),
        (MPROTECT, 0x200000, 4096, 5),
        (MPROTECT, 0x200000, 4096, 7),
        *((number, "p", 0, 0) for number in OTHERS),
    ],
)
def test_everything_else_ends_the_program(caller: Path, arguments: tuple[object, ...]) -> None:
    assert call(caller, *arguments) == "forbidden_syscall"


def test_the_number_is_told(caller: Path) -> None:
    ran = run(caller, sandbox("none"), "6", "p")
    assert "system call" in ran.message
