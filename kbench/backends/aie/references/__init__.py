"""Kernels of the built-in tasks for one AIE tile, ours: a scalar one for each, a vectorised one for many."""

from __future__ import annotations

import functools
from importlib import resources

from kbench.core.candidate import Candidate

VARIANTS = ("vector", "scalar")


@functools.cache
def load(task_name: str, variant: str = "") -> Candidate | None:
    """The packaged kernel of a task: of that variant, or of the first that there is of `VARIANTS`; or None."""
    folder = resources.files(__name__) / task_name
    for name in [variant] if variant else VARIANTS:
        file = folder / f"{name}.cc"
        if file.is_file():
            path = f"{task_name}.cc"
            return Candidate({path: file.read_text(encoding="utf-8")}, {"kernel": path}, task_name)
    return None
