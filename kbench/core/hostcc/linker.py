"""Links candidates: their undefined symbols are judged first, then lld makes one static program."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from kbench.core.errors import CompileError, HarnessError
from kbench.core.hostcc.archive import archive_symbols, link_command, support_library
from kbench.core.hostcc.cache import default_cache
from kbench.core.hostcc.symbols import Symbols, merge, read_symbols
from kbench.core.hostcc.toolchain import toolchain
from kbench.core.record import Finding

_COMPONENT = "sim"
_TIMEOUT_S = 120.0
_LEAST_FREE = 1 << 20


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Calls that clang itself puts into code that never named them.
_COMPILER = _words("""
    memcpy memmove memset memcmp bcmp strlen __cxa_atexit __dso_handle __cxa_guard_acquire __cxa_guard_release
    __cxa_guard_abort __cxa_pure_virtual __cxa_deleted_virtual __divti3 __modti3 __udivti3 __umodti3 __muloti4
    __floattidf __floattisf __floatuntidf __floatuntisf __fixdfti __fixsfti __fixunsdfti __fixunssfti __powidf2
    __powisf2 __truncdfhf2 __truncsfhf2 __extendhfsf2 __extendhfdf2 __truncsfbf2 __truncdfbf2 __mulsc3 __muldc3
    __divsc3 __divdc3 _GLOBAL_OFFSET_TABLE_
""")
# Names of the runtime: candidates define none of them. Of the support library's own they call none either; what a
# simulator's runtime offers (kbrt_…) its `allowed` decides.
_RESERVED = re.compile(r"_ZNK?4kbfs|_ZN4kbfs|kbfs|kbrt_|(?:fs_main|fs_before|_start)$")
_NEVER = re.compile(r"_ZNK?4kbfs|kbfs|(?:fs_main|fs_before|_start)$")
_SYSTEM = _words("""
    fork vfork system popen execve execv execvp execl socket connect bind listen accept send recv open openat creat
    read write close fopen fclose fread unlink remove rename mkdir kill raise signal sigaction ptrace mmap munmap
    mprotect dlopen dlsym pthread_create clone syscall sleep usleep nanosleep
""")


@functools.cache
def _support_names() -> frozenset[str]:
    symbols = archive_symbols(support_library())
    return frozenset(n for n in symbols.strong | symbols.weak if not _RESERVED.match(n))


def support_symbol(name: str) -> bool:
    """True for what C and C++ sources may call of the support library: libc++, printf, malloc, mathematics, …"""
    return name in _support_names()


def link(objects: Sequence[Path], archives: Sequence[Path], out: Path, *, allowed: Callable[[str], bool]) -> None:
    """Links candidate objects with trusted archives and the support library into one static executable.

    `allowed` decides about each undefined symbol of the candidate, with two exceptions: what clang itself calls is
    always permitted, what candidates may never touch (`kbfs`, `_start`) never. Pass `support_symbol` (or a function
    that asks it) where a candidate may use the C++ library.

    Raises:
        CompileError: `forbidden_symbol` where the candidate calls what it may not, or defines a name of the runtime;
            `link_error` where a name is defined twice or nowhere.
        HarnessError: the linker itself fails.
    """
    candidate = merge([read_symbols(o) for o in objects])
    trusted = [*archives, support_library()]
    _refuse_definitions(candidate, [archive_symbols(a) for a in trusted])
    forbidden = {n for n in candidate.undefined if n not in _COMPILER and (_NEVER.match(n) or not allowed(n))}
    if forbidden:
        raise _forbidden_calls(objects, forbidden, "the C++ library and the device API" if allowed("malloc") else "")
    # The runtime comes first and whole: of two weak definitions of one name (a template's, say) the first one counts.
    runtime = ["--whole-archive", *map(str, archives), "--no-whole-archive"]
    inputs = [*runtime, *map(str, objects), str(support_library())]
    done = _lld([*link_command(out), *inputs])
    if done.returncode:
        refuse_full_disk(out.parent)
        raise _link_error(done.stderr, objects)


def refuse_full_disk(folder: Path) -> None:
    """Raises HarnessError where nothing can be written below a folder any more."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError as e:
        raise HarnessError(f"cannot write below {folder}: {e.strerror or e}") from e
    if free < _LEAST_FREE:
        raise HarnessError(f"the disk of {folder} is full ({free} bytes free)")


