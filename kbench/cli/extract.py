"""`kbench extract`: a run's completions, extracted anew."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from kbench.cli.errors import errors_told
from kbench.cli.options import JsonOption, RunArgument


def extract_command(
    path: RunArgument,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write what was extracted here (JSONL), for kbench run --replay.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Extract a run's completions anew, by today's rules: no model is asked, and nothing is compiled."""
    with errors_told():
        from collections import Counter

        from kbench.core.errors import ConfigError
        from kbench.core.extraction.reextract import reextract
        from kbench.core.report import change_line
        from kbench.core.runs.store import RunFolder

        if out is not None and out.exists():
            raise ConfigError(f"{out} exists; give another --out")
        changes: Counter[tuple[str, str, bool]] = Counter()
        with open(out or os.devnull, "w", encoding="utf-8") as file:
            for found in reextract(RunFolder.open(path)):
                changes[found.before, found.now, found.same] += 1
                if not found.same:
                    typer.echo(change_line(found), err=as_json)
                file.write(json.dumps(found.to_line()) + "\n")
        rows = [{"before": b, "now": n, "same": s, "attempts": times} for (b, n, s), times in sorted(changes.items())]
        changed = sum(times for (_, _, same), times in changes.items() if not same)
        typer.echo(f"{sum(changes.values())} completions extracted, {changed} otherwise than when judged", err=as_json)
        if out is not None:
            typer.echo(f"judge them with: kbench run --backend … --replay {out}", err=as_json)
        if as_json:
            typer.echo(json.dumps(rows))
