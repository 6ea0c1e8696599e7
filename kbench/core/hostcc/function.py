"""One C function of a candidate, compiled and called in the sandbox: all that a simple backend needs.

    scale = compile_function(candidate, "void scale(const float *x, float *y, int64_t n)", settings, workdir)
    [y] = call_function(scale, [x, Out(x.shape, "float32"), x.size], settings)

A `const` pointer is an input, any other pointer an output; numbers go by value. Each call is a process of its own.
"""

from __future__ import annotations

import json
import mmap
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kbench.core.backend import Settings
from kbench.core.candidate import Candidate
from kbench.core.errors import HarnessError, RunError, RunTimeout
from kbench.core.hostcc.compiler import CompileJob, Source, compile_object, library, line_of, link
from kbench.core.hostcc.sandbox import Finished, Limits, Mount, sandbox
from kbench.core.hostcc.signature import C_TYPES, Argument, Out
from kbench.core.record import Finding
from kbench.core.task import DTYPES, Array, Shape
from kbench.core.taxonomy import OUTCOMES

_SCALARS = {c: DTYPES[name] for name, c in C_TYPES.items()} | {"int": np.dtype(np.int32), "size_t": np.dtype(np.uint64)}

_POISON = 0xFF  # NaN in every float, -1 in every integer: an element that is never written does not look right
_ALIGNMENT = 16
_REPORT_BYTES = 1 << 16
_MEMORY = "memcpy memmove memset memcmp"
_MATH = (
    "acos asin atan atan2 ceil copysign cos cosh erf exp exp2 expm1 fabs floor fma fmax fmin fmod hypot ldexp log "
    "log10 log1p log2 lrint nearbyint pow remainder rint round sin sinh sqrt tan tanh trunc"
)
_LIBRARY = frozenset(_MEMORY.split()) | {name + end for name in _MATH.split() for end in ("", "f")}


@dataclass(frozen=True)
class Function:
    """A compiled function: `program` calls it once. `parameters` are their C types, `findings` the warnings."""

    name: str
    parameters: tuple[str, ...]
    program: Path
    findings: tuple[Finding, ...] = ()


def compile_function(
    candidate: Candidate, signature: str, settings: Settings, workdir: Path, *, defines: Sequence[str] = ()
) -> Function:
    """Build the C function of that signature from the candidate's file of role `kernel`, below `workdir`.

    The signature may use types that `defines` (`NAME=VALUE`) give. A definition that contradicts it does not compile.

    Raises:
        CompileError: with the compiler's log and findings in the candidate's own lines.
    """
    name, parameters = _parse(signature)
    main = candidate.roles["kernel"]
    call = ", ".join(
        f"arguments[{i}]" if type_.endswith("*") else f"*({type_} *)arguments[{i}]"
        for i, type_ in enumerate(parameters)
    )
    # The call stands before the candidate's text, out of its macros' reach.
    caller = f"#include <stdint.h>\n#include <stddef.h>\n{signature};\n" + (
        f'void kb_call(void *const *arguments) {{ {name}({call}); }}\n#include "{main}"\n'
    )
    source = Source({**candidate.files, "kb_call.c": caller}, "kb_call.c")
    job = CompileJob(source, includes=(), defines=tuple(defines), flags=("-std=c17",))
    object_, findings = compile_object(job, sandbox(settings.sandbox), settings.compile_timeout_s, workdir)
    program = workdir / "function"
    link([object_], [_runtime()], program, allowed=lambda symbol: symbol in _LIBRARY or symbol == name)
    return Function(name, parameters, program, findings)


def call_function(function: Function, arguments: Sequence[Argument], settings: Settings) -> list[Array]:
    """Call it in a new process, on copies of the arguments. Every non-const pointer's buffer comes back, in order.

    Raises:
        RunError, RunTimeout: it crashed, wrote past an output's end, called the system, or did not end.
    """
    slots = _layout(function, arguments)
    inputs, outputs, report = (os.memfd_create(name) for name in ("inputs", "outputs", "report"))
    try:
        _fill(inputs, slots, "i")
        memory = _fill(outputs, slots, "o")
        finished = sandbox(settings.sandbox).run(
            ["/function", *(f"{s.kind}:{s.offset}:{s.span}:{s.lead}" for s in slots)],
            mounts=[Mount(function.program, "/function")],
            cwd="/",
            limits=Limits(wall_s=settings.run_timeout_s),
            pass_fds=(inputs, report, outputs),
            stage="run",
        )
        _raise_failure(function, finished, os.pread(report, _REPORT_BYTES, 0), settings)
    finally:
        for fd in (inputs, outputs, report):
            os.close(fd)
    return [_read_back(function, i, slot, memory) for i, slot in enumerate(slots) if slot.kind == "o"]


