"""Kernels of the Ascend simulator: built against its headers and runtime, then launched in the sandbox.

build_kernel:  source + dtype defines + the host's tiling structures → one program
run_kernel:    program + Launch (blocks, tiling, arguments) → outputs, findings, counters
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbench.backends.ascend.sim.kernel_launch import Argument, GmBuffer, KernelResult, Launch, run_kernel
from kbench.backends.ascend.sim.kernel_names import (
    HERE,
    INCLUDE,
    OTHER_CHIPS,
    cube_calls,
    declared_functions,
    declared_names,
    is_unmodelled,
    known_api,
    modelled_api,
    unmodelled_api,
    unmodelled_headers,
)
from kbench.backends.ascend.sim.kernel_templates import (
    TensorTypes,
    direct_entry,
    entry_of,
    selects_instances,
    template_arity,
)
from kbench.backends.ascend.sim.recursion import recursion, suspects
from kbench.backends.ascend.sim.tiling_header import tiling_header
from kbench.core.candidate import Candidate
from kbench.core.errors import CompileError, UnsupportedApi
from kbench.core.hostcc import compiler
from kbench.core.hostcc.compiler import CompileJob, Prelude, Source
from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.hostcc.symbols import read_symbols, rename_definitions, section_bytes
from kbench.core.record import Finding

__all__ = [
    "INCLUDE",
    "Argument",
    "GmBuffer",
    "KernelBuild",
    "KernelResult",
    "Launch",
    "TensorTypes",
    "build_kernel",
    "declared_functions",
    "declared_names",
    "kernel_library",
    "kernel_prelude",
    "known_api",
    "modelled_api",
    "run_kernel",
    "unmodelled_api",
    "unmodelled_headers",
]

RUNTIME = HERE / "runtime"

# A conversion that loses bits calls the runtime: it tells a repeat count of 300 from one of 44. So does every basic
# block that is executed: the model of time counts the scalar unit's work by them. The silenced warnings are about code
# that the device's compiler takes without a word.
FLAGS = (
    "-fsanitize=implicit-unsigned-integer-truncation,implicit-signed-integer-truncation",
    f"-fsanitize-ignorelist={INCLUDE / 'sanitize_ignore.txt'}",
    "-fsanitize-coverage=bb,no-prune,trace-pc",
    "-Wno-incompatible-library-redeclaration",
    "-Wno-missing-template-arg-list-after-template-kw",
    "-Wno-macro-redefined",
    "-Wno-builtin-macro-redefined",
    "-Wno-constant-conversion",
)

CUBE_CORE = ("KB_CORE_AIC",)
_KERNEL_TYPE = struct.Struct("<QQII")  # kernel_macros.h: struct KbKernelType
_CUBE_TYPES = frozenset((1, 3, 4, 5))  # AIC_ONLY, MIX_AIC_1_0, MIX_AIC_1_1, MIX_AIC_1_2
_CUBE_SECTIONS = ("kb_cube", "kb_mix_1_")

_ALLOWED = frozenset((
    "memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp", "__ubsan_handle_implicit_conversion",
    "__sanitizer_cov_trace_pc",
    "__cxa_pure_virtual", "__cxa_deleted_virtual", "__cxa_atexit", "__cxa_guard_acquire", "__cxa_guard_release",
    "__dso_handle", "__divti3", "__modti3", "__udivti3", "__umodti3", "__multi3", "__extendhfsf2", "__truncsfhf2",
    "__truncdfhf2", "__floattisf", "__floattidf", "_ZdlPv", "_ZdlPvm", "_ZdlPvSt11align_val_t",
    "_ZdlPvmSt11align_val_t",
))  # fmt: skip

_ENTRY = re.compile(r"\b__global__\b(?:[\w\s]|\(\s*\d[\d\s,]*\))*?\bvoid\s+(\w+)\s*\(")
_UNDECLARED = re.compile(
    r"(?:no API named|use of undeclared identifier|no member named|no template named|unknown type name|no type named|"
    r"instantiation of undefined (?:member|template)|incomplete type|undeclared template (?:struct|class))"
    r" '(?:struct )?(?:\w+::)*(\w+)"
)
# What kernel_macros.h has the compiler say of `operator new`.
_NEW = "the device has no dynamic memory"
_INCLUDE_LINE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


@dataclass(frozen=True)
class KernelBuild:
    """A kernel's program and the compiler's warnings about its source."""

    program: Path
    findings: tuple[Finding, ...] = ()


def allowed_symbol(name: str) -> bool:
    """What a kernel's object may take from outside: the runtime's entries and what compilers generate calls to."""
    return name.startswith("kbrt_") or name in _ALLOWED


def kernel_library() -> Path:
    """The runtime as an archive, built once for each content."""
    return runtime_library("ascend-kernel", sorted(RUNTIME.glob("*.cpp")))


def runtime_library(name: str, sources: Sequence[Path]) -> Path:
    """An archive of some of the runtime's sources; each is compiled once, whatever archives it is in."""
    includes = [INCLUDE, RUNTIME, compiler.FREESTANDING]
    return compiler.library(name, sources, includes, flags=("-Wall", "-Wextra"))


