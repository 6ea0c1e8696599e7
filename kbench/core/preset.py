"""A preset: how a benchmark asks its models, under one name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kbench.core.backend import Interface
from kbench.core.candidate import Candidate
from kbench.core.generator import Sampling
from kbench.core.prompt import Ask

#: (candidate, interface) → the answer that a model should have given: for examples.
Form = Callable[[Candidate, Interface], str]


def tagged(candidate: Candidate, interface: Interface) -> str:
    """Files in the form that kbench's own prompt asks for: the asked ones first, then the candidate's own headers."""
    asked = [path for path in interface.files.values() if path in candidate.files]
    paths = [*asked, *(path for path in sorted(candidate.files) if path not in asked)]
    return "\n".join(f'<file path="{path}">\n{candidate.files[path].strip()}\n</file>' for path in paths) + "\n"


@dataclass(frozen=True)
class Preset:
    """Settings of the model and words of the prompt, for any task on any backend.

    What is judged, and how, is not its business: suite, cases, checker and the seed of the inputs stay the user's.
    `ask` words the prompt, kbench's templates where it is None; `form` is how answers look, for examples.
    """

    name: str
    about: str
    sampling: Sampling = field(default_factory=Sampling)
    ask: Ask | None = None
    form: Form = tagged


#: Where no preset is asked for.
PLAIN = Preset("", "kbench's own prompt, everything else as the generator has it")
