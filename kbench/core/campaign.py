"""Many attempts: plan them, write the plan down, ask for them here, judge them in worker processes, append what comes
back."""

from __future__ import annotations

import fnmatch
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kbench.core.asker import Answered, Asker, Questions, Wanted, stopped
from kbench.core.asking import Turn
from kbench.core.backend import NO_PROFILE, Backend, Settings
from kbench.core.bench import Loop
from kbench.core.candidate import Shapes, Track
from kbench.core.cases import MAX_ELEMENTS, CasePlan, case_seed, plan_cases, select_cases
from kbench.core.completions import CompletionCache
from kbench.core.errors import ConfigError, unknown_name
from kbench.core.evaluate import Evaluation, identity_facts, unanswered, versions
from kbench.core.generator import Sampling
from kbench.core.hostcc.cache import default_cache
from kbench.core.manifest import Attempt, Manifest, PresetFacts, SamplingFacts, SettingsFacts, TaskPlan, machine
from kbench.core.plugins import Registry, registry
from kbench.core.pool import Pool, WorkerDied
from kbench.core.preset import Preset
from kbench.core.prompt import DIRECT
from kbench.core.record import Record
from kbench.core.solutions import reference_of
from kbench.core.store import RunFolder, RunWriter
from kbench.core.suite import Suite, SuiteTask
from kbench.core.workbench import (
    STRICT,
    Workbench,
    checker_of,
    find_preset,
    load_suite,
    make_backend,
    make_generator,
    wording_of,
)
from kbench.core.worker import Order

#: An attempt on which kbench itself failed is evaluated so often at most.
MOST_TRIES = 2
_SESSION_NOTE_S = 1.0


@dataclass(frozen=True)
class Options:
    """What the user asks of a run; the defaults are the command line's."""

    backend: str
    suite: str = ""  # the backend's own
    tasks: Sequence[str] = ()
    level: int | None = None
    cases: Sequence[str] = ()
    samples: int = 1
    seed: int = 0
    track: Track = Track.FULL
    shapes: Shapes = Shapes.DYNAMIC
    target: str = ""
    engine: str = "sim"
    timeout_s: float = 60.0
    sandbox: str = "auto"
    numerics: str = "exact"
    generator: str = "reference"
    generator_options: Mapping[str, str] = field(default_factory=dict)
    preset: str = ""
    sampling: Sampling = field(default_factory=Sampling)
    attempts: int | None = None  # the preset's, else 1
    optimise: bool = False
    style: str = DIRECT
    shots: int = 0
    templates: str = ""
    max_elements: int = MAX_ELEMENTS
    checker: str = STRICT
    profile: bool = True
    plugins: Sequence[str] = ()


def plan(options: Options) -> Manifest:
    """The manifest of a run: every name is looked up and every case counted, before anything starts.

    Raises:
        ConfigError: something that was asked for does not exist or does not fit.
    """
    _require(options.samples >= 1, f"--samples {options.samples}: at least one sample is needed for a verdict")
    _require(options.max_elements >= 1, f"--max-elements {options.max_elements}: a case has at least one element")
    _require(options.timeout_s > 0, f"--timeout {options.timeout_s:g}: a candidate needs some time")
    _require(options.attempts is None or options.attempts >= 1, f"--attempts {options.attempts}: one at least")
    _require(options.shots >= 0, f"--shots {options.shots}: 0 is none")
    _check_sampling(options.sampling)
    known = registry(plugins=options.plugins)
    backend = make_backend(options.backend, known)
    settings = _settings(options, backend)
    preset = find_preset(options.preset, known)
    _require(
        not options.optimise or _attempts(options, preset) > 1,
        "--optimise goes on after a success: it needs --attempts 2 or more",
    )
    name = options.suite or backend.default_suite
    suite = load_suite(name, known)
    try:
        checker_of(suite, options.checker)
        chosen = _selected(suite, options)
        somewhere = {case.name for entry in chosen.values() for case in entry.cases}
        tasks = {task: _plan_task(suite.name, entry, options, somewhere) for task, entry in chosen.items()}
    finally:
        suite.close()
    make_generator(options.generator, options.generator_options, known).close()
    facts = SamplingFacts(**vars(options.sampling))
    now = datetime.now(UTC)
    return Manifest(
        run=f"{now:%Y%m%dT%H%M%S}-{os.urandom(3).hex()}",
        created=now.isoformat(timespec="seconds"),
        suite=suite.name,
        suite_source=name if name in known.suites else str(Path(name).resolve()),
        backend=options.backend,
        settings=SettingsFacts.of(settings),
        generator=options.generator,
        generator_options=_portable(options.generator_options),
        preset=PresetFacts.of(preset) if options.preset else None,
        sampling=facts if facts != SamplingFacts() else None,
        attempts_each=_attempts(options, preset),
        optimise=options.optimise,
        style=options.style,
        shots=options.shots,
        templates=_templates(options, known),
        samples=options.samples,
        max_elements=options.max_elements,
        checker=options.checker,
        plugins=tuple(options.plugins),
        tasks=tasks,
        versions=versions(),
        machine=dict(machine()),
    )


