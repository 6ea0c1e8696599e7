"""The command line: parses, calls core, prints. Tables and progress go to standard error, results to standard output.

Nothing heavy is imported here: `kbench --help` must be as quick as the parser itself.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from kbench.core.campaign import Options
    from kbench.core.closeup import Closeup
    from kbench.core.manifest import Manifest
    from kbench.core.plugins import Registry
    from kbench.core.questions import Answered
    from kbench.core.record import Record
    from kbench.core.reextract import Reextracted
    from kbench.core.score import Score
    from kbench.core.store import RunFolder

app = typer.Typer(
    name="kbench",
    help="Does the kernel compile, is it right, and how fast is it?",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

USAGE_ERROR, OUR_ERROR, INTERRUPTED = 2, 1, 130
DEFAULT_RUNS = Path("runs")
#: Columns of tables that go to a file or a pipe, where no terminal says how wide it is.
FILE_WIDTH = 140
#: Seconds without a word after which a file or pipe is told what goes on.
QUIET_S = 2.0


class TrackName(StrEnum):
    KERNEL_ONLY = "kernel-only"
    FULL = "full"


class ShapesName(StrEnum):
    STATIC = "static"
    DYNAMIC = "dynamic"


class SandboxMode(StrEnum):
    AUTO = "auto"
    BWRAP = "bwrap"
    SECCOMP = "seccomp"
    NONE = "none"


class NumericsName(StrEnum):
    EXACT = "exact"
    WORST = "worst"


class Kind(StrEnum):
    BACKENDS = "backends"
    TARGETS = "targets"
    GENERATORS = "generators"
    PRESETS = "presets"
    SUITES = "suites"
    TASKS = "tasks"


_plugins: list[str] = []


# --- completion of names in the shell --------------------------------------------------------------------------------


def _completer(names: Callable[[Registry], Sequence[str]]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        from kbench.core.plugins import registry

        return sorted(n for n in names(registry(collect=True)) if n.startswith(incomplete))

    return complete


def _target_names(known: Registry) -> list[str]:
    return [target for backend in known.backends.values() for target in backend.targets]


def _task_names(known: Registry) -> list[str]:
    return list(known.suites["npukernelbench"]().tasks) if "npukernelbench" in known.suites else []


# --- options that several commands share -----------------------------------------------------------------------------

BackendOption = Annotated[
    str | None,
    typer.Option("--backend", help="Accelerator to judge for.", autocompletion=_completer(lambda k: list(k.backends))),
]
SuiteOption = Annotated[
    str | None,
    typer.Option(
        "--suite",
        help="Suite by name, or its folder [the backend's default].",
        autocompletion=_completer(lambda k: list(k.suites)),
    ),
]
CasesOption = Annotated[
    list[str] | None, typer.Option("--cases", help="Cases by name, comma-separated; ':3' means the first three [all].")
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Seed of all inputs [0].")]
TrackOption = Annotated[TrackName | None, typer.Option("--track", help="Who gives the host side [full].")]
ShapesOption = Annotated[
    ShapesName | None, typer.Option("--shapes", help="One candidate per case, or one for all [dynamic].")
]
TargetOption = Annotated[
    str | None,
    typer.Option("--target", help="Chip [the backend's first].", autocompletion=_completer(_target_names)),
]
EngineOption = Annotated[
    str | None, typer.Option("--engine", help="Component for all parts, or PART=COMPONENT,… [sim].")
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset",
        help="Ask models as a benchmark does: its prompt and its sampling [kbench's own].",
        autocompletion=_completer(lambda k: list(k.presets)),
    ),
]
StyleOption = Annotated[
    str | None, typer.Option("--style", help="How models are to answer: direct, or cot (reason first) [direct].")
]
ShotsOption = Annotated[
    int | None, typer.Option("--shots", help="Solved tasks shown as examples; never the task's own or one like it [0].")
]
TemplatesOption = Annotated[
    str | None, typer.Option("--templates", help="Folder (or plugin) of prompt templates that go before kbench's own.")
]
MaxElementsOption = Annotated[
    int | None,
    typer.Option("--max-elements", help="Skip cases with more input and output elements [4194304]."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="End with one JSON object on standard output.")]
RunArgument = Annotated[Path, typer.Argument(help="Run folder.", exists=False)]


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    plugin: Annotated[
        list[str] | None,
        typer.Option("--plugin", "-p", help="Module of a plugin to load; no:NAME leaves one out. May be repeated."),
    ] = None,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Does the kernel compile, is it right, and how fast is it?"""
    _plugins[:] = plugin or []
    if version:
        from kbench import __version__

        typer.echo(f"kbench {__version__}")
        raise typer.Exit


# --- run -------------------------------------------------------------------------------------------------------------


