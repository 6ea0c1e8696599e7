"""Launches of kernel programs, each in a process of its own in the sandbox.

A program reads its plan and its global memory from one file (runtime/plan.h has the layout) and writes JSON lines of
findings and counters to another. Outputs are shared with this process: nothing is copied back.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from kbench.backends.ascend.sim.prices import PRICES, prices_of
from kbench.backends.ascend.sim.prices import pack as pack_prices
from kbench.backends.ascend.sim.timing import Time, read_time
from kbench.backends.ascend.targets import Target
from kbench.core.errors import HarnessError, RunError, RunTimeout, UnsupportedApi
from kbench.core.hostcc import compiler
from kbench.core.hostcc.sandbox import Finished, Limits, Mount, Sandbox
from kbench.core.record import Finding
from kbench.core.task import Array
from kbench.core.taxonomy import OUTCOMES

_PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")
_REPORT_BYTES = 8 << 20
_MAX_ARGUMENTS = 40
_EXTRA, _UNIT = 32, 512  # torch_npu asks for so many bytes more than a tensor has, rounded up to units


@dataclass(frozen=True)
class GmBuffer:
    """A tensor in global memory. `data` is what an `in` or `inout` holds; an `out` has `nbytes` only.

    Roles: `in`, `out`, `inout`, `workspace` (poisoned, private), `tiling`."""

    name: str
    role: str
    data: Array | None = None
    nbytes: int = 0

    @property
    def size(self) -> int:
        return self.nbytes if self.data is None else self.data.nbytes


Argument = GmBuffer | Sequence[GmBuffer] | None


@dataclass(frozen=True)
class Launch:
    """One launch. `args` are the kernel's parameters in order: a tensor, a list of tensors, or None for an absent one.

    A workspace of `workspace_bytes` and the tiling data follow as the last two parameters, unless `args` holds buffers
    of those roles itself. `sub_blocks`: vector cores for each block; 0: what the kernel's type says, 1 where it says
    nothing. `poison`: the byte that unwritten memory holds. `record_bytes`: room for a recording of events
    (kernel_events.py). `numerics`: what operations give whose error the documentation only bounds: `exact` or
    `worst`. `hazards`: missing synchronisation ends the run. `time`: the launch's time is modelled, with a timeline of
    at most `spans` parts, 0: none; `prices`: in place of some of the table's (prices.py)."""

    block_dim: int
    args: Sequence[Argument]
    target: Target
    tiling: bytes = b""
    tiling_key: int = 0
    workspace_bytes: int = 0
    sub_blocks: int = 0
    poison: int = 0xFF
    record_bytes: int = 0
    numerics: str = "exact"
    hazards: bool = False
    time: bool = False
    spans: int = 0
    prices: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class KernelResult:
    """What a launch gave. `outputs`: bytes (uint8) of every `out` and `inout`, in the order of the arguments, lists
    flattened. `counters`: for each pipe the events, repeats and bytes of all blocks. `printed`: by the kernel.
    `recording`: where the launch asked for one, what kernel_events.decode reads. `suspects`: reads of what nobody
    wrote, and outputs that look unwritten; they mean something only where another `poison` gives other outputs. `time`:
    where the launch asked for it, or else `time_failed`, why there is none."""

    outputs: list[Array]
    findings: tuple[Finding, ...]
    counters: dict[str, dict[str, int]]
    printed: tuple[str, ...] = ()
    recording: bytes = b""
    suspects: tuple[Finding, ...] = ()
    time: Time | None = None
    time_failed: str = ""


_HEADER = struct.Struct(f"<QQ8I2Q4I{8 * len(PRICES)}s")
_BUFFER = struct.Struct("<QQQQI44s")
_ARGUMENT = struct.Struct("<4I")
_MAGIC = int.from_bytes(b"KBPLAN1", "little")
_WRITABLE, _POISONED, _ANONYMOUS, _WORKSPACE = 1, 2, 4, 8
NUMERICS = {"exact": 0, "worst": 1}
_NULL, _BUFFER_KIND, _LIST_KIND = 0, 1, 2


