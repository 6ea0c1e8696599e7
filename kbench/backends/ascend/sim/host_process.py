"""A host program and its process: a plan (JSON) in, a report out; a fresh one each time, in the sandbox."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kbench.backends.ascend.sim.host_registry import Registry
from kbench.backends.ascend.targets import MIB, Target
from kbench.core.errors import HarnessError, RunError, RunTimeout
from kbench.core.hostcc.compiler import line_of
from kbench.core.hostcc.sandbox import Finished, Limits, Mount, Sandbox
from kbench.core.record import Finding
from kbench.core.taxonomy import OUTCOMES

LIMITS = Limits(wall_s=10, memory_bytes=1 << 30, output_bytes=1 << 20)
_DEFAULT_L2 = 192 * MIB
DEFAULT_HBM = 64 * 1024 * MIB


@dataclass(frozen=True)
class HostProgram:
    """A built host side. `findings` are the compiler's warnings, `skipped` the sources that only a graph or aclnn layer
    needs and that are not compiled."""

    program: Path
    registry: Registry
    findings: tuple[Finding, ...] = ()
    skipped: tuple[str, ...] = ()


def config_name(target: Target) -> str:
    """The target's name in AddConfig: one configuration serves a family of chips."""
    return "ascend910_93" if target.name.startswith("ascend910_93") else "ascend910b"


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
        "hbm": target.hbm_bytes or DEFAULT_HBM,
        "fb": target.fb_bytes,
        "bt": target.bt_bytes,
    }


@contextmanager
def plan_and_report(plan: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """Descriptors for a program: the plan, to be read from its beginning, and an empty report."""
    plan_fd, report_fd = os.memfd_create("plan"), os.memfd_create("report")
    try:
        os.write(plan_fd, json.dumps(plan).encode())
        os.lseek(plan_fd, 0, os.SEEK_SET)
        yield plan_fd, report_fd
    finally:
        os.close(plan_fd)
        os.close(report_fd)


def execute(
    program: Path, plan: Mapping[str, Any], sandbox: Sandbox, timeout_s: float
) -> tuple[dict[str, Any], Finished]:
    """One process: the plan in, the first line of the report out."""
    with plan_and_report(plan) as (plan_fd, report_fd):
        finished = sandbox.run(
            ["/host"],
            mounts=[Mount(program, "/host")],
            cwd="/",
            limits=replace(LIMITS, wall_s=timeout_s),
            pass_fds=(plan_fd, report_fd),
            stage="run",
        )
        report = os.pread(report_fd, os.fstat(report_fd).st_size, 0)
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
    log = text_of(finished)
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


def text_of(finished: Finished) -> str:
    return (finished.stdout + finished.stderr).decode(errors="replace")