@app.command()
def run(
    backend: BackendOption = None,
    suite: SuiteOption = None,
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            "--tasks", help="Tasks by name or pattern, comma-separated [all].", autocompletion=_completer(_task_names)
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
            autocompletion=_completer(lambda k: list(k.generators)),
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
        bool,
        typer.Option("--cache/--no-cache", help="Take completions from the cache where the same was asked."),
    ] = True,
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
    with _errors_told():
        from kbench.core.errors import ConfigError
        from kbench.core.pool import default_jobs

        sampling = _sampling(
            seed=model_seed,
            temperature=temperature,
            top_p=top_p,
            top_k=top_k,
            max_tokens=max_tokens,
            stop=tuple(stop or ()),
            reasoning_effort=reasoning_effort,
            thinking_tokens=thinking_tokens,
        )
        options = _given(
            backend=backend,
            suite=suite,
            tasks=_split(tasks),
            level=level,
            cases=_split(cases),
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
            style=style,
            shots=shots,
            templates=templates,
            max_elements=max_elements,
            checker=checker,
            profile=profile,
            **_retrieving(rag_index, _generator(generator, generator_option, replay, model=model, base_url=base_url)),
        )
        workers = default_jobs() if jobs is None else jobs
        if concurrency is not None and concurrency < 1:
            raise ConfigError(f"--concurrency {concurrency}: at least one request is needed")
        folder = _resumed(out, options) if resume else _planned(out, options, workers)
        _work(folder, jobs=workers, retry_harness=retry_harness, concurrency=concurrency, cache=cache)
        _finish(folder, as_json)


def _sampling(**given: Any) -> Any:
    """What the user gave of it; None where that is nothing."""
    from kbench.core.generator import Sampling

    said = {name: value for name, value in given.items() if value not in (None, ())}
    return Sampling(**said) if said else None


def _given(**options: Any) -> dict[str, Any]:
    """The options that the user gave; all others keep core's defaults (or, on resume, the plan's)."""
    return {name: str(v) if isinstance(v, StrEnum) else v for name, v in options.items() if v not in (None, [], {})}


def _split(values: Sequence[str] | None) -> list[str]:
    return [part.strip() for value in values or () for part in value.split(",") if part.strip()]


def _generator(
    name: str | None, pairs: Sequence[str] | None, replay: Path | None, **short: str | None
) -> dict[str, Any]:
    from kbench.core.errors import ConfigError

    options = {option: value for option, value in short.items() if value is not None}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals:
            raise ConfigError(f"--generator-option {pair}: expected NAME=VALUE")
        options[key] = value
    if replay is not None:
        if name not in (None, "replay"):
            raise ConfigError(f"--replay goes with --generator replay, not with {name}")
        name, options["path"] = "replay", str(replay)
    return {"generator": name, "generator_options": options}


def _retrieving(index: Path | None, given: dict[str, Any]) -> dict[str, Any]:
    """The generator, wrapped by `rag` where there is an index."""
    from kbench.core.errors import ConfigError

    name = given["generator"]
    if index is None:
        return given
    if name in (None, "rag", "reference"):
        raise ConfigError(f"--rag goes with --generator NAME, one that asks a model, not with {name or 'none'}")
    options = {**given["generator_options"], "generator": name, "index": str(index)}
    return {"generator": "rag", "generator_options": options}


def _options(given: dict[str, Any]) -> Options:
    from kbench.core.campaign import Options
    from kbench.core.candidate import Shapes, Track
    from kbench.core.errors import ConfigError
    from kbench.core.plugins import registry

    if "backend" not in given:
        names = ", ".join(sorted(registry(plugins=_plugins).backends))
        raise ConfigError(f"--backend is needed; there are: {names}")
    for name, kind in (("track", Track), ("shapes", Shapes)):
        if name in given:
            given[name] = kind(given[name])
    return Options(**given, plugins=tuple(_plugins))


def _planned(out: Path | None, given: dict[str, Any], jobs: int) -> RunFolder:
    from kbench.core.campaign import plan
    from kbench.core.errors import ConfigError
    from kbench.core.store import RunFolder

    if jobs < 1:
        raise ConfigError(f"--jobs {jobs}: at least one worker is needed")
    manifest = plan(_options(given))
    _prepare(manifest)
    return RunFolder.create(out or DEFAULT_RUNS / f"{manifest.run}-{manifest.suite}-{manifest.backend}", manifest)


def _resumed(out: Path | None, given: dict[str, Any]) -> RunFolder:
    from kbench.core.campaign import require_same
    from kbench.core.errors import ConfigError
    from kbench.core.store import RunFolder

    if out is None:
        runs = sorted(p.parent for p in DEFAULT_RUNS.glob("*/manifest.json"))
        if not runs:
            raise ConfigError(f"--resume: no run in {DEFAULT_RUNS}/; say which with --out DIR")
        out = runs[-1]
    folder = RunFolder.open(out)
    require_same(folder.manifest, given)
    _prepare(folder.manifest)
    return folder


