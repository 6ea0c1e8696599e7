"""The index keeps what was put in, ranks by BM25 as the formula says, and by vectors."""

from __future__ import annotations

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from kbench.core.errors import ConfigError, HarnessError
from kbench.core.likeness.words import words
from kbench.generators.rag.index import ABOUT_WEIGHT, Index, build
from tests.generators.rag.corpora import Bag, passage, solutions


@pytest.fixture
def index(tmp_path):
    made = build(tmp_path / "a" / "corpus.duckdb", solutions(), Bag())
    yield made
    made.close()


def test_passages_come_back_as_they_were(index):
    assert list(index.passages().values()) == solutions()
    assert index.embedder == "bag"
    assert not [p for p in index.path.parent.iterdir() if p != index.path]


def test_scores_are_okapi_bm25(index):
    """Against the formula, told here anew: k1 = 1.2, b = 0.75, idf = ln(1 + (N - n + 0.5) / (n + 0.5))."""
    texts = [
        Counter(words(f"{c.name}\n{p.about}") * ABOUT_WEIGHT + words(f"{p.source}\n{c.text}"))
        for p in solutions()
        for c in p.chunks
    ]
    mean = sum(t.total() for t in texts) / len(texts)
    asked = "positive element RELU nothing"
    expected = []
    for text in texts:
        score = 0.0
        for word in set(words(asked)):
            holders = sum(word in t for t in texts)
            if not holders:
                continue
            idf = math.log(1 + (len(texts) - holders + 0.5) / (holders + 0.5))
            times = text[word]
            score += idf * times * 2.2 / (times + 1.2 * (1 - 0.75 + 0.75 * text.total() / mean))
        expected.append(score)
    got = {p: score for p, _, score in index.by_words(asked)}
    assert got == pytest.approx({i: s for i, s in enumerate(expected) if s > 0})
    assert list(got.values()) == sorted(got.values(), reverse=True)


def test_vectors_rank_by_cosine(index):
    (vector,) = Bag().embed(["The negative of each element."])
    ranked = index.by_vector(vector)
    assert ranked[0][:2] == (2, "negate_float32")
    assert len(ranked) == len(solutions())
    assert all(-1.001 <= score <= 1.001 for _, _, score in ranked)


def test_digest_is_of_the_content(tmp_path, index):
    again = build(tmp_path / "again.duckdb", solutions(), Bag())
    other = build(tmp_path / "other.duckdb", [*solutions(), passage("neg2", "int x;", "another")], Bag())
    without = build(tmp_path / "without.duckdb", solutions(), None)
    assert again.digest == index.digest
    assert len({index.digest, other.digest, without.digest}) == 3
    for made in (again, other, without):
        made.close()


def test_the_same_text_of_one_task_is_kept_once(tmp_path):
    made = build(tmp_path / "i.duckdb", [*solutions(), *solutions()], None)
    assert len(made.passages()) == len(solutions())
    made.close()


def test_threads_may_share_it(index):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: index.by_words("negative"), range(16)))
    assert all(f == found[0] for f in found)


def test_what_is_no_index_is_told(tmp_path):
    with pytest.raises(ConfigError, match="kbench rag index makes one"):
        Index(tmp_path / "none")
    (tmp_path / "text").write_text("no database")
    with pytest.raises(ConfigError, match="is no index of kbench"):
        Index(tmp_path / "text")
    with pytest.raises(ConfigError, match="nothing to index"):
        build(tmp_path / "empty", [], None)


def test_an_embedder_that_loses_texts_leaves_the_old_index(tmp_path, index):
    class Short(Bag):
        def embed(self, texts):
            return super().embed(texts)[:-1]

    with pytest.raises(HarnessError, match="3 vectors for 4 texts"):
        build(tmp_path / "new.duckdb", solutions(), Short())
    assert not (tmp_path / "new.duckdb").exists()
