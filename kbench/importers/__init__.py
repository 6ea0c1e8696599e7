"""Benchmarks that exist elsewhere, imported as suites: `kbench import NAME PATH --out DIR`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from kbench.core.hookspecs import hookimpl
from kbench.core.suite import Suite


def _load_npukernelbench(folder: Path) -> Suite:
    from kbench.importers.npukernelbench import load

    return load(folder)


#: Loaders of imported suite folders, by the `kind` in their `suite.json`.
KINDS: Mapping[str, Callable[[Path], Suite]] = {"npukernelbench": _load_npukernelbench}


def load_suite_folder(path: Path) -> Suite:
    """The suite of an imported benchmark's folder.

    Raises:
        ConfigError: no suite there, or of a kind that is not known.
    """
    from kbench.core.suite_folder import load_suite_folder as load

    return load(path, KINDS)


#: Modules of the importers by kind: `import_suite(path, out)` of each makes the suite folder.
IMPORTERS: Mapping[str, str] = {"npukernelbench": "kbench.importers.npukernelbench"}


@hookimpl
def kbench_register_suite_kinds() -> Iterable[tuple[str, Callable[[Path], Suite]]]:
    return list(KINDS.items())
