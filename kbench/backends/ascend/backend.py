"""The Ascend backend: binds a task to an operator's two halves, the host side and the kernel, and runs both.

compile:  host sources → host program → its registry (arguments, dtype rows, tiling structures)
          kernel source → one program for each row of dtypes that the cases need
run:      host program + case → launch (blocks, tiling key and data, workspace) → kernel program → outputs
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from kbench.backends.ascend import references
from kbench.backends.ascend.interface import GE_TYPES, KERNEL_TYPES, interface, kernel_name
from kbench.backends.ascend.profile import listing_of, profile_of, timeline_of
from kbench.backends.ascend.rewrite import rewrite
from kbench.backends.ascend.sim import host, kernel
from kbench.backends.ascend.sim import program as sim_program
from kbench.backends.ascend.sim.host_registry import GE_CODES, Param, Registry, refused
from kbench.backends.ascend.sim.timing import Time
from kbench.backends.ascend.targets import TARGETS, Target
from kbench.core.backend import Again, Backend, Build, Interface, Probe, RunResult, Settings
from kbench.core.candidate import Candidate, Track
from kbench.core.errors import HarnessError, unknown_name
from kbench.core.hostcc.cache import default_cache
from kbench.core.hostcc.sandbox import Sandbox, sandbox
from kbench.core.profile import Profile
from kbench.core.profiles.trace import MOST_SPANS
from kbench.core.program import Program, ProgramRun
from kbench.core.record import Finding
from kbench.core.suite import SuiteTask
from kbench.core.task import DTYPES, Array, Case, Shape, Shapes, Task, Tensor, Value, Values
from kbench.core.timeline import Timeline

Row = tuple[tuple[str, str], ...]  # (kernel argument, dtype): what one kernel build serves


@dataclass(frozen=True)
class AscendBuild:
    """The two halves, built, and the candidate's files. `host` is None on a plain launch: every vector core, no tiling
    data, no workspace."""

    host: host.HostProgram | None
    kernels: Mapping[Row, Path]
    files: Mapping[str, str]


@dataclass(frozen=True)
class Argument:
    """A kernel parameter: the operator's own name for it and the task's tensor at that position."""

    name: str
    tensor: Tensor


class AscendBackend(Backend):
    """AscendC on Atlas A2/A3, judged by the built-in simulator."""

    name = "ascend"
    targets = tuple(TARGETS)
    components: ClassVar[Mapping[str, tuple[str, ...]]] = {"compile": ("sim",), "run": ("sim",), "profile": ("sim",)}
    numerics: ClassVar[tuple[str, ...]] = ("exact", "worst")
    program_suffixes = (".asc", ".cpp")

    def prepare(self, settings: Settings) -> None:
        default_cache()  # first, because everything below would fail for it, in more words
        sandbox(settings.sandbox)
        host.host_library()
        kernel.kernel_library()

    def interface(self, entry: SuiteTask, cases: Sequence[Case], settings: Settings) -> Interface:
        return interface(entry, cases, settings, _target(settings), self._given_host(entry))

    def reference(self, entry: SuiteTask, track: Track) -> Candidate | None:
        return references.load(entry.task.name)

    def source_labels(self, source: str) -> frozenset[str]:
        found = {"vectorised"} if re.search(r"\bLocalTensor\b", source) else set()
        return frozenset(found | ({"cube"} if re.search(r"\b(?:Mmad|Matmul|MatmulImpl)\b", source) else set()))

    def compile(
        self, candidate: Candidate, entry: SuiteTask, cases: Sequence[Case], settings: Settings, workdir: Path
    ) -> Build:
        box = sandbox(settings.sandbox)
        program = self._build_host(candidate, entry, settings, box, workdir)
        findings: list[Finding] = [*program.findings] if program else []
        kernels: dict[Row, Path] = {}
        for case in cases:
            row = _row(entry.task, case, program.registry if program else None)
            if row in kernels:
                continue
            built = self._build_kernel(candidate, program, row, settings, workdir / f"kernel{len(kernels)}")
            kernels[row] = built.program
            findings += built.findings
        return Build(workdir, tuple(dict.fromkeys(findings)), data=AscendBuild(program, kernels, candidate.files))

    def run(self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings) -> RunResult:
        built: AscendBuild = build.data
        box, task = sandbox(settings.sandbox), entry.task
        registry = built.host.registry if built.host else None
        shapes = task.out_shapes(case, inputs)
        launch, tiling = _launch(built, task, case, inputs, settings)
        program = built.kernels[_row(task, case, registry)]
        result = kernel.run_kernel(program, launch, sandbox=box, timeout_s=settings.run_timeout_s)
        outputs = _outputs(task, case, registry, shapes, result.outputs)
        again = None
        if result.suspects:
            other = replace(launch, poison=_OTHER_POISON, time=False)
            second = kernel.run_kernel(program, other, sandbox=box, timeout_s=settings.run_timeout_s)
            again = _again(result.suspects[0], _outputs(task, case, registry, shapes, second.outputs))
        stats = {"block_dim": launch.block_dim, "pipes": result.counters}
        stats |= {"time": result.time, "time_failed": result.time_failed}
        log = "\n".join(part for part in (tiling.stdout if tiling else "", "".join(result.printed)) if part)
        findings = (*(tiling.findings if tiling else ()), *result.findings)
        return RunResult(outputs, findings, stats, log, again)

    def profile(
        self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings, result: RunResult
    ) -> Profile | None:
        return profile_of(_timed(result.stats["time"], result.stats["time_failed"]))

    def timeline(
        self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings, result: RunResult
    ) -> Timeline | None:
        return timeline_of(self._followed(build, entry, case, inputs, settings))

    def listing(
        self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings, result: RunResult
    ) -> str | None:
        return listing_of(self._followed(build, entry, case, inputs, settings), build.data.files)

    def _followed(self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings) -> Time:
        """The time of one more launch, with what happened when."""
        built: AscendBuild = build.data
        launch, _ = _launch(built, entry.task, case, inputs, settings)
        program = built.kernels[_row(entry.task, case, built.host.registry if built.host else None)]
        result = kernel.run_kernel(
            program,
            replace(launch, time=True, spans=MOST_SPANS),
            sandbox=sandbox(settings.sandbox),
            timeout_s=settings.run_timeout_s,
        )
        return _timed(result.time, result.time_failed)

    def read_program(self, source: Path, folder: Path, arguments: Sequence[str]) -> Program:
        return sim_program.read_program(source, folder, arguments)

    def run_program(self, program: Program, settings: Settings, workdir: Path) -> ProgramRun:
        box, target = sandbox(settings.sandbox), _target(settings)
        built, findings = sim_program.build_program(program, box, settings.compile_timeout_s, workdir)
        run = sim_program.run_program(built, program, target, sandbox=box, timeout_s=settings.run_timeout_s)
        return replace(run, findings=(*findings, *run.findings))

    def doctor(self) -> list[Probe]:
        return [
            _probe("sim: host side", host.host_library),
            _probe("sim: kernel side", kernel.kernel_library),
            Probe(
                "native (CANN + torch_npu)",
                "unavailable",
                "not part of this version: every Ascend verdict comes from the simulator, none from a device",
                device_tested=False,
            ),
        ]

    def _given_host(self, entry: SuiteTask) -> Candidate | None:
        """The host side that the backend supplies on the kernel-only track; None where the launch is plain."""
        if entry.plain_launch:
            return None
        own = entry.reference(self.name, Track.FULL) if entry.reference else None
        return own or self.reference(entry, Track.FULL)

    def _build_host(
        self, candidate: Candidate, entry: SuiteTask, settings: Settings, box: Sandbox, workdir: Path
    ) -> host.HostProgram | None:
        target, timeout_s = _target(settings), settings.compile_timeout_s
        if settings.track is Track.FULL:
            program = host.build_host(candidate, target, box, timeout_s, workdir)
        else:
            given = self._given_host(entry)
            if given is None:
                return None
            program = host.given_host(given, target, box, timeout_s)
        _check_registration(program.registry, entry.task)
        return program

    def _build_kernel(
        self, candidate: Candidate, program: host.HostProgram | None, row: Row, settings: Settings, workdir: Path
    ) -> kernel.KernelBuild:
        registry = program.registry if program else None
        return kernel.build_kernel(
            _kernel_source(candidate),
            defines=_defines(row),
            tiling=registry.tiling_json() if registry else None,
            entry=candidate.entry or (kernel_name(registry.op) if registry else None),
            types=_types(row, registry),
            sandbox=sandbox(settings.sandbox),
            timeout_s=settings.compile_timeout_s,
            workdir=workdir,
        )


def _probe(component: str, build: object) -> Probe:
    try:
        build()  # type: ignore[operator]
    except HarnessError as error:
        return Probe(component, "broken", str(error), fix="kbench doctor shows the compiler and the cache above")
    return Probe(component, "ok", "simulator of Atlas A2/A3, built; never compared with a device", device_tested=False)


def _target(settings: Settings) -> Target:
    if settings.target not in TARGETS:
        raise unknown_name("Ascend target", settings.target, TARGETS)
    return TARGETS[settings.target]


# What memory holds before anything is written, the second time: no NaN, not -1, no small number.
_OTHER_POISON = 0x5A


def _again(suspect: Finding, outputs: Values) -> Again:
    """E53: the launch over other garbage."""
    message = f"the outputs depend on what memory held before the kernel: {suspect.message}"
    return Again(outputs, suspect.model_copy(update={"severity": "error", "message": message}))


def _timed(time: Time | None, failed: str) -> Time:
    if time is None:
        raise HarnessError(failed or "this launch has no modelled time")
    return time


def _launch(
    built: AscendBuild, task: Task, case: Case, inputs: Values, settings: Settings
) -> tuple[kernel.Launch, host.Tiling | None]:
    """The launch of a case: its buffers, and what the host side says of blocks, tiling data and workspace."""
    target = _target(settings)
    registry = built.host.registry if built.host else None
    shapes = task.out_shapes(case, inputs)
    tiling = None
    if built.host:
        host_case = _host_case(task, case, inputs, shapes)
        box = sandbox(settings.sandbox)
        tiling = host.run_tiling(built.host, host_case, target, sandbox=box, timeout_s=settings.run_timeout_s)
    initial = _initial(task, case, registry) if tiling and tiling.need_atomic else {}
    buffers = {t.name: _buffers(task, case, t, inputs, shapes, initial.get(t.name)) for t in task.tensors}
    launch = kernel.Launch(
        block_dim=tiling.block_dim if tiling else target.aiv,
        args=[*(buffers[a.tensor.name] for a in _arguments(task, registry)), *_shape_buffers(registry)],
        target=target,
        tiling=tiling.data if tiling else b"",
        tiling_key=tiling.key if tiling else 0,
        workspace_bytes=tiling.workspace_bytes if tiling else 0,
        numerics=settings.numerics,
        hazards=True,
        time=settings.profiles,
    )
    return launch, tiling


# --- the operator's arguments and the task's tensors, matched by position --------------------------------------------


def _check_registration(registry: Registry, task: Task) -> None:
    """What the host registers must be the operator that the task describes: as many arguments of the same kinds."""
    outputs = [t for t in task.tensors if t.role == "out"]
    pairs: tuple[tuple[str, Sequence[Tensor], Sequence[Param]], ...] = (
        ("inputs", task.inputs, registry.inputs),
        ("outputs", outputs, registry.output_only),
    )
    for kind, wanted, got in pairs:
        if len(wanted) != len(got):
            names = ", ".join(p.name for p in got) or "none"
            asked = ", ".join(t.name for t in wanted) or "none"
            raise refused(f"{registry.op}: expected {len(wanted)} {kind} ({asked}), got {len(got)} ({names})")
        for tensor, param in zip(wanted, got, strict=True):
            if tensor.is_list != (param.kind == "dynamic"):
                expected = "DYNAMIC (a tensor list)" if tensor.is_list else "a single tensor"
                raise refused(f"{registry.op}: {param.name}: expected ParamType {expected}, got {param.kind.upper()}")
    if len(task.attrs) > len(registry.attrs):
        asked = ", ".join(a.name for a in task.attrs)
        raise refused(f"{registry.op}: expected the attributes {asked}, got {len(registry.attrs)} of them")


def _arguments(task: Task, registry: Registry | None) -> Iterator[Argument]:
    """The kernel's tensor parameters in order. An output of an input's name is that input again (`x_ref`)."""
    outputs = [t for t in task.tensors if t.role == "out"]
    if registry is None:
        yield from (Argument(t.name, t) for t in (*task.inputs, *outputs))
        return
    bound = {p.name: t for p, t in zip(registry.inputs, task.inputs, strict=True)}
    bound |= {p.name: t for p, t in zip(registry.output_only, outputs, strict=True)}
    yield from (Argument(p.name, bound[p.name]) for p in (*registry.inputs, *registry.outputs))


def _row(task: Task, case: Case, registry: Registry | None) -> Row:
    """The dtypes of the kernel's arguments in a case; refused where the host registers no such row."""
    row = {a.name: task.dtype_of(a.tensor, case) for a in _arguments(task, registry)}
    if registry is not None:
        registry.row_for(row)
    return tuple(row.items())


