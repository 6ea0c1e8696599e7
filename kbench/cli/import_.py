"""`kbench import`: a benchmark that exists upstream becomes a suite folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kbench.cli import plugins
from kbench.cli.console import make_console
from kbench.cli.errors import errors_told


def import_command(
    kind: Annotated[str, typer.Argument(help="Benchmark: npukernelbench or npueval.")],
    path: Annotated[Path, typer.Argument(help="A checkout of it, or (npueval) its dataset or kernels.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the suite.")],
) -> None:
    """Turn a benchmark that exists upstream into a suite folder, unmodified."""
    with errors_told():
        from importlib import import_module

        from kbench.core.errors import unknown_name
        from kbench.importers import IMPORTERS

        if kind not in IMPORTERS:
            raise unknown_name("importer", kind, IMPORTERS)
        console = make_console()
        done = import_module(IMPORTERS[kind]).import_suite(path, out, lambda line: console.print(line, markup=False))
        for name, why in done.invalid.items():
            console.print(f"{name} cannot be run: {why}", highlight=False, markup=False, soft_wrap=True)
        console.print(
            f"{done.tasks} tasks, {done.cases} cases, {len(done.invalid)} that cannot be run", highlight=False
        )
        console.print(f"run it with: kbench run --suite {_folder_name(out)} --backend {done.backend}", highlight=False)


def _folder_name(folder: Path) -> str:
    """A folder as --suite takes it: a bare name would be that of a suite of ours, where there is one."""
    return f"./{folder}" if str(folder) in plugins.known().suites else str(folder)