def kernel_prelude(core: Sequence[str] = ()) -> Prelude:
    """What every kernel source starts with, precompiled for a kind of core."""
    return Prelude('#include "kernel_operator.h"\n', includes=(INCLUDE,), defines=tuple(core), flags=FLAGS)


def build_kernel(
    candidate: Candidate,
    *,
    defines: Sequence[str] = (),
    tiling: Mapping[str, Any] | None = None,
    entry: str | None = None,
    types: TensorTypes | None = None,
    sandbox: Sandbox,
    timeout_s: float,
    workdir: Path,
) -> KernelBuild:
    """Compiles and links the candidate's kernel below `workdir`.

    Args:
        defines: `NAME=VALUE`, such as `DTYPE_X=half`.
        tiling: the host side's `Registry.tiling_json()`; its structures become the types of GET_TILING_DATA.
        entry: the kernel function's name, as the device looks for it; the only one of the source by default.
        types: of the operator's tensors in this build: they decide which instances a kernel template has.

    Raises:
        CompileError: with findings in the candidate's own lines.
        UnsupportedApi: the first thing that does not compile is a documented API that is not modelled.
    """
    job = _Job(candidate, _entry(candidate, entry), tiling_header(tiling), tuple(defines), sandbox, timeout_s, workdir)
    workdir.mkdir(parents=True, exist_ok=True)
    instances = _instances(job, types or TensorTypes())
    object_, findings = job.compile("kb_kernel", instances=instances)
    objects = [object_]
    if has_cube_side(object_):
        cube, more = job.compile("kb_kernel_cube", CUBE_CORE, instances)
        rename_definitions(cube, "cube.", keep=lambda symbol: symbol == "kb_kernel_cube")
        objects.append(cube)
        findings = tuple(dict.fromkeys((*findings, *more)))
    else:
        _refuse_cube_calls(job, object_, instances)
    program = workdir / "kernel"
    try:
        compiler.link(objects, [kernel_library()], program, allowed=allowed_symbol)
    except CompileError as error:
        if str(error).startswith("kb_kernel "):  # what the entry's name became
            raise _without_entry(candidate, job.name, error.log) from error
        raise
    return KernelBuild(program, findings)


@dataclass(frozen=True)
class _Job:
    """A kernel's source and how it is compiled, for each kind of core and each time that one build needs it."""

    candidate: Candidate
    name: str
    header: str
    defines: tuple[str, ...]
    sandbox: Sandbox
    timeout_s: float
    workdir: Path

    @property
    def main(self) -> str:
        return self.candidate.roles["kernel"]

    def compile(
        self, entry: str, core: Sequence[str] = (), instances: str | None = None
    ) -> tuple[Path, tuple[Finding, ...]]:
        """An object whose kernel function is named `entry`; `instances` is the source of a template's instances."""
        rename = f"#pragma redefine_extname {self.name if instances is None else 'KB_ENTRY'} {entry}\n"
        wrapper = f'{self.header}{rename}#include "{self.main}"\n{instances or ""}'
        files = {**_empty_headers(self.candidate), **self.candidate.files, "kb_kernel.cpp": wrapper}
        job = self._unit(Source(files, "kb_kernel.cpp"), core)
        try:
            object_, findings = compiler.compile_object(job, self.sandbox, self.timeout_s, self.workdir)
        except CompileError as error:
            raise_unsupported(error)
            raise
        _refuse_new(findings, self.candidate.files)
        if suspects(self.candidate.files.values()):
            _refuse_recursion(compiler.unoptimised_ir(job, self.sandbox, self.timeout_s, self.workdir))
        return object_, findings

    def _unit(self, source: Source, core: Sequence[str]) -> CompileJob:
        return CompileJob(
            source,
            includes=(INCLUDE,),
            defines=(*self.defines, *core),
            prelude=kernel_prelude(core),
            flags=FLAGS,
            known_api=known_api,
            volatile_hook="kbrt_volatile_read",
        )


def _refuse_new(findings: Sequence[Finding], files: Mapping[str, str]) -> None:
    """`new`, also where the optimiser would remove it. A file with a program of its own in it has host code as well."""
    for finding in findings:
        if _NEW in finding.message and not re.search(r"\bmain\s*\(", files.get(finding.file, "")):
            text = f"new: {_NEW}: expected local variables, or buffers of TPipe"
            raise _not_on_device(text, finding.file, finding.line)


