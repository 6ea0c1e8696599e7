"""Programs: a source with kernels and the host code that launches them, run as a whole.

A run of one is no attempt at a task: nothing is judged but what the program itself and the rules of the device say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kbench.core.record import Finding


@dataclass(frozen=True)
class Program:
    """`files`: relative path → text, `main` the one that is compiled. `folder` is where it runs: it reads the files
    there and below, and what it writes goes there. `defines` are macros, `NAME` or `NAME=VALUE`; `poison` is
    the byte that device memory holds before anything writes it, `numerics` as in Settings."""

    files: Mapping[str, str]
    main: str
    folder: Path
    arguments: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    poison: int = 0xFF
    numerics: str = "exact"


@dataclass(frozen=True)
class Launched:
    """One launch: the kernel, its blocks, and by pipe what the cores did."""

    kernel: str
    block_dim: int
    counters: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class ProgramRun:
    """How a program ended by itself: its exit code, what it printed and wrote (paths below its folder)."""

    code: int
    stdout: str
    stderr: str = ""
    findings: tuple[Finding, ...] = ()
    launches: tuple[Launched, ...] = ()
    written: tuple[str, ...] = field(default=())

    @property
    def breaks_a_rule(self) -> bool:
        """Whether the device would not have taken it, however the program itself ended."""
        return any(finding.severity == "error" for finding in self.findings)