def _attempts(options: Options, preset: Preset) -> int:
    return preset.sampling.attempts if options.attempts is None else options.attempts


def _check_sampling(sampling: Sampling) -> None:
    t, p = sampling.temperature, sampling.top_p
    _require(t is None or t >= 0, f"--temperature {t}: 0 is greedy, and less is nothing")
    _require(p is None or 0 < p <= 1, f"--top-p {p}: expected a share, above 0 and up to 1")
    for name in ("top_k", "max_tokens", "thinking_tokens"):
        value = getattr(sampling, name)
        _require(value is None or value >= 1, f"--{name.replace('_', '-')} {value}: expected 1 or more")


def _templates(options: Options, known: Registry) -> str:
    """The name of a plugin's templates, or the folder of the user's, as another working directory finds it too."""
    wording = wording_of(options.style, options.templates, known)
    return options.templates if options.templates in ("", *known.templates) else wording.folder


def prepare(manifest: Manifest) -> None:
    """Make the machine ready for the plan, before anything is written or judged.

    Raises:
        ConfigError: known solutions are asked for, and no task has one; no style or examples as asked for.
        HarnessError: nothing can be judged here; the message says what to do.
    """
    known = registry(plugins=manifest.plugins)
    backend = make_backend(manifest.backend, known)
    if known.generators[manifest.generator].wants_reference:
        _require_a_reference(manifest, backend, known)
    check_prompt(manifest)
    backend.prepare(manifest.settings.settings())
    generator = make_generator(manifest.generator, manifest.generator_options, known)
    try:
        generator.prepare()
    finally:
        generator.close()


def check_prompt(manifest: Manifest) -> None:
    """Word the first prompt of the plan, so that templates and examples that do not work say so before anything starts.

    Raises:
        ConfigError: a style, a folder or so many examples that are not there.
    """
    if (manifest.style, manifest.templates, manifest.shots) == (DIRECT, "", 0):
        return
    work = Workbench.open(manifest, asks=False)
    try:
        for attempt in manifest.attempts():
            work.bench.wording.check(work.interface(attempt))
            work.messages(attempt)
            return
    finally:
        work.close()


def _require_a_reference(manifest: Manifest, backend: Backend, known: Registry) -> None:
    """Refuse a run in which no task has a known solution; where some have one, the others end as our failures."""
    track = manifest.settings.settings().track
    suite = load_suite(manifest.suite_source, known)
    try:
        entries = [suite.tasks[name] for name in manifest.tasks if name in suite.tasks]
        if _any_reference(entries, backend, track):
            return
    finally:
        suite.close()
    others = [name for name, load in known.suites.items() if _any_reference(load().tasks.values(), backend, track)]
    advice = f"--suite {' or '.join(others)} has some" if others else "no suite of ours has any"
    raise ConfigError(
        f"none of the {len(manifest.tasks)} tasks of suite {manifest.suite!r} has a reference solution for backend "
        f"{backend.name!r} on the {track} track: {advice}; or choose other candidates, for example with --replay PATH"
    )


def _any_reference(entries: Iterable[SuiteTask], backend: Backend, track: Track) -> bool:
    return any(reference_of(entry, backend, track) for entry in entries)


def _require(fine: bool, message: str) -> None:
    if not fine:
        raise ConfigError(message)


def _portable(options: Mapping[str, str]) -> dict[str, str]:
    """Options that name a file keep naming it from another folder: those that always do, and what is one to look at."""
    kept = {k for k, v in options.items() if k in ("path", "index") or _is_path(v)}
    return {k: str(Path(v).expanduser().resolve()) if k in kept else v for k, v in options.items()}


def _is_path(value: str) -> bool:
    """Whether a value is written as a path, or is the name of a file that is there; `vendor/model` alone is neither."""
    return value.startswith(("./", "../", "~/")) or ("." in value and "://" not in value and Path(value).is_file())


