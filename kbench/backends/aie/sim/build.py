"""Builds a candidate for the machine: C++ → IR for 32-bit x86 → the same IR lowered to WebAssembly → one module.

The front end is 32-bit x86 because there vectors of any size go by value, pointers have 32 bits and `__bf16` exists; of
that processor nothing else is left: no object of it is ever made. The unrolling is what AMD's compiler prefers.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kbench.backends.aie.sim.client import server
from kbench.backends.aie.sim.ir import parse
from kbench.backends.aie.sim.library import INCLUDE, KERNEL_DATA_BYTES, NUMBERS, defined, operations_code
from kbench.backends.aie.sim.lower import NULL, Lowered, lower
from kbench.backends.aie.sim.wasm import Object, read_object, with_exports
from kbench.core.errors import CompileError, HarnessError, UnsupportedApi
from kbench.core.hostcc.compiler import CompileJob, Prelude, Source, compile_ir, precompile
from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.hostcc.toolchain import standard_headers
from kbench.core.record import Finding

#: `__AIE_ARCH__` of each target.
ARCHITECTURES = {"npu1": 20, "npu2": 21}
#: What AMD's compiler puts before every source, whatever that includes (llvm-aie, clang/lib/Driver/ToolChains/AIE.cpp).
INTRINSICS = {"npu1": "aiev2intrin.h", "npu2": "aie2pintrin.h"}
_IR_BYTES = 32 << 20

#: What published makefiles for the device silence: an error in newer compilers than AMD's.
_LENIENT = ("-Wno-missing-template-arg-list-after-template-kw",)
#: Warnings about variables that may be read before anything set them.
UNSET = ("-Wuninitialized", "-Wsometimes-uninitialized", "-Wconditional-uninitialized")
_UNROLLING = (
    "-funroll-loops", "-mllvm", "-unroll-allow-partial=1", "-mllvm", "-unroll-max-count=4",
    "-mllvm", "-unroll-full-max-count=32", "-mllvm", "-unroll-threshold=200", "-mllvm", "-unroll-runtime=0",
)  # fmt: skip
#: The processor's own names: a source that asks for them is none for this device.
_HIDDEN = ("i386", "__i386", "__i386__", "__pentium4", "__pentium4__", "__SSE__", "__SSE2__", "__SSE_MATH__",
           "__SSE2_MATH__", "__MMX__", "__FXSR__", "__ELF__")  # fmt: skip


@functools.cache
def _front() -> tuple[str, ...]:
    return (
        "--no-default-config", "-target", "i386-unknown-none-elf", "-march=pentium4", "-malign-double",
        "-mlong-double-64", "-nostdinc", "-nostdinc++", *standard_headers("x86-linux-musl", "x86-linux-any"),
        "-std=c++20", "-O2", *NUMBERS, *_UNROLLING, "-fno-vectorize", "-fno-slp-vectorize", "-fno-rtti",
        "-fno-stack-protector", "-fno-threadsafe-statics", "-fno-asynchronous-unwind-tables", "-gline-tables-only",
        "-fno-ident", "-fno-crash-diagnostics", "-fno-color-diagnostics", "-Wno-psabi", *_LENIENT, *UNSET,
        *(f"-U{name}" for name in _HIDDEN),
    )  # fmt: skip


@dataclass(frozen=True)
class AieBuild:
    """A module; `facts` is what the lowering knows about it, `symbols` where things are in it, `ir` the text before it.
    `other` is the same source built again where variables may be read that nothing set: they then hold a pattern."""

    module: Path
    entry: str
    facts: Lowered
    symbols: Object
    ir: Path
    findings: tuple[Finding, ...] = ()
    other: AieBuild | None = None


def prepare(target: str) -> None:
    """Builds what every candidate for a target needs."""
    operations_code()
    precompile(_prelude(target))


def _prelude(target: str) -> Prelude:
    header = f"#include <{INTRINSICS[target]}>\n#include <aie_api/aie.hpp>\n"
    return Prelude(header, (INCLUDE,), (f"__AIE_ARCH__={ARCHITECTURES[target]}", "NDEBUG"), target=_front())


def build_kernel(
    source: Source,
    entry: str,
    target: str,
    *,
    defines: Sequence[str] = (),
    sandbox: Sandbox,
    timeout_s: float,
    workdir: Path,
) -> AieBuild:
    """Builds the source's function `entry` (extern "C") for a target. `defines`: macros besides (`NAME=VALUE`).

    A compiler gives a variable that nothing set whatever value is best for its code, the same in each run: where it
    warns, or its IR still has such a value, a second build holds a pattern there, for the second run to differ by.

    Raises:
        CompileError: the source is at fault.
        UnsupportedApi: it uses an operation that the runtime does not define.
    """
    _refuse_internals(source)
    workdir.mkdir(parents=True, exist_ok=True)
    job = _Job(source, entry, target, tuple(defines), sandbox, timeout_s, workdir)
    built = _build(job)
    if built.facts.undefined or any(f.rule in UNSET for f in built.findings):
        again = _build(replace(job, flags=("-ftrivial-auto-var-init=pattern",), workdir=workdir / "pattern"))
        built = replace(built, other=again)
    return built


@dataclass(frozen=True)
class _Job:
    source: Source
    entry: str
    target: str
    defines: tuple[str, ...]
    sandbox: Sandbox
    timeout_s: float
    workdir: Path
    flags: tuple[str, ...] = ()


def _build(job: _Job) -> AieBuild:
    path, findings = _compile(job)
    facts = lower(path.read_text(errors="replace"), job.entry, _own(job.source))
    _refuse_unknown(facts)
    data = _assemble(facts.ir, job)
    symbols = read_object(data)
    _check_object(symbols)
    module = job.workdir / "kernel.wasm"
    first = [*symbols.first, job.entry]
    module.write_bytes(with_exports(data, [(name, symbols.functions[name]) for name in dict.fromkeys(first)]))
    return AieBuild(module, job.entry, facts, symbols, path, findings)


def _compile(job: _Job) -> tuple[Path, tuple[Finding, ...]]:
    prelude = _prelude(job.target)
    compile_job = CompileJob(
        job.source,
        includes=prelude.includes,
        defines=(*prelude.defines, *job.defines),
        flags=(*prelude.flags, *job.flags),
        prelude=prelude if not job.flags and _may_be_precompiled(job.source) else None,
        target=prelude.target,
        known_api=_known_api,
    )
    path, findings = compile_ir(compile_job, job.sandbox, job.timeout_s, job.workdir)
    if path.stat().st_size > _IR_BYTES:
        raise CompileError("the program is too large", outcome="source_limit", component="sim")
    return path, findings


def _assemble(ir: str, job: _Job) -> bytes:
    try:
        answer = server(job.sandbox).assemble(ir, job.timeout_s)
    except HarnessError as e:
        message = "the compiler crashes on this source"
        raise CompileError(message, outcome="compile_error", log=str(e), component="sim") from e
    if answer is None:
        message = f"the compiler did not end within {job.timeout_s:g} s"
        raise CompileError(message, outcome="compile_timeout", component="sim")
    if answer[1]:
        raise HarnessError(f"the lowered program does not assemble: {answer[1]}")
    return answer[0]


def _check_object(symbols: Object) -> None:
    """Whether the object can stand at address 0, and finds all that it imports.

    Raises:
        CompileError: the code needs what the library does not have, or more data than there is room for.
    """
    if symbols.data.get(NULL) != 0:
        raise HarnessError("the lowered program's data do not begin as they must")
    if symbols.data_end > KERNEL_DATA_BYTES:
        raise CompileError("the program is too large", outcome="source_limit", component="sim")
    for name in symbols.imports:
        if name not in defined():
            message = f"needs {name}, which this device's library does not have"
            raise CompileError(message, outcome="forbidden_symbol", component="sim")


def _own(source: Source) -> list[str]:
    return [name for name in source.files if name != source.main]


def functions(
    source: Source, target: str, *, defines: Sequence[str] = (), sandbox: Sandbox, timeout_s: float, workdir: Path
) -> dict[str, str]:
    """The functions of a source that a wrapper can call (extern "C") → the API that each needs and that is not
    modelled, or nothing.

    Raises:
        CompileError: the source is at fault.
    """
    workdir.mkdir(parents=True, exist_ok=True)
    path, _ = _compile(_Job(source, "", target, tuple(defines), sandbox, timeout_s, workdir))
    text = path.read_text(errors="replace")
    names = [name for name in parse(text).functions if not name.startswith("_Z")]
    return {name: _missing(lower(text, name, _own(source))) for name in names}


def _missing(facts: Lowered) -> str:
    return next((_public_names().get(n, n) for n in facts.operations if f"kbrt_{n}" not in defined()), "")


_FIRST = re.compile(
    r"(?:\s|//[^\n]*\n|/\*.*?\*/|#\s*(?:pragma\s+once|include\s*<(?!aie_api)[\w./]+>)[^\n]*\n)*", re.DOTALL
)
_API_INCLUDE = re.compile(r"#\s*include\s*[<\"]aie_api/aie\.hpp[>\"]")


def _may_be_precompiled(source: Source) -> bool:
    """Whether it makes no difference that the API's header was read before: each file includes it before anything that
    could change it, or has no use for it."""
    return all(_takes_api(text) for name, text in source.files.items() if name != source.main)


def _takes_api(text: str) -> bool:
    first = _FIRST.match(text)
    assert first is not None
    return _API_INCLUDE.match(text, first.end()) is not None or re.search(r"\baie\b|AIE_API", text) is None


def _refuse_internals(source: Source) -> None:
    """What the device's headers are made of here is not there on the device."""
    for name, text in source.files.items():
        found = _INTERNAL.search(text)
        if found and name != source.main:
            line = text.count("\n", 0, found.start()) + 1
            message = f"names {found[0]}, which is internal to the simulator"
            finding = Finding(severity="error", message=message, file=name, line=line, api=found[0])
            raise CompileError(str(finding), outcome="forbidden_symbol", findings=[finding], component="sim")


