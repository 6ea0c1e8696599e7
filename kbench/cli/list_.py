"""`kbench list`: what there is, by name."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from kbench.cli import plugins
from kbench.cli.console import make_console
from kbench.cli.errors import errors_told
from kbench.cli.options import JsonOption, SuiteOption


class Kind(StrEnum):
    BACKENDS = "backends"
    TARGETS = "targets"
    GENERATORS = "generators"
    PRESETS = "presets"
    SUITES = "suites"
    TASKS = "tasks"


def list_command(
    kind: Annotated[Kind | None, typer.Argument(help="What to list [everything].")] = None,
    suite: SuiteOption = None,
    as_json: JsonOption = False,
) -> None:
    """List backends, targets, generators, suites and tasks."""
    with errors_told():
        from kbench.core.inventory import inventory
        from kbench.core.report import names_table

        rows = inventory(plugins.known(), [str(k) for k in ([kind] if kind else Kind)], suite or "quick")
        if as_json:
            typer.echo(json.dumps({k: [name for name, _ in names] for k, names in rows.items()}))
        else:
            make_console(stderr=False).print(names_table(rows))
