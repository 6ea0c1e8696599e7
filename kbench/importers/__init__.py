"""Benchmarks that exist upstream, imported unmodified: `kbench import KIND PATH --out DIR` makes a suite folder, whose
`suite.json` names the kind, and `--suite DIR` loads it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from kbench.core.hookspecs import hookimpl
from kbench.core.suite import Suite


@hookimpl
def kbench_register_suite_kinds() -> Iterable[tuple[str, Callable[[Path], Suite]]]:
    return [("npukernelbench", _npukernelbench)]


def _npukernelbench(folder: Path) -> Suite:
    from kbench.importers.npukernelbench import load_suite

    return load_suite(folder)
