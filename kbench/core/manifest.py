"""The plan of a run, written down before anything starts: what will be attempted, judged by what, from which seeds."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from kbench.core.backend import Settings
from kbench.core.candidate import Shapes, Track
from kbench.core.preset import Preset

MANIFEST_SCHEMA = 1


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


class PresetFacts(_Facts):
    """`Preset`, as the manifest keeps it: its name and how models are asked."""

    name: str
    seed: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    attempts: int = 1

    @classmethod
    def of(cls, preset: Preset) -> PresetFacts:
        return cls(name=preset.name, **vars(preset.sampling))

    def describe(self) -> str:
        told = {"seed": self.seed, "temperature": self.temperature, "top_p": self.top_p}
        parts = [f"{name} {value:g}" for name, value in told.items() if value is not None]
        if self.attempts > 1:
            parts.append(f"up to {self.attempts} attempts")
        return f"{self.name}: {', '.join(parts)}"


class Manifest(_Facts):
    """Everything that a run is, apart from its results: enough to resume it, to score it and to repeat it.

    `suite` is the name that records carry, `suite_source` what finds it: a registered name, or a folder. `planned`
    counts attempts: for each task, its cases keys times `samples`.
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
        """Every attempt of the plan, task by task: neighbours share their inputs."""
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
