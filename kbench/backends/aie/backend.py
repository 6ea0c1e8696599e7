"""The AIE backend: one kernel for one tile, built once for each set of types and sizes that the cases need.

compile:  source + wrapper → IR → WebAssembly with the checks and operations of the simulator (sim/build.py)
run:      buffers into the tile's memory, one call, outputs back; twice, over different garbage (sim/machine.py)
profile:  the same IR as machine operations in bundles, weighted with how often each block ran (cycles/)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from kbench.backends.aie import references
from kbench.backends.aie.cycles.closeup import Closeup, Programs, closeup
from kbench.backends.aie.cycles.listing import listing
from kbench.backends.aie.cycles.report import profile_of
from kbench.backends.aie.cycles.timeline import timeline
from kbench.backends.aie.interface import TARGETS, interface, parameters, signature, size_macros, wrapper
from kbench.backends.aie.labels import labels_of
from kbench.backends.aie.movement import MEMORY_BYTES, STACK_BYTES, movement, sheets
from kbench.backends.aie.sim import build, machine
from kbench.core.backend import Again, Backend, Build, Interface, Probe, RunResult, Settings, Sheet
from kbench.core.candidate import Candidate, Track
from kbench.core.cases import arrays
from kbench.core.errors import CompileError, HarnessError
from kbench.core.hostcc.cache import default_cache
from kbench.core.hostcc.compiler import Source
from kbench.core.hostcc.sandbox import sandbox
from kbench.core.profile import Profile
from kbench.core.record import Finding
from kbench.core.suite import SuiteTask
from kbench.core.task import DTYPES, Case, Task, Values
from kbench.core.timeline import Timeline

Row = tuple[tuple[str, ...], ...]  # the kernel's parameters and the sizes of buffers: what one build serves
PROGRAM_BYTES = 16 * 1024
#: The wrapper's file: it includes the candidate's.
_WRAPPER = "kbench_wrapper.cc"


@dataclass(frozen=True)
class AieBuilds:
    """The builds by row; `kernel` is the candidate's file that holds its function, `programs` what profiles keep."""

    modules: Mapping[Row, build.AieBuild]
    macros: bool
    kernel: str
    programs: Programs

    def closeup(self, row: Row, result: RunResult) -> Closeup:
        """A run of the build for a row."""
        return closeup(self.modules[row], result.stats["ran"], self.programs)


class AieBackend(Backend):
    """AMD's NPUs: the AIE API on one tile of AIE2 or AIE2P, judged by the built-in simulator."""

    name = "aie"
    targets = tuple(TARGETS)
    default_suite = "npueval"
    components: ClassVar[Mapping[str, tuple[str, ...]]] = {"compile": ("sim",), "run": ("sim",), "profile": ("sim",)}

    def prepare(self, settings: Settings) -> None:
        default_cache()  # first, because everything below would fail for it, in more words
        sandbox(settings.sandbox)
        build.prepare(settings.target)

    def interface(self, entry: SuiteTask, cases: Sequence[Case], settings: Settings) -> Interface:
        return interface(entry, cases, settings)

    def sheets(self, entry: SuiteTask, cases: Sequence[Case], settings: Settings) -> Sequence[Sheet]:
        return sheets(entry.task, cases)

    def reference(self, entry: SuiteTask, track: Track) -> Candidate | None:
        return references.load(entry.task.name)

    def solutions(self, entry: SuiteTask, track: Track) -> Sequence[Candidate]:
        found = (references.load(entry.task.name, variant) for variant in references.VARIANTS)
        return [candidate for candidate in found if candidate is not None]

    def source_labels(self, source: str) -> frozenset[str]:
        return labels_of(source)

    def compile(
        self, candidate: Candidate, entry: SuiteTask, cases: Sequence[Case], settings: Settings, workdir: Path
    ) -> Build:
        box, task = sandbox(settings.sandbox), entry.task
        varying = len({_sizes(task, case) for case in cases}) > 1
        modules: dict[Row, build.AieBuild] = {}
        findings: list[Finding] = []
        for case in cases:
            row = _row(task, case)
            if row in modules:
                continue
            try:
                built = build.build_kernel(
                    _source(candidate, task, case, settings.target),
                    f"{task.name}_wrapper",
                    settings.target,
                    defines=size_macros(task, case) if varying else (),
                    sandbox=box,
                    timeout_s=settings.compile_timeout_s,
                    workdir=workdir / f"kernel{len(modules)}",
                )
            except CompileError as error:
                raise _in_the_call(error, candidate, signature(task, case)) from error
            _check_room(built, task, case)
            modules[row] = built
            findings += built.findings
        programs = Programs(settings.target, dict(candidate.files))
        builds = AieBuilds(modules, varying, candidate.roles["kernel"], programs)
        return Build(workdir, tuple(dict.fromkeys(findings)), data=builds)

    def run(self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings) -> RunResult:
        task = entry.task
        module = build.data.modules[_row(task, case)]
        box = sandbox(settings.sandbox)
        first, second = machine.run_kernel(module, _call(task, case, inputs), box, settings.run_timeout_s)
        outputs, others = _outputs(task, case, inputs, first), _outputs(task, case, inputs, second)
        if _bits(outputs) == _bits(others):  # the padding to whole words may differ
            return RunResult(outputs, stats={"steps": first.fuel, "ran": first})
        finding = machine.uninitialised(module, first)
        warned = finding.model_copy(update={"severity": "warning"})  # told too where the first outputs are wrong
        again = Again(others, finding)
        return RunResult(outputs, (warned,), {"steps": first.fuel, "ran": first}, again=again)

    def profile(
        self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings, result: RunResult
    ) -> Profile | None:
        seen = build.data.closeup(_row(entry.task, case), result)
        return profile_of(seen, movement(entry.task, case), build.data.kernel)

    def timeline(
        self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings, result: RunResult
    ) -> Timeline | None:
        return timeline(build.data.closeup(_row(entry.task, case), result), build.data.kernel)

    def listing(
        self, build: Build, entry: SuiteTask, case: Case, inputs: Values, settings: Settings, result: RunResult
    ) -> str | None:
        return listing(build.data.closeup(_row(entry.task, case), result))

    def doctor(self) -> list[Probe]:
        return [
            _probe(),
            Probe(
                "native (XRT + Peano)",
                "unavailable",
                "not part of this version: every AIE verdict comes from the simulator, none from a device",
                device_tested=False,
            ),
        ]


