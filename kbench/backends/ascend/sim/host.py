"""The host side of an operator in the simulator: built once, asked what it registers, run for each case.

    program = build_host(candidate, target, sandbox, timeout_s, workdir)     # .registry: arguments, dtype rows, tiling
    tiling = run_tiling(program, case, target, sandbox=…, timeout_s=…)       # blocks, key, data, workspaces

The program is freestanding and runs in the sandbox, a fresh process each time. It reads a plan (JSON) from descriptor 3
and writes its answer to descriptor 4.
"""

from __future__ import annotations

import functools
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from kbench.backends.ascend.sim.host_process import LIMITS, HostProgram, config_name, execute, platform_plan
from kbench.backends.ascend.sim.host_registry import Registry, read_registry
from kbench.backends.ascend.sim.host_sources import host_sources, weaken
from kbench.backends.ascend.sim.host_tiling import HostArgument, HostCase, Tiling, run_tiling
from kbench.backends.ascend.targets import Target
from kbench.core.candidate import Candidate
from kbench.core.errors import CompileError, RunError, UnsupportedApi
from kbench.core.hostcc.cache import content_key, default_cache
from kbench.core.hostcc.compiler import (
    FREESTANDING,
    CompileJob,
    Prelude,
    Source,
    compile_object,
    library,
    link,
    support_symbol,
)
from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.hostcc.toolchain import toolchain
from kbench.core.record import Finding

__all__ = [
    "HostArgument",
    "HostCase",
    "HostProgram",
    "Tiling",
    "build_host",
    "given_host",
    "run_tiling",
    "unmodelled_host_apis",
]

_HERE = Path(__file__).parent
INCLUDE = _HERE / "host_include"
RUNTIME = _HERE / "host_runtime"
_INCLUDES = (INCLUDE,)
_FLAGS = ("-O0",)  # tiling functions take microseconds: half the time to compile, and exact lines
_PRELUDE = Prelude(header='#include "register/op_def_registry.h"\n', includes=_INCLUDES, flags=_FLAGS, part="host")


def build_host(
    candidate: Candidate, target: Target, sandbox: Sandbox, timeout_s: float, workdir: Path, *, operator: str = ""
) -> HostProgram:
    """Compile the candidate's host side, link it with the library, and read what it registers.

    Args:
        operator: the name that it must register; where empty, any one.

    Raises:
        CompileError: the sources do not compile or link, or what they register could not be built.
        UnsupportedApi: they use a name of the host API that is not modelled.
    """
    program, findings, skipped = _build_program(candidate, sandbox, timeout_s, workdir)
    return HostProgram(program, _registry(program, target, sandbox, operator), findings, skipped)


def given_host(candidate: Candidate, target: Target, sandbox: Sandbox, timeout_s: float) -> HostProgram:
    """As `build_host`, for a host side that many attempts share: it is built once for each content and kept."""

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory(prefix="kbench-") as scratch:
            program, _, _ = _build_program(candidate, sandbox, timeout_s, Path(scratch))
            shutil.copy(program, folder / "host")

    key = content_key("ascend given host", _host_identity(), candidate.sha)
    program = default_cache().build(key, make) / "host"
    return HostProgram(program, _given_registry(program, target, sandbox))


@functools.lru_cache(maxsize=256)
def _given_registry(program: Path, target: Target, sandbox: Sandbox) -> Registry:
    """The path names the program's content, so a process asks it once, not once for each attempt."""
    return _registry(program, target, sandbox, "")


def _registry(program: Path, target: Target, sandbox: Sandbox, operator: str) -> Registry:
    """Ask the program. Dying while it registers is the candidate's failure to register."""
    plan = {"mode": "registry", "platform": platform_plan(target)}
    try:
        dump, _ = execute(program, plan, sandbox, LIMITS.wall_s)
    except RunError as error:
        raise CompileError(
            f"the host side died while it registered: {error}",
            outcome="registration_error",
            log=error.log,
            findings=error.findings,
            component="host",
        ) from error
    return read_registry(dump, config_name(target), operator)