def _parse(signature: str) -> tuple[str, tuple[str, ...]]:
    """`void f(const float *x, int n)` → ("f", ("const float *", "int"))."""
    shape = re.fullmatch(r"\s*void\s+(\w+)\s*\((.*)\)\s*", signature, re.DOTALL)
    if shape is None:
        raise HarnessError(f"signature: expected 'void NAME(TYPE NAME, ...)', got {signature!r}")
    parameters = [re.sub(r"\w+\s*$", "", p.strip()).strip() for p in shape[2].split(",")]
    for type_ in parameters:
        if not type_.endswith("*") and type_ not in _SCALARS:
            raise HarnessError(f"signature: expected a pointer or one of {', '.join(_SCALARS)}; got {type_!r}")
    return shape[1], tuple(parameters)


def _runtime() -> Path:
    here = Path(__file__).parent
    return library("function", [here / "function.cpp"], [here / "freestanding"])


@dataclass(frozen=True)
class _Slot:
    """Where one argument lies: `span` whole pages from `offset` of its file (`i`nputs or `o`utputs), beginning at
    `lead`, so that it ends (to 16 bytes) where the next page, a guard, begins."""

    kind: str
    offset: int
    span: int
    lead: int
    dtype: np.dtype[Any]
    shape: Shape
    initial: Array | None = None

    @property
    def bytes(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize


def _layout(function: Function, arguments: Sequence[Argument]) -> list[_Slot]:
    if len(arguments) != len(function.parameters):
        raise HarnessError(f"{function.name}: expected {len(function.parameters)} arguments, got {len(arguments)}")
    slots: list[_Slot] = []
    used = {"i": 0, "o": 0}
    for type_, value in zip(function.parameters, arguments, strict=True):
        kind = "o" if type_.endswith("*") and not type_.startswith("const ") else "i"
        if isinstance(value, Out):
            slot = _Slot(kind, used[kind], 0, 0, DTYPES[value.dtype], value.shape)
        else:
            array = np.asarray(value, dtype=None if type_.endswith("*") else _SCALARS[type_], order="C")
            slot = _Slot(kind, used[kind], 0, 0, array.dtype, array.shape, array)
        rounded = -(-slot.bytes // _ALIGNMENT) * _ALIGNMENT
        span = max(1, -(-rounded // mmap.PAGESIZE)) * mmap.PAGESIZE
        slots.append(replace(slot, span=span, lead=span - rounded))
        used[kind] += span
    return slots


def _fill(fd: int, slots: Sequence[_Slot], kind: str) -> Array:
    """The file of one kind, mapped: poison, then what the arguments hold."""
    slots = [s for s in slots if s.kind == kind]
    size = sum(s.span for s in slots) or mmap.PAGESIZE
    os.ftruncate(fd, size)
    memory = np.frombuffer(mmap.mmap(fd, size), np.uint8)
    memory[:] = _POISON
    for slot in slots:
        if slot.initial is not None:
            start = slot.offset + slot.lead
            memory[start : start + slot.bytes] = np.frombuffer(slot.initial.tobytes(), np.uint8)
    return memory


def _read_back(function: Function, index: int, slot: _Slot, memory: Array) -> Array:
    start = slot.offset + slot.lead
    end = start + slot.bytes
    if (memory[end : slot.offset + slot.span] != _POISON).any():
        raise RunError(
            f"{function.name}: wrote past the end of argument {index} ({slot.bytes} bytes)", outcome="out_of_bounds"
        )
    return np.ndarray(slot.shape, slot.dtype, buffer=memory.data, offset=start)


def _raise_failure(function: Function, finished: Finished, report: bytes, settings: Settings) -> None:
    log = (finished.stdout + finished.stderr).decode(errors="replace")
    if finished.timed_out:
        raise RunTimeout(f"{function.name} had not ended after {settings.run_timeout_s:g} s", log=log)
    if finished.output_overflow:
        raise RunError(f"{function.name} printed more than it may", outcome="output_limit", log=log)
    if finished.returncode == 0:
        return
    end = _last_line(report)
    outcome, message = end.get("outcome", "crash"), end.get("message", f"died of signal {finished.signal}")
    if outcome == "harness_error":
        raise HarnessError(f"{function.name}: {message}")
    if outcome not in OUTCOMES or OUTCOMES[outcome].stage != "run":
        outcome = "crash"
    place = line_of(function.program, int(end["pc"])) if "pc" in end else None
    file, line = place or ("", 0)
    finding = Finding(severity="error", message=message, rule=outcome, file=file, line=line)
    where = f"{file}:{line}: " if file else ""
    raise RunError(f"{where}{message}", outcome=outcome, log=log, findings=[finding])


def _last_line(report: bytes) -> dict[str, Any]:
    lines = report.decode(errors="replace").splitlines()
    try:
        end = json.loads(lines[-1]) if lines else {}
    except ValueError:  # the candidate scribbled over it
        return {}
    return end if isinstance(end, dict) else {}