def _prepare(manifest: Manifest) -> None:
    from kbench.core.campaign import prepare

    with _waiting(_console(), "making ready: the first time builds the backend's libraries, a minute or more …"):
        prepare(manifest)


@contextlib.contextmanager
def _waiting(console: Console, words: str) -> Iterator[None]:
    """Say what takes long: at once on a terminal; in a file only where it does take long, as no later word hides it."""
    if console.is_terminal:
        with console.status(words):
            yield
        return
    timer = threading.Timer(QUIET_S, console.print, (words,), {"highlight": False})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _work(folder: RunFolder, *, jobs: int, retry_harness: bool, **resources: Any) -> None:
    from kbench.core.campaign import missing, work

    console, attempts = _console(), folder.manifest.attempts_each
    todo = len(missing(folder, retry_harness=retry_harness))
    what = "attempts" if attempts == 1 else f"samples (up to {attempts} attempts each)"
    console.print(
        f"run {folder.path}: {todo} of {folder.manifest.planned} {what} to do, {jobs} worker(s)", highlight=False
    )
    torn = folder.torn()
    if torn:
        console.print(
            f"note: the last record was half written ({len(torn)} characters): its attempt runs again", style="yellow"
        )
    if not todo:
        return
    try:
        with _progress(console, todo, asks=not _is_free(folder)) as (watch, asked):
            work(folder, jobs=jobs, watch=watch, asked=asked, retry_harness=retry_harness, **resources)
    except KeyboardInterrupt:
        console.print(f"stopped; go on with: kbench run --resume --out {folder.path}", style="yellow")
        raise typer.Exit(INTERRUPTED) from None


def _is_free(folder: RunFolder) -> bool:
    from kbench.core.plugins import registry

    kind = registry(plugins=folder.manifest.plugins).generators.get(folder.manifest.generator)
    return bool(kind and kind.free)


