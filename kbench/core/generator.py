"""What turns a prompt into a completion."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbench.core.backend import API_VERSION
from kbench.core.candidate import Candidate


@dataclass(frozen=True)
class Message:
    role: str  # system, user, assistant
    content: str


@dataclass(frozen=True)
class Sampling:
    """How a model is to be asked; None where that is left to the generator.

    `attempts` is how often a generator may ask for one completion: after an answer that does not compile it may tell
    the model what the compiler said, and ask again. Generators that ask no model ignore all of it.
    """

    seed: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    attempts: int = 1


@dataclass(frozen=True)
class Request:
    """One completion wanted.

    `suite`, `task`, `cases_key`, `sample` and `attempt` identify it (a replaying generator looks them up; a model
    ignores them). `seed` is the one to ask a model with: that of the preset where it has one, else the run's.
    `sampling` is the rest of what a preset asks for. `reference` is the known solution, present only for the generator
    that declares `wants_reference`.
    """

    messages: Sequence[Message]
    suite: str
    task: str
    cases_key: str = "*"
    sample: int = 0
    attempt: int = 0
    seed: int = 0
    sampling: Sampling = Sampling()
    reference: Candidate | None = None


@dataclass(frozen=True)
class Completion:
    """The model's text, or (for a generator that holds source files already) the candidate itself."""

    text: str = ""
    candidate: Candidate | None = None
    finish_reason: str = "stop"
    usage: Mapping[str, Any] = field(default_factory=dict)


class Generator(ABC):
    """Messages and sampling settings → completion text. Knows no backend.

    Raises from `generate`: HarnessError when the server or file is at fault (retried, never scored).
    """

    name: str = ""
    api_version: int = API_VERSION
    wants_reference: bool = False

    @abstractmethod
    def generate(self, request: Request) -> Completion: ...

    def close(self) -> None:
        """Let go of what the generator holds."""
        return None
