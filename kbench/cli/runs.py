"""Run folders as several commands read them: opened, of which the records of one task, and summed up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from kbench.cli.console import make_console

if TYPE_CHECKING:
    from kbench.core.record import Record
    from kbench.core.runs.store import RunFolder


def opened(path: Path) -> RunFolder:
    """The run; a torn last record is told of."""
    from kbench.core.runs.store import RunFolder

    folder = RunFolder.open(path)
    if folder.torn():
        make_console().print("note: the last record is half written and is not counted", style="yellow")
    return folder


def chosen_records(folder: RunFolder, task: str | None, sample: int | None) -> Iterator[Record]:
    """The records of one task and one sample, or of all where either is None.

    Raises:
        ConfigError: at once, where the run has no such task.
    """
    from kbench.core.errors import unknown_name

    if task is not None and task not in folder.manifest.tasks:
        raise unknown_name("task in this run", task, folder.manifest.tasks)
    return (r for r in folder.records(task) if task in (None, r.task) and sample in (None, r.sample))


def finish(folder: RunFolder, as_json: bool, ks: Sequence[int] = (1,)) -> None:
    """All that the end of a run says."""
    from kbench.core.report import summary
    from kbench.core.score import score_run

    counted = score_run(folder, ks)
    make_console().print(summary(folder.manifest, counted))
    if as_json:
        typer.echo(counted.to_json())
