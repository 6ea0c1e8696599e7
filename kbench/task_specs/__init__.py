"""The built-in suites: one operator, one module with `TASK`, `CASES` and `QUICK`; nothing else to register.

`npukernelbench` asks every case of its modules; `quick`, the default suite, a few small ones of the same tasks.
`npueval` has small kernels for one tile, of fixed sizes; its modules have no `QUICK`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType

import pluggy

from kbench.core.suite import Suite, SuiteLoader, SuiteTask

hookimpl = pluggy.HookimplMarker("kbench")


@hookimpl
def kbench_register_suites() -> Iterable[tuple[str, SuiteLoader]]:
    return [("quick", quick_suite), ("npukernelbench", npukernelbench_suite), ("npueval", npueval_suite)]


def quick_suite() -> Suite:
    """Small cases of every built-in task: each dtype, an odd length, and one that keeps several cores busy."""
    entries = {m.TASK.name: SuiteTask(m.TASK, m.QUICK) for m in _modules("npukernelbench")}
    return Suite("quick", entries, "twelve operators on small shapes: a verdict within a minute on a laptop")


def npukernelbench_suite() -> Suite:
    """The tasks told anew from NPUKernelBench, with its published shapes and ours beside them."""
    entries = {m.TASK.name: SuiteTask(m.TASK, m.CASES) for m in _modules("npukernelbench")}
    return Suite("npukernelbench", entries, "operators of NPUKernelBench with strict checks and unaligned shapes")


def npueval_suite() -> Suite:
    """The tasks told anew from NPUEval, with its sizes and tolerances, on seeded inputs."""
    entries = {m.TASK.name: SuiteTask(m.TASK, m.CASES) for m in _modules("npueval")}
    return Suite("npueval", entries, "operators of NPUEval: one kernel call on whole buffers, exact for integers")


def _modules(package: str) -> list[ModuleType]:
    found = importlib.import_module(f"{__name__}.{package}")
    names = [m.name for m in pkgutil.iter_modules(found.__path__) if not m.name.startswith("_")]
    modules = [importlib.import_module(f"{found.__name__}.{name}") for name in names]
    return sorted(modules, key=lambda m: (m.TASK.level, m.TASK.name))
