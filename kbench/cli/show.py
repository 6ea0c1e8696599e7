"""`kbench show`: a run, the attempts of one of its tasks, or a task of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kbench.cli import plugins
from kbench.cli.console import make_console
from kbench.cli.errors import errors_told
from kbench.cli.options import BackendOption, JsonOption, SuiteOption, TargetOption
from kbench.cli.runs import chosen_records, opened

if TYPE_CHECKING:
    from kbench.core.record import Record
    from kbench.core.runs.store import RunFolder


def show_command(
    what: Annotated[str, typer.Argument(metavar="RUN|TASK", help="A run folder, or a task of a suite.")],
    task: Annotated[str | None, typer.Argument(help="One task of the run, with its diagnostics.")] = None,
    sample: Annotated[int | None, typer.Option("--sample", help="Only this sample.")] = None,
    source: Annotated[bool, typer.Option("--source", help="Also print the candidates' files.")] = False,
    log: Annotated[bool, typer.Option("--log", help="Also print what compiler, host side and kernels said.")] = False,
    suite: SuiteOption = None,
    backend: BackendOption = None,
    target: TargetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a run, the attempts of one of its tasks, or a task of a suite."""
    with errors_told():
        if not Path(what).is_dir():
            _show_task(what, suite, backend, target)
            return
        folder = opened(Path(what))
        records = chosen_records(folder, task, sample)
        if as_json:
            for record in records:
                typer.echo(record.model_dump_json(by_alias=True))
        elif task is None:
            _show_run(folder)
        else:
            for record in records:
                _show_attempt(record, folder, _Texts(source, log))


class _Texts(NamedTuple):
    """Which texts of an attempt are printed in full."""

    source: bool
    log: bool


def _show_run(folder: RunFolder) -> None:
    from kbench.core.report import summary
    from kbench.core.score import score_run

    make_console(stderr=False).print(summary(folder.manifest, score_run(folder)))


def _show_attempt(record: Record, folder: RunFolder, texts: _Texts) -> None:
    from kbench.core.report import attempt_lines, sources

    console = make_console(stderr=False)
    for line in attempt_lines(record, folder):
        console.print(line, soft_wrap=True)
    for name, text in sources(record, folder).items() if texts.source else ():
        typer.echo(f"--- {name}\n{text}")
    if texts.log and record.log_sha:
        typer.echo(f"--- log\n{folder.text_path(record.log_sha).read_text(errors='replace')}")


def _show_task(name: str, suite: str | None, backend: str | None, target: str | None) -> None:
    from kbench.core.backend import Backend, Settings
    from kbench.core.errors import ConfigError, unknown_name
    from kbench.core.report import case_table, interface_lines
    from kbench.core.runs.workbench import load_suite, make_backend

    known = plugins.known()
    engine = make_backend(backend, known) if backend else None
    suite = suite or (engine or Backend).default_suite
    loaded = load_suite(suite, known)
    if name not in loaded.tasks:
        raise unknown_name(f"run folder, or task in suite {suite!r},", name, loaded.tasks)
    if target is not None and backend is None:
        raise ConfigError(f"--target {target} goes with --backend: a target is one backend's")
    entry, console = loaded.tasks[name], make_console(stderr=False)
    console.print(case_table(entry))
    if engine is not None:
        settings = Settings(target=target or engine.default_target)
        engine.check_settings(settings)
        told = engine.interface(entry, entry.cases, settings), engine.sheets(entry, entry.cases, settings)
        console.print(interface_lines(*told))
