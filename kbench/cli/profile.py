"""`kbench profile`: how long a kernel takes, and why."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from kbench.cli.console import make_console, making_ready
from kbench.cli.errors import OUR_ERROR, errors_told
from kbench.cli.given import campaign_options, given, split
from kbench.cli.options import (
    BackendOption,
    CasesOption,
    EngineOption,
    JsonOption,
    MaxElementsOption,
    SeedOption,
    ShapesOption,
    SuiteOption,
    TargetOption,
    TrackOption,
    completer,
    task_names,
)
from kbench.cli.runs import chosen_records, opened

if TYPE_CHECKING:
    from kbench.core.profiles.closeup import Closeup
    from kbench.core.record import Record
    from kbench.core.runs.store import RunFolder


def profile_command(
    what: Annotated[
        str,
        typer.Argument(
            metavar="RUN|CANDIDATE", help="A run folder, a candidate's file or folder, or the word 'reference'."
        ),
    ],
    task: Annotated[
        str | None,
        typer.Argument(help="Task of the run, or that the candidate is for.", autocompletion=completer(task_names)),
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="Write the timeline of one case: a file that Perfetto opens.")
    ] = None,
    listing: Annotated[
        bool, typer.Option("--listing", help="Also print what the machine executes in one case.")
    ] = False,
    sample: Annotated[int | None, typer.Option("--sample", help="Only this sample of the run.")] = None,
    backend: BackendOption = None,
    suite: SuiteOption = None,
    cases: CasesOption = None,
    seed: SeedOption = None,
    track: TrackOption = None,
    shapes: ShapesOption = None,
    target: TargetOption = None,
    engine: EngineOption = None,
    max_elements: MaxElementsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how long a kernel takes, and why: of a candidate, judged now, or of what a run has recorded.

    A timeline or listing is of one case: the first of --cases, else the first of the task.
    """
    with errors_told():
        options = given(
            backend=backend,
            suite=suite,
            tasks=[task] if task else [],
            cases=split(cases),
            seed=seed,
            track=track,
            shapes=shapes,
            target=target,
            engine=engine,
            max_elements=max_elements,
        )
        details = _Details(trace, listing, next((c for c in split(cases) if c[:1] != ":"), ""), as_json)
        if (Path(what) / "manifest.json").is_file():
            _profile_run(Path(what), task, sample, options, details)
        else:
            _profile_candidate(what, task, sample, options, details)


class _Details(NamedTuple):
    """What `kbench profile` shows besides the profile: a timeline's file, a listing, of which case; JSON or tables."""

    trace: Path | None
    listing: bool
    case: str
    as_json: bool


def _profile_run(path: Path, task: str | None, sample: int | None, options: dict[str, Any], details: _Details) -> None:
    from kbench.core.errors import ConfigError
    from kbench.core.runs.resume import require_same

    folder = opened(path)
    require_same(folder.manifest, {name: value for name, value in options.items() if name not in ("tasks", "cases")})
    if task is None and (details.trace or details.listing):
        raise ConfigError("a timeline or a listing is of one task: kbench profile RUN TASK --trace FILE")
    records = chosen_records(folder, task, sample)
    if task is None:
        _show_times(folder, records, details.as_json)
    else:
        _profile_recorded(folder, list(records), details)


def _show_times(folder: RunFolder, records: Iterable[Record], as_json: bool) -> None:
    """The times of all attempts of a run."""
    from kbench.core.profiles.report import attempt_table, speed_lines
    from kbench.core.score import score_run

    if as_json:
        for record in records:
            typer.echo(record.model_dump_json(by_alias=True))
        return
    console = make_console(stderr=False)
    console.print(attempt_table(records))
    none = ["no attempt of this run has a profile: kbench profile RUN TASK makes one"]
    lines = speed_lines(score_run(folder)) or none
    console.print("\n".join(["", *lines]), highlight=False, markup=False)


def _profile_recorded(folder: RunFolder, records: list[Record], details: _Details) -> None:
    """The profiles of a task's attempts as recorded; judged again where there is none, or more is asked for."""
    from kbench.core.errors import ConfigError
    from kbench.core.profiles.closeup import Closeup
    from kbench.generators.replay import from_record

    passed = [record for record in records if record.passed]
    if not passed:
        raise ConfigError(f"no attempt of this task in {folder.path} has passed, and only those have a time")
    for record in passed:
        timed = any(case.profile for case in record.cases)
        with closing(Closeup.of_record(folder, record, from_record(folder, record))) as seen:
            _show_profile(record if timed else seen.record(), details.as_json)
            if details.trace or details.listing:
                _show_details(seen, details)
                break  # a timeline is of one attempt: the first, or the one that --sample names


def _profile_candidate(
    what: str, task: str | None, sample: int | None, options: dict[str, Any], details: _Details
) -> None:
    from kbench.core.errors import ConfigError
    from kbench.core.profiles.closeup import Closeup
    from kbench.generators.replay import read_candidate

    if task is None:
        raise ConfigError(f"which task is {what} for? kbench profile {what} TASK --backend BACKEND")
    if what != "reference" and not Path(what).exists():
        raise ConfigError(f"no run folder and no candidate at {what}; 'reference' is the task's own solution")
    answer = None if what == "reference" else lambda name: read_candidate(Path(what), name, sample or 0)
    with closing(Closeup.plan(campaign_options(options), answer)) as seen:
        with making_ready():
            seen.work.bench.backend.prepare(seen.work.bench.settings)
        record = seen.record()
        _show_profile(record, details.as_json)
        if not record.passed:
            raise typer.Exit(OUR_ERROR)
        if details.trace or details.listing:
            _show_details(seen, details)


def _show_profile(record: Record, as_json: bool) -> None:
    """One attempt: its verdict, and the profile of each case."""
    from kbench.core.profiles.report import profile_parts
    from kbench.core.report import attempt_lines

    if as_json:
        typer.echo(record.model_dump_json(by_alias=True))
        return
    console = make_console(stderr=False)
    if not record.passed:
        for line in attempt_lines(record):
            console.print(line, soft_wrap=True)
    for case in record.cases:
        if case.profile is not None:
            console.print(f"{record.task}, case {case.case}, sample {record.sample}", highlight=False, markup=False)
            for part in profile_parts(case):
                console.print(part, soft_wrap=True)
            console.print()
    if record.passed and not any(case.profile for case in record.cases):
        reasons = [f.message for case in record.cases for f in case.findings if f.rule == "no-profile"]
        console.print(f"passed, {reasons[0] if reasons else 'and this backend profiles nothing'}", highlight=False)


def _show_details(seen: Closeup, details: _Details) -> None:
    from kbench.core.profiles.trace import write_trace

    if details.listing:
        typer.echo(seen.listing(details.case))
    if details.trace:
        timeline = seen.timeline(details.case)
        write_trace(timeline, details.trace)
        typer.echo(f"wrote {details.trace}: open it at https://ui.perfetto.dev or chrome://tracing", err=True)