def _settings(options: Options, backend: Backend) -> Settings:
    settings = Settings(
        target=options.target or backend.default_target,
        track=options.track,
        shapes=options.shapes,
        engine=_engine(options.engine) | ({} if options.profile else {"profile": NO_PROFILE}),
        sandbox=options.sandbox,
        compile_timeout_s=options.timeout_s,
        run_timeout_s=options.timeout_s,
        seed=options.seed,
        numerics=options.numerics,
    )
    backend.check_settings(settings)
    return settings


def _engine(text: str) -> dict[str, str]:
    """`sim`, or parts apart: `compile=cann,run=sim`; what is not named is `sim`."""
    parts = dict.fromkeys(("compile", "run", "profile"), "sim")
    if "=" not in text:
        return dict.fromkeys(parts, text)
    for item in text.split(","):
        part, _, component = item.partition("=")
        if part not in parts or not component:
            raise ConfigError(f"--engine {text}: expected a component, or PART=COMPONENT with {', '.join(parts)}")
        parts[part] = component
    return parts


def _selected(suite: Suite, options: Options) -> dict[str, SuiteTask]:
    names: list[str] = []
    for wanted in options.tasks:
        matching = fnmatch.filter(suite.tasks, wanted) if set(wanted) & set("*?[") else [wanted]
        if not matching:
            raise unknown_name(f"task in suite {suite.name!r}", wanted, suite.tasks)
        names += matching
    chosen = suite.select(names, options.level)
    if not chosen:
        levels = sorted({entry.task.level for entry in suite.select(names).values()})
        listed = ", ".join(map(str, levels))
        raise ConfigError(
            f"no task of level {options.level} is selected in suite {suite.name!r}; levels there: {listed}"
        )
    return chosen


def _plan_task(suite: str, entry: SuiteTask, options: Options, somewhere: Collection[str]) -> TaskPlan:
    cases = _plan_cases(entry, options, somewhere)
    return TaskPlan(
        level=entry.task.level,
        category=entry.task.category,
        seeds={case.name: case_seed(options.seed, suite, entry.task.name, case.name) for case in cases.run},
        skipped=dict(cases.skipped),
    )


def _plan_cases(entry: SuiteTask, options: Options, somewhere: Collection[str]) -> CasePlan:
    """The task's own among the named cases; a name that some task has (`somewhere`) need not be every task's."""
    own = {case.name for case in entry.cases}
    wanted = [name for name in options.cases if name in own or name not in somewhere]
    if options.cases and not wanted:
        return CasePlan((), dict.fromkeys(options.cases, "the task has no case of this name"))
    return plan_cases(entry, select_cases(entry, wanted), options.max_elements)


def missing(run: RunFolder, *, retry_harness: bool = False) -> list[Attempt]:
    """The next attempt of every sample that is not done; with `retry_harness`, those on which kbench itself failed
    (`unsupported` apart) are taken up again."""
    loop = Loop(run.manifest.attempts_each, run.manifest.optimise)
    latest: dict[Attempt, tuple[int, str]] = {}
    for done, outcome in run.recorded().items():
        first = done._replace(attempt=0)
        latest[first] = max(latest.get(first, (-1, "")), (done.attempt, outcome))
    following = (_next(attempt, latest.get(attempt), loop, retry_harness) for attempt in run.manifest.attempts())
    return [attempt for attempt in following if attempt is not None]


def _next(first: Attempt, latest: tuple[int, str] | None, loop: Loop, retry_harness: bool) -> Attempt | None:
    if latest is None:
        return first
    number, outcome = latest
    if outcome == "harness_error" and retry_harness:
        return first._replace(attempt=number)
    return first._replace(attempt=number + 1) if loop.goes_on(number, outcome) else None


def work(
    run: RunFolder,
    *,
    jobs: int,
    watch: Callable[[Record], None],
    retry_harness: bool = False,
    concurrency: int | None = None,
    cache: bool = True,
    asked: Callable[[Answered], None] = lambda answered: None,
) -> None:
    """Ask for what is missing, judge it and append it. Stopped at any moment, the run can be resumed.

    Args:
        jobs: worker processes.
        concurrency: requests to the generator at once; None leaves it to the generator.
        cache: whether completions may come from the cache, and go there.
        watch: sees each record once it is on disk; asked: each answer before it is judged.

    Raises:
        StoreError: the disk does not take a record, or another process works on the run.
        HarnessError: no worker can be started, or the model cannot be asked.
    """
    _require(jobs >= 1, f"--jobs {jobs}: at least one worker is needed")
    _require(concurrency is None or concurrency >= 1, f"--concurrency {concurrency}: at least one request is needed")
    with RunWriter(run) as writer:
        bench = Workbench.open(run.manifest)
        try:
            _Session(run, writer, bench, watch, asked).work(
                missing(run, retry_harness=retry_harness), jobs, concurrency, cache
            )
        finally:
            bench.close()


