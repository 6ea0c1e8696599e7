"""Retrieval before generation: examples of other tasks go into the prompt of any generator."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbench.core.errors import ConfigError
from kbench.core.generator import Completion, Generator, MakeGenerator, Message, Request

if TYPE_CHECKING:
    from kbench.generators.rag.retrieve import Hit, Retrieval, Retriever, Wanted

#: Version of the words around the examples and of the rules by which they are chosen: part of what answers depend on.
WORDING = 1


class Rag(Generator):
    """Shows another generator's model examples from an index, never a solution of the task nor a copy of one.

    Options: `generator`, who is asked; `index`, a file of `kbench rag index`; `count` of examples (2); `kinds` (code,
    doc), `only` and `without` labels, comma-separated; `budget`, characters of all examples together (12000). All
    others are the wrapped generator's.
    """

    name = "rag"
    wants_subject = True

    def __init__(
        self,
        generator: str = "",
        index: str = "",
        count: str = "2",
        kinds: str = "code",
        only: str = "",
        without: str = "foreign",
        budget: str = "12000",
        *,
        make: MakeGenerator,
        **options: str,
    ) -> None:
        if not generator or not index:
            raise ConfigError(
                "the rag generator wraps another: it needs generator=NAME and index=FILE (kbench rag index)"
            )
        if generator == self.name:
            raise ConfigError("the rag generator wraps another generator, not itself")
        self._inner = make(generator, options)
        self._index = Path(index)
        if not self._index.is_file():
            raise ConfigError(f"no index at {index}: kbench rag index makes one")
        self._count, self._budget = _number("count", count), _number("budget", budget)
        self._kinds, self._only, self._without = _list(kinds), _list(only), _list(without)
        self._found: dict[str, Retrieval] = {}
        self._lock = threading.Lock()
        self.concurrency = self._inner.concurrency
        self.batch = self._inner.batch
        self.free = self._inner.free
        self.wants_reference = self._inner.wants_reference

    @cached_property
    def _retriever(self) -> Retriever:
        from kbench.generators.rag.embed import NONE, embedder, spec_of
        from kbench.generators.rag.index import Index
        from kbench.generators.rag.retrieve import Retriever

        index = Index(self._index)
        return Retriever(index, embedder(spec_of(index.embedder) if index.embedder else NONE))

    def generate(self, request: Request) -> Completion:
        asked, found = self._with_examples(request)
        return _told(self._inner.generate(asked), asked, found)

    def generate_batch(self, requests: Sequence[Request]) -> Sequence[Completion | Exception]:
        asked = [self._with_examples(request) for request in requests]
        done = self._inner.generate_batch([request for request, _ in asked])
        return [
            one if isinstance(one, Exception) else _told(one, request, found)
            for one, (request, found) in zip(done, asked, strict=True)
        ]

    def _with_examples(self, request: Request) -> tuple[Request, Retrieval]:
        """The request that the wrapped generator sees: with examples, and without the solutions."""
        found = self.retrieve(request)
        messages = _inserted(request.messages, _rendered(found.shown)) if found.shown else request.messages
        reference = request.reference if self._inner.wants_reference else None
        subject = request.subject if self._inner.wants_subject else None
        return replace(request, messages=tuple(messages), reference=reference, subject=subject), found

    def retrieve(self, request: Request) -> Retrieval:
        """What is shown for a request; the same for every sample and attempt."""
        wanted = self._wanted(request)
        key = repr(wanted)
        with self._lock:  # one search at a time: the embedder has one model, and its threads are the machine's
            if key not in self._found:
                self._found[key] = self._retriever.find(wanted)
            return self._found[key]

    def _wanted(self, request: Request) -> Wanted:
        from kbench.generators.rag.retrieve import Wanted, texts_of

        subject = request.subject
        if subject is None:
            raise ConfigError("the rag generator needs the subject of a request, to look for what is near to it")
        return Wanted(
            query="\n".join(p for p in (request.task, subject.summary, subject.formula, subject.category) if p),
            task=request.task,
            solutions=texts_of(subject.solutions),
            backend=subject.backend,
            target=subject.target,
            roles=subject.roles,
            kinds=self._kinds,
            only=self._only,
            without=self._without,
            count=self._count,
            budget=self._budget,
        )

    def identity(self) -> Mapping[str, Any] | None:
        from kbench.generators.rag.retrieve import RULES

        inner = self._inner.identity()
        if inner is None:
            return None
        chosen = [self._count, self._budget, self._kinds, self._only, self._without]
        return {
            "generator": self._inner.name,
            "inner": dict(inner),
            "index": self._retriever.index.digest,
            "chosen": chosen,
            "rules": RULES,
            "wording": WORDING,
        }

    def prepare(self) -> None:
        self._retriever.prepare()
        self._inner.prepare()

    def close(self) -> None:
        if "_retriever" in self.__dict__:
            self._retriever.index.close()
            del self.__dict__["_retriever"]
        self._inner.close()


def _told(done: Completion, asked: Request, found: Retrieval) -> Completion:
    """The completion, with the messages as sent and what was put into them."""
    return replace(done, asked=done.asked or tuple(asked.messages), retrieved=(*done.retrieved, found.facts()))


def _inserted(messages: Sequence[Message], examples: str) -> list[Message]:
    """The messages with the examples at the end of the first question: later turns are about the answers to it."""
    at = next((i for i, m in enumerate(messages) if m.role == "user"), None)
    if at is None:
        return [*messages, Message("user", examples)]
    asked = Message("user", f"{messages[at].content.rstrip()}\n\n{examples}")
    return [*messages[:at], asked, *messages[at + 1 :]]


def _rendered(hits: Sequence[Hit]) -> str:
    import jinja2

    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("kbench.generators.rag", "prompts"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    examples = [
        {
            "title": hit.passage.source.split("/", 1)[1] if hit.passage.task else hit.passage.source,
            "about": " ".join(hit.passage.about.split("\n")[1:2]),
            "text": hit.passage.text.rstrip(),
            "fence": "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", hit.passage.text)), default=0)),
            "language": "cpp" if hit.passage.kind == "code" else "",
        }
        for hit in hits
    ]
    return templates.get_template("examples.j2").render(examples=examples).strip() + "\n"


def _number(name: str, value: str) -> int:
    if not value.isdigit() or int(value) < 1:
        raise ConfigError(f"option {name}={value} of the rag generator: expected a whole number from 1 on")
    return int(value)


def _list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())
