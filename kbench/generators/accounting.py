"""What a completion used: tokens under the same names for every server, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Where servers put what (paths into their `usage`); the first that is there counts.
_PLACES = {
    "input_tokens": ("prompt_tokens", "input_tokens"),
    "output_tokens": ("completion_tokens", "output_tokens"),
    "reasoning_tokens": ("completion_tokens_details.reasoning_tokens", "reasoning_tokens"),
    "cached_input_tokens": (
        "prompt_tokens_details.cached_tokens",
        "cache_read_input_tokens",
        "prompt_cache_hit_tokens",
    ),
    "cache_written_tokens": ("cache_creation_input_tokens",),
}


@dataclass(frozen=True)
class Prices:
    """US dollars for a million tokens; the cached share of the input may have a price of its own."""

    input: float = 0.0
    output: float = 0.0
    cached: float | None = None

    def cost(self, usage: Mapping[str, Any]) -> float | None:
        """None where no price is known, or the server did not count."""
        if not (self.input or self.output) or "input_tokens" not in usage or "output_tokens" not in usage:
            return None
        cached = min(usage.get("cached_input_tokens", 0), usage["input_tokens"])
        cached_price = self.input if self.cached is None else self.cached
        fresh = usage["input_tokens"] - cached
        return round((fresh * self.input + cached * cached_price + usage["output_tokens"] * self.output) / 1e6, 9)


def tokens(raw: Any) -> dict[str, int]:
    """A server's `usage` under common names; what it does not count is absent.

    `input_tokens` counts the whole prompt, its cached share included (Anthropic's API counts that apart, OpenAI's does
    not); `output_tokens` includes what the model thought.
    """
    if not isinstance(raw, Mapping):
        return {}
    found: dict[str, int] = {}
    for name, places in _PLACES.items():
        value = next((v for place in places if (v := _at(raw, place)) is not None), None)
        if value is not None:
            found[name] = value
    if "prompt_tokens" not in raw and "input_tokens" in found:
        found["input_tokens"] += found.get("cached_input_tokens", 0) + found.get("cache_written_tokens", 0)
    return found


def _at(raw: Mapping[str, Any], place: str) -> int | None:
    value: Any = raw
    for key in place.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