def _refuse_recursion(ir: str) -> None:
    found = recursion(ir)
    if found is not None:
        through = f" through {', '.join(found.through)}" if found.through else ""
        text = f"{found.name} calls itself{through}: the device has no recursion at run time; expected a loop"
        raise _not_on_device(text, found.file, found.line)


def _not_on_device(message: str, file: str, line: int) -> CompileError:
    """E59: C++ that the device's compiler does not have."""
    finding = Finding(severity="error", rule="E59", message=message, file=file, line=line)
    return CompileError(str(finding), outcome="compile_error", findings=[finding], component="sim")


def _empty_headers(candidate: Candidate) -> dict[str, str]:
    """Documented headers that do not exist here, where the candidate includes them."""
    included = {name for text in candidate.files.values() for name in _INCLUDE_LINE.findall(text)}
    return dict.fromkeys((included & unmodelled_headers()) - candidate.files.keys(), "")


def _instances(job: _Job, types: TensorTypes) -> str | None:
    """The source that makes an entry of what is none: a kernel for <<<...>>>, or a template with its tiling keys."""
    files = job.candidate.files
    arity = template_arity(files, job.name)
    if arity is None or not selects_instances(files):
        return direct_entry(files[job.main], job.name, job.main.endswith(".asc"))
    listed, _ = job.compile("kb_kernel")
    return entry_of(listed, files, job.name, arity, types)


def _refuse_cube_calls(job: _Job, object_: Path, instances: str | None) -> None:
    """A kernel that does not say that it needs cube cores: the device's compiler sees it, from what is left of them.

    Raises:
        UnsupportedApi: it calls a function of the cube side.
    """
    called = (cube_calls().search(text) for text in job.candidate.files.values())
    call = next((match for match in called if match), None)
    if call is None:
        return
    try:
        cube, _ = job.compile("kb_kernel_cube", CUBE_CORE, instances)
    except CompileError as error:
        raise UnsupportedApi(call[1]) from error
    if "kbrt_cube" in read_symbols(object_).undefined | read_symbols(cube).undefined:
        raise UnsupportedApi(call[1])


def has_cube_side(object_: Path) -> bool:
    """True where a kernel of this object says that it runs on cube cores (KERNEL_TASK_TYPE, or its qualifiers)."""
    sections = section_bytes(object_)
    types = [record[3] for record in _KERNEL_TYPE.iter_unpack(sections.get("kb_kernel_types", b""))]
    return bool(_CUBE_TYPES.intersection(types)) or any(name.startswith(_CUBE_SECTIONS) for name in sections)


def _entry(candidate: Candidate, wanted: str | None) -> str:
    main = candidate.roles["kernel"]
    names = list(dict.fromkeys(n for text in candidate.files.values() for n in _ENTRY.findall(text)))
    own = list(dict.fromkeys(_ENTRY.findall(candidate.files[main]))) or names
    if wanted is not None:
        return wanted
    if len(own) == 1:
        return str(own[0])
    listed = ", ".join(own) or "none"
    raise CompileError(
        f'{main}: expected one kernel function (extern "C" __global__ __aicore__ void NAME(...)), found {listed}',
        outcome="link_error",
        component="sim",
    )


def _without_entry(candidate: Candidate, name: str, log: str) -> CompileError:
    """The source has no C function of the entry's name: the device would not find its kernel."""
    found = [(file, m) for file, text in candidate.files.items() for m in _ENTRY.finditer(text)]
    same = [(file, m) for file, m in found if m[1] == name]
    file, match = (same or found or [(candidate.roles["kernel"], None)])[0]
    line = candidate.files[file].count("\n", 0, match.start(1)) + 1 if match else 0
    others = ", ".join(dict.fromkeys(m[1] for _, m in found))
    got = 'one without extern "C", or under another name' if same else others or "none"
    message = f'expected a kernel function extern "C" __global__ __aicore__ void {name}(...), got {got}'
    finding = Finding(severity="error", message=message, file=file, line=line)
    return CompileError(str(finding), outcome="link_error", findings=[finding], log=log, component="sim")


def raise_unsupported(error: CompileError) -> None:
    """The first error decides: what follows it is often its consequence.

    Raises:
        UnsupportedApi: it names a documented API that is not modelled.
        CompileError: it names one that other chips have.
    """
    first = next((f for f in error.findings if f.severity == "error"), None)
    match = _UNDECLARED.search(first.message if first else str(error))
    name = match[1] if match else ""
    if is_unmodelled(name):
        raise UnsupportedApi(name) from error
    if first is not None and name in OTHER_CHIPS:
        words = f"no API named {name!r} on this architecture (A2 and A3); other chips have it"
        finding = first.model_copy(update={"message": words})
        findings = [finding, *(f for f in error.findings if f is not first)]
        raise CompileError(
            str(finding), outcome="unknown_api", findings=findings, log=error.log, component="sim"
        ) from error
