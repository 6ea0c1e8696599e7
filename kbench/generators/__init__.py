"""Generators: `reference` and `replay` need no model, `rag` wraps one that does."""

from __future__ import annotations

from kbench.core.generator import Generator
from kbench.core.hookspecs import hookimpl


@hookimpl
def kbench_register_generators() -> list[type[Generator]]:
    from kbench.generators.rag.generator import Rag
    from kbench.generators.reference import Reference
    from kbench.generators.replay import Replay

    return [Rag, Reference, Replay]
