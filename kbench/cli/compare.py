"""`kbench compare`: a run's verdicts beside those that a benchmark's own harness wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from kbench.cli.errors import errors_told
from kbench.cli.options import JsonOption, RunArgument


def compare_command(
    path: RunArgument,
    results: Annotated[Path, typer.Argument(help="Folder of NPUEval's result files, NAME_wrapper.json.")],
    as_json: JsonOption = False,
) -> None:
    """Compare a run's verdicts with those that NPUEval wrote on a device, of the same solutions."""
    with errors_told():
        from dataclasses import asdict

        from kbench.core.runs.store import RunFolder
        from kbench.importers.npueval_results import compare, read_results, totals

        folder, theirs = RunFolder.open(path), read_results(results)
        found = compare(folder.records(), theirs)
        for kernel in found:
            if kernel.kind != "same":
                typer.echo(str(kernel), err=as_json)
        typer.echo(totals(found, folder.manifest, theirs), err=as_json)
        if as_json:
            typer.echo(json.dumps({kernel.kernel: asdict(kernel) for kernel in found}))
