"""What a process opens for writing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_PATH_OF = {"os.mkdir": 0, "os.truncate": 0, "os.rename": 1, "os.link": 1, "os.symlink": 1}
_WATCHED: list[list[Path]] = []


def _on_audit(event: str, args: tuple[Any, ...]) -> None:
    if not _WATCHED:
        return
    if event == "open":
        target = args[0] if isinstance(args[2], int) and args[2] & _WRITE_FLAGS else None
    else:
        target = args[_PATH_OF[event]] if event in _PATH_OF else None
    if isinstance(target, (str, bytes, os.PathLike)):
        for seen in _WATCHED:
            seen.append(Path(os.path.abspath(os.fsdecode(target))))


_audited = False


@contextmanager
def writes() -> Iterator[list[Path]]:
    """Every path that this process opens for writing meanwhile. Python's audit hooks cannot be removed, so one is
    installed, once, and asleep outside this context."""
    global _audited
    if not _audited:
        sys.addaudithook(_on_audit)
        _audited = True
    seen: list[Path] = []
    _WATCHED.append(seen)
    try:
        yield seen
    finally:
        _WATCHED.remove(seen)