class _Session:
    """One process's work on a run: asks, judges, records, and lets failed attempts be followed by the next."""

    def __init__(
        self,
        run: RunFolder,
        writer: RunWriter,
        bench: Workbench,
        watch: Callable[[Record], None],
        asked: Callable[[Answered], None],
    ) -> None:
        self._run, self._writer, self._work = run, writer, bench
        self._watch, self._told = watch, asked
        self._clock = _Clock(writer)
        self._failures: dict[Attempt, tuple[str, ...]] = {}
        self._turns: dict[Attempt, tuple[Turn, ...]] = {}

    def work(self, todo: Sequence[Attempt], jobs: int, concurrency: int | None, cache: bool) -> None:
        generator = self._work.bench.generator
        store = CompletionCache(default_cache().root) if cache and not generator.free else None
        kept = {} if generator.free else self._run.completions(set(todo))
        questions = Questions(self._work, self._writer, store, kept)
        threads = min(concurrency or generator.concurrency, max(1, len(todo)))
        batch = max(1, generator.batch)
        room = 2 * threads * batch + 4 * jobs
        with (
            Asker(questions, _wanted(self._run, todo), threads=threads, batch=batch, room=room) as asker,
            Pool(self._run.manifest, jobs) as pool,
        ):
            while not asker.finished:
                for answered in asker.take():
                    self._told(answered)
                    self._answered(answered, asker, pool)
                for order, result in pool.results(asker.wake):
                    self._judged(order, _evaluation(self._run.manifest, order.attempt, result), asker, pool)
            failure = asker.failure
        self._clock.note(ended=True)
        if failure is not None:
            done = self._run.manifest.planned - len(missing(self._run))
            raise stopped(failure, done, self._run.manifest.planned, self._run.path) from failure

    def _answered(self, answered: Answered, asker: Asker, pool: Pool) -> None:
        attempt = answered.wanted.attempt
        self._turns[attempt] = answered.wanted.turns
        if answered.answer is not None:
            pool.put(Order(attempt, answered.answer), answered.at)
            return
        assert answered.error is not None
        entry, cases = self._work.entry(attempt), self._work.cases(attempt)
        done = unanswered(attempt, entry, cases, self._work.bench, answered.error, answered.prompt)
        self._keep(Order(attempt, answered.prompt), done, asker)

    def _judged(self, order: Order, done: Evaluation, asker: Asker, pool: Pool) -> None:
        """Record a verdict; where kbench itself failed, judge the same answer once more first."""
        earlier = self._failures.pop(order.attempt, ())
        record = done.record
        if record.outcome == "harness_error" and done.retry and len(earlier) + 1 < MOST_TRIES:
            self._failures[order.attempt] = (*earlier, record.message)
            pool.put(order)
            return
        if earlier:
            record = record.model_copy(update={"tries": len(earlier) + 1, "earlier": earlier})
        self._keep(order, Evaluation(record, done.texts), asker)

    def _keep(self, order: Order, done: Evaluation, asker: Asker) -> None:
        record = done.record
        self._writer.append(record, done.texts)
        self._clock.note()
        turns = self._turns.pop(order.attempt, ())
        following = None
        if not record.last:
            turn = Turn(order.answer.completion.text, done.texts.get(record.feedback_sha, ""))
            following = Wanted(order.attempt._replace(attempt=order.attempt.attempt + 1), (*turns, turn))
        asker.release(following)
        self._watch(record)


def _wanted(run: RunFolder, todo: Sequence[Attempt]) -> Iterator[Wanted]:
    """Attempts with the conversation before them, as the run's own texts tell it."""
    later = {attempt._replace(attempt=0) for attempt in todo if attempt.attempt}
    turns: dict[Attempt, dict[int, Turn]] = {}
    for record in run.records() if later else ():
        first = Attempt(record.task, record.cases_key, record.sample)
        if first in later and record.feedback_sha:
            turn = Turn(run.text(record.completion_sha), run.text(record.feedback_sha))
            turns.setdefault(first, {})[record.attempt] = turn
    for attempt in todo:
        before = turns.get(attempt._replace(attempt=0), {})
        yield Wanted(attempt, tuple(before[i] for i in range(attempt.attempt) if i in before))


