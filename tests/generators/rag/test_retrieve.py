"""By words and by vectors together, filtered, guarded, and with a record that shows it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from kbench.core.errors import ConfigError
from kbench.generators.rag.index import build
from kbench.generators.rag.retrieve import FUSION, Retriever, Wanted
from tests.generators.rag.corpora import NEGATE, RELU, Bag, passage, solutions

RELU_QUERY = "relu_float32\nEach element where it is positive, else 0."


@pytest.fixture
def retriever(tmp_path):
    def made(passages=None, embedder=None) -> Retriever:
        index = build(tmp_path / "i.duckdb", solutions() if passages is None else passages, embedder)
        opened.append(index)
        return Retriever(index, embedder)

    opened = []
    yield made
    for index in opened:
        index.close()


@pytest.mark.parametrize("embedder", [None, Bag()], ids=["words", "hybrid"])
def test_kin_is_found_and_the_solution_withheld(retriever, embedder):
    found = retriever(embedder=embedder).find(Wanted(RELU_QUERY, task="relu_float32"))
    assert found.withheld[0].passage.task == "relu_float32"
    assert found.shown[0].passage.task == "leaky_relu_float32"
    assert len(found.shown) == 2
    assert all(h.verdict.withheld == "" for h in found.shown)


def test_ranks_are_fused(retriever):
    looked = retriever(embedder=Bag()).ranked(RELU_QUERY)
    for found in looked:
        parts = [1 / (FUSION + rank) for rank in (found.by_words, found.by_vectors) if rank]
        assert found.score == pytest.approx(sum(parts))
    assert [f.score for f in looked] == sorted((f.score for f in looked), reverse=True)


def test_a_free_query_guards_nothing(retriever):
    found = retriever().find(Wanted(RELU_QUERY, count=1))
    assert found.shown[0].passage.task == "relu_float32"
    assert found.known == ()


@pytest.mark.parametrize(
    ("more", "wanted", "fits"),
    [
        ({"backend": "d"}, {}, True),
        ({"backend": "d"}, {"backend": "c"}, False),
        ({"backend": ""}, {"backend": "c"}, True),
        ({"target": "t1"}, {"target": "t2"}, False),
        ({"target": ""}, {"target": "t2"}, True),
        ({"labels": ("foreign",)}, {}, False),
        ({"labels": ("foreign",)}, {"without": ()}, True),
        ({"labels": ("vectorised",)}, {"only": ("vectorised",)}, True),
        ({"labels": ()}, {"only": ("vectorised",)}, False),
        ({"kind": "doc"}, {}, False),
        ({"kind": "doc"}, {"kinds": ("doc",)}, True),
        ({"role": "op_host"}, {"roles": ("op_kernel",)}, False),
        ({"role": "op_host"}, {"roles": ("op_host", "op_kernel")}, True),
        ({"role": ""}, {"roles": ("op_kernel",)}, True),
        ({"role": "op_host"}, {}, True),
    ],
)
def test_filters(more, wanted, fits):
    assert Wanted("q", **wanted).fits(passage("t", NEGATE, "", **more)) is fits


def test_of_one_task_one_passage_is_shown(retriever):
    twice = replace(solutions()[1], source="s/leaky/vector.c", text=solutions()[1].text + "\n// another\n")
    found = retriever([*solutions(), twice]).find(Wanted(RELU_QUERY, task="relu_float32", count=3))
    assert len({h.passage.task for h in found.shown}) == len(found.shown) == 3


def test_budget(retriever):
    size = len(solutions()[1].text)
    found = retriever().find(Wanted(RELU_QUERY, task="relu_float32", count=3, budget=size))
    assert sum(len(h.passage.text) for h in found.shown) <= size
    assert len(found.shown) == 1


def test_the_record_shows_what_was_decided_by_what(retriever):
    found = retriever().find(Wanted(RELU_QUERY, task="relu_float32", solutions={"given": RELU}))
    facts = json.loads(json.dumps(found.facts()))
    assert facts["index"] == found.index
    assert facts["known_solutions"] == 2
    assert {h["withheld"] for h in facts["withheld"]} == {"own"}
    for hit in facts["shown"]:
        assert hit["share"] < 1
        assert hit["nearest"]
        assert "withheld" not in hit


def test_vectors_of_another_model_are_refused(tmp_path, retriever):
    made = retriever()
    with pytest.raises(ConfigError, match="was made without vectors; bag cannot search it"):
        Retriever(made.index, Bag())
