"""`kbench prompt`: what a model would be asked."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from kbench.cli.errors import errors_told
from kbench.cli.given import campaign_options, given, split
from kbench.cli.options import (
    BackendOption,
    CasesOption,
    JsonOption,
    MaxElementsOption,
    PresetOption,
    SeedOption,
    ShapesOption,
    ShotsOption,
    StyleOption,
    SuiteOption,
    TargetOption,
    TemplatesOption,
    TrackOption,
    completer,
    task_names,
)


def prompt_command(
    task: Annotated[str, typer.Argument(help="Task of the suite.", autocompletion=completer(task_names))],
    backend: BackendOption = None,
    suite: SuiteOption = None,
    cases: CasesOption = None,
    seed: SeedOption = None,
    track: TrackOption = None,
    shapes: ShapesOption = None,
    target: TargetOption = None,
    preset: PresetOption = None,
    style: StyleOption = None,
    shots: ShotsOption = None,
    templates: TemplatesOption = None,
    max_elements: MaxElementsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print exactly what a model would be asked."""
    with errors_told():
        from contextlib import closing

        from kbench.core.errors import ConfigError
        from kbench.core.runs.campaign import check_prompt, plan
        from kbench.core.runs.workbench import Workbench

        options = given(
            backend=backend,
            suite=suite,
            tasks=[task],
            cases=split(cases),
            seed=seed,
            track=track,
            shapes=shapes,
            target=target,
            preset=preset,
            style=style,
            shots=shots,
            templates=templates,
            max_elements=max_elements,
        )
        manifest = plan(campaign_options(options))
        check_prompt(manifest)
        attempt = next(manifest.attempts(), None)
        if attempt is None:
            raise ConfigError(f"task {task!r} has no case that can be run: {manifest.tasks[task].skipped}")
        with closing(Workbench.open(manifest)) as work:
            messages = work.messages(attempt)
        if as_json:
            typer.echo(json.dumps([{"role": m.role, "content": m.content} for m in messages], ensure_ascii=False))
        else:
            typer.echo("\n".join(f"--- {m.role}\n\n{m.content}" for m in messages), nl=False)
