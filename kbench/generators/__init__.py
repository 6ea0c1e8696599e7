"""Who writes candidates: `reference` and `replay` need no model, `rag` wraps another one, the rest ask a model, on a
server or on this machine.

What they need besides (httpx, transformers) is imported when the first completion is asked for.
"""

from __future__ import annotations

from kbench.core.generator import Generator
from kbench.core.hookspecs import hookimpl


@hookimpl
def kbench_register_generators() -> list[type[Generator]]:
    from kbench.generators.anthropic import Anthropic
    from kbench.generators.kernelgen_lm import KernelGenLM
    from kbench.generators.openai import OpenAI
    from kbench.generators.rag.generator import Rag
    from kbench.generators.reference import Reference
    from kbench.generators.replay import Replay
    from kbench.generators.transformers import Transformers

    return [Anthropic, KernelGenLM, OpenAI, Rag, Reference, Replay, Transformers]