def _probe() -> Probe:
    try:
        for target in TARGETS:
            build.prepare(target)
    except HarnessError as error:
        return Probe("sim", "broken", str(error), fix="kbench doctor shows the compiler and the cache above")
    detail = "simulator of one AIE2 or AIE2P tile, built; never compared with a device"
    return Probe("sim", "ok", detail, device_tested=False)


# --- the candidate's source and its limits ----------------------------------------------------------------------------


def _sizes(task: Task, case: Case) -> tuple[str, ...]:
    return tuple(f"{b.name}[{b.elements}]" for b in movement(task, case).buffers)


def _row(task: Task, case: Case) -> Row:
    return (tuple(f"{kind}{name}" for kind, name in parameters(task, case)), _sizes(task, case))


def _source(candidate: Candidate, task: Task, case: Case, target: str) -> Source:
    """The candidate's files and the wrapper, which comes last as where kernels are built for the device."""
    main = candidate.roles["kernel"]
    text = (
        f'#include <{build.INTRINSICS[target]}>\n#include "{main}"\n#include <aie_api/aie.hpp>\n{wrapper(task, case)}'
    )
    return Source({**candidate.files, _WRAPPER: text}, _WRAPPER)


def _in_the_call(error: CompileError, candidate: Candidate, declared: str) -> CompileError:
    """The same error, in the candidate's terms where the wrapper cannot call it: its function has another name or other
    parameters."""
    first = next((f for f in error.findings if f.severity == "error"), None)
    if first is None or first.file != _WRAPPER:
        return error
    message = f"{candidate.roles['kernel']}: expected a function `{declared}`: {first.message}"
    told = first.model_copy(update={"file": "", "line": 0, "message": message})
    return CompileError(str(told), outcome=error.outcome, log=error.log, findings=[told], component="sim")


def _check_room(built: build.AieBuild, task: Task, case: Case) -> None:
    """Whether program and tables fit into the tile's memories.

    Raises:
        CompileError: `link_error`, as the device's linker has it.
    """
    facts = built.facts
    if facts.program_bytes > PROGRAM_BYTES:
        raise _too_large(f"the program needs {facts.program_bytes} bytes or more, of {PROGRAM_BYTES}")
    needed = movement(task, case).memory_bytes + facts.global_bytes
    if needed > MEMORY_BYTES:
        parts = f"{facts.global_bytes} of them the kernel's own tables and variables"
        raise _too_large(f"buffers, stack and globals need {needed} bytes ({parts}), of {MEMORY_BYTES}")


def _too_large(message: str) -> CompileError:
    return CompileError(message, outcome="link_error", component="sim")


# --- values in, values out --------------------------------------------------------------------------------------------


def _call(task: Task, case: Case, inputs: Values) -> machine.Call:
    buffers = []
    for b in movement(task, case).buffers:
        data = b"" if b.direction == "out" else np.ascontiguousarray(inputs[b.name]).tobytes()
        buffers.append(machine.Buffer(b.name, b.moved_bytes, data, writable=b.direction == "out"))
    arguments: list[tuple[str, Any]] = [("buffer", i) for i in range(len(buffers))]
    given = task.attr_values(case)
    arguments += [_number(kind.strip(), given[name]) for kind, name in parameters(task, case)[len(buffers) :]]
    return machine.Call(buffers, arguments, STACK_BYTES)


def _number(kind: str, value: Any) -> tuple[str, Any]:
    """A runtime parameter as WebAssembly takes it: (type, value)."""
    if kind == "float":
        return "f32", float(np.float32(value))
    if kind == "bfloat16":
        return "i32", int(np.asarray(value, DTYPES["bfloat16"]).view(np.uint16))
    return "i64" if "64" in kind else "i32", int(value)


def _bits(values: Values) -> list[bytes]:
    return [array.tobytes() for array in arrays(values)]


def _outputs(task: Task, case: Case, inputs: Values, ran: machine.Ran) -> Values:
    """The bytes of every output as an array of the declared dtype and shape; padding is cut off."""
    shapes = task.out_shapes(case, inputs)
    left = iter(ran.outputs)
    values: Values = {}
    for b in movement(task, case).buffers:
        if b.direction == "out":
            shape = shapes[b.name]
            assert isinstance(shape, tuple)
            values[b.name] = next(left)[: b.nbytes].view(DTYPES[b.dtype]).reshape(shape).copy()
    return values
