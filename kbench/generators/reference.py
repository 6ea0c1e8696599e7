"""Answers with the known solution: the suite's own where it ships one, else the backend's."""

from __future__ import annotations

from kbench.core.errors import ConfigError
from kbench.core.generator import Completion, Generator, Request


class Reference(Generator):
    """Shows that a benchmark, a backend and a machine agree before a model is asked."""

    name = "reference"
    free = True
    wants_reference = True

    def generate(self, request: Request) -> Completion:
        if request.reference is None:
            raise ConfigError(f"there is no reference solution of {request.task!r} for this backend and track")
        return Completion(candidate=request.reference)
