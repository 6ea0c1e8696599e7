"""kbench: generates, compiles, runs, checks, profiles and scores accelerator kernels.

As a library: `kbench.evaluate(task, candidate, backend) -> Record` and `kbench.reward(record)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_EXPORTS = {
    "Attr": "kbench.core.task",
    "Backend": "kbench.core.backend",
    "Build": "kbench.core.backend",
    "Candidate": "kbench.core.candidate",
    "Case": "kbench.core.task",
    "Completion": "kbench.core.generator",
    "Finding": "kbench.core.record",
    "Generator": "kbench.core.generator",
    "Interface": "kbench.core.backend",
    "Probe": "kbench.core.backend",
    "Record": "kbench.core.record",
    "Request": "kbench.core.generator",
    "RunResult": "kbench.core.backend",
    "Settings": "kbench.core.backend",
    "Shapes": "kbench.core.candidate",
    "Suite": "kbench.core.suite",
    "SuiteTask": "kbench.core.suite",
    "Task": "kbench.core.task",
    "Tensor": "kbench.core.task",
    "Tolerance": "kbench.core.task",
    "Track": "kbench.core.candidate",
    "evaluate": "kbench.core.evaluate",
    "hookimpl": "kbench.core.hookspecs",
    "reward": "kbench.core.score",
}

__all__ = ["__version__", *_EXPORTS]  # noqa: PLE0604

if TYPE_CHECKING:
    from kbench.core.backend import Backend, Build, Interface, Probe, RunResult, Settings
    from kbench.core.candidate import Candidate, Shapes, Track
    from kbench.core.evaluate import evaluate
    from kbench.core.generator import Completion, Generator, Request
    from kbench.core.hookspecs import hookimpl
    from kbench.core.record import Finding, Record
    from kbench.core.score import reward
    from kbench.core.suite import Suite, SuiteTask
    from kbench.core.task import Attr, Case, Task, Tensor, Tolerance


def __getattr__(name: str) -> Any:
    # Lazily, so that `import kbench` and `kbench --help` cost nothing.
    if name not in _EXPORTS:
        raise AttributeError(f"module 'kbench' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_EXPORTS[name]), name)
