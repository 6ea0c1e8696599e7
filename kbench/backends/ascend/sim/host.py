"""The host side of an operator in the simulator: built once, asked what it registers, run for each case.

    program = build_host(candidate, target, sandbox, timeout_s, workdir)     # .registry: arguments, dtype rows, tiling
    tiling = run_tiling(program, case, target, sandbox=…, timeout_s=…)       # blocks, key, data, workspaces

The program is freestanding and runs in the sandbox, a fresh process each time. It reads a plan (JSON) from descriptor 3
and writes its answer to descriptor 4.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from kbench.backends.ascend.sim.host_registry import GE_CODES, ZERO, AttrDef, Param, Registry, read_registry
from kbench.backends.ascend.sim.host_sources import host_sources, weaken
from kbench.backends.ascend.targets import MIB, Target
from kbench.core.candidate import Candidate
from kbench.core.errors import CompileError, HarnessError, RunError, RunTimeout, UnsupportedApi
from kbench.core.hostcc.cache import content_key, default_cache
from kbench.core.hostcc.compiler import (
    FREESTANDING,
    CompileJob,
    Prelude,
    Source,
    compile_object,
    library,
    line_of,
    link,
    support_symbol,
)
from kbench.core.hostcc.sandbox import Finished, Limits, Mount, Sandbox
from kbench.core.hostcc.toolchain import toolchain
from kbench.core.record import Finding
from kbench.core.task import Array, Shape, Value
from kbench.core.taxonomy import OUTCOMES

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

TILING_CAPACITY = 16 * 1024  # bytes; what the framework reserves unless the registered structure is larger (assumed)
MAX_BLOCKS = 65535
MAX_WORKSPACE = 2048 * MIB  # the simulator fills it for every case
_LIMITS = Limits(wall_s=10, memory_bytes=1 << 30, output_bytes=1 << 20)
_DEFAULT_HBM = 64 * 1024 * MIB
_DEFAULT_L2 = 192 * MIB


@dataclass(frozen=True)
class HostProgram:
    """A built host side. `findings` are the compiler's warnings, `skipped` the sources that only a graph or aclnn layer
    needs and that are not compiled."""

    program: Path
    registry: Registry
    findings: tuple[Finding, ...] = ()
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True)
class HostArgument:
    """One argument of a case: the shapes of its tensors (one, several for a list, none where it is absent), their
    dtype, and their values where the host may read them."""

    shapes: tuple[Shape, ...]
    dtype: str
    values: tuple[Array, ...] = ()

    @classmethod
    def of(cls, value: Value, dtype: str) -> HostArgument:
        """From a task's value: a tensor, a list of tensors, or None."""
        arrays = () if value is None else tuple(value) if isinstance(value, list) else (value,)
        return cls(tuple(a.shape for a in arrays), dtype, arrays)

    @classmethod
    def shaped(cls, shapes: Shape | Sequence[Shape] | None, dtype: str) -> HostArgument:
        """From shapes alone, as outputs have them: one shape, a list of shapes, or None."""
        if shapes is None:
            return cls((), dtype)
        if isinstance(shapes, list):
            return cls(tuple(shapes), dtype)
        return cls((tuple(shapes),), dtype)  # type: ignore[arg-type]


@dataclass(frozen=True)
class HostCase:
    """A case by position, in the definition's order: inputs, outputs that are not in place (`Registry.output_only`),
    and attributes. Attributes may be fewer; None takes the default."""

    inputs: Sequence[HostArgument]
    outputs: Sequence[HostArgument]
    attrs: Sequence[Any] = ()


@dataclass(frozen=True)
class Tiling:
    """What the tiling function decided. `workspaces` are bytes, `stdout` what it printed, `findings` where the
    functions that infer the outputs' shapes and types say something else than the case, `need_atomic` whether outputs
    get the initial values that the definition gives them."""

    block_dim: int
    key: int
    data: bytes
    workspaces: tuple[int, ...]
    schedule_mode: int
    stdout: str
    findings: tuple[Finding, ...] = ()
    need_atomic: bool = False

    @property
    def workspace_bytes(self) -> int:
        return sum(self.workspaces)