@contextlib.contextmanager
def _progress(
    console: Console, total: int, *, asks: bool
) -> Iterator[tuple[Callable[[Record], None], Callable[[Answered], None]]]:
    """Two bars on a terminal, asked and judged; in a file a line for each tenth."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        asking = bar.add_task("asking", total=total) if asks else None
        line = bar.add_task("judging", total=total)
        done = told = answers = tokens = 0
        solved: set[tuple[Any, ...]] = set()

        def asked(answered: Answered) -> None:
            nonlocal answers, tokens
            if asking is None:
                return
            answers += 1
            if answered.answer is not None:
                tokens += int(answered.answer.completion.usage.get("output_tokens") or 0)
            words = f"asked, {tokens:,} tokens" if tokens else "asked"
            bar.update(asking, completed=answers, total=max(total, answers), description=words)

        def watch(record: Record) -> None:
            nonlocal done, told
            done += record.last
            if record.passed:
                solved.add(record.identity[:-1])
            bar.update(line, completed=done, description=f"{len(solved)} passed, now {record.task}")
            if not record.passed and told < _MOST_TOLD:
                told += 1
                bar.console.print(_failure_line(record), markup=False, highlight=False, soft_wrap=True)
            if not console.is_terminal and record.last and done % max(1, total // 10) == 0:
                console.print(f"{done} of {total} judged, {len(solved)} passed", highlight=False)

        yield watch, asked


_MOST_TOLD = 20  # failures told while a run goes on; `kbench show` has them all


def _failure_line(record: Record) -> str:
    """Who failed, how, and the first sentence of why."""
    key = "" if record.cases_key == "*" else f"/{record.cases_key}"
    why = next((text for text in record.message.splitlines() if text.strip()), "")
    attempt = f" attempt {record.attempt}" if record.attempt else ""
    return f"{record.task}{key} sample {record.sample}{attempt}: {record.outcome}: {why[:300]}"


def _finish(folder: RunFolder, as_json: bool, ks: Sequence[int] = (1,)) -> None:
    tables, counted = _summary(folder, ks)
    _console().print(tables)
    if as_json:
        typer.echo(counted.to_json())


def _summary(folder: RunFolder, ks: Sequence[int] = (1,)) -> tuple[RenderableType, Score]:
    from kbench.core.report import summary
    from kbench.core.score import score
    from kbench.core.tally import tally_run
    from kbench.core.usage import usage_of

    usage = usage_of(folder)
    counted = score(
        folder.manifest, tally_run(folder), run=str(folder.path), seconds=folder.seconds(), ks=ks, usage=usage
    )
    return summary(folder.manifest, counted), counted


# --- what there is ---------------------------------------------------------------------------------------------------


@app.command("list")
def list_(
    kind: Annotated[Kind | None, typer.Argument(help="What to list [everything].")] = None,
    suite: SuiteOption = None,
    as_json: JsonOption = False,
) -> None:
    """List backends, targets, generators, suites and tasks."""
    with _errors_told():
        from kbench.core.plugins import registry
        from kbench.core.report import names_table

        known = registry(plugins=_plugins)
        wanted = [kind] if kind else list(Kind)
        rows = {str(k): _rows(k, known, suite or "quick") for k in wanted}
        if as_json:
            typer.echo(json.dumps({k: [name for name, _ in names] for k, names in rows.items()}))
        else:
            _console(stderr=False).print(names_table(rows))


def _rows(kind: Kind, known: Registry, suite: str) -> list[tuple[str, str]]:
    from kbench.core.workbench import load_suite

    if kind is Kind.BACKENDS:
        return [(name, _first_line(b)) for name, b in sorted(known.backends.items())]
    if kind is Kind.TARGETS:
        return [(target, name) for name, b in sorted(known.backends.items()) for target in b.targets]
    if kind is Kind.GENERATORS:
        return [(name, _first_line(g)) for name, g in sorted(known.generators.items())]
    if kind is Kind.PRESETS:
        return [(name, p.about) for name, p in sorted(known.presets.items())]
    if kind is Kind.SUITES:
        loaded = [load_suite(name, known) for name in sorted(known.suites)]
        return [(s.name, f"{len(s.tasks)} tasks; {s.description}") for s in loaded]
    chosen = load_suite(suite, known)
    return [
        (name, f"{suite}, level {e.task.level}, {len(e.cases)} cases: {e.task.summary}")
        for name, e in chosen.tasks.items()
    ]


def _first_line(thing: type) -> str:
    """What a class says of itself, or else its module."""
    said = thing.__doc__ or getattr(sys.modules.get(thing.__module__), "__doc__", None) or ""
    return said.strip().split("\n", 1)[0]


@app.command()
def show(
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
    with _errors_told():
        if Path(what).is_dir():
            _show_run(Path(what), task, sample, source=source, log=log, as_json=as_json)
        else:
            _show_task(what, suite, backend, target)


def _show_run(path: Path, task: str | None, sample: int | None, *, source: bool, log: bool, as_json: bool) -> None:
    from kbench.core.errors import unknown_name
    from kbench.core.report import attempt_lines, sources
    from kbench.core.store import RunFolder

    folder = RunFolder.open(path)
    _note_torn(folder)
    if task is None and not as_json:
        _console(stderr=False).print(_summary(folder)[0])
    if task is not None and task not in folder.manifest.tasks:
        raise unknown_name("task in this run", task, folder.manifest.tasks)
    console = _console(stderr=False)
    for record in folder.records(task):
        if task not in (None, record.task) or sample not in (None, record.sample):
            continue
        if as_json:
            typer.echo(record.model_dump_json(by_alias=True))
        elif task is not None:
            for line in attempt_lines(record, folder):
                console.print(line, soft_wrap=True)
            for name, text in sources(record, folder).items() if source else ():
                typer.echo(f"--- {name}\n{text}")
            if log and record.log_sha:
                typer.echo(f"--- log\n{folder.text_path(record.log_sha).read_text(errors='replace')}")


def _show_task(name: str, suite: str | None, backend: str | None, target: str | None) -> None:
    from kbench.core.backend import Backend, Settings
    from kbench.core.errors import ConfigError, unknown_name
    from kbench.core.plugins import registry
    from kbench.core.report import case_table, interface_lines
    from kbench.core.workbench import load_suite, make_backend

    known = registry(plugins=_plugins)
    engine = make_backend(backend, known) if backend else None
    suite = suite or (engine or Backend).default_suite
    loaded = load_suite(suite, known)
    if name not in loaded.tasks:
        raise unknown_name(f"run folder, or task in suite {suite!r},", name, loaded.tasks)
    if target is not None and backend is None:
        raise ConfigError(f"--target {target} goes with --backend: a target is one backend's")
    entry, console = loaded.tasks[name], _console(stderr=False)
    console.print(case_table(entry))
    if engine is not None:
        settings = Settings(target=target or engine.default_target)
        engine.check_settings(settings)
        told = engine.interface(entry, entry.cases, settings), engine.sheets(entry, entry.cases, settings)
        console.print(interface_lines(*told))


@app.command()
def prompt(
    task: Annotated[str, typer.Argument(help="Task of the suite.", autocompletion=_completer(_task_names))],
    backend: BackendOption = None,
    suite: SuiteOption = None,
    cases: CasesOption = None,
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
    with _errors_told():
        from kbench.core.campaign import check_prompt, plan
        from kbench.core.errors import ConfigError
        from kbench.core.workbench import Workbench

        given = _given(
            backend=backend,
            suite=suite,
            tasks=[task],
            cases=_split(cases),
            track=track,
            shapes=shapes,
            target=target,
            preset=preset,
            style=style,
            shots=shots,
            templates=templates,
            max_elements=max_elements,
        )
        manifest = plan(_options(given))
        check_prompt(manifest)
        attempt = next(manifest.attempts(), None)
        if attempt is None:
            raise ConfigError(f"task {task!r} has no case that can be run: {manifest.tasks[task].skipped}")
        messages = Workbench.open(manifest).messages(attempt)
        if as_json:
            typer.echo(json.dumps([{"role": m.role, "content": m.content} for m in messages], ensure_ascii=False))
        else:
            typer.echo("\n".join(f"--- {m.role}\n\n{m.content}" for m in messages), nl=False)


@app.command("exec")
def exec_(
    source: Annotated[
        Path, typer.Argument(help="Source with kernels, host code and main (.asc).", exists=True, dir_okay=False)
    ],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Arguments of its main; options of its own after '--'.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", help="Where it reads and writes files [here].", exists=True, file_okay=False),
    ] = None,
    define: Annotated[list[str] | None, typer.Option("-D", help="Macro, NAME or NAME=VALUE; may be repeated.")] = None,
    backend: BackendOption = None,
    target: TargetOption = None,
    sandbox: Annotated[SandboxMode, typer.Option("--sandbox", help="Isolation.")] = SandboxMode.AUTO,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds that it may run.")] = 60.0,
    poison: Annotated[int, typer.Option("--poison", min=0, max=255, help="Byte of fresh device memory.")] = 0xFF,
    numerics: Annotated[
        str, typer.Option("--numerics", help="Results that the target only approximates: rounded, or at the bound.")
    ] = "exact",
    as_json: JsonOption = False,
) -> None:
    """Run a program with its own kernel launches, without a device.

    What it prints is printed, what it writes is written; what the device would not like is told on standard error. The
    exit status is the program's own, 1 where it breaks a rule.
    """
    from kbench.core.errors import StageError

    with _errors_told():
        from kbench.core.execute import execute

        try:
            done = execute(
                source, arguments or (), folder or Path(), defines=define or (), plugins=_plugins, backend=backend,
                target=target, sandbox=sandbox.value, timeout_s=timeout, poison=poison, numerics=numerics,
            )  # fmt: skip
        except StageError as error:
            for finding in error.findings:
                typer.echo(str(finding), err=True)
            raise
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    for finding in done.findings:
        typer.echo(str(finding), err=True)
    if as_json:
        from dataclasses import asdict

        typer.echo(json.dumps({**asdict(done), "findings": [f.model_dump() for f in done.findings]}))
    else:
        for launch in done.launches:
            pipes = ", ".join(f"{pipe} {n['events']}" for pipe, n in launch.counters.items() if n["events"])
            typer.echo(f"ran {launch.kernel} on {launch.block_dim} blocks ({pipes or 'no operation'})", err=True)
    broken = any(finding.severity == "error" for finding in done.findings)
    raise typer.Exit(OUR_ERROR if broken else done.code & 0xFF)


@app.command()
def profile(
    what: Annotated[
        str,
        typer.Argument(
            metavar="RUN|CANDIDATE", help="A run folder, a candidate's file or folder, or the word 'reference'."
        ),
    ],
    task: Annotated[
        str | None,
        typer.Argument(help="Task of the run, or that the candidate is for.", autocompletion=_completer(_task_names)),
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
    with _errors_told():
        given = _given(
            backend=backend,
            suite=suite,
            tasks=[task] if task else [],
            cases=_split(cases),
            seed=seed,
            track=track,
            shapes=shapes,
            target=target,
            engine=engine,
            max_elements=max_elements,
        )
        details = _Details(trace, listing, next((c for c in _split(cases) if c[:1] != ":"), ""), as_json)
        if (Path(what) / "manifest.json").is_file():
            _profile_run(Path(what), task, sample, given, details)
        else:
            _profile_candidate(what, task, sample, given, details)


class _Details(NamedTuple):
    """What `kbench profile` shows besides the profile: a timeline's file, a listing, of which case; JSON or tables."""

    trace: Path | None
    listing: bool
    case: str
    as_json: bool


