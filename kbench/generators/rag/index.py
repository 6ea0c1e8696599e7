"""The index of a corpus: one DuckDB file with passages, the words and vectors of their chunks, and what was put in.

DuckDB is at hand already (it reads run folders), searches exactly, and many processes may read one file at once. An
exact search over 10⁵ vectors takes less than the model that is asked next.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kbench.core.errors import ConfigError, HarnessError
from kbench.core.likeness.words import words
from kbench.generators.rag.corpus import Chunk, Passage
from kbench.generators.rag.embed import Embedder

SCHEMA = 1
#: Okapi BM25: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, §3.
BM25_K1, BM25_B = 1.2, 0.75
#: What a task computes counts as much as so many repetitions in its code.
ABOUT_WEIGHT = 3
#: A sentence model reads about so many characters of a text and no more (all-MiniLM-L6-v2: 256 word pieces).
EMBEDDED = 1_500

_TABLES = """
CREATE TABLE meta (name VARCHAR PRIMARY KEY, value VARCHAR);
CREATE TABLE passages (id INTEGER PRIMARY KEY, sha VARCHAR, source VARCHAR, kind VARCHAR, text VARCHAR, backend VARCHAR,
  target VARCHAR, suite VARCHAR, task VARCHAR, about VARCHAR, role VARCHAR, labels VARCHAR[], own VARCHAR[]);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, passage INTEGER, name VARCHAR, text VARCHAR, length INTEGER,
  vector FLOAT[]);
CREATE TABLE terms (term VARCHAR, chunk INTEGER, times INTEGER);
"""
_COLUMNS = (
    "id", "sha", "source", "kind", "text", "backend", "target", "suite", "task", "about", "role", "labels", "own"
)  # fmt: skip
_BM25 = """
WITH asked AS (SELECT unnest(?::VARCHAR[]) AS term),
 facts AS (SELECT count(*) AS n, avg(length) AS mean FROM chunks),
 rarity AS (SELECT t.term, ln(1 + (any_value(f.n) - count(*) + 0.5) / (count(*) + 0.5)) AS idf
            FROM terms t JOIN asked USING (term), facts f GROUP BY t.term)
SELECT t.chunk, sum(r.idf * t.times * ($k1 + 1) / (t.times + $k1 * (1 - $b + $b * c.length / f.mean))) AS score
FROM terms t JOIN rarity r USING (term) JOIN chunks c ON c.id = t.chunk, facts f
GROUP BY t.chunk ORDER BY score DESC, t.chunk
""".replace("$k1", str(BM25_K1)).replace("$b", str(BM25_B))
_NEAREST = """
SELECT id, list_cosine_similarity(vector, ?::FLOAT[]) AS score FROM chunks WHERE vector IS NOT NULL
ORDER BY score DESC, id
"""


@dataclass(frozen=True)
class Found:
    """A passage with the places that its best chunk has by words and by vectors, from 1; 0 where it has none."""

    passage: int
    score: float
    chunk: str
    by_words: int = 0
    by_vectors: int = 0


def build(
    path: Path, passages: Iterable[Passage], embedder: Embedder | None, tell: Callable[[str], None] = lambda line: None
) -> Index:
    """Write an index; one that is there already is replaced once the new one is whole.

    Raises:
        ConfigError: there is nothing to index.
        HarnessError: the embedder fails.
    """
    import duckdb

    kept = list({(p.sha, p.backend, p.target, p.task): p for p in passages}.values())
    if not kept:
        raise ConfigError("nothing to index: no source or document was found")
    path.parent.mkdir(parents=True, exist_ok=True)
    half_done = path.with_name(f".{path.name}.part")
    half_done.unlink(missing_ok=True)
    with duckdb.connect(str(half_done)) as db:
        db.execute(_TABLES)
        chunks = _write(db, kept)
        if embedder is not None:
            tell(f"embedding {len(chunks)} chunks with {embedder.name} …")
            _write_vectors(db, kept, chunks, embedder)
        facts = {
            "schema": str(SCHEMA),
            "embedder": embedder.name if embedder else "",
            "passages": str(len(kept)),
            "chunks": str(len(chunks)),
            "digest": _digest(kept, embedder.name if embedder else ""),
        }
        db.executemany("INSERT INTO meta VALUES (?, ?)", list(facts.items()))
    half_done.replace(path)
    return Index(path)


def _digest(passages: Sequence[Passage], embedder: str) -> str:
    """The identity of what is in an index: of its texts, what is known about them, and the model of its vectors."""
    lines = sorted(repr((p.sha, p.source, p.kind, p.backend, p.target, p.task, p.about, p.labels)) for p in passages)
    return hashlib.sha256("\n".join([embedder, str(SCHEMA), *lines]).encode()).hexdigest()


def _write(db: Any, passages: Sequence[Passage]) -> list[tuple[int, int, Chunk]]:
    """Write passages, chunks and terms; (id, passage, chunk) of each chunk."""
    chunks: list[tuple[int, int, Chunk]] = []
    rows, places, terms = [], [], []
    for number, p in enumerate(passages):
        rows.append((number, p.sha, p.source, p.kind, p.text, p.backend, p.target, p.suite, p.task, p.about, p.role,
                     list(p.labels), list(p.own)))  # fmt: skip
        for chunk in p.chunks:
            counted = Counter(words(f"{chunk.name}\n{p.about}") * ABOUT_WEIGHT + words(f"{p.source}\n{chunk.text}"))
            places.append((len(chunks), number, chunk.name, chunk.text, counted.total()))
            terms += [(term, len(chunks), times) for term, times in counted.items()]
            chunks.append((len(chunks), number, chunk))
    _insert(db, "passages", _COLUMNS, rows)
    _insert(db, "chunks", ("id", "passage", "name", "text", "length"), places)
    _insert(db, "terms", ("term", "chunk", "times"), terms)
    return chunks


def _insert(db: Any, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """All rows at once: DuckDB takes columns of a statement's parameters much faster than row after row."""
    lists = [list(column) for column in zip(*rows, strict=True)]
    each = ", ".join(f"unnest(${i})" for i in range(1, len(columns) + 1))
    db.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {each}", lists)


