"""Turns C++ into freestanding static executables: trusted libraries once, candidates in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.record import Finding


@dataclass(frozen=True)
class Source:
    """A candidate's files: relative path → text; `main` is the one that is compiled."""

    files: Mapping[str, str]
    main: str


@dataclass(frozen=True)
class Prelude:
    """A header that every candidate of a kind starts with (`#include` line's text), precompiled once per content.

    `defines` are `NAME` or `NAME=VALUE`; they, `includes` and `flags` must be those of the job that uses it (the job's
    own `defines` may add to them)."""

    header: str
    includes: tuple[Path, ...]
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class CompileJob:
    """One translation unit of a candidate. `part` is `kernel` (no exceptions) or `host` (exceptions may be thrown).

    `known_api`: the device API's names, for the suggestion where the candidate uses one that does not exist; a
    function gives them only when they are needed."""

    source: Source
    includes: tuple[Path, ...]
    defines: tuple[str, ...] = ()
    prelude: Prelude | None = None
    flags: tuple[str, ...] = ()
    part: str = "kernel"
    known_api: Collection[str] | Callable[[], Collection[str]] = field(default=())


def library(
    name: str,
    sources: Sequence[Path],
    includes: Sequence[Path],
    defines: Sequence[str] = (),
    flags: Sequence[str] = (),
) -> Path:
    """The static archive of these trusted sources, built once per content. Raises HarnessError with the compiler's
    words where a source does not compile."""
    raise NotImplementedError


def support_library() -> Path:
    """The freestanding support library (see freestanding/kbfs.h); every executable is linked with it by `link`."""
    raise NotImplementedError


def compile_object(
    job: CompileJob, sandbox: Sandbox, timeout_s: float, workdir: Path
) -> tuple[Path, tuple[Finding, ...]]:
    """The object file of a candidate's source, made in the sandbox, and the compiler's warnings."""
    raise NotImplementedError


def link(
    objects: Sequence[Path], archives: Sequence[Path], out: Path, *, allowed: Callable[[str], bool]
) -> None:
    """Links candidate objects with trusted archives and the support library into one static executable."""
    raise NotImplementedError


def line_of(program: Path, address: int) -> tuple[str, int] | None:
    """The candidate's relative file and the line of an address, from the DWARF line table."""
    raise NotImplementedError