# ---- build ----------------------------------------------------------------------------------------------------------


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


# ---- run ------------------------------------------------------------------------------------------------------------


def run_tiling(program: HostProgram, case: HostCase, target: Target, *, sandbox: Sandbox, timeout_s: float) -> Tiling:
    """Run the tiling function for one case.

    Raises:
        RunError: `tiling_failed` where it fails or asks for a launch that cannot be; `crash`, `forbidden_syscall`, …
            where the program ends otherwise. The log is what it printed.
        RunTimeout: it did not end.
    """
    registry = program.registry
    if not registry.has_tiling:
        raise RunError(f"{registry.op} has no tiling function", outcome="tiling_failed", component="host")
    plan = {
        "mode": "tiling",
        "op": registry.op,
        "platform": platform_plan(target),
        "capacity": max([TILING_CAPACITY, *(s.bytes for s in registry.structs)]),
        "inputs": _arguments(registry.inputs, case.inputs, "input"),
        "outputs": _arguments(registry.outputs, _all_outputs(registry, case), "output"),
        "attrs": _attrs(registry, case.attrs),
    }
    report, finished = _execute(program.program, plan, sandbox, timeout_s)
    log = _text(finished)
    _check_launch(report, registry.op, log)
    return Tiling(
        block_dim=report["block_dim"],
        key=report["tiling_key"],
        data=bytes.fromhex(report["tiling"]),
        workspaces=tuple(report["workspaces"]),
        schedule_mode=report["schedule_mode"],
        need_atomic=report["need_atomic"],
        stdout=log,
        findings=tuple(_inference(program, plan, sandbox, timeout_s)) if registry.infers else (),
    )


def _inference(program: HostProgram, plan: Mapping[str, Any], sandbox: Sandbox, timeout_s: float) -> Iterator[Finding]:
    """Warnings: a call that gives the outputs, as an operator's tests do, needs nothing inferred; a graph does."""
    try:
        report, _ = _execute(program.program, {**plan, "mode": "inference"}, sandbox, timeout_s)
    except RunError as error:
        yield Finding(severity="warning", api="InferShape", message=f"InferShape or InferDataType: {error}")
        return
    for api, status in (("InferShape", "shape_status"), ("InferDataType", "type_status")):
        if report.get(status, 0) != 0:
            message = f"{api}: expected GRAPH_SUCCESS, got {_status(report[status])}"
            yield Finding(severity="warning", api=api, message=message)
    names = [p for p, a in zip(program.registry.outputs, plan["outputs"], strict=True) for _ in a["tensors"]]
    wanted = [tensor for argument in plan["outputs"] for tensor in argument["tensors"]]
    for param, want, got in zip(names, wanted, report["outputs"], strict=True):
        known = report.get("shape_status") == 0 and not param.shape_on_compute and min(got["shape"], default=0) >= 0
        if known and got["shape"] != want["shape"]:
            yield _inferred("InferShape", param.name, tuple(want["shape"]), tuple(got["shape"]))
        if report.get("type_status") == 0 and got["dtype"] != want["dtype"]:
            types = {code: name for name, code in GE_CODES.items()}
            yield _inferred("InferDataType", param.name, types.get(want["dtype"]), types.get(got["dtype"], "none"))


def _inferred(api: str, output: str, want: object, got: object) -> Finding:
    message = f"{api}: {output}: expected {want}, got {got}"
    return Finding(severity="warning", api=api, message=message, expected=str(want), got=str(got))


