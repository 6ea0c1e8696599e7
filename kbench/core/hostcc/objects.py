"""What was compiled of candidates, by content: the same source with the same headers and options is compiled once."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from kbench.core.hostcc.cache import object_cache
from kbench.core.record import Finding

_MOST_BYTES = 16 << 20  # of one file that is kept
_FINDINGS = "findings.json"


def kept(key: str, workdir: Path, name: str) -> tuple[Path, tuple[Finding, ...]] | None:
    """A copy of the file below `workdir`, for what follows may write into it, and the compiler's warnings."""
    folder = object_cache().get(key)
    if folder is None:
        return None
    try:
        findings = tuple(Finding(**facts) for facts in json.loads((folder / _FINDINGS).read_text()))
        workdir.mkdir(parents=True, exist_ok=True)
        copy = Path(tempfile.mkdtemp(prefix="cc-", dir=workdir.absolute())) / name
        shutil.copyfile(folder / name, copy)
    except OSError:  # another process made room; or the disk is full, which is told where the file is made
        return None
    return copy, findings


def keep(key: str, path: Path, findings: Sequence[Finding]) -> None:
    """Keep the file and the warnings under this key."""

    def make(folder: Path) -> None:
        shutil.copyfile(path, folder / path.name)
        (folder / _FINDINGS).write_text(json.dumps([f.model_dump(mode="json") for f in findings]))

    if path.stat().st_size <= _MOST_BYTES:
        with contextlib.suppress(OSError):  # a full disk: the file itself is there
            object_cache().build(key, make)
