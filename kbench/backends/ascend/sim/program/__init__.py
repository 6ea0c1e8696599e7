"""Programs of the Ascend simulator: one `.asc` source with kernels, the host code that launches them, and `main`.

Host and kernels are one process: `<<<…>>>` runs the blocks on the spot, device memory is what aclrtMalloc gave, and the
files are those of the program's folder, read before it starts and written by us after it has ended.

    build_program:  sources → one program; a second translation where kernels run on cube cores
    run_program:    program + folder → what it printed, wrote and launched, and the findings
"""

from __future__ import annotations

import functools
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kbench.backends.ascend.rewrite import rewrite_program
from kbench.backends.ascend.sim import host, kernel
from kbench.backends.ascend.sim.host_process import plan_and_report, platform_plan
from kbench.backends.ascend.sim.kernel_launch import NUMERICS, Report, fail_as_reported
from kbench.backends.ascend.targets import Target
from kbench.core.errors import CompileError, HarnessError, UnsupportedApi
from kbench.core.hostcc import compiler
from kbench.core.hostcc.compiler import CompileJob, Prelude, Source
from kbench.core.hostcc.sandbox import Finished, Limits, Mount, Sandbox
from kbench.core.hostcc.symbols import rename_definitions
from kbench.core.program import Launched, Program, ProgramRun
from kbench.core.record import Finding

_HERE = Path(__file__).parent
_INCLUDES = (_HERE / "include", kernel.INCLUDE, host.INCLUDE)
_FILES_LIMIT = 1 << 30  # bytes of a program's folder that it may read
_MEMORY = 16 << 30  # address space
_OUTPUT = 8 << 20
_OTHER_POISON = 0xA5  # flips half of the poison's bits
_SOURCE_SUFFIXES = (".h", ".hpp", ".inc", ".cuh")
_INCLUDE_LINE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def read_program(path: Path, folder: Path, arguments: Sequence[str] = ()) -> Program:
    """The program of a source file: the file, and those beside and below it that it includes by `"…"`."""
    root = path.parent
    files: dict[str, str] = {}
    waiting = [path.name]
    while waiting:
        name = waiting.pop()
        files[name] = (root / name).read_text(encoding="utf-8", errors="replace")
        for included in _INCLUDE_LINE.findall(files[name]):
            near = (os.path.normpath(os.path.join(os.path.dirname(name), included)), os.path.normpath(included))
            found = next((n for n in near if not n.startswith("..") and (root / n).is_file()), None)
            if found is not None and found not in files:
                waiting.append(found)
    return Program(files, path.name, folder, (path.name, *arguments))


def build_program(
    program: Program, sandbox: Sandbox, timeout_s: float, workdir: Path
) -> tuple[Path, tuple[Finding, ...]]:
    """The linked program and the compiler's warnings.

    Raises:
        CompileError: with findings in the program's own lines.
        UnsupportedApi: the first thing that does not compile is a documented API that is not modelled.
    """
    files = {name: rewrite_program(text) for name, text in program.files.items()}
    compiled = functools.partial(_compiled, Source(files, program.main), sandbox, timeout_s, workdir)
    object_, findings = compiled(program.defines, ())
    objects = [object_]
    if kernel.has_cube_side(object_):
        cube, more = compiled(program.defines, kernel.CUBE_CORE)
        rename_definitions(cube, "cube.", keep=lambda symbol: False)
        objects.append(cube)
        findings = tuple(dict.fromkeys((*findings, *more)))
    out = workdir / "program"
    try:
        compiler.link(objects, program_libraries(), out, allowed=allowed_symbol)
    except CompileError as error:
        if str(error).startswith("main "):
            raise CompileError(
                f"{program.main}: expected a function main, got none", outcome="link_error", component="sim"
            ) from error
        raise
    return out, findings


def _compiled(
    source: Source, sandbox: Sandbox, timeout_s: float, workdir: Path, defines: Sequence[str], core: Sequence[str]
) -> tuple[Path, tuple[Finding, ...]]:
    job = CompileJob(
        source,
        includes=_INCLUDES,
        defines=("KB_PROGRAM", *core, *defines),
        prelude=_prelude(core),
        flags=kernel.FLAGS,
        part="host",
        known_api=kernel.known_api,
        volatile_hook="kbrt_volatile_read",
    )
    try:
        return compiler.compile_object(job, sandbox, timeout_s, workdir)
    except CompileError as error:
        kernel.raise_unsupported(error)
        name = host.unmodelled_name(error)
        if name:
            raise UnsupportedApi(name, "host side") from error
        raise


def _prelude(core: Sequence[str]) -> Prelude:
    text = '#include "kernel_operator.h"\n#include "kb_launch.h"\n'
    return Prelude(text, includes=_INCLUDES, defines=("KB_PROGRAM", *core), flags=kernel.FLAGS, part="host")


def program_libraries() -> list[Path]:
    """The kernels' runtime, the host side's library and what ties them together, built once for each content."""
    kernels = [p for p in sorted(kernel.RUNTIME.glob("*.cpp")) if p.name != "main.cpp"]
    hosts = [p for p in sorted(host.RUNTIME.glob("*.cpp")) if p.name != "main.cpp"]
    own = (_HERE / "include", kernel.INCLUDE, kernel.RUNTIME, host.INCLUDE, host.RUNTIME, compiler.FREESTANDING)
    return [
        compiler.library("ascend-program", sorted((_HERE / "runtime").glob("*.cpp")), own),
        kernel.runtime_library("ascend-program-kernel", kernels),
        host.runtime_library("ascend-program-host", hosts),
    ]