def _check_launch(report: Mapping[str, Any], op: str, log: str) -> None:
    problem = ""
    if report["status"] != 0:
        problem = f"the tiling function of {op} returned {_status(report['status'])}" + _last_words(log)
    elif not 1 <= report["block_dim"] <= MAX_BLOCKS:
        problem = f"SetBlockDim: expected 1 to {MAX_BLOCKS} blocks, got {report['block_dim']}"
    elif report["tiling_bytes"] > report["capacity"]:
        problem = f"SetDataSize: {report['tiling_bytes']} bytes of tiling data, {report['capacity']} fit"
    elif any(size > _DEFAULT_HBM for size in report["workspaces"]):
        problem = f"GetWorkspaceSizes: {max(report['workspaces'])} bytes are more than the device has"
    if problem:
        raise RunError(problem, outcome="tiling_failed", log=log, component="host")
    if sum(report["workspaces"]) > MAX_WORKSPACE:
        problem = f"GetWorkspaceSizes: expected at most {MAX_WORKSPACE} bytes, got {sum(report['workspaces'])}"
        raise RunError(problem, outcome="memory_limit", log=log, component="host")


def _status(code: int) -> str:
    return {0xFFFFFFFF: "GRAPH_FAILED", 50331649: "GRAPH_PARAM_INVALID"}.get(code, f"status {code}")


def _last_words(log: str) -> str:
    lines = [line for line in log.splitlines() if line.strip()]
    return f"; it last printed: {lines[-1].strip()[:200]}" if lines else ""


def platform_plan(target: Target) -> dict[str, Any]:
    return {
        "soc": "Ascend" + target.name.removeprefix("ascend").upper(),
        "short_soc": "Ascend910_93" if "_93" in target.name else "Ascend910B",
        "aic": target.aic,
        "aiv": target.aiv,
        "npu_arch": target.npu_arch,
        "l0a": target.l0a_bytes,
        "l0b": target.l0b_bytes,
        "l0c": target.l0c_bytes,
        "l1": target.l1_bytes,
        "l2": target.l2_bytes or _DEFAULT_L2,
        "ub": target.ub_bytes,
        "hbm": target.hbm_bytes or _DEFAULT_HBM,
        "fb": target.fb_bytes,
        "bt": target.bt_bytes,
    }


def config_name(target: Target) -> str:
    """The target's name in AddConfig: one configuration serves a family of chips."""
    return "ascend910_93" if target.name.startswith("ascend910_93") else "ascend910b"


def _arguments(params: Sequence[Param], arguments: Sequence[HostArgument], role: str) -> list[dict[str, Any]]:
    if len(arguments) != len(params):
        raise HarnessError(f"the case gives {len(arguments)} {role}s, the definition has {len(params)}")
    return [
        {
            "tensors": [
                {"dtype": GE_CODES[argument.dtype], "shape": list(shape), "format": param.format_of(len(shape))}
                | ({"data": _bytes(argument.values[i])} if param.host_read and i < len(argument.values) else {})
                for i, shape in enumerate(argument.shapes)
            ],
        }
        for param, argument in zip(params, arguments, strict=True)
    ]


def _all_outputs(registry: Registry, case: HostCase) -> list[HostArgument]:
    """In-place outputs, which carry an input's name, are that input again."""
    if len(case.outputs) != len(registry.output_only):
        raise HarnessError(f"the case gives {len(case.outputs)} outputs, {registry.op} has {len(registry.output_only)}")
    by_name = {p.name: a for p, a in zip(registry.inputs, case.inputs, strict=False)}
    by_name |= {p.name: a for p, a in zip(registry.output_only, case.outputs, strict=True)}
    return [by_name[p.name] for p in registry.outputs]


def _bytes(array: Array) -> str:
    return np.ascontiguousarray(array).tobytes().hex()


def _attrs(registry: Registry, values: Sequence[Any]) -> list[dict[str, Any]]:
    if len(values) > len(registry.attrs):
        raise HarnessError(f"the case gives {len(values)} attributes, {registry.op} has {len(registry.attrs)}")
    given = [*values, *([None] * (len(registry.attrs) - len(values)))]
    return [{"type": a.type, "value": _attr(a, v)} for a, v in zip(registry.attrs, given, strict=True)]


