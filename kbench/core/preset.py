"""A preset: how a benchmark asks its models, under one name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kbench.core.backend import Interface, Settings
from kbench.core.generator import Message, Sampling
from kbench.core.prompt import render_prompt
from kbench.core.suite import SuiteTask
from kbench.core.task import Case

#: (task, cases, interface, settings) → what a model is asked.
Ask = Callable[[SuiteTask, Sequence[Case], Interface, Settings], list[Message]]


@dataclass(frozen=True)
class Preset:
    """Settings of the model and words of the prompt, for any task on any backend.

    What is judged, and how, is not its business: suite, cases, checker and the seed of the inputs stay the user's.
    """

    name: str
    about: str
    sampling: Sampling = field(default_factory=Sampling)
    ask: Ask = render_prompt


#: Where no preset is asked for.
PLAIN = Preset("", "kbench's own prompt, everything else as the generator has it")