def _refuse_definitions(candidate: Symbols, trusted: Sequence[Symbols]) -> None:
    if candidate.ifuncs:
        name = sorted(candidate.ifuncs)[0]
        raise _refusal([Finding(severity="error", message=f"defines the indirect function {name!r}")])
    theirs = frozenset[str]().union(*(s.strong for s in trusted))
    taken = sorted((candidate.strong | candidate.weak) & theirs) + sorted(
        n for n in candidate.strong | candidate.weak if _RESERVED.match(n)
    )
    if taken:
        message = f"defines {taken[0]!r}, which belongs to the simulator's runtime"
        raise _refusal([Finding(severity="error", message=message, api=taken[0])])


def _refusal(findings: Sequence[Finding], log: str = "") -> CompileError:
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return CompileError(
        str(findings[0]) + more, outcome="forbidden_symbol", findings=findings, log=log, component=_COMPONENT
    )


def _forbidden_calls(objects: Sequence[Path], names: set[str], instead: str) -> CompileError:
    """Names and lines as lld tells them of the candidate's objects alone; `instead`: what hosts may call."""
    alone = ["-o", "/dev/null", "--error-limit=0", "--threads=1", "-e", "0"]  # one thread: the same order each time
    command = [str(toolchain().zig), "ld.lld", *alone, *map(str, objects)]
    plain, spoken = _lld([*command, "--no-demangle"]), _lld([*command, "--demangle"])
    pairs = list(zip(_UNDEFINED.findall(plain.stderr), _UNDEFINED.findall(spoken.stderr), strict=False))
    aligned = all(shown == name for name, shown in pairs if not name.startswith("_Z"))
    words = dict(pairs) if aligned else {}
    findings = []
    for name in sorted(names):
        shown = words.get(name, name)
        file, line = _reference(plain.stderr, name)
        findings.append(
            Finding(severity="error", message=_call_words(name, shown, instead), file=file, line=line, api=shown)
        )
    return _refusal(findings, log=_without_paths(spoken.stderr, objects))


_UNDEFINED = re.compile(r"undefined symbol: (.+)$", re.MULTILINE)


def _call_words(name: str, shown: str, instead: str) -> str:
    if name in _SYSTEM:
        rule = f"host code may call only {instead}" if instead else "kernels may call only the device API"
        return f"calls {shown}: {rule}"
    if _RESERVED.match(name):
        return f"calls {shown}, which is internal to the simulator"
    return f"uses {shown}, which is neither defined in the source nor part of the device API"


def _reference(log: str, name: str) -> tuple[str, int]:
    m = re.search(rf"undefined symbol: {re.escape(name)}\n>>> referenced by ([^:\s]+):(\d+)", log)
    return (m[1].removeprefix("./"), int(m[2])) if m else ("", 0)


def _link_error(log: str, objects: Sequence[Path]) -> CompileError:
    log = _without_paths(log, objects)
    first = next((line for line in log.splitlines() if "error:" in line), log.strip()[:200])
    message = first.partition("error: ")[2] or first
    if "undefined symbol: " in first:
        name = first.partition("undefined symbol: ")[2]
        message = f"{name} is declared and used, but never defined"
    return CompileError(message, outcome="link_error", log=log, component=_COMPONENT)


def _without_paths(log: str, objects: Sequence[Path]) -> str:
    for path in objects:
        log = log.replace(str(path), path.name)
    return log.replace(f"{default_cache().root}/", "")


def _lld(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as e:
        raise HarnessError(f"the linker fails: {e}") from e