@dataclass
class _Placed:
    """A buffer and its place: `mapped` whole pages from `offset` of the file, the tensor `lead` bytes into them."""

    buffer: GmBuffer
    flags: int
    offset: int = 0
    mapped: int = 0
    lead: int = 0

    def pack(self) -> bytes:
        name = self.buffer.name.encode()[:43]
        return _BUFFER.pack(self.offset, self.mapped, self.lead, self.buffer.size, self.flags, name)


@dataclass
class _Plan:
    buffers: list[_Placed] = field(default_factory=list)
    arguments: list[tuple[int, int, int]] = field(default_factory=list)

    def add(self, argument: Argument) -> None:
        if argument is None:
            self.arguments.append((_NULL, 0, 0))
        elif isinstance(argument, GmBuffer):
            # The same buffer twice is one memory: an in-place tensor is both an input and an output of its operator.
            at = next((i for i, placed in enumerate(self.buffers) if placed.buffer is argument), len(self.buffers))
            self.arguments.append((_BUFFER_KIND, at, 1))
            if at == len(self.buffers):
                self.buffers.append(_Placed(argument, _flags(argument)))
        else:
            self.arguments.append((_LIST_KIND, len(self.buffers), len(argument)))
            table = GmBuffer("", "table", _list_table(argument))
            self.buffers.append(_Placed(table, _WRITABLE))
            self.buffers += [_Placed(replace(b, name=f"{b.name}[{i}]"), _flags(b)) for i, b in enumerate(argument)]

    def place(self) -> int:
        """Gives every buffer its pages; returns the file's size."""
        at = _pages(_HEADER.size + len(self.buffers) * _BUFFER.size + len(self.arguments) * _ARGUMENT.size)
        for placed in self.buffers:
            room = -(-(placed.buffer.size + _EXTRA) // _UNIT) * _UNIT
            placed.mapped = _pages(room)
            placed.lead = placed.mapped - room
            if not placed.flags & _ANONYMOUS:
                placed.offset = at
                at += placed.mapped
        return at

    def pack(self, launch: Launch, record_at: int) -> bytes:
        head = _HEADER.pack(
            _MAGIC, launch.tiling_key, launch.block_dim, launch.sub_blocks, launch.target.aiv, launch.target.ub_bytes,
            len(self.buffers), len(self.arguments), launch.poison, launch.target.aic, record_at, _recording(launch),
            NUMERICS[launch.numerics], launch.hazards, launch.time, launch.spans,
            pack_prices(prices_of(launch.target, launch.prices)),
        )  # fmt: skip
        arguments = b"".join(_ARGUMENT.pack(*a, 0) for a in self.arguments)
        return head + b"".join(b.pack() for b in self.buffers) + arguments


def _pages(n: int) -> int:
    return max(1, -(-n // mmap.PAGESIZE)) * mmap.PAGESIZE


def _recording(launch: Launch) -> int:
    return _pages(launch.record_bytes) if launch.record_bytes else 0


def _flags(buffer: GmBuffer) -> int:
    match buffer.role:
        case "in" | "tiling":
            return 0
        case "out":
            return _WRITABLE | _POISONED
        case "inout":
            return _WRITABLE
        case "workspace":
            return _WRITABLE | _POISONED | _ANONYMOUS | _WORKSPACE
    raise HarnessError(f"a kernel argument of role {buffer.role!r}; expected in, out, inout, workspace or tiling")


def _list_table(tensors: Sequence[GmBuffer]) -> Array:
    """ListTensorDesc: the table's byte offset, each tensor's dimensions, then room for the addresses."""
    words: list[int] = [0]
    for i, tensor in enumerate(tensors):
        shape = tensor.data.shape if tensor.data is not None else (tensor.nbytes,)
        words += [i << 32 | len(shape), *shape]
    words[0] = len(words) * 8
    return np.array(words + [0] * len(tensors), dtype=np.uint64)


def run_kernel(
    program: Path, launch: Launch, *, sandbox: Sandbox, timeout_s: float, memory_bytes: int = 4 << 30
) -> KernelResult:
    """Launches the program once, in a process of its own.

    Raises:
        RunError, RunTimeout: the candidate broke a rule, crashed, hung, changed an input; findings carry its own file
            and line.
        UnsupportedApi: it reached a documented API that is not modelled.
        HarnessError: the launch cannot be done here.
    """
    plan = _plan(launch)
    size = plan.place()
    data_fd, report_fd = os.memfd_create("gm"), os.memfd_create("report")
    try:
        os.ftruncate(data_fd, size + _recording(launch))
        os.pwrite(data_fd, plan.pack(launch, size), 0)
        for placed in plan.buffers:
            _fill(data_fd, placed, launch.poison)
        finished = sandbox.run(
            ["/kernel"],
            mounts=[Mount(program, "/kernel")],
            cwd="/",
            limits=Limits(wall_s=timeout_s, memory_bytes=memory_bytes + size + _recording(launch)),
            pass_fds=(data_fd, report_fd),
            stage="run",
        )
        report = Report.read(report_fd, program)
        memory = mmap.mmap(data_fd, size)
        recording = os.pread(data_fd, _recording(launch), size)
    finally:
        os.close(data_fd)
        os.close(report_fd)
    findings = tuple(report.findings(program))
    fail_as_reported(report, finished, findings, timeout_s)
    outputs = [_view(memory, p) for p in plan.buffers if p.buffer.role in ("out", "inout")]
    suspects = (*report.suspects(program), *_unwritten(plan, outputs, launch.poison))
    time, failed = _time(report, launch, program)
    printed = tuple(report.printed())
    return KernelResult(outputs, findings, report.counters(), printed, recording, suspects, time, failed)


def _time(report: Report, launch: Launch, program: Path) -> tuple[Time | None, str]:
    """The modelled time, or why there is none: the kernel has ended, and what it gave stands."""
    if not launch.time:
        return None, ""
    try:
        return read_time(report.lines, launch.target, launch.prices, program), ""
    except HarnessError as error:
        return None, str(error)


def _plan(launch: Launch) -> _Plan:
    if not 1 <= launch.block_dim <= 65535:
        text = f"blockDim: expected 1 to 65535, got {launch.block_dim}"
        finding = Finding(severity="error", rule="E46", message=text)
        raise RunError(text, outcome="rule_violation", findings=[finding], component="sim")
    args = list(launch.args)
    roles = {a.role for a in args if isinstance(a, GmBuffer)}
    if "workspace" not in roles:
        workspace = GmBuffer("workspace", "workspace", nbytes=launch.workspace_bytes)
        args.append(workspace if launch.workspace_bytes else None)
    if "tiling" not in roles:
        data = np.frombuffer(launch.tiling, np.uint8)
        args.append(GmBuffer("tiling", "tiling", data) if data.size else None)
    if len(args) > _MAX_ARGUMENTS:
        raise HarnessError(f"a kernel of {len(args)} arguments; the simulator passes at most {_MAX_ARGUMENTS}")
    plan = _Plan()
    for argument in args:
        plan.add(argument)
    return plan


def _fill(fd: int, placed: _Placed, poison: int) -> None:
    """Writes what the buffer holds at the start. A write to the file costs less than page faults of a mapping, here and
    in the child."""
    if not placed.flags & _ANONYMOUS:
        chunk = np.full(min(placed.mapped, 1 << 20), poison, np.uint8)
        start = 0 if placed.flags & _POISONED else placed.lead + placed.buffer.size
        for at in range(start, placed.mapped, chunk.size):
            _write_all(fd, chunk[: placed.mapped - at], placed.offset + at)
    data = placed.buffer.data
    if data is not None:
        _write_all(fd, np.ascontiguousarray(data).reshape(-1).view(np.uint8), placed.offset + placed.lead)


def _write_all(fd: int, data: Array, at: int) -> None:
    view = data.data
    while len(view):
        written = os.pwrite(fd, view, at)
        view, at = view[written:], at + written


def _unwritten(plan: _Plan, outputs: Sequence[Array], poison: int) -> Iterator[Finding]:
    """Outputs that hold the poison still, four bytes of it in a row."""
    names = [p.buffer.name for p in plan.buffers if p.buffer.role in ("out", "inout")]
    for name, output in zip(names, outputs, strict=True):
        words = output[: output.size // 4 * 4].view(np.uint32)
        if (words == poison * 0x01010101).any():
            yield Finding(severity="warning", rule="E53", message=f"'{name}': a part of it is never written")
            return


def _view(memory: mmap.mmap, placed: _Placed) -> Array:
    return np.frombuffer(memory, np.uint8, placed.buffer.size, placed.offset + placed.lead)


_PLACE = re.compile(r"@([0-9a-f]+)/([0-9a-f]+)@")  # return addresses in a message, the inner one first
_EXPECTED = re.compile(r"expected (?P<expected>.+?), got (?P<got>[^;]+)")


class Report:
    """The JSON lines of one run."""

    def __init__(self, lines: Sequence[dict[str, Any]]) -> None:
        self.lines = lines

    @classmethod
    def read(cls, fd: int, program: Path) -> Report:
        lines = []
        for text in os.pread(fd, _REPORT_BYTES, 0).splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue  # cut off by the size limit or by the end of the process
            if "message" in line:
                line["message"] = _with_places(line["message"], program)
            lines.append(line)
        return cls(lines)

    @property
    def end(self) -> dict[str, Any] | None:
        return next((line for line in reversed(self.lines) if line.get("end")), None)

    def findings(self, program: Path) -> Iterator[Finding]:
        for line in self.lines:
            if line.get("severity", "suspect") != "suspect":
                yield _finding(line, program)

    def suspects(self, program: Path) -> Iterator[Finding]:
        for line in self.lines:
            if line.get("severity") == "suspect":
                yield _finding({**line, "severity": "warning"}, program)

    def printed(self) -> Iterator[str]:
        """What the kernel printed, line by line."""
        yield from "".join(line["print"] for line in self.lines if "print" in line).splitlines(keepends=True)

    def counters(self) -> dict[str, dict[str, int]]:
        """Sums over the cores."""
        cores: list[list[int]] = next((line["cores"] for line in self.lines if "cores" in line), [])
        sums = np.array(cores, dtype=np.uint64).reshape(len(cores), len(_PIPES), 3).sum(axis=0)
        return {
            pipe: {"events": int(row[0]), "repeats": int(row[1]), "bytes": int(row[2])}
            for pipe, row in zip(_PIPES, sums, strict=True)
        }


def _with_places(message: str, program: Path) -> str:
    """The message with the candidate's file and line for each place that it names by return addresses."""

    def name(match: re.Match[str]) -> str:
        places = (compiler.line_of(program, int(pc, 16) - 1) for pc in match.groups())
        return next((f"{place[0]}:{place[1]}" for place in places if place), "an unknown line")

    return _PLACE.sub(name, message)


def _finding(line: Mapping[str, Any], program: Path) -> Finding:
    places = (compiler.line_of(program, pc - 1) for pc in line.get("pcs", ()))
    file, number = next((p for p in places if p is not None), ("", 0))
    values = _EXPECTED.search(line["message"])
    return Finding(
        severity=line["severity"],
        message=line["message"],
        rule=line["rule"],
        api=line["api"],
        file=file,
        line=number,
        expected=values["expected"] if values else "",
        got=values["got"] if values else "",
    )


def fail_as_reported(report: Report, finished: Finished, findings: Sequence[Finding], timeout_s: float) -> None:
    log = "".join(report.printed()) + finished.stderr.decode(errors="replace")

    def failure(message: str, outcome: str) -> RunError:
        return RunError(message, outcome=outcome, log=log, findings=findings, component="sim")

    if finished.timed_out:
        raise RunTimeout(f"the kernel did not end within {timeout_s:g} s", log=log, findings=findings)
    end = report.end
    if end is None:
        if finished.output_overflow:
            raise failure("the kernel printed more than it may", "output_limit")
        how = f"by signal {finished.signal}" if finished.signal else f"with exit code {finished.returncode}"
        raise failure(f"the kernel's process ended {how}", "crash")
    outcome, message = end["outcome"], end.get("message", "")
    if outcome == "ok":
        return
    if outcome == "unsupported":
        raise UnsupportedApi(message)
    if outcome not in OUTCOMES or outcome == "harness_error":
        raise HarnessError(f"the simulator ended as {outcome!r}: {message}")
    raise failure(_located(message, findings), outcome)


def _located(message: str, findings: Sequence[Finding]) -> str:
    """The message with the place of the finding that says the same."""
    same = next((f for f in reversed(findings) if f.message == message), None)
    return str(same) if same else message