def _evaluation(manifest: Manifest, attempt: Attempt, result: Evaluation | WorkerDied) -> Evaluation:
    if isinstance(result, Evaluation):
        return result
    settings = manifest.settings.settings()
    plan = manifest.tasks[attempt.task]
    record = Record(
        **identity_facts(attempt, manifest.suite, manifest.backend, manifest.generator, settings),
        level=plan.level,
        category=plan.category,
        stage="generate",
        outcome="harness_error",
        message=result.message,
        versions=manifest.versions,
    )
    return Evaluation(record, {}, retry=True)


def require_same(manifest: Manifest, given: Mapping[str, object]) -> None:
    """Refuse options that would change a plan that is written already; the same ones may be given again.

    Args:
        given: fields of `Options` by name, those that the user gave.

    Raises:
        ConfigError: it names the option, the plan's value and the given one.
    """
    settings = manifest.settings
    planned: dict[str, object] = {
        "backend": manifest.backend,
        "suite": manifest.suite_source,
        "engine": settings.engine,
        "samples": manifest.samples,
        "seed": settings.seed,
        "track": settings.track,
        "shapes": settings.shapes,
        "target": settings.target,
        "sandbox": settings.sandbox,
        "numerics": settings.numerics,
        "timeout_s": settings.run_timeout_s,
        "generator": manifest.generator,
        "generator_options": manifest.generator_options,
        "preset": manifest.preset.name if manifest.preset else "",
        "sampling": manifest.sampling or SamplingFacts(),
        "attempts": manifest.attempts_each,
        "optimise": manifest.optimise,
        "style": manifest.style,
        "shots": manifest.shots,
        "templates": manifest.templates,
        "max_elements": manifest.max_elements,
        "checker": manifest.checker,
        "profile": settings.settings().profiles,
    }
    for name, value in given.items():
        if name in planned and _as_planned(name, value, manifest) != planned[name]:
            raise ConfigError(
                f"this run was planned with {name} {planned[name]}, and --resume cannot make it {value}: "
                "leave the option out, or start a new run"
            )
    for name in ("tasks", "level", "cases"):
        if name in given and not _selects_all(manifest, name, given[name]):
            raise ConfigError(
                f"--{name} selects other {'cases' if name == 'cases' else 'tasks'} than this run was planned with, and "
                "--resume cannot change them: leave the option out, or start a new run"
            )


def _as_planned(name: str, value: object, manifest: Manifest) -> object:
    """A given value in the form that the manifest keeps."""
    if name == "generator_options" and isinstance(value, Mapping):
        return _portable(value)
    if name == "sampling" and isinstance(value, Sampling):
        facts = SamplingFacts(**vars(value)).model_dump(exclude_defaults=True)
        return (manifest.sampling or SamplingFacts()).model_copy(update=facts)
    if name == "templates" and Path(str(value)).is_dir():
        return str(Path(str(value)).resolve())
    if name == "engine":
        return _engine(str(value)) | ({} if manifest.settings.settings().profiles else {"profile": NO_PROFILE})
    if name == "suite" and value != manifest.suite_source:
        return str(Path(str(value)).resolve())
    return value


def _selects_all(manifest: Manifest, name: str, wanted: Any) -> bool:
    """Whether a selection is, as far as the plan knows, the one that it was made with."""
    if name == "level":
        return all(plan.level == wanted for plan in manifest.tasks.values())
    if name == "tasks":
        named = {pattern for pattern in wanted if not set(pattern) & set("*?[")}
        return named <= set(manifest.tasks) and all(
            any(fnmatch.fnmatchcase(t, p) for p in wanted) for t in manifest.tasks
        )
    firsts = [int(value[1:]) for value in wanted if value.startswith(":") and value[1:].isdigit()]
    named = {value for value in wanted if not value.startswith(":")}
    for plan in manifest.tasks.values():
        cases = {*plan.seeds, *plan.skipped}
        if not named <= cases or len(cases - named) > max(firsts, default=0):
            return False
    return True


class _Clock:
    """Keeps the time of this process on the run, so that a killed session counts up to its last record."""

    def __init__(self, writer: RunWriter) -> None:
        self._writer = writer
        self._name = f"{datetime.now(UTC).isoformat(timespec='seconds')}-{os.getpid()}"
        self._start = time.monotonic()
        self._noted = 0.0

    def note(self, *, ended: bool = False) -> None:
        seconds = time.monotonic() - self._start
        if ended or seconds - self._noted >= _SESSION_NOTE_S:
            self._noted = seconds
            self._writer.session({"session": self._name, "seconds": round(seconds, 3), "ended": ended})
