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
    "Message": "kbench.core.generator",
    "Preset": "kbench.core.preset",
    "Probe": "kbench.core.backend",
    "Profile": "kbench.core.profile",
    "Record": "kbench.core.record",
    "Request": "kbench.core.generator",
    "RunResult": "kbench.core.backend",
    "Sampling": "kbench.core.generator",
    "Settings": "kbench.core.backend",
    "Shapes": "kbench.core.candidate",
    "Sheet": "kbench.core.backend",
    "Subject": "kbench.core.generator",
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

__all__ = ["__version__", *_EXPORTS]

if TYPE_CHECKING:
    from kbench.core.backend import Backend as Backend
    from kbench.core.backend import Build as Build
    from kbench.core.backend import Interface as Interface
    from kbench.core.backend import Probe as Probe
    from kbench.core.backend import RunResult as RunResult
    from kbench.core.backend import Settings as Settings
    from kbench.core.backend import Sheet as Sheet
    from kbench.core.candidate import Candidate as Candidate
    from kbench.core.candidate import Shapes as Shapes
    from kbench.core.candidate import Track as Track
    from kbench.core.evaluate import evaluate as evaluate
    from kbench.core.generator import Completion as Completion
    from kbench.core.generator import Generator as Generator
    from kbench.core.generator import Message as Message
    from kbench.core.generator import Request as Request
    from kbench.core.generator import Sampling as Sampling
    from kbench.core.generator import Subject as Subject
    from kbench.core.hookspecs import hookimpl as hookimpl
    from kbench.core.preset import Preset as Preset
    from kbench.core.profile import Profile as Profile
    from kbench.core.record import Finding as Finding
    from kbench.core.record import Record as Record
    from kbench.core.score import reward as reward
    from kbench.core.suite import Suite as Suite
    from kbench.core.suite import SuiteTask as SuiteTask
    from kbench.core.task import Attr as Attr
    from kbench.core.task import Case as Case
    from kbench.core.task import Task as Task
    from kbench.core.task import Tensor as Tensor
    from kbench.core.task import Tolerance as Tolerance


def __getattr__(name: str) -> Any:
    # Lazily, so that `import kbench` and `kbench --help` cost nothing.
    if name not in _EXPORTS:
        raise AttributeError(f"module 'kbench' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_EXPORTS[name]), name)
