from __future__ import annotations

from dataclasses import replace

import pytest

from kbench.core.errors import ConfigError, GenerateError, ServerError
from kbench.core.generator import Message, Request, Sampling
from kbench.generators.anthropic import Anthropic
from tests.generators.fault_server import answer_to

ASKED = Request([Message("system", "Be brief."), Message("user", "2 + 2?")], suite="s", task="T")
STREAMS = pytest.mark.parametrize("stream", ["yes", "no"])


@pytest.fixture
def ask(monkeypatch):
    made: list[Anthropic] = []

    def make(server, **options):
        generator = Anthropic(model="tiny", base_url=server.url, **{"idle_s": "30", "total_s": "60", **options})
        monkeypatch.setattr(generator.client, "_pause", lambda seconds: False)
        made.append(generator)
        return generator

    yield make
    for generator in made:
        generator.close()


@STREAMS
def test_an_answer(serve, ask, stream):
    server = serve()
    completion = ask(server, stream=stream).generate(ASKED)
    assert completion.text == answer_to(server.bodies[-1])
    assert (completion.finish_reason, completion.model) == ("stop", "tiny")
    assert completion.usage == {"input_tokens": 10, "cached_input_tokens": 6, "output_tokens": 4, "requests": 1}


def test_the_request(serve, ask, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    server = serve()
    sampling = Sampling(temperature=0.5, top_k=4, max_tokens=3000, stop=("END",), thinking_tokens=2000)
    ask(server).generate(replace(ASKED, sampling=sampling))
    assert server.bodies[-1] == {
        "model": "tiny",
        "max_tokens": 3000,
        "messages": [{"role": "user", "content": "2 + 2?"}],
        "system": "Be brief.",
        "temperature": 0.5,
        "top_k": 4,
        "stop_sequences": ["END"],
        "thinking": {"type": "enabled", "budget_tokens": 2000},
        "stream": True,
    }
    assert server.headers[-1]["x-api-key"] == "secret"
    assert server.headers[-1]["anthropic-version"] == "2023-06-01"


@STREAMS
def test_thoughts_are_kept_apart(serve, ask, stream):
    completion = ask(serve("reasoning_only"), stream=stream).generate(ASKED)
    assert (completion.text, completion.reasoning) == ("", "thinking and thinking")
    assert completion.finish_reason == "length"


@pytest.mark.parametrize("fault", ["429:1", "status:529", "cut", "ends_early", "error_within", "malformed", "page"])
def test_asked_again(serve, ask, fault):
    server = serve(fault)
    assert ask(server).generate(ASKED).text == answer_to(server.bodies[-1])
    assert len(server.bodies) == 2


@STREAMS
@pytest.mark.parametrize(
    ("fault", "told"), [("no_model", "does it serve"), ("wrong_model:huge", "answers as"), ("bad_key", "not valid")]
)
def test_asked_once(serve, ask, stream, fault, told):
    server = serve(fault)
    with pytest.raises(ServerError, match=told):
        ask(server, stream=stream).generate(ASKED)
    assert len(server.bodies) == 1


def test_a_prompt_that_is_too_long(serve, ask):
    with pytest.raises(GenerateError) as raised:
        ask(serve("too_long")).generate(ASKED)
    assert raised.value.outcome == "context_limit"


def test_urls():
    for url in ("http://h", "http://h/", "http://h/v1", "http://h/v1/messages"):
        assert Anthropic(model="m", base_url=url).base_url == "http://h"


def test_the_hosted_server_needs_a_key():
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY holds no key"):
        Anthropic(model="m").generate(ASKED)
