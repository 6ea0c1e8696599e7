"""A run that is taken up again: its plan stands, and the options given now must be those that it was made with."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kbench.core.backend import NO_PROFILE
from kbench.core.errors import ConfigError
from kbench.core.generator import Sampling
from kbench.core.runs.campaign import parse_engine, portable
from kbench.core.runs.manifest import Manifest, SamplingFacts


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
        "cache": manifest.cache,
        "style": manifest.style,
        "shots": manifest.shots,
        "templates": manifest.templates,
        "max_elements": manifest.max_elements,
        "checker": manifest.checker,
        "profile": settings.settings().profiles,
    }
    for name, value in given.items():
        if name in planned and _as_planned(name, value, manifest) != planned[name]:
            before, now = _words(planned[name]), _words(value)
            raise ConfigError(
                f"this run was planned with {name} {before}, and --resume cannot make it {now}: "
                "leave the option out, or start a new run"
            )
    for name in ("tasks", "level", "cases"):
        if name in given and not _selects_all(manifest, name, given[name]):
            raise ConfigError(
                f"--{name} selects other {'cases' if name == 'cases' else 'tasks'} than this run was planned with, and "
                "--resume cannot change them: leave the option out, or start a new run"
            )


def _words(value: object) -> str:
    if isinstance(value, Sampling):
        value = SamplingFacts(**vars(value))
    return (value.words() or "as the generator has it") if isinstance(value, SamplingFacts) else str(value)


def _as_planned(name: str, value: object, manifest: Manifest) -> object:
    """A given value in the form that the manifest keeps."""
    if name == "generator_options" and isinstance(value, Mapping):
        return portable(value)
    if name == "sampling" and isinstance(value, Sampling):
        facts = SamplingFacts(**vars(value)).model_dump(exclude_defaults=True)
        return (manifest.sampling or SamplingFacts()).model_copy(update=facts)
    if name == "templates" and Path(str(value)).is_dir():
        return str(Path(str(value)).resolve())
    if name == "engine":
        return parse_engine(str(value)) | ({} if manifest.settings.settings().profiles else {"profile": NO_PROFILE})
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
