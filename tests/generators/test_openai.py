"""The `openai` generator against a server that goes wrong in every way of faults.py."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from kbench.core.errors import ConfigError, GenerateError, ServerError
from kbench.core.generator import Message, Request, Sampling
from kbench.generators.http import ServerFailed
from kbench.generators.openai import OpenAI
from tests.generators.fault_server import FaultServer, answer_to, closed_port

ASKED = Request([Message("system", "Be brief."), Message("user", "2 + 2?")], suite="s", task="T", seed=5)
STREAMS = pytest.mark.parametrize("stream", ["yes", "no"])


class Waits:
    """Stands for the clock: remembers what was waited, and does not wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> bool:
        self.seconds.append(seconds)
        return False


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def ask(waits, monkeypatch):
    """ask(server, …) → a generator that waits for nothing."""
    made: list[OpenAI] = []

    def make(server: FaultServer | str, **options: str) -> OpenAI:
        url = server if isinstance(server, str) else server.url
        generator = OpenAI(model="tiny", base_url=url, **{"idle_s": "30", "total_s": "60", **options})
        monkeypatch.setattr(generator.client, "_pause", waits)
        made.append(generator)
        return generator

    yield make
    for generator in made:
        generator.close()


def body_of(server: FaultServer) -> dict:
    """What the server was asked last."""
    return server.bodies[-1]


# --- what is asked and answered


@STREAMS
def test_an_answer(serve, ask, stream):
    server = serve()
    completion = ask(server, stream=stream).generate(ASKED)
    assert completion.text == answer_to(body_of(server))
    assert (completion.finish_reason, completion.model, completion.reasoning) == ("stop", "tiny", "")
    assert completion.usage == {
        "input_tokens": 10,
        "output_tokens": 4,
        "reasoning_tokens": 0,
        "cached_input_tokens": 6,
        "requests": 1,
        "fingerprint": "fp_1",
    }


def test_the_request(serve, ask):
    server = serve()
    sampling = Sampling(temperature=0.0, top_p=0.9, max_tokens=100, stop=("END",), reasoning_effort="low")
    ask(server).generate(replace(ASKED, sampling=sampling, sample=2))
    body = body_of(server)
    assert body.pop("stream_options") == {"include_usage": True}
    assert body == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2 + 2?"}],
        "temperature": 0.0,
        "top_p": 0.9,
        "max_tokens": 100,
        "stop": ["END"],
        "seed": 7,
        "reasoning_effort": "low",
        "stream": True,
    }


def test_what_nobody_asks_for_is_not_sent(serve, ask):
    server = serve()
    ask(server, stream="no").generate(ASKED)
    assert set(body_of(server)) == {"model", "messages", "seed"}


def test_omit_and_extra(serve, ask):
    server = serve()
    extra = '{"chat_template_kwargs": {"enable_thinking": false}, "temperature": 1}'
    ask(server, omit="seed, stream_options", extra=extra).generate(replace(ASKED, sampling=Sampling(temperature=0.2)))
    assert "seed" not in body_of(server)
    assert body_of(server)["temperature"] == 1
    assert body_of(server)["chat_template_kwargs"] == {"enable_thinking": False}


def test_a_model_without_system_prompt(serve, ask):
    server = serve()
    ask(server, system="no").generate(ASKED)
    assert body_of(server)["messages"] == [{"role": "user", "content": "Be brief.\n\n2 + 2?"}]
    ask(server, system="developer").generate(ASKED)
    assert body_of(server)["messages"][0]["role"] == "developer"


def test_a_url_that_names_the_endpoint(serve, ask):
    server = serve()
    ask(f"{server.url}/chat/completions").generate(ASKED)
    ask(f"{server.url}/").generate(ASKED)
    assert len(server.bodies) == 2


def test_four_samples_are_four_requests(serve, ask):
    server = serve()
    generator = ask(server)
    texts = {generator.generate(replace(ASKED, sample=i)).text for i in range(4)}
    assert (len(texts), len(server.bodies)) == (4, 4)


