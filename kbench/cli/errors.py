"""How commands end: a status, and one sentence for what a user can act on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import typer

USAGE_ERROR, OUR_ERROR, INTERRUPTED = 2, 1, 130


@contextlib.contextmanager
def errors_told() -> Iterator[None]:
    """Errors that a user can act on end as one sentence and a status, not as a traceback."""
    from kbench.core.errors import ConfigError, KbenchError

    try:
        yield
    except KbenchError as error:
        typer.echo(f"kbench: {error}", err=True)
        raise typer.Exit(USAGE_ERROR if isinstance(error, ConfigError) else OUR_ERROR) from error
