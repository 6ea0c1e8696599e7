"""Suites in folders: Python files of the user's, each with `TASK` and `CASES`; or an imported benchmark."""

from __future__ import annotations

import importlib.util
import json
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

from kbench.core.errors import ConfigError, unknown_name
from kbench.core.suite import Suite, SuiteTask
from kbench.core.task import Case, Task


def load_suite_folder(folder: Path, kinds: Mapping[str, Callable[[Path], Suite]]) -> Suite:
    """The suite that a folder holds.

    Args:
        kinds: loaders of imported benchmarks by the `kind` that their `suite.json` names.

    Raises:
        ConfigError: no suite there, an unknown kind, or a task file that fails, named with its line.
    """
    description = folder / "suite.json"
    if description.is_file():
        try:
            kind = json.loads(description.read_text(encoding="utf-8"))["kind"]
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{description} names no kind of suite: {type(error).__name__}: {error}") from error
        if kind not in kinds:
            raise unknown_name("kind of suite", str(kind), kinds)
        return kinds[kind](folder)
    files = sorted(f for f in folder.glob("*.py") if not f.name.startswith("_"))
    if not files:
        raise ConfigError(f"{folder} holds no suite: expected suite.json, or Python files with TASK and CASES")
    tasks: dict[str, SuiteTask] = {}
    for file in files:
        entry = _load_task(file)
        if entry.task.name in tasks:
            raise ConfigError(f"{file}: a task named {entry.task.name!r} is in this suite already")
        tasks[entry.task.name] = entry
    return Suite(name=folder.name, tasks=tasks, description=f"the task files of {folder}")


def _load_task(file: Path) -> SuiteTask:
    module = _imported(file)
    task, cases = getattr(module, "TASK", None), getattr(module, "CASES", None)
    if not isinstance(task, Task):
        raise ConfigError(f"{file}:1: expected TASK to be a kbench.Task, got {type(task).__name__}")
    if not cases or not all(isinstance(case, Case) for case in cases):
        raise ConfigError(f"{file}:1: expected CASES to be kbench.Case objects, at least one, got {cases!r:.80}")
    return SuiteTask(task=task, cases=tuple(cases))


def _imported(file: Path) -> ModuleType:
    name = f"kbench_user_task_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses in the file look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ConfigError(f"{file}:{_line_in(file, error)}: {type(error).__name__}: {error}") from error
    return module


def _line_in(file: Path, error: Exception) -> int:
    """The line of this file where it went wrong, whatever it called from there."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return error.lineno or 1
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return (lines[-1] if lines else None) or 1