def test_cost(serve, ask):
    usage = ask(serve(), price_in="2", price_out="10", price_cached="0.5").generate(ASKED).usage
    assert usage["cost_usd"] == pytest.approx((4 * 2 + 6 * 0.5 + 4 * 10) / 1e6)


def test_threads_get_their_own_answers(serve, ask):
    server = serve()
    generator = ask(server)
    requests = [replace(ASKED, sample=i) for i in range(40)]
    with ThreadPoolExecutor(16) as pool:
        texts = list(pool.map(lambda r: generator.generate(r).text, requests))
    assert texts == [generator.generate(r).text for r in requests]


@STREAMS
def test_of_several_choices_one_is_read(serve, ask, stream):
    server = serve("many_choices")
    completion = ask(server, stream=stream).generate(ASKED)
    assert (completion.text, completion.finish_reason) == (answer_to(body_of(server)), "stop")


def test_a_server_that_knows_no_streams(serve, ask):
    server = serve("ignores_stream")
    assert ask(server).generate(ASKED).text == answer_to(body_of(server))
    assert len(server.bodies) == 1


def test_a_torn_character_costs_no_answer(serve, ask):
    server = serve("torn_character")
    completion = ask(server, stream="no").generate(ASKED)
    assert completion.text == answer_to(body_of(server)) + "\ufffd"
    assert len(server.bodies) == 1


# --- answers that hold no answer: the model's doing, so they are kept


@STREAMS
def test_null_content_is_an_empty_answer(serve, ask, stream):
    completion = ask(serve("null"), stream=stream).generate(ASKED)
    assert (completion.text, completion.finish_reason) == ("", "stop")


@STREAMS
def test_reasoning_is_kept_apart(serve, ask, stream):
    completion = ask(serve("reasoning_only"), stream=stream).generate(ASKED)
    assert (completion.text, completion.reasoning) == ("", "thinking and thinking")
    assert (completion.finish_reason, completion.usage["reasoning_tokens"]) == ("length", 3)


# --- faults of the server that trying again mends


@STREAMS
@pytest.mark.parametrize(
    "fault", ["429", "429:2", "status:500", "status:503", "status:529", "status:408", "cut", "malformed", "page"]
)
def test_asked_again(serve, ask, stream, fault):
    server = serve(fault, fault)
    completion = ask(server, stream=stream).generate(ASKED)
    assert completion.text == answer_to(body_of(server))
    assert (completion.usage["requests"], len(server.bodies)) == (3, 3)


@pytest.mark.parametrize("fault", ["ends_early", "error_within", "no_choice"])
def test_asked_again_where_it_streams(serve, ask, fault):
    server = serve(fault)
    assert ask(server).generate(ASKED).text == answer_to(body_of(server))
    assert len(server.bodies) == 2


@STREAMS
def test_a_server_that_hangs(serve, ask, stream):
    server = serve("hang")
    completion = ask(server, stream=stream, idle_s="1.5", total_s="1.5").generate(ASKED)
    assert completion.text == answer_to(body_of(server))
    assert completion.usage["requests"] == len(server.bodies) >= 2


def test_a_stream_that_falls_silent(serve, ask):
    server = serve("hang_within")
    assert ask(server, idle_s="1.5").generate(ASKED).text == answer_to(body_of(server))


def test_a_stream_that_never_ends(serve, ask):
    server = serve("drip")
    with pytest.raises(ServerFailed, match="too_slow"):
        ask(server, total_s="1.5", tries="1").generate(ASKED)


def test_a_flood_is_not_kept(serve, ask, monkeypatch):
    server = serve("flood:64", "flood:64")
    generator = ask(server, tries="2")
    monkeypatch.setattr(generator.client, "limits", replace(generator.limits, most_bytes=1 << 20))
    with pytest.raises(ServerFailed, match="more than 1048576 bytes"):
        generator.generate(ASKED)


def test_retry_after_is_honoured(serve, ask, waits):
    ask(serve("429:7")).generate(ASKED)
    assert any(6.5 < s <= 7 for s in waits.seconds), waits.seconds


