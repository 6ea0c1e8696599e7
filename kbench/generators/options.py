"""Options of generators come as text from the command line; here they become numbers, lists and objects."""

from __future__ import annotations

import json
from typing import Any

from kbench.core.errors import ConfigError

_WORDS = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


def number(name: str, text: str | float, *, least: float = 0.0) -> float:
    """Raises ConfigError where it is no number, or below `least`."""
    try:
        value = float(text)
    except ValueError:
        raise ConfigError(f"{name} {text!r}: expected a number") from None
    if not least <= value < float("inf"):
        raise ConfigError(f"{name} {text}: expected a number from {least:g} on")
    return value


def whole(name: str, text: str | int, *, least: int = 0) -> int:
    """Raises ConfigError where it is no whole number, or below `least`."""
    value = number(name, text, least=least)
    if value != int(value):
        raise ConfigError(f"{name} {text}: expected a whole number")
    return int(value)


def yes(name: str, text: str | bool) -> bool:
    """Raises ConfigError where it is neither yes nor no."""
    if isinstance(text, bool):
        return text
    if text.lower() not in _WORDS:
        raise ConfigError(f"{name} {text!r}: expected yes or no")
    return _WORDS[text.lower()]


def names(text: str) -> tuple[str, ...]:
    """The parts of a list with commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def json_object(name: str, text: str) -> dict[str, Any]:
    """Raises ConfigError where it is no JSON object; no text is an empty one."""
    try:
        value = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise ConfigError(f"{name}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ConfigError(f'{name}: expected a JSON object such as {{"top_k": 20}}, got {text[:80]}')
    return value