def _write_vectors(
    db: Any, passages: Sequence[Passage], chunks: Sequence[tuple[int, int, Chunk]], embedder: Embedder
) -> None:
    texts = [f"{passages[passage].about}\n{chunk.name}\n{chunk.text}"[:EMBEDDED] for _, passage, chunk in chunks]
    vectors = embedder.embed(texts)
    if len(vectors) != len(texts):
        raise HarnessError(f"{embedder.name} gave {len(vectors)} vectors for {len(texts)} texts")
    db.execute(
        "UPDATE chunks SET vector = new.vector FROM (SELECT unnest($1) AS id, unnest($2::FLOAT[][]) AS vector) new "
        "WHERE chunks.id = new.id",
        [[number for number, _, _ in chunks], vectors.tolist()],
    )


class Index:
    """An index that is only read. Threads may share it.

    Raises:
        ConfigError: the file is no index, or of another schema.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise ConfigError(f"no index at {path}: kbench rag index makes one")
        self._local = threading.local()
        self.meta: Mapping[str, str] = self._read_meta()

    def _read_meta(self) -> dict[str, str]:
        import duckdb

        try:
            self._db = duckdb.connect(str(self.path), read_only=True)
            meta: dict[str, str] = dict(self._db.execute("SELECT name, value FROM meta").fetchall())
        except duckdb.Error as error:
            raise ConfigError(f"{self.path} is no index of kbench: {error}") from error
        if meta.get("schema") != str(SCHEMA):
            raise ConfigError(f"{self.path} has schema {meta.get('schema')}, this kbench reads {SCHEMA}: index it anew")
        return meta

    @property
    def digest(self) -> str:
        return self.meta["digest"]

    @property
    def embedder(self) -> str:
        """The name of the model of its vectors; empty where it has none."""
        return self.meta["embedder"]

    def close(self) -> None:
        self._db.close()

    def _rows(self, query: str, parameters: Sequence[Any] = ()) -> list[Any]:
        if not hasattr(self._local, "cursor"):
            self._local.cursor = self._db.cursor()  # one for each thread: a connection is not to be shared
        rows: list[Any] = self._local.cursor.execute(query, parameters).fetchall()
        return rows

    def passages(self) -> dict[int, Passage]:
        """Every passage by its number."""
        chunks: dict[int, list[Chunk]] = {}
        for passage, name, text in self._rows("SELECT passage, name, text FROM chunks ORDER BY id"):
            chunks.setdefault(passage, []).append(Chunk(name, text))
        columns = "id, source, kind, text, backend, target, suite, task, about, role, labels, own"
        return {
            number: Passage(source, kind, text, tuple(chunks[number]), backend, target, suite, task, about, role,
                            tuple(labels), tuple(own))
            for number, source, kind, text, backend, target, suite, task, about, role, labels, own in self._rows(
                f"SELECT {columns} FROM passages ORDER BY id"
            )
        }  # fmt: skip

    def by_words(self, query: str) -> list[tuple[int, str, float]]:
        """(passage, chunk, BM25 score) of the best chunk of each passage that has a word of the query, best first."""
        return self._best(self._rows(_BM25, [sorted(set(words(query)))]))

    def by_vector(self, vector: NDArray[np.float32]) -> list[tuple[int, str, float]]:
        """(passage, chunk, cosine) of the best chunk of each passage that has vectors, best first."""
        return self._best(self._rows(_NEAREST, [vector.tolist()]))

    def _best(self, rows: Sequence[tuple[int, float]]) -> list[tuple[int, str, float]]:
        if not hasattr(self, "_places"):
            self._places = {i: (p, n) for i, p, n in self._rows("SELECT id, passage, name FROM chunks")}
        found: dict[int, tuple[int, str, float]] = {}
        for chunk, score in rows:
            passage, name = self._places[chunk]
            found.setdefault(passage, (passage, name, float(score)))
        return list(found.values())
