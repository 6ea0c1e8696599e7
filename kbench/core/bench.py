"""What judges, and what it judges: the bench is the same for every attempt of a run, an answer is one model's reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from kbench.core.backend import Backend, Settings
from kbench.core.cases import CaseBank
from kbench.core.check import check
from kbench.core.generator import Completion, Generator, Message, Sampling
from kbench.core.preset import PLAIN, Preset
from kbench.core.prompting.prompt import Wording
from kbench.core.record import OutputError
from kbench.core.task import Case, Task, Values
from kbench.core.taxonomy import is_harness

#: (task, case, inputs, expected, got) → the evidence of each output; raises CheckError.
Checker = Callable[[Task, Case, Values, Values, Values], tuple[OutputError, ...]]


@dataclass(frozen=True)
class Loop:
    """How often one sample may be tried: a model that failed is told why, and asked again.

    With `optimise`, it is asked again after a success too, for a faster kernel.
    """

    attempts: int = 1
    optimise: bool = False

    def goes_on(self, attempt: int, outcome: str) -> bool:
        """Whether another attempt follows one of this number that ended so."""
        if attempt + 1 >= self.attempts or is_harness(outcome) or outcome == "context_limit":
            return False
        return self.optimise or outcome != "passed"


@dataclass(frozen=True)
class Bench:
    """What judges: the same for every attempt of a run."""

    suite: str
    backend: Backend
    generator: Generator
    settings: Settings
    checker: Checker = check
    bank: CaseBank = field(default_factory=CaseBank)
    preset: Preset = PLAIN
    versions: Mapping[str, str] = field(default_factory=dict)
    wording: Wording = field(default_factory=Wording)
    sampling: Sampling | None = None  # the preset's
    loop: Loop = field(default_factory=Loop)


@dataclass(frozen=True)
class Answer:
    """A completion, and how it was come by: the messages as sent (none where nothing was asked), the seconds that it
    took, whether it is of a cache, and which templates worded the messages."""

    completion: Completion = field(default_factory=Completion)
    messages: tuple[Message, ...] = ()
    seconds: float = 0.0
    cached: bool = False
    template: str = ""


def prompt_text(messages: Iterable[Message]) -> str:
    """Messages as the text that is kept of them; empty for none."""
    facts = [{"role": m.role, "content": m.content} for m in messages]
    return json.dumps(facts, ensure_ascii=False, indent=1) if facts else ""


def messages_of(text: str) -> tuple[Message, ...]:
    """The messages that `prompt_text` kept."""
    return tuple(Message(m["role"], m["content"]) for m in json.loads(text)) if text else ()
