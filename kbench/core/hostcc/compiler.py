"""Turns C++ into freestanding static executables: trusted libraries once, candidates in the sandbox."""

from __future__ import annotations

import functools
import posixpath
import re
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from kbench.core.errors import CompileError, HarnessError
from kbench.core.hostcc import objects
from kbench.core.hostcc.archive import archive_symbols, library, run_trusted, support_library
from kbench.core.hostcc.cache import Cache, content_key, default_cache
from kbench.core.hostcc.diagnostics import Judge, warnings_of
from kbench.core.hostcc.lines import line_of
from kbench.core.hostcc.linker import link, refuse_full_disk, support_symbol
from kbench.core.hostcc.sandbox import Finished, Limits, Mount, Sandbox
from kbench.core.hostcc.toolchain import CXX_STANDARD, FREESTANDING, target_flags, toolchain
from kbench.core.record import Finding

__all__ = [
    "FREESTANDING",
    "CompileJob",
    "Prelude",
    "Source",
    "archive_symbols",
    "compile_ir",
    "compile_object",
    "library",
    "line_of",
    "link",
    "precompile",
    "support_library",
    "support_symbol",
]

SOURCE_BYTES = 4 << 20
NAME_BYTES = 240  # of a file's path below the sources
# Without times: headers that were only touched, or installed again, are the same to it and to `#pragma once`.
_PRECOMPILED = ("-fpch-instantiate-templates", "-Xclang", "-fno-pch-timestamp")
_MEMORY = 3 << 30
_OBJECT_BYTES = 256 << 20
_LOG_BYTES = 1 << 20
_TRIAL_S = 120.0
_COMPONENT = "sim"

# Limits inside the compiler, so that most bombs end with a line number long before the time is over.
_CANDIDATE = (
    "-fno-gnu-inline-asm", "-ferror-limit=20", "-ftemplate-depth=900", "-fconstexpr-depth=512",
    "-fconstexpr-steps=1000000", "-fbracket-depth=256", "-ftemplate-backtrace-limit=6", "-fconstexpr-backtrace-limit=4",
    "-fdebug-compilation-dir=.",
)  # fmt: skip
_PART = {"kernel": ("-fno-exceptions",), "host": ("-fexceptions", "-fcxx-exceptions", "-fasynchronous-unwind-tables")}


@dataclass(frozen=True)
class Source:
    """A candidate's files: relative path → text; `main` is the one that is compiled (C where it ends in `.c`)."""

    files: Mapping[str, str]
    main: str


@dataclass(frozen=True)
class Prelude:
    """A header that every candidate of a kind starts with (its text, e.g. `#include "kernel_operator.h"`), precompiled
    once per content. `includes`, `flags` and `defines` (`NAME` or `NAME=VALUE`) must be those of the job that uses it,
    and `part` and `target` too; the job's own `defines` may add to them."""

    header: str
    includes: tuple[Path, ...]
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    part: str = "kernel"
    target: tuple[str, ...] = ()


@dataclass(frozen=True)
class CompileJob:
    """One translation unit of a candidate. `part` is `kernel` (no exceptions) or `host` (exceptions may be thrown).

    `known_api`: the device API's names, for the suggestion where the candidate uses one that does not exist; a
    function gives them only when they are needed. `volatile_hook`: a function `void (const void*, uint32_t)` that is
    called after every load of a volatile object, with its address and size. `target`: another machine's flags, in place
    of the host's."""

    source: Source
    includes: tuple[Path, ...]
    defines: tuple[str, ...] = ()
    prelude: Prelude | None = None
    flags: tuple[str, ...] = ()
    part: str = "kernel"
    known_api: Collection[str] | Callable[[], Collection[str]] = ()
    volatile_hook: str = ""
    target: tuple[str, ...] = ()


