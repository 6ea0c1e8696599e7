"""Benchmarks that exist elsewhere, imported as suites: `kbench import NAME PATH --out DIR`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kbench.core.errors import ConfigError
from kbench.core.hookspecs import hookimpl
from kbench.core.preset import Preset
from kbench.core.suite import Suite

#: Benchmark → module with `import_suite(checkout, out, progress)` and `load(folder)`.
IMPORTERS: Mapping[str, str] = {
    "npukernelbench": "kbench.importers.npukernelbench",
    "npueval": "kbench.importers.npueval",
}


@dataclass(frozen=True)
class Imported:
    """What an import gave: tasks, cases, what cannot be run, with the reason of each, and the backend it is for."""

    folder: Path
    tasks: int
    cases: int
    invalid: Mapping[str, str] = field(default_factory=dict)
    backend: str = ""


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder beside `out` to import into, which becomes `out` when all is there: an import that is broken off leaves
    nothing that could be taken for a suite, and may be started again.

    Raises:
        ConfigError: `out` is a file, or a folder that holds something.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} exists and is {'not empty' if out.is_dir() else 'a file'}; give a new folder")
    part = out.with_name(f"{out.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        yield part
        part.replace(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def write_suite(out: Path, content: Mapping[str, Any]) -> None:
    """Write a suite folder's `suite.json`."""
    (out / "suite.json").write_text(json.dumps(content, indent=1), encoding="utf-8")


def commit_of(checkout: Path) -> str:
    """The commit that is checked out, read from `.git`; empty where there is none."""
    head = checkout / ".git/HEAD"
    text = head.read_text().strip() if head.is_file() else ""
    if text.startswith("ref: "):
        ref = checkout / ".git" / text[5:]
        text = ref.read_text().strip() if ref.is_file() else ""
    return text


def _loader(module: str) -> Callable[[Path], Suite]:
    def load(folder: Path) -> Suite:
        from importlib import import_module

        suite: Suite = import_module(module).load(folder)
        return suite

    return load


@hookimpl
def kbench_register_suite_kinds() -> Iterable[tuple[str, Callable[[Path], Suite]]]:
    """Loaders of imported suite folders, by the `kind` in their `suite.json`."""
    return [(kind, _loader(module)) for kind, module in IMPORTERS.items()]


@hookimpl
def kbench_register_presets() -> Iterable[Preset]:
    """How these benchmarks ask their models."""
    from kbench.importers import npueval_preset, npukernelbench_preset

    return [npueval_preset.PRESET, npukernelbench_preset.PRESET]


def load_suite_folder(path: Path) -> Suite:
    """The suite of an imported benchmark's folder.

    Raises:
        ConfigError: no suite there, or of a kind that is not known.
    """
    from kbench.core.suite_folder import load_suite_folder as load

    return load(path, dict(kbench_register_suite_kinds()))
