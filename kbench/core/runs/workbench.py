"""From names to things: the suite, backend, generator and checker that a plan names, loaded alike in every process."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kbench.core.backend import Backend, Interface
from kbench.core.bench import Bench, Checker, Loop
from kbench.core.cases import CasePlan
from kbench.core.check import check
from kbench.core.errors import CheckError, ConfigError, HarnessError, unknown_name
from kbench.core.generator import Completion, Generator, Message, Request
from kbench.core.plugins import Registry, registry
from kbench.core.preset import PLAIN, Preset
from kbench.core.prompting.prompt import Wording
from kbench.core.prompting.shots import few_shots
from kbench.core.record import OutputError
from kbench.core.runs.manifest import Attempt, Manifest, PresetFacts
from kbench.core.suite import Suite, SuiteTask
from kbench.core.suite_folder import load_suite_folder
from kbench.core.task import Case, Task, Values

STRICT = "strict"
_MAKE = "make"


@dataclass(frozen=True)
class Workbench:
    """All that a plan names, ready to ask for its attempts and to judge them."""

    manifest: Manifest
    suite: Suite
    bench: Bench
    known: Registry

    @classmethod
    def open(cls, manifest: Manifest, *, asks: bool = True) -> Workbench:
        """Load what the plan names.

        Args:
            asks: False where completions come from elsewhere, so that no generator is made.

        Raises:
            ConfigError: something that was planned with is gone or has changed.
        """
        known = registry(plugins=manifest.plugins)
        suite = load_suite(manifest.suite_source, known)
        preset = _planned_preset(manifest.preset, known)
        make = make_generator if asks else _absent
        wording = wording_of(manifest.style, manifest.templates, known)
        if wording.folder_sha != manifest.template:
            raise ConfigError(
                f"the templates in {wording.folder} have changed since this run was planned: put them back, or start a "
                "new run"
            )
        bench = Bench(
            suite=suite.name,
            backend=make_backend(manifest.backend, known),
            generator=make(manifest.generator, manifest.generator_options, known),
            settings=manifest.settings.settings(),
            checker=checker_of(suite, manifest.checker),
            preset=preset,
            versions=manifest.versions,
            wording=wording,
            sampling=manifest.sampling.over(preset.sampling) if manifest.sampling else None,
            loop=Loop(manifest.attempts_each, manifest.optimise),
        )
        return cls(manifest, suite, bench, known)

    def close(self) -> None:
        """Let go of the suite and the generator."""
        self.suite.close()
        self.bench.generator.close()

    def messages(self, attempt: Attempt) -> list[Message]:
        """What a model is asked for the first attempt of this sample."""
        entry, cases, bench = self.entry(attempt), self.cases(attempt).run, self.bench
        interface = self.interface(attempt)
        messages = bench.wording.messages(bench.preset.ask, entry, cases, interface, bench.settings)
        if self.manifest.shots:
            messages[-1:-1] = few_shots(self.known, self.suite, entry, bench, self.manifest.shots)
        return messages

    def interface(self, attempt: Attempt) -> Interface:
        """What the backend says of this attempt's task and cases."""
        return self.bench.backend.interface(self.entry(attempt), self.cases(attempt).run, self.bench.settings)

    def entry(self, attempt: Attempt) -> SuiteTask:
        if attempt.task not in self.suite.tasks:
            raise unknown_name(f"task in suite {self.suite.name!r}", attempt.task, self.suite.tasks)
        return self.suite.tasks[attempt.task]

    def cases(self, attempt: Attempt) -> CasePlan:
        """The cases that this attempt answers, as planned."""
        plan = self.manifest.tasks[attempt.task]
        by_name = {case.name: case for case in self.entry(attempt).cases}
        for name in plan.seeds:
            if name not in by_name:
                raise unknown_name(f"case in task {attempt.task!r}", name, by_name)
        if attempt.cases_key == "*":
            return CasePlan(tuple(by_name[name] for name in plan.seeds), plan.skipped)
        return CasePlan((by_name[attempt.cases_key],))


class _Absent(Generator):
    """Stands for a generator that another process asks."""

    def generate(self, request: Request) -> Completion:
        raise HarnessError("completions are asked for by the run's own process")


def _absent(name: str, options: Mapping[str, str], known: Registry) -> Generator:
    stand_in = _Absent()
    stand_in.name = name
    return stand_in


def wording_of(style: str, templates: str, known: Registry) -> Wording:
    """The words of a plugin's templates by name, of those in a folder, or kbench's own.

    Raises:
        ConfigError: there is neither.
    """
    if not templates or templates in known.templates:
        return Wording(style, str(known.templates[templates]) if templates else "")
    if not Path(templates).is_dir():
        raise unknown_name("folder or plugin with templates", templates, known.templates)
    return Wording(style, str(Path(templates).resolve()))


def load_suite(name: str, known: Registry) -> Suite:
    """A registered suite by name, or the suite in a folder."""
    if name in known.suites:
        return known.suites[name]()
    folder = Path(name)
    if folder.is_dir():
        return load_suite_folder(folder.resolve(), known.suite_kinds)
    if folder.name != name or folder.suffix:
        raise ConfigError(
            f"no suite folder at {name}; kbench import makes one, and {', '.join(known.suites)} are built in"
        )
    raise unknown_name("suite", name, known.suites)


def make_backend(name: str, known: Registry) -> Backend:
    if name not in known.backends:
        raise unknown_name("backend", name, known.backends)
    return known.backends[name]()


def make_generator(name: str, options: Mapping[str, str], known: Registry) -> Generator:
    """The generator with the user's options, which are its constructor's parameters. A parameter `make` is no option:
    it receives this very function, for generators that wrap others.

    Raises:
        ConfigError: no such generator or option.
    """
    if name not in known.generators:
        raise unknown_name("generator", name, known.generators)
    kind = known.generators[name]
    parameters = inspect.signature(kind).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    named = [p.name for p in parameters.values() if p.kind is not p.VAR_KEYWORD and p.name != _MAKE]
    for option in options:
        if option == _MAKE or (option not in named and not takes_any):
            raise unknown_name(f"option of generator {name!r}", option, named)
    wired = {_MAKE: partial(make_generator, known=known)} if _MAKE in parameters else {}
    made: Any = kind(**options, **wired)
    return made  # type: ignore[no-any-return]


def find_preset(name: str, known: Registry) -> Preset:
    """The preset of this name; kbench's own way where there is none."""
    if not name:
        return PLAIN
    if name not in known.presets:
        raise unknown_name("preset", name, known.presets)
    return known.presets[name]


def _planned_preset(facts: PresetFacts | None, known: Registry) -> Preset:
    if facts is None:
        return PLAIN
    found = find_preset(facts.name, known)
    if PresetFacts.of(found) != facts:
        now = PresetFacts.of(found).describe()
        raise ConfigError(f"this run was planned with preset {facts.describe()}; it is {now} now: start a new run")
    return found


def checker_of(suite: Suite, name: str) -> Checker:
    """kbench's own check, or one that the suite brings."""
    if name == STRICT:
        return check
    if name not in suite.checkers:
        raise unknown_name(f"checker for suite {suite.name!r}", name, [STRICT, *suite.checkers])
    theirs = suite.checkers[name]

    def judge(task: Task, case: Case, inputs: Values, expected: Values, got: Values) -> tuple[OutputError, ...]:
        wrong = theirs(task, case, inputs, expected, got)
        if wrong is not None:
            raise CheckError(wrong, outcome="wrong_values")
        return tuple(OutputError(output=t.name, outcome="passed") for t in task.outputs)

    return judge