def compile_object(
    job: CompileJob, sandbox: Sandbox, timeout_s: float, workdir: Path
) -> tuple[Path, tuple[Finding, ...]]:
    """The object file of a candidate's source, made in the sandbox below `workdir`, and the compiler's warnings.

    Raises:
        CompileError: `compile_error`, `unknown_api`, `missing_include`, `forbidden_include`, `inline_assembly`,
            `template_limit`, `compile_timeout`, `compile_memory` or `source_limit`, with findings in the candidate's
            own file and line.
        HarnessError: the disk is full, or the headers themselves do not compile.
    """
    if not job.volatile_hook or not any("volatile" in text for text in job.source.files.values()):
        return _compile(job, ("-c", "-o", "/out/main.o"), sandbox, timeout_s, workdir)
    path, findings = compile_ir(job, sandbox, timeout_s, workdir)
    path.write_text(_hook_volatile_loads(path.read_text(errors="replace"), job.volatile_hook))
    mounts = [Mount(toolchain().root, str(toolchain().root)), Mount(path.parent, "/out", writable=True)]
    finished = sandbox.run(_assemble(), mounts=mounts, cwd="/out", limits=_limits(timeout_s), stage="compile")
    if finished.returncode != 0 or finished.timed_out:
        log = finished.stderr.decode(errors="replace")
        raise _failure(_judge(job, (), path.parent), finished, log, timeout_s)
    return path.with_name("main.o"), findings


def compile_ir(job: CompileJob, sandbox: Sandbox, timeout_s: float, workdir: Path) -> tuple[Path, tuple[Finding, ...]]:
    """The optimised LLVM IR of a candidate's source, as text, and the compiler's warnings; raises as compile_object."""
    return _compile(job, ("-S", "-emit-llvm", "-o", "/out/main.ll"), sandbox, timeout_s, workdir)


def unoptimised_ir(job: CompileJob, sandbox: Sandbox, timeout_s: float, workdir: Path) -> str:
    """The text of the IR as the front end gives it; raises as compile_object."""
    output = ("-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", "/out/main.ll")
    return _compile(job, output, sandbox, timeout_s, workdir)[0].read_text(errors="replace")


def _compile(
    job: CompileJob, output: Sequence[str], sandbox: Sandbox, timeout_s: float, workdir: Path
) -> tuple[Path, tuple[Finding, ...]]:
    """The file that these options of the compiler make, by their last word: made now, or kept from when the same source
    was compiled with the same headers and options."""
    _check_source(job.source)
    prelude = _precompiled(default_cache(), job.prelude) if job.prelude else ()
    key = _object_key(job, _command(job, prelude, output), sandbox)
    known = objects.kept(key, workdir, Path(output[-1]).name)
    if known is not None:
        return known
    made = _compiled(job, prelude, output, sandbox, timeout_s, workdir)
    objects.keep(key, *made)
    return made


def _object_key(job: CompileJob, command: Sequence[str], sandbox: Sandbox) -> str:
    headers = _headers_key(default_cache().root, job.includes)
    files = (part for name, text in sorted(job.source.files.items()) for part in (name, text.encode(errors="replace")))
    return content_key("object", headers, sandbox.mode, repr(command), *files)


@functools.lru_cache(maxsize=64)
def _headers_key(root: Path, includes: tuple[Path, ...]) -> str:
    """`root`, of the cache, is part of where the precompiled headers lie."""
    return content_key(toolchain().identity, str(root), *includes, FREESTANDING / "include")