def _defines(row: Row) -> list[str]:
    """DTYPE_X, ORIG_DTYPE_X and FORMAT_X of every argument, as the operator's build gives them to the kernel."""
    defines = []
    for name, dtype in row:
        upper = name.upper()
        defines += [
            f"DTYPE_{upper}={KERNEL_TYPES[dtype]}",
            f"ORIG_DTYPE_{upper}={GE_TYPES[dtype]}",
            f"FORMAT_{upper}=FORMAT_ND",
        ]
    return defines


def _types(row: Row, registry: Registry | None) -> kernel.TensorTypes:
    """The dtypes of inputs and of outputs, in place or not, as the definition numbers them."""
    if registry is None:
        return kernel.TensorTypes()
    dtypes = dict(row)
    inputs = [GE_CODES[dtypes[p.name]] for p in registry.inputs]
    return kernel.TensorTypes(inputs, [GE_CODES[dtypes[p.name]] for p in registry.outputs])


def _kernel_source(candidate: Candidate) -> Candidate:
    files = {path: rewrite(text) for path, text in candidate.files.items()}
    # A file alone (`TASK/kernel.asc`) is the kernel, in no folder of an operator project.
    main = candidate.roles.get("op_kernel") or candidate.roles["kernel"]
    return Candidate(files, {"kernel": main}, candidate.entry)