def test_backoff_grows_and_is_drawn(serve, ask, waits):
    ask(serve(*["429"] * 5)).generate(ASKED)
    assert len(waits.seconds) == 5
    assert all(0 <= s <= 2**n for n, s in enumerate(waits.seconds, 1))
    assert len(set(waits.seconds)) == 5


def test_a_wait_that_is_too_long_stops(serve, ask):
    server = serve("429:7200")
    with pytest.raises(ServerFailed, match="asks to wait 7200 s"):
        ask(server).generate(ASKED)
    assert len(server.bodies) == 1


def test_tries_end(serve, ask):
    server = serve(*["status:500"] * 9)
    with pytest.raises(ServerFailed, match=r"server_error after 3 tries\): status 500: .*status 500"):
        ask(server, tries="3").generate(ASKED)
    assert len(server.bodies) == 3


def test_nobody_listens(ask):
    port = closed_port()
    with pytest.raises(ServerFailed, match=f"is the server at http://127.0.0.1:{port}/v1 running"):
        ask(f"http://127.0.0.1:{port}/v1", tries="2").generate(ASKED)


# --- faults that no further try mends


@STREAMS
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("no_model", "does it serve 'tiny', and is .* right\\? It serves small, large"),
        ("quota", "quota.*add credit"),
        ("unsupported:temperature", "leave it out with omit=temperature"),
        ("wrong_model:huge", "asked for model 'tiny' and answers as 'huge'"),
        ("redirect:http://127.0.0.1:9/v1", "status 307: it sends to http://127.0.0.1:9/v1; .* give it as base_url"),
        ("status:418", "status 418"),
    ],
)
def test_asked_once(serve, ask, stream, fault, told):
    server = serve(fault, models=({"id": "small"}, {"id": "large"}))
    with pytest.raises(ServerError, match=told):
        ask(server, stream=stream).generate(replace(ASKED, sampling=Sampling(temperature=0.5)))
    assert len(server.bodies) == 1


def test_a_prompt_that_the_server_finds_too_long_is_the_models_failure(serve, ask):
    with pytest.raises(GenerateError, match="maximum context length") as raised:
        ask(serve("too_long")).generate(ASKED)
    assert raised.value.outcome == "context_limit"


def test_a_prompt_that_cannot_fit_is_not_sent(serve, ask):
    server = serve(models=({"id": "tiny", "max_model_len": 100},))
    long = replace(ASKED, messages=[Message("user", "x" * 1000)])
    with pytest.raises(GenerateError, match=r"at least 125 tokens .* has room for 100"):
        ask(server).generate(long)
    with pytest.raises(GenerateError, match="may have 99"):
        ask(server, context="100").generate(replace(ASKED, sampling=Sampling(max_tokens=99)))
    assert not server.bodies
    ask(server, context="1000").generate(long)


def test_names_that_mean_the_same_model(serve, ask):
    for answered in ("tiny-2025-01-01", "vendor/tiny", "TINY:latest", "/models/tiny.gguf"):
        assert ask(serve(f"wrong_model:{answered}")).generate(ASKED).model == answered
    assert ask(serve("wrong_model:huge"), answers_as="huge").generate(ASKED).model == "huge"
    assert ask(serve("wrong_model:huge"), answers_as="*").generate(ASKED).model == "huge"


@pytest.mark.parametrize("name", ["max_tokens", "stream_options"])
def test_parameters_that_are_said_otherwise(serve, ask, name):
    server = serve(faults_of=lambda body: f"unsupported:{name}")
    generator = ask(server)
    for _ in range(2):
        generator.generate(replace(ASKED, sampling=Sampling(max_tokens=9)))
    assert len(server.bodies) == 3  # learnt once
    assert name not in body_of(server)
    assert 9 in (body_of(server).get("max_tokens"), body_of(server).get("max_completion_tokens"))


# --- keys


