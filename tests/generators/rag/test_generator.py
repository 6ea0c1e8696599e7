"""The wrapper: examples go into the prompt of any generator, and solutions never pass it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kbench.core.candidate import Candidate
from kbench.core.errors import ConfigError
from kbench.core.generator import Completion, Generator, Message, Request, Subject
from kbench.generators.rag import retrieve
from kbench.generators.rag.generator import Rag
from kbench.generators.rag.index import build
from tests.generators.rag.corpora import RELU, solutions


class Inner(Generator):
    """Keeps what it is asked."""

    name = "inner"
    concurrency = 7
    free = True

    def __init__(self, model: str = "") -> None:
        self.model = model
        self.asked: list[Request] = []
        self.closed = 0

    def generate(self, request: Request) -> Completion:
        self.asked.append(request)
        return Completion("answer", usage={"output_tokens": 1})

    def identity(self):
        return {"model": self.model} if self.model else None

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def index(tmp_path):
    build(tmp_path / "i.duckdb", solutions(), None).close()
    return tmp_path / "i.duckdb"


@pytest.fixture
def rag(index):
    made: list[Rag] = []

    def make(**options) -> Rag:
        made.append(Rag("inner", str(index), make=lambda name, given: Inner(**given), **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def request(**more) -> Request:
    known = Candidate({"k.c": RELU}, {"kernel": "k.c"})
    subject = Subject("Each element where it is positive, else 0.", backend="c", target="t", solutions=(known,))
    messages = (Message("system", "You write kernels."), Message("user", "Write relu.\n"))
    return Request(messages, "s", "relu_float32", reference=known, subject=subject, **more)


def test_examples_stand_at_the_end_of_the_first_question(rag):
    generator = rag()
    done = generator.generate(
        replace(request(), messages=(*request().messages, Message("assistant", "no"), Message("user", "again")))
    )
    (asked,) = generator._inner.asked
    assert [m.role for m in asked.messages] == ["system", "user", "assistant", "user"]
    first = asked.messages[1].content
    assert first.startswith("Write relu.\n\nCode for the same target that solves other tasks.")
    about = "Each element where it is positive, else 0.01 times it."
    assert f"1. leaky_relu_float32/kernel.c\n{about}\n\n```cpp\nvoid leaky_relu" in first
    assert RELU not in first
    assert asked.messages[3].content == "again"
    assert done.text == "answer"
    assert done.asked == asked.messages


def test_solutions_do_not_reach_the_wrapped_generator(rag):
    generator = rag()
    generator.generate(request())
    assert generator._inner.asked[0].subject is None
    assert generator._inner.asked[0].reference is None


def test_what_was_retrieved_comes_with_the_completion(rag):
    (facts,) = rag().generate(request()).retrieved
    assert facts["shown"][0]["source"] == "s/leaky_relu_float32/kernel.c"
    assert facts["withheld"][0]["withheld"] == "own"
    assert facts["known_solutions"] == 2


def test_files_that_are_not_asked_for_are_not_shown(rag):
    asked = request()
    for roles, shown in (("kernel",), 1), (("host",), 0):
        (facts,) = rag(count="1").generate(replace(asked, subject=replace(asked.subject, roles=roles))).retrieved
        assert len(facts["shown"]) == shown


def test_every_sample_and_attempt_gets_the_same_examples(rag):
    generator = rag(count="1")
    for sample, attempt in ((0, 0), (1, 0), (0, 1)):
        generator.generate(request(sample=sample, attempt=attempt))
    assert len({r.messages[1].content for r in generator._inner.asked}) == 1


def test_batches_pass_through(rag):
    class Batched(Inner):
        batch = 4

        def generate_batch(self, requests):
            self.asked += requests
            return [Completion("a"), ValueError("one alone")]

    generator = rag()
    generator._inner = Batched()
    first, second = generator.generate_batch([request(), request(sample=1)])
    assert first.retrieved
    assert isinstance(second, ValueError)
    assert all("leaky" in r.messages[1].content for r in generator._inner.asked)


def test_identity_is_of_the_index_the_choice_and_the_wrapped_generator(rag, monkeypatch):
    assert rag().identity() is None
    known = [rag(model="m"), rag(model="n"), rag(model="m", count="1"), rag(model="m", only="vectorised")]
    assert len({repr(g.identity()) for g in known}) == 4
    now = known[0].identity()
    assert rag(model="m").identity() == now
    monkeypatch.setattr(retrieve, "RULES", 0)
    assert known[0].identity() != now
    assert (known[0].concurrency, known[0].batch, known[0].free) == (7, 1, True)


def test_closing_twice_closes_the_wrapped_one(rag):
    generator = rag()
    generator.prepare()
    generator.generate(request())
    generator.close()
    generator.close()
    assert generator._inner.closed == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": "0"}, "count=0 of the rag generator: expected a whole number"),
        ({"budget": "much"}, "budget=much"),
        ({"generator": "rag"}, "not itself"),
        ({"generator": ""}, "wraps another: it needs generator=NAME"),
        ({"index": "nowhere"}, "no index at nowhere: kbench rag index makes one"),
    ],
)
def test_options_that_do_not_fit(index, options, message):
    with pytest.raises(ConfigError, match=message):
        Rag(**{"generator": "inner", "index": str(index), **options}, make=lambda name, given: Inner(**given))


def test_nothing_fits_nothing_is_shown(rag):
    generator = rag(only="vectorised")
    done = generator.generate(request())
    assert generator._inner.asked[0].messages == request().messages
    assert done.retrieved[0]["shown"] == []
