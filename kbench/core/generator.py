"""What turns messages into a completion: the contract between kbench and whoever asks a model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kbench.core.backend import API_VERSION
from kbench.core.candidate import Candidate


@dataclass(frozen=True)
class Message:
    role: str  # system, user, assistant
    content: str


@dataclass(frozen=True)
class Sampling:
    """How a model is to be asked; None (or empty) where that is left to the generator.

    Args:
        seed: of the model's draws; that of the run where None.
        temperature, top_p, top_k: as every server knows them; temperature 0 is greedy decoding.
        attempts: how many attempts a preset wants for each sample. The run makes them, one request each; a generator
            ignores it.
        max_tokens: of one completion, what it reasons included.
        stop: texts at which a completion ends.
        reasoning_effort: in the word that the model knows (`low`, `medium`, `high` …).
        thinking_tokens: of the part that a model thinks before its answer, where model and server know such a limit.
    """

    seed: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    attempts: int = 1
    top_k: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    reasoning_effort: str | None = None
    thinking_tokens: int | None = None


@dataclass(frozen=True)
class Subject:
    """What is asked for, as facts, for a generator that looks things up (`wants_subject`); models see messages only.

    `roles` are those of the files that are asked for. `solutions` are known ones of this very task, for its backend:
    never to be shown to a model, nor anything like them.
    """

    summary: str
    formula: str = ""
    category: str = ""
    level: int = 0
    backend: str = ""
    target: str = ""
    track: str = ""
    language: str = ""
    entry: str = ""
    roles: tuple[str, ...] = ()
    solutions: tuple[Candidate, ...] = ()


@dataclass(frozen=True)
class Request:
    """One completion wanted.

    `suite`, `task`, `cases_key`, `sample` and `attempt` identify it (a replaying generator looks them up; a model
    ignores them). Attempts after the first hold the conversation so far: their last message says what was wrong with
    the answer before it. `seed` is the one to ask a model with, the same for all samples: that of `sampling` where it
    has one, else the run's; `sample_seed` is that of this sample. `sampling` is the rest of how to ask. `reference` is
    the known solution, present only for the generator that declares `wants_reference`; `subject` only for the one that
    declares `wants_subject`.
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
    subject: Subject | None = None

    @property
    def sample_seed(self) -> int:
        """`seed` for sample 0, and another for each sample after it: n samples of one prompt are n draws."""
        return self.seed + self.sample


@dataclass(frozen=True)
class Completion:
    """The model's answer, or (for a generator that holds source files already) the candidate itself.

    Args:
        text: the answer as the model gave it, unchanged; empty where it gave none.
        finish_reason: `stop`, `length` (cut by a limit), `content_filter`, or the source's own word.
        usage: what it cost, as JSON: `input_tokens`, `output_tokens` (reasoning included), `reasoning_tokens`,
            `cached_input_tokens`, `cost_usd`, `requests` (how often a server was asked); only what is known.
        reasoning: what the model thought before its answer, where that comes apart from the text.
        model: who answered, in the source's own words (a server may serve another model than the one named).
        asked: the messages as they were sent, where the generator changed those of the request; else empty.
        retrieved: what a retriever put into them, one JSON object each.
    """

    text: str = ""
    candidate: Candidate | None = None
    finish_reason: str = "stop"
    usage: Mapping[str, Any] = field(default_factory=dict)
    reasoning: str = ""
    model: str = ""
    asked: tuple[Message, ...] = ()
    retrieved: tuple[Mapping[str, Any], ...] = ()


class Generator(ABC):
    """Messages and sampling settings → completion. Knows no backend.

    A run asks in its own process, from `concurrency` threads: `generate` must be thread-safe. An instance is made for a
    plan and closed without being asked anything, so what is heavy (weights, connections) is loaded when first needed.

    The constructor's parameters are the user's options, as text (`--generator-option NAME=VALUE`). A class that wraps
    other generators takes a keyword `make`, a `MakeGenerator`, and may take `**options` for the one that it wraps.

    Raises from `generate` and `generate_batch`:
        ServerError: the model cannot be asked (server gone, key refused, no such model, weights that do not load),
            after whatever the generator retried. The run stops, and `--resume` goes on.
        ConfigError: there is no answer for this request, and never will be. Recorded as kbench's failure; the run goes
            on.
        GenerateError: the model is at fault (`context_limit`: the messages are longer than it can read; `refusal`: its
            server declined). Counts.
        HarnessError: anything else of ours. Tried once more; then the run stops.

    Attributes:
        concurrency: requests at once where the user does not say.
        batch: requests that `generate_batch` likes best at once; 1 where it has no use for more.
        free: asking again costs nothing and gives the same, so that answers are not kept for a resumed run.
        wants_reference, wants_subject: what requests must hold.
    """

    name: str = ""
    api_version: int = API_VERSION
    concurrency: int = 1
    batch: int = 1
    free: bool = False
    wants_reference: bool = False
    wants_subject: bool = False

    @abstractmethod
    def generate(self, request: Request) -> Completion: ...

    def generate_batch(self, requests: Sequence[Request]) -> Sequence[Completion | Exception]:
        """Answers to several requests, in their order; where one of them fails alone, its exception in its place. A
        local model with `batch` above 1 overrides it."""
        return [self._answer_or_failure(request) for request in requests]

    def _answer_or_failure(self, request: Request) -> Completion | Exception:
        try:
            return self.generate(request)
        except Exception as failure:  # the answers before it are paid for
            return failure

    def identity(self) -> Mapping[str, Any] | None:
        """What an answer depends on besides the request, as JSON (model, revision, the hash of local weights, the
        server's address, options that change answers; never a key): it enters the key of the completion cache. None
        where answers must not be taken from a cache."""
        return None

    def prepare(self) -> None:
        """Cheap checks before a run is planned: is there a key, does the server answer, does it know the model?

        Raises:
            ConfigError, ToolMissing, ServerError: what is missing, and what to do.
        """
        return None

    def close(self) -> None:
        """Let go of what the generator holds. May be called twice."""
        return None


class MakeGenerator(Protocol):
    """Makes another generator by name, as the command line does. Raises ConfigError for what is not there."""

    def __call__(self, name: str, options: Mapping[str, str]) -> Generator: ...