_INTERNAL = re.compile(r"\b(?:kbaie|kbrt_\w*|KB_(?:INLINE|MEMBER|CONST|STATE|EFFECT))\b")


def _refuse_unknown(facts: Lowered) -> None:
    """Operations that the runtime does not define, and symbols that nobody does."""
    for name, place in facts.operations.items():
        if f"kbrt_{name}" not in defined():
            file, line = facts.places[place]
            raise UnsupportedApi(_public_names().get(name, name), f"{file}:{line}" if file else "")
    for name, place in facts.externals.items():
        if name not in defined() or (name.startswith(("kb", "_")) and name not in _CLASSIFIERS) or name == "memory":
            file, line = facts.places[place]
            message = f"calls {name}, which is neither in the source nor part of the device API"
            finding = Finding(severity="error", message=message, file=file, line=line, api=name)
            raise CompileError(str(finding), outcome="forbidden_symbol", findings=[finding], component="sim")


#: What <math.h> calls under other names than its own; the runtime's other such names are no candidate's business.
_CLASSIFIERS = frozenset(("__fpclassify", "__fpclassifyf", "__signbit", "__signbitf"))
_OPERATION = re.compile(r'^\s*KB_(?:CONST|STATE|EFFECT)\(\s*(\w+)\s*,\s*"([^"]*)"\s*\)', re.MULTILINE)


@functools.cache
def _public_names() -> dict[str, str]:
    """Operation → the API that it is."""
    texts = [p.read_text() for p in sorted(INCLUDE.rglob("*")) if p.is_file()]
    return {name: api for text in texts for name, api in _OPERATION.findall(text)}


_WORD = re.compile(r"\b[a-zA-Z_]\w{2,}\b")


@functools.cache
def _known_api() -> frozenset[str]:
    """Every name that the device's headers hold, for suggestions."""
    texts = [p.read_text() for p in INCLUDE.rglob("*") if p.is_file()]
    return frozenset(word for text in texts for word in _WORD.findall(text) if not word.startswith(("kb", "KB")))