def _compiled(
    job: CompileJob,
    prelude: tuple[Path, ...],
    output: Sequence[str],
    sandbox: Sandbox,
    timeout_s: float,
    workdir: Path,
) -> tuple[Path, tuple[Finding, ...]]:
    try:
        workdir.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix="cc-", dir=workdir.absolute()))
        sources, out = place / "src", place / "out"
        out.mkdir()
        _write(job.source, sources)
    except OSError as e:
        raise HarnessError(f"cannot write below {workdir}: {e.strerror or e}") from e
    mounts = _mounts(job, prelude, sources, out)
    command = _command(job, prelude, output)
    finished = sandbox.run(command, mounts=mounts, cwd="/src", limits=_limits(timeout_s), stage="compile")
    judge = _judge(job, prelude, sources)
    log = finished.stderr.decode(errors="replace")
    if finished.returncode != 0 or finished.timed_out:
        _blame_us(job, sandbox, workdir, log)
        raise _failure(judge, finished, log, timeout_s)
    _check_dependencies(judge, out / "main.d", sources)
    return out / Path(output[-1]).name, warnings_of(judge.scrub(log), judge.files)


def _limits(timeout_s: float) -> Limits:
    return Limits(timeout_s, None, _MEMORY, _OBJECT_BYTES, _LOG_BYTES)


def precompile(prelude: Prelude) -> None:
    """Makes the prelude now, so that no candidate waits for it. Raises HarnessError where it does not compile."""
    _precompiled(default_cache(), prelude)


def _blame_us(job: CompileJob, sandbox: Sandbox, workdir: Path, log: str) -> None:
    """Raises HarnessError where the failure is not the candidate's. What the log says decides nothing by itself, for a
    candidate can make the compiler print any words: the disk is looked at, and an empty source is tried."""
    refuse_full_disk(workdir)
    empty = Source({"empty.cpp": ""}, "empty.cpp")
    if "precompiled header" not in log or job.prelude is None or job.source == empty:
        return
    try:
        compile_object(replace(job, source=empty), sandbox, _TRIAL_S, workdir)
    except CompileError as e:
        raise HarnessError(f"the device headers changed while kbench runs; start it again ({e})") from e


def _check_source(source: Source) -> None:
    _check_names(source.files)
    size = sum(len(text.encode(errors="replace")) for text in source.files.values())
    if size > SOURCE_BYTES:
        raise CompileError(
            f"the source has {size} bytes; the limit is {SOURCE_BYTES}", outcome="source_limit", component=_COMPONENT
        )
    for name, text in source.files.items():
        if line := line_directive(text):
            finding = Finding(
                severity="error", message="a line directive would make findings name other places", file=name, line=line
            )
            raise CompileError(str(finding), outcome="compile_error", findings=[finding], component=_COMPONENT)


# Comments and literals; raw strings come first, since they may hold anything.
_OPAQUE = re.compile(
    r'R"(?P<mark>[^()\\\s]{0,16})\((?:.*?)\)(?P=mark)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
    re.DOTALL,
)
_LINE_DIRECTIVE = re.compile(r"^[ \t\v\f]*(?:#|%:)[ \t\v\f]*(?:line\b|\d)", re.MULTILINE)


def line_directive(text: str) -> int:
    """The line of the first `#line`, or of a bare `# 1 "file"`, that the compiler would obey; 0 where there is none."""
    if "#" not in text and "%:" not in text:
        return 0
    # A backslash at the end of a line continues it; the lines that it eats are put back behind it.
    spliced = re.sub(r"(?:[^\n]*\\[ \t]*\r?\n)+[^\n]*\n?", _spliced, text)
    bare = _OPAQUE.sub(lambda m: ('""' if m[0][0] in "\"'R" else " ") + "\n" * m[0].count("\n"), spliced)
    found = _LINE_DIRECTIVE.search(bare)
    return bare.count("\n", 0, found.start()) + 1 if found else 0


def _spliced(match: re.Match[str]) -> str:
    lines = match[0].count("\n")
    whole = re.sub(r"\\[ \t]*\r?\n", "", match[0])
    return whole + "\n" * (lines - whole.count("\n"))