def _profile_run(path: Path, task: str | None, sample: int | None, given: dict[str, Any], details: _Details) -> None:
    from kbench.core.campaign import require_same
    from kbench.core.errors import ConfigError, unknown_name
    from kbench.core.store import RunFolder

    folder = RunFolder.open(path)
    _note_torn(folder)
    require_same(folder.manifest, {name: value for name, value in given.items() if name not in ("tasks", "cases")})
    if task is None and (details.trace or details.listing):
        raise ConfigError("a timeline or a listing is of one task: kbench profile RUN TASK --trace FILE")
    if task is not None and task not in folder.manifest.tasks:
        raise unknown_name("task in this run", task, folder.manifest.tasks)
    chosen = (r for r in folder.records(task) if task in (None, r.task) and sample in (None, r.sample))
    if task is None:
        _show_times(folder, chosen, details.as_json)
    else:
        _profile_recorded(folder, list(chosen), details)


def _show_times(folder: RunFolder, records: Iterator[Record], as_json: bool) -> None:
    """The times of all attempts of a run."""
    from kbench.core.profile_report import attempt_table, speed_lines

    if as_json:
        for record in records:
            typer.echo(record.model_dump_json(by_alias=True))
        return
    console = _console(stderr=False)
    console.print(attempt_table(records))
    lines = speed_lines(_summary(folder)[1]) or [
        "no attempt of this run has a profile: kbench profile RUN TASK makes one"
    ]
    console.print("\n".join(["", *lines]), highlight=False, markup=False)


