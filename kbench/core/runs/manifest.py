"""The plan of a run, written down before anything starts: what will be attempted, judged by what, from which seeds."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from kbench.core.backend import Settings
from kbench.core.candidate import Shapes, Track
from kbench.core.generator import Sampling
from kbench.core.preset import Preset

MANIFEST_SCHEMA = 2


class Attempt(NamedTuple):
    """One candidate wanted: of a task, for one case (static shapes) or all of them (`*`)."""

    task: str
    cases_key: str = "*"
    sample: int = 0
    attempt: int = 0


class _Facts(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class TaskPlan(_Facts):
    """One task's share of the plan.

    `seeds` maps each case that runs to the seed of its inputs, in the suite's order; `skipped` maps each case left out
    to the reason. The attempts are one per sample on dynamic shapes, one per case and sample on static ones.
    """

    level: int
    category: str = ""
    seeds: dict[str, int]
    skipped: dict[str, str] = {}


class SettingsFacts(_Facts):
    """`Settings`, as the manifest keeps them."""

    target: str
    track: Track
    shapes: Shapes
    engine: dict[str, str]
    sandbox: str
    compile_timeout_s: float
    run_timeout_s: float
    seed: int
    numerics: str = "exact"

    @classmethod
    def of(cls, settings: Settings) -> SettingsFacts:
        return cls(**{**vars(settings), "engine": dict(settings.engine)})

    def settings(self) -> Settings:
        return Settings(**dict(self))


class SamplingFacts(_Facts):
    """`Sampling`, as the manifest keeps it."""

    seed: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    attempts: int = 1
    top_k: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    reasoning_effort: str | None = None
    thinking_tokens: int | None = None

    def over(self, sampling: Sampling) -> Sampling:
        """These settings where they say something, else those of `sampling`."""
        return Sampling(**{**vars(sampling), **self.model_dump(exclude_defaults=True)})

    def words(self) -> str:
        """`seed 42, temperature 0, max_tokens 512, up to 10 attempts`."""
        told = {name: value for name, value in dict(self).items() if name in Sampling.__dataclass_fields__}
        attempts = told.pop("attempts")
        parts = [f"{n} {v:g}" if isinstance(v, float) else f"{n} {v}" for n, v in told.items() if v not in (None, ())]
        return ", ".join([*parts, f"up to {attempts} attempts"] if attempts > 1 else parts)


class PresetFacts(SamplingFacts):
    """`Preset`, as the manifest keeps it: its name and how models are asked."""

    name: str

    @classmethod
    def of(cls, preset: Preset) -> PresetFacts:
        return cls(name=preset.name, **vars(preset.sampling))

    def describe(self) -> str:
        return f"{self.name}: {self.words()}"


class Manifest(_Facts):
    """Everything that a run is, apart from its results: enough to resume it, to score it and to repeat it (schema 2;
    schema 1 knows one attempt a sample, and no wording of the user's).

    `suite` is the name that records carry, `suite_source` what finds it: a registered name, or a folder. `planned`
    counts samples: for each task, its cases keys times `samples`; each may take up to `attempts_each` attempts.
    `sampling` is what the user gave, over the preset's. `templates` names the folder or plugin of the prompt's
    templates, and `template` is a hash of what was found there.
    `cache` says whether completions may come from the cache, and go there.
    """

    schema_: int = Field(default=MANIFEST_SCHEMA, alias="schema")
    run: str
    created: str
    suite: str
    suite_source: str
    backend: str
    settings: SettingsFacts
    generator: str
    generator_options: dict[str, str] = {}
    preset: PresetFacts | None = None
    sampling: SamplingFacts | None = None
    attempts_each: int = 1
    optimise: bool = False
    cache: bool = True
    style: str = "direct"
    shots: int = 0
    templates: str = ""
    template: str = ""
    samples: int
    max_elements: int
    checker: str
    plugins: tuple[str, ...] = ()
    tasks: dict[str, TaskPlan]
    versions: dict[str, str]
    machine: dict[str, Any]

    def keys(self, task: str) -> tuple[str, ...]:
        """What one sample of a task answers: each case by itself, or all at once."""
        cases = tuple(self.tasks[task].seeds)
        return cases if self.settings.shapes == Shapes.STATIC or not cases else ("*",)

    def attempts(self) -> Iterator[Attempt]:
        """The first attempt of every sample of the plan, task by task: neighbours share their inputs."""
        for task in self.tasks:
            for sample in range(self.samples):
                for key in self.keys(task):
                    yield Attempt(task, key, sample)

    @property
    def planned(self) -> int:
        return sum(len(self.keys(task)) for task in self.tasks) * self.samples


def machine() -> Mapping[str, Any]:
    """The machine that a run was planned on."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cpus": os.cpu_count() or 0,
    }
