"""From names to things: the suite, backend, generator and checker that a plan names, loaded alike in every process."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbench.core.backend import Backend
from kbench.core.cases import CasePlan
from kbench.core.check import check
from kbench.core.errors import CheckError, ConfigError, unknown_name
from kbench.core.evaluate import Bench, Checker
from kbench.core.generator import Generator, Message
from kbench.core.manifest import Attempt, Manifest, PresetFacts
from kbench.core.plugins import Registry, registry
from kbench.core.preset import PLAIN, Preset
from kbench.core.record import OutputError
from kbench.core.suite import Suite, SuiteTask
from kbench.core.suite_folder import load_suite_folder
from kbench.core.task import Case, Task, Values

STRICT = "strict"


@dataclass(frozen=True)
class Workbench:
    """All that a plan names, ready to judge its attempts."""

    manifest: Manifest
    suite: Suite
    bench: Bench

    @classmethod
    def open(cls, manifest: Manifest) -> Workbench:
        """Load what the plan names.

        Raises:
            ConfigError: something that was planned with is gone or has changed.
        """
        known = registry(plugins=manifest.plugins)
        suite = load_suite(manifest.suite_source, known)
        bench = Bench(
            suite=suite.name,
            backend=make_backend(manifest.backend, known),
            generator=make_generator(manifest.generator, manifest.generator_options, known),
            settings=manifest.settings.settings(),
            checker=checker_of(suite, manifest.checker),
            preset=_planned_preset(manifest.preset, known),
            versions=manifest.versions,
        )
        return cls(manifest, suite, bench)

    def messages(self, attempt: Attempt) -> list[Message]:
        """What a model is asked for this attempt."""
        entry, cases, settings = self.entry(attempt), self.cases(attempt).run, self.bench.settings
        return self.bench.preset.ask(entry, cases, self.bench.backend.interface(entry, cases, settings), settings)

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
    """The generator with the user's options, which are its constructor's parameters.

    Raises:
        ConfigError: no such generator or option.
    """
    if name not in known.generators:
        raise unknown_name("generator", name, known.generators)
    kind = known.generators[name]
    parameters = inspect.signature(kind).parameters
    for option in options:
        if option not in parameters:
            raise unknown_name(f"option of generator {name!r}", option, parameters)
    made: Any = kind(**options)
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