def allowed_symbol(name: str) -> bool:
    """What a program may take from outside: what kernels and host sides may, the runtime's interface, and files."""
    return kernel.allowed_symbol(name) or host.allowed_symbol(name) or name in _interface()


@functools.cache
def _interface() -> frozenset[str]:
    return frozenset(n for n in compiler.archive_symbols(program_libraries()[0]).strong if not n.startswith("_Z"))


# ---- run -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ended:
    """One process: its report, how it ended, and the files that it wrote, by path."""

    report: Report
    finished: Finished
    files: Mapping[str, bytes]

    def same_as(self, other: _Ended) -> bool:
        code = [(one.report.end or {}).get("code") for one in (self, other)]
        return self.files == other.files and self.finished.stdout == other.finished.stdout and code[0] == code[1]


def run_program(built: Path, program: Program, target: Target, *, sandbox: Sandbox, timeout_s: float) -> ProgramRun:
    """Run it in a process of its own; what it wrote then lies below its folder.

    A program whose kernels read what nobody wrote runs a second time over other garbage: where it then prints or writes
    something else, a warning says so. Whether it matters only the program's own verifier knows.

    Raises:
        RunError, RunTimeout: it broke a rule of the device, crashed or hung; findings carry its own file and line.
        UnsupportedApi: a kernel reached a documented API that is not modelled.
        HarnessError: it cannot be run here.
    """
    ended = _execute(built, program, target, sandbox, timeout_s)
    findings = tuple(dict.fromkeys(ended.report.findings(built)))
    fail_as_reported(ended.report, ended.finished, findings, timeout_s)
    suspects = tuple(ended.report.suspects(built))
    if suspects:
        other = replace(program, poison=program.poison ^ _OTHER_POISON)
        if not ended.same_as(_execute(built, other, target, sandbox, timeout_s)):
            words = f"what the program gives depends on what memory held before it: {suspects[0].message}"
            findings += (suspects[0].model_copy(update={"severity": "warning", "message": words}),)
    return ProgramRun(
        (ended.report.end or {}).get("code", 0),
        ended.finished.stdout.decode(errors="replace"),
        ended.finished.stderr.decode(errors="replace"),
        findings,
        tuple(_launches(ended.report)),
        tuple(_write(ended, program.folder)),
    )


def _execute(built: Path, program: Program, target: Target, sandbox: Sandbox, timeout_s: float) -> _Ended:
    with tempfile.TemporaryFile() as files_in, tempfile.TemporaryFile() as files_out:
        plan = {
            "platform": platform_plan(target),
            "poison": program.poison,
            "numerics": NUMERICS[program.numerics],
            "arguments": list(program.arguments),
            "files": list(_pack(program.folder, files_in.fileno())),
        }
        with plan_and_report(plan) as (plan_fd, report_fd):
            finished = sandbox.run(
                ["/program"],
                mounts=[Mount(built, "/program")],
                cwd="/",
                limits=Limits(wall_s=timeout_s, memory_bytes=_MEMORY, output_bytes=_OUTPUT),
                pass_fds=(plan_fd, report_fd, files_in.fileno(), files_out.fileno()),
                stage="run",
            )
            report = Report.read(report_fd, built)
        return _Ended(report, finished, dict(_unpack(report.lines, files_out.fileno())))


def _pack(folder: Path, fd: int) -> Iterator[tuple[str, int, int]]:
    """Every file and folder below `folder` that is not hidden: path, where its bytes lie (−1 for folders), how many."""
    at = 0
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        base = Path(where).relative_to(folder)
        yield from ((str(base / f), -1, 0) for f in folders)
        for name in sorted(n for n in names if not n.startswith(".")):
            path = Path(where) / name
            if not path.is_file():
                continue
            size = path.stat().st_size
            if at + size > _FILES_LIMIT:
                raise HarnessError(
                    f"{folder} holds more than {_FILES_LIMIT >> 20} MiB: run the program in a folder of its own"
                )
            data = path.read_bytes()
            os.pwrite(fd, data, at)
            yield str(base / name), at, len(data)
            at += len(data)


def _unpack(lines: Sequence[Mapping[str, Any]], fd: int) -> Iterator[tuple[str, bytes]]:
    """What the program wrote; the last content of a file counts."""
    at = 0
    for line in lines:
        if "file" in line:
            yield line["file"], os.pread(fd, line["bytes"], at)
            at += line["bytes"]


def _write(ended: _Ended, folder: Path) -> Iterator[str]:
    for line in ended.report.lines:
        if "folder" in line:
            _below(folder, line["folder"]).mkdir(exist_ok=True)
    for name, data in ended.files.items():
        _below(folder, name).write_bytes(data)
        yield name


def _below(folder: Path, name: str) -> Path:
    """A path that the program names: inside its folder, through no link that leads out of it."""
    path = folder / name
    if not path.parent.resolve().is_relative_to(folder.resolve()) or path.is_symlink():
        raise HarnessError(f"the program writes outside its folder: {name}")
    return path


def _launches(report: Report) -> Iterator[Launched]:
    cores: list[list[int]] = []
    for line in report.lines:
        if "cores" in line:
            cores = line["cores"]
        elif "launch" in line:
            yield Launched(line["launch"], line["block_dim"], Report([{"cores": cores}]).counters())
