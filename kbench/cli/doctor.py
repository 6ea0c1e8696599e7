"""`kbench doctor`: what works here, what does not, and what to install."""

from __future__ import annotations

import json

import typer

from kbench.cli import plugins
from kbench.cli.console import make_console
from kbench.cli.errors import errors_told
from kbench.cli.options import BackendOption, JsonOption


def doctor_command(backend: BackendOption = None, as_json: JsonOption = False) -> None:
    """Say what works here, what does not, and what to install."""
    with errors_told():
        from dataclasses import asdict

        from kbench.core.doctor import probes
        from kbench.core.errors import unknown_name
        from kbench.core.report import probe_table

        known = plugins.known(collect=True)
        if backend is not None and backend not in known.backends:
            raise unknown_name("backend", backend, known.backends)
        found = probes(known, [backend] if backend else [])
        if as_json:
            typer.echo(json.dumps([asdict(probe) for probe in found]))
        else:
            make_console(stderr=False).print(probe_table(found))
