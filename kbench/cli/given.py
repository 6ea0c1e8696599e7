"""From what the user gave on the command line to the options of core: what is not given keeps core's defaults."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbench.cli import plugins

if TYPE_CHECKING:
    from kbench.core.generator import Sampling
    from kbench.core.runs.campaign import Options


def split(values: Sequence[str] | None) -> list[str]:
    """The words of an option that takes several, comma-separated or repeated."""
    return [part.strip() for value in values or () for part in value.split(",") if part.strip()]


def given(**options: Any) -> dict[str, Any]:
    """The options that the user gave; all others keep core's defaults (or, on resume, the plan's)."""
    return {name: str(v) if isinstance(v, StrEnum) else v for name, v in options.items() if v not in (None, [], {})}


def campaign_options(options: dict[str, Any]) -> Options:
    """What was `given`, as core takes it.

    Raises:
        ConfigError: no backend was given.
    """
    from kbench.core.candidate import Shapes, Track
    from kbench.core.errors import ConfigError
    from kbench.core.runs.campaign import Options

    if "backend" not in options:
        raise ConfigError(f"--backend is needed; there are: {', '.join(sorted(plugins.known().backends))}")
    kinds: dict[str, Any] = {"track": Track, "shapes": Shapes}
    typed = {name: kinds[name](value) if name in kinds else value for name, value in options.items()}
    return Options(**typed, plugins=tuple(plugins.chosen))


def given_sampling(**said: Any) -> Sampling | None:
    """What the user gave of it; None where that is nothing."""
    from kbench.core.generator import Sampling

    told = {name: value for name, value in said.items() if value not in (None, ())}
    return Sampling(**told) if told else None


def given_generator(
    name: str | None, pairs: Sequence[str] | None, replay: Path | None, index: Path | None, **short: str | None
) -> dict[str, Any]:
    """The generator and its options: NAME=VALUE pairs, those that have a `short` of their own, and the two generators
    that an option chooses: `replay` by its path, `rag` (around the named one) by its index.

    Raises:
        ConfigError: a pair is none, or two options choose different generators.
    """
    options = {option: value for option, value in short.items() if value is not None} | _pairs(pairs or ())
    if replay is not None:
        name, options = _replaying(name, options, replay)
    if index is not None:
        name, options = _retrieving(name, options, index)
    return {"generator": name, "generator_options": options}


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    from kbench.core.errors import ConfigError

    found = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--generator-option {text}: expected NAME=VALUE")
        found[key] = value
    return found


def _replaying(name: str | None, options: dict[str, str], path: Path) -> tuple[str, dict[str, str]]:
    from kbench.core.errors import ConfigError

    if name not in (None, "replay"):
        raise ConfigError(f"--replay goes with --generator replay, not with {name}")
    return "replay", {**options, "path": str(path)}


def _retrieving(name: str | None, options: dict[str, str], index: Path) -> tuple[str, dict[str, str]]:
    from kbench.core.errors import ConfigError

    if name is None or name in ("rag", "reference"):
        raise ConfigError(f"--rag goes with --generator NAME, one that asks a model, not with {name or 'none'}")
    return "rag", {**options, "generator": name, "index": str(index)}
