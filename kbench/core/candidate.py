"""A candidate: the source files of one attempt; a track: which of them are asked for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Track(StrEnum):
    """`kernel-only`: the backend supplies the host side; `full`: host and tiling are the candidate's."""

    KERNEL_ONLY = "kernel-only"
    FULL = "full"


class Shapes(StrEnum):
    """`static`: one candidate for each case, shapes known; `dynamic`: one candidate must hold for every case."""

    STATIC = "static"
    DYNAMIC = "dynamic"


@dataclass(frozen=True)
class Candidate:
    """The source files of one attempt.

    Args:
        files: relative path → text. Paths are the candidate's own and appear in diagnostics.
        roles: role → the main file of that role: `kernel` for backends with one part; `op_kernel` and `op_host` (with
            whatever headers they include among `files`) where the backend has a host side.
        entry: the name of the kernel function.
    """

    files: Mapping[str, str]
    roles: Mapping[str, str]
    entry: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)

    def text(self, role: str) -> str:
        return self.files[self.roles[role]]

    @property
    def sha(self) -> str:
        """sha256 of the sources: the candidate's identity in caches and records."""
        text = json.dumps([sorted(self.files.items()), sorted(self.roles.items()), self.entry])
        return hashlib.sha256(text.encode()).hexdigest()
