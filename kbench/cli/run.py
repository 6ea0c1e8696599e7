"""`kbench run`: plans, or goes on with, a run; works on it, and says what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kbench.cli.errors import errors_told
from kbench.cli.given import given, given_generator, given_sampling, split
from kbench.cli.options import (
    BackendOption,
    CasesOption,
    EngineOption,
    JsonOption,
    MaxElementsOption,
    NumericsName,
    PresetOption,
    SandboxMode,
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
from kbench.cli.runs import finish
from kbench.cli.work import Workers, planned, resumed, work


def run_command(
    backend: BackendOption = None,
    suite: SuiteOption = None,
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            "--tasks", help="Tasks by name or pattern, comma-separated [all].", autocompletion=completer(task_names)
        ),
    ] = None,
    level: Annotated[int | None, typer.Option("--level", help="Tasks of this level only.")] = None,
    cases: CasesOption = None,
    samples: Annotated[int | None, typer.Option("--samples", help="Candidates for each task [1].")] = None,
    seed: SeedOption = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Worker processes [one for each core, up to 8].")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in --out; only what is missing runs.")
    ] = False,
    retry_harness: Annotated[
        bool, typer.Option("--retry-harness-errors", help="With --resume: also attempts on which kbench failed.")
    ] = False,
    track: TrackOption = None,
    shapes: ShapesOption = None,
    target: TargetOption = None,
    engine: EngineOption = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", help="Seconds for one compilation, and for one case [60].")
    ] = None,
    sandbox: Annotated[
        SandboxMode | None, typer.Option("--sandbox", help="How candidates are confined [auto].")
    ] = None,
    numerics: Annotated[
        NumericsName | None,
        typer.Option("--numerics", help="Results that the target only approximates: rounded, or at the bound [exact]."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Run folder [runs/TIME-SUITE-BACKEND].")] = None,
    generator: Annotated[
        str | None,
        typer.Option(
            "--generator",
            help="Who writes the candidates [reference].",
            autocompletion=completer(lambda k: list(k.generators)),
        ),
    ] = None,
    generator_option: Annotated[
        list[str] | None, typer.Option("--generator-option", help="NAME=VALUE for the generator. May be repeated.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option("--replay", help="Candidates from this folder, JSONL or run: --generator replay.")
    ] = None,
    rag_index: Annotated[
        Path | None,
        typer.Option("--rag", help="Show the model examples from this index (kbench rag index)."),
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="Short for --generator-option model=NAME.")] = None,
    base_url: Annotated[str | None, typer.Option("--base-url", help="Short for --generator-option base_url=….")] = None,
    preset: PresetOption = None,
    attempts: Annotated[
        int | None,
        typer.Option("--attempts", help="Attempts at each candidate, told what was wrong before [the preset's, or 1]."),
    ] = None,
    optimise: Annotated[
        bool, typer.Option("--optimise", help="Go on after a success, with the profile's hints; the best counts.")
    ] = False,
    temperature: Annotated[float | None, typer.Option("--temperature", help="Of the model; 0 is greedy.")] = None,
    top_p: Annotated[float | None, typer.Option("--top-p", help="Of the model.")] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="Of the model.")] = None,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", help="Of one completion.")] = None,
    model_seed: Annotated[int | None, typer.Option("--model-seed", help="Of the model's draws [--seed].")] = None,
    stop: Annotated[
        list[str] | None, typer.Option("--stop", help="Text that ends a completion; may be repeated.")
    ] = None,
    reasoning_effort: Annotated[
        str | None, typer.Option("--reasoning-effort", help="Of a reasoning model, in its own word.")
    ] = None,
    thinking_tokens: Annotated[
        int | None, typer.Option("--thinking-tokens", help="Budget of a reasoning model's thoughts.")
    ] = None,
    style: StyleOption = None,
    shots: ShotsOption = None,
    templates: TemplatesOption = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", help="Requests to the model at once [the generator's].")
    ] = None,
    cache: Annotated[
        bool | None,
        typer.Option("--cache/--no-cache", help="Take completions from the cache where the same was asked [cache]."),
    ] = None,
    max_elements: MaxElementsOption = None,
    checker: Annotated[
        str | None, typer.Option("--checker", help="strict, or the suite's own (upstream) [strict].")
    ] = None,
    profile: Annotated[
        bool | None,
        typer.Option("--profile/--no-profile", help="Time what passes, and the task's reference kernel [profile]."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask for candidates and judge them: compile, run and check, and keep a record of each."""
    with errors_told():
        sampling = given_sampling(
            seed=model_seed,
            temperature=temperature,
            top_p=top_p,
            top_k=top_k,
            max_tokens=max_tokens,
            stop=tuple(stop or ()),
            reasoning_effort=reasoning_effort,
            thinking_tokens=thinking_tokens,
        )
        options = given(
            backend=backend,
            suite=suite,
            tasks=split(tasks),
            level=level,
            cases=split(cases),
            samples=samples,
            seed=seed,
            track=track,
            shapes=shapes,
            target=target,
            engine=engine,
            timeout_s=timeout,
            sandbox=sandbox,
            numerics=numerics,
            preset=preset,
            sampling=sampling,
            attempts=attempts,
            optimise=optimise or None,
            cache=cache,
            style=style,
            shots=shots,
            templates=templates,
            max_elements=max_elements,
            checker=checker,
            profile=profile,
            **given_generator(generator, generator_option, replay, rag_index, model=model, base_url=base_url),
        )
        workers = Workers.given(jobs, concurrency)
        folder = resumed(out, options) if resume else planned(out, options)
        work(folder, workers, retry_harness=retry_harness)
        finish(folder, as_json)
