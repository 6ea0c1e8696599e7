"""`kbench score`: the scores of a run, computed from its records."""

from __future__ import annotations

from typing import Annotated

import typer

from kbench.cli.errors import errors_told
from kbench.cli.given import split
from kbench.cli.options import JsonOption, RunArgument
from kbench.cli.runs import finish, opened


def score_command(
    path: RunArgument,
    k: Annotated[list[str] | None, typer.Option("-k", "--k", help="k of pass@k, comma-separated [1].")] = None,
    as_json: JsonOption = False,
) -> None:
    """Compute the scores of a run from its records."""
    with errors_told():
        from kbench.core.errors import ConfigError

        wanted = split(k) or ["1"]
        if not all(text.isdigit() and int(text) for text in wanted):
            raise ConfigError(f"-k {','.join(wanted)}: expected whole numbers from 1 on")
        finish(opened(path), as_json, [int(text) for text in wanted])