# --- values in, values out --------------------------------------------------------------------------------------------


def _host_case(task: Task, case: Case, inputs: Values, shapes: Mapping[str, Shapes]) -> host.HostCase:
    outputs = [t for t in task.tensors if t.role == "out"]
    return host.HostCase(
        inputs=[host.HostArgument.of(inputs.get(t.name), task.dtype_of(t, case)) for t in task.inputs],
        outputs=[host.HostArgument.shaped(shapes[t.name], task.dtype_of(t, case)) for t in outputs],
        attrs=list(task.attr_values(case).values()),
    )


def _each(value: Value | Shapes) -> list[Array] | list[Shape]:
    """A tensor list's members; a single tensor (or shape) as a list of one; none for what is absent."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]  # type: ignore[list-item]


def _initial(task: Task, case: Case, registry: Registry | None) -> dict[str, bytes]:
    """What outputs are filled with before the kernel starts: their names, and the bytes that are repeated."""
    if registry is None:
        return {}
    row = dict(_row(task, case, registry))
    types = list(zip(*registry.rows, strict=True))[len(registry.inputs) :]
    of_param = dict(zip((p.name for p in registry.outputs), types, strict=True))
    outputs = [t for t in task.tensors if t.role == "out"]
    return {
        tensor.name: param.initial[of_param[param.name].index(row[param.name]) if len(param.initial) > 1 else 0]
        for param, tensor in zip(registry.output_only, outputs, strict=True)
        if param.initial
    }


def _buffers(
    task: Task, case: Case, tensor: Tensor, inputs: Values, shapes: Mapping[str, Shapes], initial: bytes | None = None
) -> kernel.GmBuffer | list[kernel.GmBuffer] | None:
    """Global memory of one argument, a buffer for each tensor of a list; `initial` is what an output is filled with."""
    if tensor.role == "out":
        itemsize = DTYPES[task.dtype_of(tensor, case)].itemsize
        sizes = [int(np.prod(s, dtype=np.int64)) * itemsize for s in _each(shapes[tensor.name])]
        made = [kernel.GmBuffer(tensor.name, "out", nbytes=n) for n in sizes]
        if tensor.zeroed or initial:
            fill = np.frombuffer(initial or b"\0", np.uint8)
            made = [kernel.GmBuffer(tensor.name, "inout", data=np.resize(fill, n)) for n in sizes]
        absent = shapes[tensor.name] is None
    else:
        made = [kernel.GmBuffer(tensor.name, tensor.role, data=a) for a in _each(inputs.get(tensor.name))]
        absent = inputs.get(tensor.name) is None
    if tensor.is_list:
        return made
    return None if absent else made[0]


def _shape_buffers(registry: Registry | None) -> list[kernel.GmBuffer]:
    """Where the kernel writes the shapes that it decides: for each such output its rank and up to eight dims."""
    decided = [p for p in registry.outputs if p.shape_on_compute] if registry else []
    return [kernel.GmBuffer("shapeout", "out", nbytes=8 * 9 * len(decided))] if decided else []


def _outputs(
    task: Task, case: Case, registry: Registry | None, shapes: Mapping[str, Shapes], raw: Sequence[Array]
) -> Values:
    """The bytes of every output, in the kernel's parameter order, as arrays of the declared dtypes and shapes."""
    left = iter(raw)
    values: Values = {}
    for argument in _arguments(task, registry):
        tensor = argument.tensor
        if tensor.role == "in" or tensor.name in values:
            continue
        dtype = DTYPES[task.dtype_of(tensor, case)]
        arrays = [next(left).view(dtype).reshape(shape) for shape in _each(shapes[tensor.name])]
        values[tensor.name] = arrays if tensor.is_list else arrays[0] if arrays else None
    return values
