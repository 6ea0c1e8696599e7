"""The hooks of kbench: they find things, once, at start; nothing on the evaluation path calls a hook."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pluggy

from kbench.core.backend import Backend
from kbench.core.generator import Generator
from kbench.core.preset import Preset
from kbench.core.suite import Suite, SuiteLoader

PROJECT = "kbench"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def kbench_register_backends() -> Iterable[type[Backend]]:  # type: ignore[empty-body]
    """Backend classes; each is made when its name is asked for."""


@hookspec
def kbench_register_generators() -> Iterable[type[Generator]]:  # type: ignore[empty-body]
    """Generator classes; each is made with the user's options when its name is asked for."""


@hookspec
def kbench_register_suites() -> Iterable[tuple[str, SuiteLoader]]:  # type: ignore[empty-body]
    """(name, loader) of task suites; the loader runs when the suite is asked for."""


@hookspec
def kbench_register_suite_kinds() -> Iterable[tuple[str, Callable[[Path], Suite]]]:  # type: ignore[empty-body]
    """(kind, loader) of suite folders: the loader gets the folder whose `suite.json` says `"kind": kind`."""


@hookspec
def kbench_register_presets() -> Iterable[Preset]:  # type: ignore[empty-body]
    """Presets: how a benchmark asks its models."""


@hookspec
def kbench_register_templates() -> Iterable[tuple[str, Path]]:  # type: ignore[empty-body]
    """(name, folder) of prompt templates, chosen by `--templates NAME`."""
