"""Generators that need no model: `reference` and `replay`."""

from __future__ import annotations

from kbench.core.generator import Generator
from kbench.core.hookspecs import hookimpl


@hookimpl
def kbench_register_generators() -> list[type[Generator]]:
    from kbench.generators.reference import Reference
    from kbench.generators.replay import Replay

    return [Reference, Replay]