@functools.cache
def _host_identity() -> str:
    """Everything but the sources that decides a host program; the library's path names its content."""
    return content_key(toolchain().identity, str(host_library()), *_INCLUDES, repr(_FLAGS))


def _build_program(
    candidate: Candidate, sandbox: Sandbox, timeout_s: float, workdir: Path
) -> tuple[Path, tuple[Finding, ...], tuple[str, ...]]:
    """The linked program, the compiler's warnings, and the sources that were left out."""
    main = candidate.roles["op_host"]
    sources, skipped = host_sources(candidate.files, main, candidate.roles.values())
    objects: list[Path] = []
    findings: list[Finding] = []
    for number, source in enumerate(sources):
        folder = workdir / f"host{number}"
        folder.mkdir(parents=True, exist_ok=True)
        built, found = _compile(
            CompileJob(
                Source(candidate.files, source),
                _INCLUDES,
                prelude=_PRELUDE,
                flags=_FLAGS,
                part="host",
                known_api=known_host_apis,
            ),
            sandbox,
            timeout_s,
            folder,
        )
        if source != main:
            weaken(built)
        objects.append(built)
        findings += found
    program = workdir / "host"
    link(objects, [host_library()], program, allowed=allowed_symbol)
    return program, tuple(dict.fromkeys(findings)), skipped


def _compile(job: CompileJob, sandbox: Sandbox, timeout_s: float, workdir: Path) -> tuple[Path, tuple[Finding, ...]]:
    try:
        return compile_object(job, sandbox, timeout_s, workdir)
    except CompileError as error:
        name = unmodelled_name(error)
        if name:
            raise UnsupportedApi(name, "host side") from error
        raise


def unmodelled_name(error: CompileError) -> str:
    """The name of the host API at the root of a compile error, where it is one that is not modelled. Only the first
    error counts: later ones may be its consequences, earlier ones are the candidate's own."""
    first = next((f.message for f in error.findings if f.severity in ("error", "fatal error")), "")
    quoted = re.findall(r"'([^']+)'", first)
    words = {word for text in quoted for word in (text, *text.split("::"))}
    return next((word for word in sorted(words) if word in unmodelled_host_apis()), "")


@functools.cache
def unmodelled_host_apis() -> frozenset[str]:
    """Names of the vendor's host API that exist and are not modelled: functions, types, namespaces, headers."""
    return frozenset((RUNTIME / "unmodelled.txt").read_text().split())


@functools.cache
def known_host_apis() -> frozenset[str]:
    """Names that the headers declare, for suggestions."""
    text = "\n".join(path.read_text() for path in sorted(_INCLUDES[0].rglob("*.h")))
    return frozenset(name for name in re.findall(r"\b[A-Z]\w{3,}\b", text) if not name.startswith("KBHOST"))


def host_library() -> Path:
    """The prebuilt library behind the headers."""
    return runtime_library("ascend-host", sorted(RUNTIME.glob("*.cpp")))


def runtime_library(name: str, sources: Sequence[Path]) -> Path:
    """An archive of some of the library's sources; each is compiled once, whatever archives it is in."""
    return library(name, sources, (*_INCLUDES, RUNTIME, FREESTANDING))


_VENDOR = re.compile(r"_Z(?:TV|TI|TS)?N?K?(?:4gert|2ge|3ops|8optiling|16platform_ascendc|2fe|7AscendC|3Ops)\d")
_OWN = (  # what the headers' macros and inline functions call
    "_ZN6kbhost14OpRegistrationC",
    "_ZN6kbhost11TilingClassC",
    "_ZN6kbhost14TilingTemplateC",
    "_ZN6kbhost13try_templatesE",
    "_ZN6kbhost11say_invalidE",
    "_ZN6kbhost13read_integersE",
    "_ZN6kbhost8describeERKN8optiling9TilingDefE",
)


def allowed_symbol(name: str) -> bool:
    """True for what a candidate's host object may need from outside itself: the vendor's interface, and C and C++."""
    return bool(_VENDOR.match(name) or name.startswith(_OWN) or support_symbol(name))
