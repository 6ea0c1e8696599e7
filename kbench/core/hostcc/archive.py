"""Trusted C++ libraries, compiled outside the sandbox once per content."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kbench.core.errors import HarnessError
from kbench.core.hostcc.cache import Cache, content_key, default_cache
from kbench.core.hostcc.symbols import Symbols, merge, read_symbols
from kbench.core.hostcc.toolchain import (
    FREESTANDING,
    support_sources,
    target_flags,
    toolchain,
    toolchain_sources,
)

_SYMBOLS = "symbols.json"
_INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


@dataclass(frozen=True)
class Unit:
    """One trusted source with its options; `context` stands for everything else that it reads. `target`: flags of
    another machine, in place of the host's."""

    source: Path
    options: tuple[str, ...]
    context: str
    shims: bool = True
    target: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return content_key(toolchain().identity, self.source, self.context, repr(self.argv))

    @property
    def argv(self) -> list[str]:
        language = {".c": "c", ".S": "assembler-with-cpp"}.get(self.source.suffix, "c++")
        flags = self.target or target_flags(self.shims)
        flags = tuple(f for f in flags if language == "c++" or not f.startswith("-std=c++"))
        return [f"-x{language}", *flags, "-g0", *self.options, "-c", str(self.source)]


def library(
    name: str,
    sources: Sequence[Path],
    includes: Sequence[Path],
    defines: Sequence[str] = (),
    flags: Sequence[str] = (),
    target: Sequence[str] = (),
) -> Path:
    """The static archive of these trusted sources, built once per content of sources, headers and flags.

    `target`: another machine's flags, in place of the host's; `archive_symbols` then knows nothing of it.

    Compiled without exceptions and with `kbfs.h` on the include path; a source that did not change is not compiled
    again. Files are looked at once per process. Raises HarnessError with the compiler's words where a source does not
    compile.
    """
    options = (
        "-fno-exceptions", "-Wall", "-Wextra",
        *(part for folder in includes for part in ("-I", str(folder))), f"-I{FREESTANDING}",
        *(f"-D{d}" for d in defines), *flags,
    )  # fmt: skip
    return _library(default_cache(), name, tuple(sources), tuple(includes), options, tuple(target))


@cache
def _library(
    where: Cache,
    name: str,
    sources: tuple[Path, ...],
    includes: tuple[Path, ...],
    options: tuple[str, ...],
    target: tuple[str, ...],
) -> Path:
    folders = tuple(dict.fromkeys([*includes, FREESTANDING]))
    units = [Unit(source, options, _context(source, (source.parent, *folders)), target=target) for source in sources]
    return _archive(where, name, units)


def support_library() -> Path:
    """The freestanding support library (interface: freestanding/kbfs.h)."""
    return _support_library(default_cache())


@cache
def _support_library(where: Cache) -> Path:
    ours = [Unit(path, options, _freestanding_headers()) for path, options in support_sources()]
    theirs = [Unit(path, options, "", shims=False) for path, options in toolchain_sources()]
    return _archive(where, "kbfs", [*theirs, *ours])


def _freestanding_headers() -> str:
    return _headers(FREESTANDING)


def _context(source: Path, folders: tuple[Path, ...]) -> str:
    """The content of all files that a source includes, directly or not, where they lie in one of these folders.

    Every `#include` counts, whatever condition it stands under: a header too many costs a compilation, one too few
    would keep an old object.
    """
    found: dict[Path, None] = {}
    waiting = [source]
    while waiting:
        file = waiting.pop()
        for name in _INCLUDE.findall(file.read_text()):
            near = (folder / name for folder in (file.parent, *folders))
            new = [p for p in near if p.is_file() and p not in found]
            found.update(dict.fromkeys(new))
            waiting += new
    return content_key(*(part for p in sorted(found) for part in (p.name, p)))


def _headers(folder: Path) -> str:
    """The content of all that a source may include from a folder: everything but other sources."""
    found = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix not in (".cpp", ".c", ".S", ".py", ".pyc"))
    return content_key(*(part for p in found for part in (p.relative_to(folder).as_posix(), p)))


def executable(name: str, sources: Sequence[Path]) -> Path:
    """A trusted freestanding program made of these sources and the support library, built once per content."""
    archives = [library(name, sources, []), support_library()]

    def make(folder: Path) -> None:
        inputs = ["--whole-archive", str(archives[0]), "--no-whole-archive", str(archives[1])]
        run_trusted([*link_command(folder / name), *inputs])

    return default_cache().build(content_key(name, *archives, repr(link_command(Path("out")))), make) / name


def link_command(out: Path) -> list[str]:
    """The linker's command line up to its inputs: a static program at fixed addresses with nothing writable and
    executable. `--no-dependent-libraries`: a candidate cannot name files to link by a pragma."""
    return [
        str(toolchain().zig), "ld.lld", "-static", "--gc-sections", "--eh-frame-hdr", "--build-id=none",
        "--no-dependent-libraries", "-z", "noexecstack", "-z", "relro", "-z", "separate-code", "-o", str(out),
    ]  # fmt: skip


@cache
def archive_symbols(archive: Path) -> Symbols:
    """What an archive made by `library` defines."""
    found = json.loads((archive.parent / _SYMBOLS).read_text())
    return Symbols(*(frozenset(found[kind]) for kind in ("undefined", "strong", "weak", "ifuncs")))


def _archive(where: Cache, name: str, units: Sequence[Unit]) -> Path:
    archive = f"lib{name}.a"

    def make(folder: Path) -> None:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            objects = list(pool.map(functools.partial(_object, where), units))
        run_trusted([str(toolchain().zig), "ar", "qcsD", str(folder / archive), *map(str, objects)])
        found = merge([read_symbols(o) for o in objects if o.read_bytes()[:4] == b"\x7fELF"])
        table = {k: sorted(getattr(found, k)) for k in ("undefined", "strong", "weak", "ifuncs")}
        (folder / _SYMBOLS).write_text(json.dumps(table))

    return where.build(content_key(name, *(unit.key for unit in units)), make) / archive


def _object(where: Cache, unit: Unit) -> Path:
    out = f"{unit.source.stem}.o"

    def make(folder: Path) -> None:
        run_trusted([str(toolchain().zig), "clang", *unit.argv, "-o", str(folder / out)])

    return where.build(unit.key, make) / out


def run_trusted(argv: Sequence[str], timeout_s: float = 600) -> subprocess.CompletedProcess[str]:
    """Runs a tool on our own sources, with an empty environment. Raises HarnessError with its words where it fails."""
    try:
        done = subprocess.run(
            argv, env={}, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=timeout_s
        )
    except (OSError, subprocess.TimeoutExpired) as e:
        raise HarnessError(f"cannot run {argv[0]}: {e}") from e
    if done.returncode:
        what = next((a for a in argv if a.endswith((".cpp", ".c", ".S"))), argv[1])
        raise HarnessError(f"the toolchain fails on {what} (exit {done.returncode}):\n{done.stderr[-4000:]}")
    return done