def _check_names(names: Collection[str]) -> None:
    """File names that a disk takes: what the candidate chose is never a fault of this machine."""
    folders = {str(p) for name in names for p in PurePosixPath(posixpath.normpath(name)).parents}
    for name in names:
        if name.startswith("/") or posixpath.normpath(name).startswith("..") or "\0" in name:
            problem, outcome = "is not a relative path", "forbidden_include"
        elif len(name.encode(errors="replace")) > NAME_BYTES:
            problem, outcome = f"is longer than {NAME_BYTES} bytes", "source_limit"
        elif PurePosixPath(name).name.startswith("@"):  # clang reads such a name as a list of options, `./` or not
            problem, outcome = "begins with '@'", "compile_error"
        elif not _encodable(name):
            problem, outcome = "is not Unicode text", "compile_error"
        elif posixpath.normpath(name) in folders:
            problem, outcome = "is also a folder of another file", "compile_error"
        else:
            continue
        shown = repr(name) if len(name) <= 80 else f"{name[:80]!r}…"
        raise CompileError(f"the file name {shown} {problem}", outcome=outcome, component=_COMPONENT)


def _encodable(name: str) -> bool:
    try:
        name.encode()
        return True
    except UnicodeEncodeError:
        return False


def _write(source: Source, folder: Path) -> None:
    folder.mkdir()
    for name, text in source.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace", newline="")


def _command(job: CompileJob, prelude: tuple[Path, ...], output: Sequence[str]) -> list[str]:
    language = "c" if job.source.main.endswith(".c") else "c++"
    argv = [str(toolchain().zig), "clang", "-x", language]
    argv += [option for option in _options(job) if language == "c++" or option != CXX_STANDARD]
    if prelude:
        argv += ["-include-pch", str(prelude[0]), "-Xclang", "-fno-validate-pch"]
    # `-fplugin=x.cpp` would be an option; `./` before it makes it a name.
    main = job.source.main if job.source.main[:1].isalnum() else f"./{job.source.main}"
    return [*argv, "-I.", main, *output, "-MD", "-MF", "/out/main.d"]


def _assemble() -> list[str]:
    """LLVM IR that is optimised already → object file."""
    flags = [f for f in target_flags() if f != CXX_STANDARD]
    own = ["-Xclang", "-disable-llvm-passes", "-Wno-unused-command-line-argument"]
    return [str(toolchain().zig), "clang", "-x", "ir", *flags, *own, "-c", "/out/main.ll", "-o", "/out/main.o"]


