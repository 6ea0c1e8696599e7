"""The sandboxed child."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

MODES = ("auto", "bwrap", "seccomp", "none")


@dataclass(frozen=True)
class Limits:
    """What a child may use. `cpu_s` None: as much as `wall_s`. `processes`: how many at once, itself included."""

    wall_s: float
    cpu_s: float | None = None
    memory_bytes: int = 4 << 30
    file_bytes: int = 1 << 30
    output_bytes: int = 1 << 20
    processes: int = 1


@dataclass(frozen=True)
class Mount:
    """`host` is visible at `inside`, read-only unless `writable`. Modes without a mount namespace translate instead:
    an argument, or the cwd, that is `inside` or lies below it becomes the host path."""

    host: Path
    inside: str
    writable: bool = False


@dataclass(frozen=True)
class Finished:
    """How a child ended. `returncode` is the exit status (-1 when a signal ended it), `signal` the signal or 0."""

    returncode: int
    signal: int
    stdout: bytes
    stderr: bytes
    timed_out: bool
    output_overflow: bool
    max_rss_bytes: int
    wall_s: float


class Sandbox:
    """A way to run hostile programs. `mode` is the resolved one; `reason` says why it is not a stronger one."""

    mode: str
    reason: str

    def run(
        self,
        argv: Sequence[str],
        *,
        mounts: Sequence[Mount],
        cwd: str,
        limits: Limits,
        pass_fds: Sequence[int] = (),
        stage: Literal["compile", "run"],
        stdin: bytes = b"",
    ) -> Finished:
        """Runs argv to its end or its limits. `pass_fds` become 3, 4, … in the child, in order, whatever their
        numbers here; nothing else is inherited. Raises HarnessError where the program cannot be started."""
        raise NotImplementedError


def sandbox(mode: str = "auto") -> Sandbox:
    """The sandbox of that mode; `auto` takes the strongest that works here, once per process. Raises HarnessError with
    the reason where the mode cannot work."""
    raise NotImplementedError