def _profile_recorded(folder: RunFolder, records: list[Record], details: _Details) -> None:
    """The profiles of a task's attempts as recorded; judged again where there is none, or more is asked for."""
    from kbench.core.closeup import Closeup
    from kbench.core.errors import ConfigError
    from kbench.generators.replay import from_record

    passed = [record for record in records if record.passed]
    if not passed:
        raise ConfigError(f"no attempt of this task in {folder.path} has passed, and only those have a time")
    for record in passed:
        seen = Closeup.of_record(folder, record, from_record(folder, record))
        timed = any(case.profile for case in record.cases)
        _show_profile(record if timed else seen.record(), details.as_json)
        if details.trace or details.listing:
            _show_details(seen, details)
            break  # a timeline is of one attempt: the first, or the one that --sample names


def _profile_candidate(
    what: str, task: str | None, sample: int | None, given: dict[str, Any], details: _Details
) -> None:
    from kbench.core.closeup import Closeup
    from kbench.core.errors import ConfigError
    from kbench.generators.replay import read_candidate

    if task is None:
        raise ConfigError(f"which task is {what} for? kbench profile {what} TASK --backend BACKEND")
    if what != "reference" and not Path(what).exists():
        raise ConfigError(f"no run folder and no candidate at {what}; 'reference' is the task's own solution")
    answer = None if what == "reference" else lambda name: read_candidate(Path(what), name, sample or 0)
    seen = Closeup.plan(_options(given), answer)
    with _waiting(_console(), "making ready: the first time builds the backend's libraries, a minute or more …"):
        seen.work.bench.backend.prepare(seen.work.bench.settings)
    record = seen.record()
    _show_profile(record, details.as_json)
    if not record.passed:
        raise typer.Exit(OUR_ERROR)
    if details.trace or details.listing:
        _show_details(seen, details)


def _show_profile(record: Record, as_json: bool) -> None:
    """One attempt: its verdict, and the profile of each case."""
    from kbench.core.profile_report import profile_parts
    from kbench.core.report import attempt_lines

    if as_json:
        typer.echo(record.model_dump_json(by_alias=True))
        return
    console = _console(stderr=False)
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
    from kbench.core.trace import write_trace

    if details.listing:
        typer.echo(seen.listing(details.case))
    if details.trace:
        timeline = seen.timeline(details.case)
        write_trace(timeline, details.trace)
        typer.echo(f"wrote {details.trace}: open it at https://ui.perfetto.dev or chrome://tracing", err=True)


@app.command()
def score(
    path: RunArgument,
    k: Annotated[list[str] | None, typer.Option("-k", "--k", help="k of pass@k, comma-separated [1].")] = None,
    as_json: JsonOption = False,
) -> None:
    """Compute the scores of a run from its records."""
    with _errors_told():
        from kbench.core.errors import ConfigError
        from kbench.core.store import RunFolder

        wanted = _split(k) or ["1"]
        if not all(text.isdigit() and int(text) for text in wanted):
            raise ConfigError(f"-k {','.join(wanted)}: expected whole numbers from 1 on")
        folder = RunFolder.open(path)
        _note_torn(folder)
        _finish(folder, as_json, [int(text) for text in wanted])


