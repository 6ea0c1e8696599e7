"""The tiling function of a built host side, run for one case."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kbench.backends.ascend.sim.host_process import DEFAULT_HBM, HostProgram, execute, platform_plan, text_of
from kbench.backends.ascend.sim.host_registry import GE_CODES, ZERO, AttrDef, Param, Registry
from kbench.backends.ascend.targets import MIB, Target
from kbench.core.errors import HarnessError, RunError
from kbench.core.hostcc.sandbox import Sandbox
from kbench.core.record import Finding
from kbench.core.task import Array, Shape, Value

TILING_CAPACITY = 16 * 1024  # bytes; what the framework reserves unless the registered structure is larger (assumed)
MAX_BLOCKS = 65535
MAX_WORKSPACE = 2048 * MIB  # the simulator fills it for every case


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
    report, finished = execute(program.program, plan, sandbox, timeout_s)
    log = text_of(finished)
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
        report, _ = execute(program.program, {**plan, "mode": "inference"}, sandbox, timeout_s)
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
    elif any(size > DEFAULT_HBM for size in report["workspaces"]):
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
