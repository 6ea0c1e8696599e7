"""A preset: how a benchmark asks its models, under one name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kbench.core.backend import Interface
from kbench.core.candidate import Candidate
from kbench.core.generator import Sampling
from kbench.core.prompting.prompt import Ask

#: (candidate, interface) → the answer that a model should have given: for examples.
Form = Callable[[Candidate, Interface], str]


@dataclass(frozen=True)
class Preset:
    """Settings of the model and words of the prompt, for any task on any backend.

    What is judged, and how, is not its business: suite, cases, checker and the seed of the inputs stay the user's.
    `ask` words the prompt, and `form` an answer in an example; kbench's templates do where they are None.
    """

    name: str
    about: str
    sampling: Sampling = field(default_factory=Sampling)
    ask: Ask | None = None
    form: Form | None = None


#: Where no preset is asked for.
PLAIN = Preset("", "kbench's own prompt, everything else as the generator has it")