@app.command()
def extract(
    path: RunArgument,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write what was extracted here (JSONL), for kbench run --replay.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Extract a run's completions anew, by today's rules: no model is asked, and nothing is compiled."""
    with _errors_told():
        from collections import Counter

        from kbench.core.errors import ConfigError
        from kbench.core.reextract import reextract
        from kbench.core.store import RunFolder

        if out is not None and out.exists():
            raise ConfigError(f"{out} exists; give another --out")
        changes: Counter[tuple[str, str, bool]] = Counter()
        with open(out or os.devnull, "w", encoding="utf-8") as file:
            for found in reextract(RunFolder.open(path)):
                changes[found.before, found.now, found.same] += 1
                if not found.same:
                    typer.echo(_change_line(found), err=as_json)
                file.write(json.dumps(found.to_line()) + "\n")
        rows = [{"before": b, "now": n, "same": s, "attempts": times} for (b, n, s), times in sorted(changes.items())]
        changed = sum(row["attempts"] for row in rows if not row["same"])
        typer.echo(f"{sum(changes.values())} completions extracted, {changed} otherwise than when judged", err=as_json)
        if out is not None:
            typer.echo(f"judge them with: kbench run --backend … --replay {out}", err=as_json)
        if as_json:
            typer.echo(json.dumps(rows))


def _change_line(found: Reextracted) -> str:
    attempt = found.attempt
    key = "" if attempt.cases_key == "*" else f"/{attempt.cases_key}"
    what = "other files" if found.before == found.now else f"{found.before}, now {found.now}"
    why = f" ({found.message})" if found.message else ""
    return f"{attempt.task}{key} sample {attempt.sample} attempt {attempt.attempt}: {what}{why}"


@app.command()
def compare(
    path: RunArgument,
    results: Annotated[Path, typer.Argument(help="Folder of NPUEval's result files, NAME_wrapper.json.")],
    as_json: JsonOption = False,
) -> None:
    """Compare a run's verdicts with those that NPUEval wrote on a device, of the same solutions."""
    with _errors_told():
        from dataclasses import asdict

        from kbench.core.store import RunFolder
        from kbench.importers.npueval_results import compare, read_results, totals

        folder, theirs = RunFolder.open(path), read_results(results)
        found = compare(folder.records(), theirs)
        for kernel in found:
            if kernel.kind != "same":
                typer.echo(str(kernel), err=as_json)
        typer.echo(totals(found, folder.manifest, theirs), err=as_json)
        if as_json:
            typer.echo(json.dumps({kernel.kernel: asdict(kernel) for kernel in found}))


@app.command("import")
def import_(
    kind: Annotated[str, typer.Argument(help="Benchmark: npukernelbench or npueval.")],
    path: Annotated[Path, typer.Argument(help="A checkout of it, or (npueval) its dataset or kernels.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the suite.")],
) -> None:
    """Turn a benchmark that exists upstream into a suite folder, unmodified."""
    with _errors_told():
        from importlib import import_module

        from kbench.core.errors import unknown_name
        from kbench.importers import IMPORTERS

        if kind not in IMPORTERS:
            raise unknown_name("importer", kind, IMPORTERS)
        console = _console()
        done = import_module(IMPORTERS[kind]).import_suite(path, out, lambda line: console.print(line, markup=False))
        for name, why in done.invalid.items():
            console.print(f"{name} cannot be run: {why}", highlight=False, markup=False, soft_wrap=True)
        console.print(
            f"{done.tasks} tasks, {done.cases} cases, {len(done.invalid)} that cannot be run", highlight=False
        )
        console.print(f"run it with: kbench run --suite {_folder_name(out)} --backend {done.backend}", highlight=False)


def _folder_name(folder: Path) -> str:
    """A folder as --suite takes it: a bare name would be that of a suite of ours, where there is one."""
    from kbench.core.plugins import registry

    return f"./{folder}" if str(folder) in registry(plugins=_plugins).suites else str(folder)


@app.command()
def doctor(backend: BackendOption = None, as_json: JsonOption = False) -> None:
    """Say what works here, what does not, and what to install."""
    with _errors_told():
        from dataclasses import asdict

        from kbench.core.doctor import probes
        from kbench.core.errors import unknown_name
        from kbench.core.plugins import registry
        from kbench.core.report import probe_table

        known = registry(plugins=_plugins, collect=True)
        if backend is not None and backend not in known.backends:
            raise unknown_name("backend", backend, known.backends)
        found = probes(known, [backend] if backend else [])
        if as_json:
            typer.echo(json.dumps([asdict(probe) for probe in found]))
        else:
            _console(stderr=False).print(probe_table(found))


# --- retrieval -------------------------------------------------------------------------------------------------------

rag = typer.Typer(no_args_is_help=True, help="Examples for prompts: index a corpus, and look things up in it.")
app.add_typer(rag, name="rag")


@rag.command("index")
def rag_index(
    out: Annotated[Path, typer.Argument(help="File for the index.")],
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders or files with kernels and documents.")] = None,
    backend: Annotated[
        list[str] | None,
        typer.Option("--backend", help="Accelerator that the folders are for; whose solutions [all]. May be repeated."),
    ] = None,
    target: Annotated[str, typer.Option("--target", help="Chip that the folders are for [any].")] = "",
    references: Annotated[
        bool, typer.Option("--references", help="Also the known solutions of the suites' tasks.")
    ] = False,
    suite: Annotated[
        list[str] | None,
        typer.Option("--suite", help="Suites whose solutions [every one]. May be repeated."),
    ] = None,
    embedder: Annotated[
        str,
        typer.Option(
            "--embedder",
            help="none (BM25 alone), minilm, sentence-transformers:NAME, server:MODEL@URL [minilm where installed].",
        ),
    ] = "auto",
) -> None:
    """Index kernels, documents and known solutions, cut by function, for --generator rag."""
    with _errors_told():
        from kbench.core.plugins import registry
        from kbench.generators.rag.commands import Corpus, index

        console = _console()
        given = tuple(folders or ()), tuple(backend or ()), target, references, tuple(suite or ())
        tell = lambda line: console.print(line, markup=False, highlight=False, soft_wrap=True)  # noqa: E731
        made = index(out, Corpus(*given), registry(plugins=_plugins), embedder, tell)
        facts, by = made.meta, made.embedder or "BM25 alone"
        typer.echo(f"{out}: {facts['passages']} passages, {facts['chunks']} chunks, {by}, digest {made.digest[:16]}")
        made.close()


@rag.command("query")
def rag_query(
    index: Annotated[Path, typer.Argument(help="An index.")],
    text: Annotated[str, typer.Argument(help="What to look for.")] = "",
    task: Annotated[str, typer.Option("--task", help="Instead: what a model asked for this task would be shown.")] = "",
    suite: SuiteOption = None,
    backend: BackendOption = None,
    target: TargetOption = None,
    count: Annotated[int, typer.Option("--count", min=1, help="Passages.")] = 2,
    kinds: Annotated[list[str] | None, typer.Option("--kinds", help="code, doc, comma-separated [code].")] = None,
    only: Annotated[list[str] | None, typer.Option("--only", help="Labels to have, comma-separated [any].")] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", help="Labels not to have, comma-separated [foreign].")
    ] = None,
    withheld: Annotated[bool, typer.Option("--withheld", help="Also what may not be shown, and why.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Also the texts.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Look something up: what is found, by what, and how near each comes to a known solution of the task."""
    with _errors_told():
        from kbench.core.plugins import registry
        from kbench.generators.rag import commands

        question = commands.Question(text, task, suite or "", backend or "", target or "")
        filters = {"kinds": kinds, "only": only, "without": without}
        chosen = {name: tuple(_split(values)) for name, values in filters.items() if values is not None}
        found = commands.query(index, question, registry(plugins=_plugins), count=count, **chosen)
        if as_json:
            facts = found.facts()
            for hit, (_, shown) in zip(facts["shown"], commands.sources(found), strict=True):
                hit["text"] = shown
            typer.echo(json.dumps(facts, ensure_ascii=False))
            return
        _console(stderr=False).print(commands.table(found, withheld=withheld))
        for source, shown in commands.sources(found) if show else ():
            typer.echo(f"--- {source}\n{shown}")


@rag.command("audit")
def rag_audit(
    run: RunArgument,
    index: Annotated[Path, typer.Argument(help="The index that the run was shown examples from.")],
    as_json: JsonOption = False,
) -> None:
    """Judge anew what the prompts of a run showed; the exit status is 1 where something may not have been shown."""
    with _errors_told():
        from dataclasses import asdict

        from kbench.core.plugins import registry
        from kbench.generators.rag.audit import audit

        found = list(audit(run, index, registry(plugins=_plugins)))
        wrong = [one for one in found if one.wrong]
        for one in wrong:
            typer.echo(f"{one.task} sample {one.sample}: {one.source}: {one.wrong}", err=True)
        nearest = max(found, key=lambda one: one.verdict.share, default=None)
        if as_json:
            typer.echo(json.dumps([asdict(one) for one in found]))
        elif nearest is not None:
            near = f"{nearest.source} holds {nearest.verdict.share:.0%} of {nearest.verdict.solution}"
            typer.echo(f"{len(found)} examples shown, {len(wrong)} that may not be; the nearest: {near}")
    raise typer.Exit(OUR_ERROR if wrong else 0)


# --- printing --------------------------------------------------------------------------------------------------------


def _console(*, stderr: bool = True) -> Console:
    from rich.console import Console

    console = Console(stderr=stderr)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = FILE_WIDTH
    return console


def _note_torn(folder: RunFolder) -> None:
    if folder.torn():
        _console().print("note: the last record is half written and is not counted", style="yellow")


@contextlib.contextmanager
def _errors_told() -> Iterator[None]:
    """Errors that a user can act on end as one sentence and a status, not as a traceback."""
    from kbench.core.errors import ConfigError, KbenchError

    try:
        yield
    except ConfigError as error:
        typer.echo(f"kbench: {error}", err=True)
        raise typer.Exit(USAGE_ERROR) from error
    except KbenchError as error:
        typer.echo(f"kbench: {error}", err=True)
        raise typer.Exit(OUR_ERROR) from error


def main() -> None:
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
