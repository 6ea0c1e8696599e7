"""`kbench exec`: a program with its own kernel launches, run without a device."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kbench.cli import plugins
from kbench.cli.errors import OUR_ERROR, errors_told
from kbench.cli.options import BackendOption, JsonOption, SandboxMode, TargetOption

if TYPE_CHECKING:
    from kbench.core.program import ProgramRun


def exec_command(
    source: Annotated[
        Path, typer.Argument(help="Source with kernels, host code and main (.asc).", exists=True, dir_okay=False)
    ],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Arguments of its main; options of its own after '--'.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", help="Where it reads and writes files [here].", exists=True, file_okay=False),
    ] = None,
    define: Annotated[list[str] | None, typer.Option("-D", help="Macro, NAME or NAME=VALUE; may be repeated.")] = None,
    backend: BackendOption = None,
    target: TargetOption = None,
    sandbox: Annotated[SandboxMode, typer.Option("--sandbox", help="Isolation.")] = SandboxMode.AUTO,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds that it may run.")] = 60.0,
    poison: Annotated[int, typer.Option("--poison", min=0, max=255, help="Byte of fresh device memory.")] = 0xFF,
    numerics: Annotated[
        str, typer.Option("--numerics", help="Results that the target only approximates: rounded, or at the bound.")
    ] = "exact",
    as_json: JsonOption = False,
) -> None:
    """Run a program with its own kernel launches, without a device.

    What it prints is printed, what it writes is written; what the device would not like is told on standard error. The
    exit status is the program's own, 1 where it breaks a rule.
    """
    with errors_told():
        from dataclasses import asdict

        from kbench.core.errors import StageError
        from kbench.core.execute import execute

        try:
            done = execute(
                source, arguments or (), folder or Path(), defines=define or (), plugins=plugins.chosen,
                backend=backend, target=target, sandbox=sandbox.value, timeout_s=timeout, poison=poison,
                numerics=numerics,
            )  # fmt: skip
        except StageError as error:
            for finding in error.findings:
                typer.echo(str(finding), err=True)
            raise
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    for finding in done.findings:
        typer.echo(str(finding), err=True)
    if as_json:
        typer.echo(json.dumps({**asdict(done), "findings": [f.model_dump() for f in done.findings]}))
    else:
        _tell_launches(done)
    raise typer.Exit(OUR_ERROR if done.breaks_a_rule else done.code & 0xFF)


def _tell_launches(done: ProgramRun) -> None:
    for launch in done.launches:
        pipes = ", ".join(f"{pipe} {n['events']}" for pipe, n in launch.counters.items() if n["events"])
        typer.echo(f"ran {launch.kernel} on {launch.block_dim} blocks ({pipes or 'no operation'})", err=True)