def test_the_key_is_sent_and_never_told(serve, ask, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-secret-1234")
    server = serve("", "bad_key")
    generator = ask(server, key_env="MY_KEY")
    generator.generate(ASKED)
    assert server.headers[-1]["authorization"] == "Bearer sk-secret-1234"
    with pytest.raises(ServerFailed, match="the key in MY_KEY is missing or not valid") as raised:
        generator.generate(ASKED)
    told = f"{raised.value} {raised.value.__cause__} {generator!r} {generator.identity()}"
    assert "secret" not in told
    assert "[key]" in told


@pytest.mark.parametrize("before", range(470, 500, 3))
def test_no_part_of_the_key_is_told(serve, ask, monkeypatch, before):
    monkeypatch.setenv("MY_KEY", "sk-secret-1234-5678")
    with pytest.raises(ServerFailed) as raised:
        ask(serve(f"key_at_the_cut:{before}"), key_env="MY_KEY").generate(ASKED)
    assert "sk-secre" not in str(raised.value)
    assert "1234" not in str(raised.value)


@STREAMS
def test_the_key_is_in_no_answer(serve, ask, monkeypatch, stream):
    monkeypatch.setenv("MY_KEY", "sk-secret-1234-5678")
    completion = ask(serve("key_in_answer"), key_env="MY_KEY", stream=stream).generate(ASKED)
    assert (completion.text, completion.reasoning) == ("your key is Bearer [key]", "they sent Bearer [key]")


@STREAMS
def test_a_word_in_the_place_of_a_key_changes_no_answer(serve, ask, monkeypatch, stream):
    monkeypatch.setenv("MY_KEY", "answer")
    server = serve()
    assert ask(server, key_env="MY_KEY", stream=stream).generate(ASKED).text == answer_to(body_of(server))


def test_no_key_no_header(serve, ask):
    server = serve()
    ask(server).generate(ASKED)
    assert "authorization" not in server.headers[-1]


def test_the_hosted_server_needs_a_key():
    with pytest.raises(ConfigError, match="OPENAI_API_KEY holds no key"):
        OpenAI(model="m").generate(ASKED)


@pytest.mark.parametrize("key", ["gr\u00fc\u00df", "two\nlines"])
def test_a_key_that_cannot_be_sent(serve, monkeypatch, key):
    monkeypatch.setenv("MY_KEY", key)
    with pytest.raises(ConfigError, match="MY_KEY has characters"):
        OpenAI(model="m", base_url=serve().url, key_env="MY_KEY").generate(ASKED)


# --- options


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"model": ""}, "needs a model"),
        ({"base_url": "localhost:8000"}, "expected http"),
        ({"base_url": "http://user:pass@host/v1"}, "environment variable"),
        ({"base_url": "http://host/v1?key=1"}, "environment variable"),
        ({"idle_s": "long"}, "idle_s 'long': expected a number"),
        ({"idle_s": "0"}, "idle_s 0"),
        ({"tries": "1.5"}, "whole number"),
        ({"tries": "0"}, "tries 0"),
        ({"stream": "maybe"}, "expected yes or no"),
        ({"system": "maybe"}, "expected yes or no"),
        ({"extra": "[1]"}, "expected a JSON object"),
        ({"extra": "{"}, "not JSON"),
        ({"price_in": "nan"}, "price_in nan"),
    ],
)
def test_options_that_are_none(options, told):
    with pytest.raises(ConfigError, match=told):
        OpenAI(**{"model": "m", **options})


def test_identity_is_what_answers_depend_on():
    one = OpenAI(model="m", base_url="http://h/v1")
    assert one.identity() == OpenAI(model="m", base_url="http://h/v1/chat/completions", tries="2").identity()
    for other in ({"model": "n"}, {"revision": "2"}, {"extra": '{"a": 1}'}, {"omit": "seed"}, {"system": "no"}):
        assert OpenAI(**{"model": "m", "base_url": "http://h/v1", **other}).identity() != one.identity()


# --- prepare and close


def test_prepare(serve, ask):
    ask(serve()).prepare()
    with pytest.raises(ServerError, match="running"):
        ask(f"http://127.0.0.1:{closed_port()}/v1").prepare()


def test_close_wakes_who_waits(serve):
    server = serve("429:500", "429:500")
    generator = OpenAI(model="tiny", base_url=server.url)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(generator.generate, ASKED)
        while not server.bodies:
            time.sleep(0.01)
        generator.close()
        generator.close()
        with pytest.raises(ServerError):
            waiting.result(timeout=20)