_VOLATILE_LOAD = re.compile(
    r"^( +)%\S+ = load volatile (?P<type>.+?), "
    r"(?P<from>ptr (?:[%@][\w.$]+|[%@]\"[^\"]+\"|getelementptr [^()]*\([^()]*\)))"
    r"(?P<rest>,.*)?$"
)
_IR_BYTES = {"i1": 1, "i8": 1, "i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4}


def _hook_volatile_loads(text: str, hook: str) -> str:
    """Adds a call of `hook` after each volatile load of a module's text, at the load's own line of the source."""
    lines = []
    for line in text.split("\n"):
        lines.append(line)
        load = _VOLATILE_LOAD.match(line)
        if load:
            place = re.search(r", !dbg !\d+", line)
            size = _IR_BYTES.get(load["type"], 8)
            lines.append(f"{load[1]}call void @{hook}({load['from']}, i32 {size}){place[0] if place else ''}")
    if f"@{hook}(" in "\n".join(lines) and not any(line.startswith(f"declare void @{hook}(") for line in lines):
        lines.append(f"declare void @{hook}(ptr, i32)")
    return "\n".join(lines) + "\n"


def _options(job: CompileJob | Prelude) -> list[str]:
    return [
        *(option for folder in job.includes for option in ("-isystem", str(folder.absolute()))),
        *(job.target or target_flags()), *_CANDIDATE, *_PART[job.part], *(f"-D{d}" for d in job.defines), *job.flags,
    ]  # fmt: skip


def _mounts(job: CompileJob, prelude: tuple[Path, ...], sources: Path, out: Path) -> list[Mount]:
    """Headers and compiler stand at their own paths: precompiled headers remember them."""
    seen = [toolchain().root, FREESTANDING / "include", *(i.absolute() for i in job.includes)]
    seen += [p.parent for p in prelude]
    return [*(Mount(p, str(p)) for p in seen), Mount(sources, "/src"), Mount(out, "/out", writable=True)]


@functools.lru_cache(maxsize=64)
def _precompiled(cache: Cache, prelude: Prelude) -> tuple[Path, Path]:
    """The precompiled header and the text it was made from, each in a cache folder of its own.

    The text lies at its final place before it is compiled, for the precompiled header remembers that place."""
    options = _options(prelude)
    headers = content_key(toolchain().identity, *prelude.includes, FREESTANDING / "include", repr(options))

    def write(folder: Path) -> None:
        (folder / "prelude.h").write_text(prelude.header)

    text = cache.build(content_key("prelude text", prelude.header), write) / "prelude.h"

    def precompile(folder: Path) -> None:
        command = [str(toolchain().zig), "clang", "-x", "c++-header", *options, str(text)]
        run_trusted([*command, *_PRECOMPILED, "-o", str(folder / "prelude.pch")])

    key = content_key(headers, str(text), prelude.header, repr(_PRECOMPILED))
    return cache.build(key, precompile) / "prelude.pch", text


def _judge(job: CompileJob, prelude: tuple[Path, ...], sources: Path) -> Judge:
    root = toolchain().root
    hidden = {str(sources) + "/": "", "/src/": "", str(root / "lib") + "/": "<toolchain>/"}
    hidden |= {str(FREESTANDING / "include") + "/": "<c++>/"}
    hidden |= {str(i.absolute()) + "/": "<device>/" for i in job.includes}
    hidden |= {str(p.parent) + "/": "<device>/" for p in prelude}
    allowed = [root, FREESTANDING / "include", sources, *(i.absolute() for i in job.includes)]
    allowed += [p.parent for p in prelude]
    return Judge(job.source.files, (*(f"{p}/" for p in allowed), "/src/"), job.known_api, hidden)


def _failure(judge: Judge, finished: Finished, log: str, timeout_s: float) -> CompileError:
    if finished.timed_out:
        message = f"the compiler did not end within {timeout_s:g} s"
        return CompileError(message, outcome="compile_timeout", log=judge.scrub(log), component=_COMPONENT)
    out_of_memory = re.search(r"out of memory|bad_alloc|Cannot allocate memory|LLVM ERROR: .*alloc", log)
    if finished.signal and (out_of_memory or finished.max_rss_bytes > _MEMORY * 0.6):
        message = f"the compiler needs more than {_MEMORY >> 30} GiB of memory"
        return CompileError(message, outcome="compile_memory", log=judge.scrub(log), component=_COMPONENT)
    if finished.signal and not re.search(r"error: ", log):
        message = f"the compiler crashes on this source (signal {finished.signal})"
        return CompileError(message, outcome="compile_error", log=judge.scrub(log), component=_COMPONENT)
    return judge.error(log)


def _check_dependencies(judge: Judge, listing: Path, sources: Path) -> None:
    """Every file that the compiler read is the candidate's own or a header: holds even where nothing isolates."""
    try:
        text = listing.read_text(errors="replace")
    except FileNotFoundError:
        # clang's way of telling that a file to #embed cannot be opened: no list, and no error either
        raise judge.unreadable_embed() from None
    except OSError as e:
        raise HarnessError(f"cannot read the list of the files that the compiler read: {e}") from e
    names = re.split(r"(?<!\\)\s+", text.replace("\\\n", " ").partition(":")[2].strip())
    for name in (n.replace("\\ ", " ") for n in names if n):
        if name.startswith(judge.allowed) and ".." not in name:  # nearly all of them
            continue
        path = posixpath.normpath(posixpath.join(str(sources), name))
        if not path.startswith(judge.allowed):
            raise judge.forbidden(name)
