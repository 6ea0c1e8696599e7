"""Finds the passages to show for a task: by words and by vectors together, filtered, and guarded against leaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kbench.core.candidate import Candidate
from kbench.core.errors import ConfigError
from kbench.generators.rag.corpus import CODE, Passage
from kbench.generators.rag.embed import Embedder
from kbench.generators.rag.guard import Known, Registry, Verdict
from kbench.generators.rag.index import Found, Index

#: Reciprocal rank fusion: G. Cormack, C. Clarke, S. Büttcher, SIGIR 2009: 1 / (60 + rank), summed.
FUSION = 60
#: Which rules choose what is shown: raised with each change, so that completions that others led to are not reused.
RULES = 2
#: Label that a backend gives to sources of another compiler's dialect: left out unless asked for.
FOREIGN = "foreign"


@dataclass(frozen=True)
class Wanted:
    """What is looked for.

    Args:
        query: what it should be near to: for a task, its name, summary and formula.
        task: whose solutions must not be shown; empty for a free query.
        solutions: those that the caller knows, besides what the index has.
        backend, target: passages that are filed under another are left out.
        roles: of the files that are asked for; passages of a solution's other files, such as its host side, are left
            out (those that have no role, as shared headers, are not). Empty for any.
        kinds, only, without: kinds of passages; labels that each must have, and must not.
        count: how many passages, and `budget` how many characters together.
    """

    query: str
    task: str = ""
    solutions: Mapping[str, str] = field(default_factory=dict)
    backend: str = ""
    target: str = ""
    roles: tuple[str, ...] = ()
    kinds: tuple[str, ...] = (CODE,)
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = (FOREIGN,)
    count: int = 2
    budget: int = 12_000

    def fits(self, passage: Passage) -> bool:
        labels = set(passage.labels)
        return (
            passage.kind in self.kinds
            and passage.backend in ("", self.backend or passage.backend)
            and passage.target in ("", self.target or passage.target)
            and (not self.roles or passage.role in ("", *self.roles))
            and labels >= set(self.only)
            and not labels & set(self.without)
        )


@dataclass(frozen=True)
class Hit:
    """A passage with its place and the guard's verdict on it."""

    passage: Passage
    found: Found
    verdict: Verdict

    def facts(self) -> dict[str, Any]:
        """What a record keeps of it."""
        return {
            "source": self.passage.source,
            "chunk": self.found.chunk,
            "sha": self.passage.sha,
            "score": round(self.found.score, 5),
            "by_words": self.found.by_words,
            "by_vectors": self.found.by_vectors,
            **({"withheld": self.verdict.withheld} if self.verdict.withheld else {}),
            "share": self.verdict.share,
            "nearest": self.verdict.solution,
            "lacking": self.verdict.lacking,
            "surplus": self.verdict.surplus,
        }


@dataclass(frozen=True)
class Retrieval:
    """What is shown for a task, what was withheld on the way to it, and what both were judged by."""

    shown: tuple[Hit, ...]
    withheld: tuple[Hit, ...]
    known: tuple[str, ...]
    index: str

    def facts(self) -> dict[str, Any]:
        """What a record keeps: enough to see that nothing leaked, and to check it anew."""
        return {
            "index": self.index,
            "known_solutions": len(self.known),
            "shown": [hit.facts() for hit in self.shown],
            "withheld": [hit.facts() for hit in self.withheld],
        }


def texts_of(solutions: Iterable[Candidate]) -> dict[str, str]:
    """The files of known solutions, by a name for each."""
    return {f"known {i}: {path}": text for i, c in enumerate(solutions) for path, text in c.files.items()}


class Retriever:
    """Looks things up in one index. Threads may share it.

    Raises:
        ConfigError: the embedder is not the one that the index was made with.
    """

    def __init__(self, index: Index, embedder: Embedder | None = None) -> None:
        if embedder is not None and embedder.name != index.embedder:
            made = f"with {index.embedder}" if index.embedder else "without vectors"
            raise ConfigError(f"{index.path} was made {made}; {embedder.name} cannot search it: index it anew")
        self.index = index
        self._embedder = embedder

    @cached_property
    def passages(self) -> dict[int, Passage]:
        return self.index.passages()

    @cached_property
    def _registry(self) -> Registry:
        return Registry(self.passages.values())

    def prepare(self) -> None:
        """Load the model of the vectors, if there is one.

        Raises:
            ToolMissing, ConfigError, HarnessError: it cannot be had; the message says what to do.
        """
        if self._embedder is not None:
            self._embedder.embed(["ready"])

    def find(self, wanted: Wanted) -> Retrieval:
        """The best passages that fit and may be shown; of several solutions of one task, the best."""
        known = self.known(wanted)
        shown: list[Hit] = []
        withheld: list[Hit] = []
        room = wanted.budget
        for hit in self.hits(wanted, known):
            if len(shown) == wanted.count:
                break
            task, size = hit.passage.task, len(hit.passage.text)
            if hit.verdict.withheld:
                withheld.append(hit)
            elif size <= room and not (task and any(task == other.passage.task for other in shown)):
                shown.append(hit)
                room -= size
        return Retrieval(tuple(shown), tuple(withheld), tuple(known.texts) if known else (), self.index.digest)

    def known(self, wanted: Wanted) -> Known | None:
        return self._registry.known(wanted.task, wanted.solutions) if wanted.task else None

    def hits(self, wanted: Wanted, known: Known | None) -> Iterator[Hit]:
        """Every passage that fits, best first, each judged when it is reached."""
        for found in self.ranked(wanted.query):
            passage = self.passages[found.passage]
            if wanted.fits(passage):
                yield Hit(passage, found, known.verdict(passage) if known else Verdict())

    def ranked(self, query: str) -> list[Found]:
        """Passages by reciprocal rank fusion of both searches; by words alone where the index has no vectors."""
        by_words = {p: (i, chunk) for i, (p, chunk, _) in enumerate(self.index.by_words(query), 1)}
        by_vectors: dict[int, tuple[int, str]] = {}
        if self._embedder is not None:
            (vector,) = self._embedder.embed([query])
            by_vectors = {p: (i, chunk) for i, (p, chunk, _) in enumerate(self.index.by_vector(vector), 1)}
        found = [_fused(p, by_words.get(p), by_vectors.get(p)) for p in {**by_words, **by_vectors}]
        return sorted(found, key=lambda f: (-f.score, f.passage))


def _fused(passage: int, words: tuple[int, str] | None, vectors: tuple[int, str] | None) -> Found:
    places = [place for place in (words, vectors) if place]
    score = sum(1 / (FUSION + rank) for rank, _ in places)
    chunk = min(places)[1]
    return Found(passage, score, chunk, words[0] if words else 0, vectors[0] if vectors else 0)