def _attr(attr: AttrDef, value: Any) -> Any:
    """The value as the plan holds it: floats as the bits of float32."""
    if value is None:
        value = ZERO[attr.type] if attr.default is None else attr.default
    try:
        if attr.type.startswith("list_"):
            one = replace(attr, type=attr.type.removeprefix("list_"))
            return [_attr(one, item) for item in value]
        if attr.type == "float":
            return struct.unpack("<I", struct.pack("<f", float(value)))[0]
        if attr.type == "str":
            if not isinstance(value, str):
                raise TypeError
            return value
        return bool(value) if attr.type == "bool" else int(value)
    except (TypeError, ValueError, OverflowError):
        message = f"attribute {attr.name} is declared as {attr.type}, the case gives {value!r}"
        raise RunError(message, outcome="tiling_failed", component="host") from None


def _registry(program: Path, target: Target, sandbox: Sandbox, operator: str) -> Registry:
    """Ask the program. Dying while it registers is the candidate's failure to register."""
    plan = {"mode": "registry", "platform": platform_plan(target)}
    try:
        dump, _ = _execute(program, plan, sandbox, _LIMITS.wall_s)
    except RunError as error:
        raise CompileError(
            f"the host side died while it registered: {error}",
            outcome="registration_error",
            log=error.log,
            findings=error.findings,
            component="host",
        ) from error
    return read_registry(dump, config_name(target), operator)


def _execute(
    program: Path, plan: Mapping[str, Any], sandbox: Sandbox, timeout_s: float
) -> tuple[dict[str, Any], Finished]:
    """One process: the plan in, the first line of the report out."""
    plan_fd, report_fd = os.memfd_create("plan"), os.memfd_create("report")
    try:
        os.write(plan_fd, json.dumps(plan).encode())
        os.lseek(plan_fd, 0, os.SEEK_SET)
        finished = sandbox.run(
            ["/host"],
            mounts=[Mount(program, "/host")],
            cwd="/",
            limits=replace(_LIMITS, wall_s=timeout_s),
            pass_fds=(plan_fd, report_fd),
            stage="run",
        )
        report = os.pread(report_fd, os.fstat(report_fd).st_size, 0)
    finally:
        os.close(plan_fd)
        os.close(report_fd)
    lines = _lines(report)
    _raise_death(program, finished, lines, timeout_s)
    if not lines:
        raise HarnessError(f"{program}: the host program ended without a report")
    return lines[0], finished


def _lines(report: bytes) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in report.decode(errors="replace").splitlines()]
    except ValueError:
        return []


def _raise_death(program: Path, finished: Finished, report: Sequence[Mapping[str, Any]], timeout_s: float) -> None:
    log = _text(finished)
    if finished.timed_out:
        raise RunTimeout(f"the host side had not ended after {timeout_s:g} s", log=log)
    if finished.output_overflow:
        raise RunError("the host side printed more than it may", outcome="output_limit", log=log, component="host")
    if finished.returncode == 0:
        return
    end: dict[str, Any] = {key: value for line in report for key, value in line.items()}
    outcome = end.get("outcome", "crash")
    message = end.get("message", f"died of signal {finished.signal}")
    if outcome == "harness_error":
        raise HarnessError(f"host program: {message}")
    if outcome not in OUTCOMES or OUTCOMES[outcome].stage != "run":
        outcome = "crash"
    places = (line_of(program, address) for address in end.get("frames", ()))
    file, line = next((place for place in places if place), ("", 0))
    finding = Finding(severity="error", message=message, rule=outcome, file=file, line=line)
    where = f"{file}:{line}: " if file else ""
    raise RunError(f"{where}{message}", outcome=outcome, log=log, findings=[finding], component="host")


def _text(finished: Finished) -> str:
    return (finished.stdout + finished.stderr).decode(errors="replace")
