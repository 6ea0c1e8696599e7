"""Many attempts, planned: what is asked for, judged by what, from which seeds. `session.py` works on the plan."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from kbench.core.backend import NO_PROFILE, Backend, Settings
from kbench.core.candidate import Shapes, Track
from kbench.core.cases import MAX_ELEMENTS, CasePlan, case_seed, plan_cases, select_cases
from kbench.core.errors import ConfigError, unknown_name
from kbench.core.evaluate import versions
from kbench.core.generator import Sampling
from kbench.core.plugins import Registry, registry
from kbench.core.preset import Preset
from kbench.core.prompting.feedback import check_feedback
from kbench.core.prompting.prompt import DIRECT
from kbench.core.runs.manifest import Manifest, PresetFacts, SamplingFacts, SettingsFacts, TaskPlan, machine
from kbench.core.runs.workbench import (
    STRICT,
    Workbench,
    checker_of,
    find_preset,
    load_suite,
    make_backend,
    make_generator,
    wording_of,
)
from kbench.core.solutions import reference_of
from kbench.core.suite import Suite, SuiteTask


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
    cache: bool = True
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
        generator_options=portable(options.generator_options),
        preset=PresetFacts.of(preset) if options.preset else None,
        sampling=facts if facts != SamplingFacts() else None,
        attempts_each=_attempts(options, preset),
        optimise=options.optimise,
        cache=options.cache,
        style=options.style,
        shots=options.shots,
        templates=_templates(options, known),
        template=wording_of(options.style, options.templates, known).folder_sha,
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
        ConfigError: a style, a folder or so many examples that are not there, or a template that does not work.
    """
    if (manifest.style, manifest.templates, manifest.shots) == (DIRECT, "", 0):
        return
    work = Workbench.open(manifest, asks=False)
    try:
        for attempt in manifest.attempts():
            interface = work.interface(attempt)
            preset = work.bench.preset
            work.bench.wording.check(interface, preset.name if preset.ask else "")
            check_feedback(work.bench.wording, interface)
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


def portable(options: Mapping[str, str]) -> dict[str, str]:
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
        engine=parse_engine(options.engine) | ({} if options.profile else {"profile": NO_PROFILE}),
        sandbox=options.sandbox,
        compile_timeout_s=options.timeout_s,
        run_timeout_s=options.timeout_s,
        seed=options.seed,
        numerics=options.numerics,
    )
    backend.check_settings(settings)
    return settings


def parse_engine(text: str) -> dict[str, str]:
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
