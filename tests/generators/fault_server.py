"""A model server on loopback whose answers go wrong as a script says. Imports nothing of kbench.

It speaks the chat completions of OpenAI (`/v1/chat/completions`) and the messages of Anthropic (`/v1/messages`), and
keeps every request. What it answers depends on the request alone, so that a test can tell whose answer it got.
"""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def answer_to(body: dict[str, Any]) -> str:
    """What a request is answered with: a line that names the messages and the seed."""
    asked = json.dumps([body.get("messages"), body.get("system"), body.get("seed")], sort_keys=True)
    return f"answer {hashlib.sha256(asked.encode()).hexdigest()[:12]} Größe ≤ 核\n"


class FaultServer:
    """Use as a context manager.

    Args:
        script: names of faults (see `_FAULTS`), one for each completion that is asked for; then all is well.
        answer: body of the request → text.
        faults_of: body → name of a fault; for faults that depend on the request.
    """

    def __init__(
        self,
        script: Iterable[str] = (),
        *,
        answer: Callable[[dict[str, Any]], str] = answer_to,
        faults_of: Callable[[dict[str, Any]], str] = lambda body: "",
        models: Iterable[dict[str, Any]] = ({"id": "tiny"},),
    ) -> None:
        self.script = list(script)
        self.answer = answer
        self.faults_of = faults_of
        self.models = list(models)
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.served = 0
        self.most_at_once = 0
        self.over = threading.Event()  # ends those that hang
        self._lock = threading.Lock()
        self._at_once = 0
        self._http = _Server(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> FaultServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def asked_for(self) -> Counter[str]:
        """How often each completion was asked for: the same messages and seed are the same completion."""
        return Counter(json.dumps([b.get("messages"), b.get("seed")], sort_keys=True) for b in self.bodies)

    def begin(self, body: dict[str, Any], headers: dict[str, str]) -> str:
        with self._lock:
            self.bodies.append(body)
            self.headers.append(headers)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            return self.script.pop(0) if self.script else self.faults_of(body)

    def end(self, served: bool) -> None:
        with self._lock:
            self._at_once -= 1
            self.served += served


def closed_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that give up are expected."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_state: FaultServer

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        self.send(200, {"object": "list", "data": self.server_state.models})

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["content-length"]))
        body = json.loads(text)
        state = self.server_state
        fault = state.begin(body, {k.lower(): v for k, v in self.headers.items()})
        served = False
        try:
            name, _, argument = fault.partition(":")
            if name in _FAULTS:
                _FAULTS[name](self, body, argument)
            else:
                assert not fault, f"no fault named {fault}"
                self.complete(body, state.answer(body))
                served = True
        finally:
            state.end(served)

    # --- answers

    def send(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def start_stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def piece(self, data: Any, kind: str = "") -> None:
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        self.raw((f"event: {kind}\n" if kind else "") + f"data: {text}\n\n")

    def raw(self, text: str) -> None:
        content = text.encode()
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    def end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def break_off(self) -> None:
        """The connection ends here, without a word."""
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def complete(self, body: dict[str, Any], text: str | None, **more: Any) -> None:
        """Whole answer in the caller's form. `more`: reasoning, finish, model."""
        speak = _Anthropic if self.path.endswith("/messages") else _OpenAI
        speak(self, body).complete(text, **more)


class _OpenAI:
    def __init__(self, handler: _Handler, body: dict[str, Any]) -> None:
        self.handler, self.body = handler, body

    def complete(
        self, text: str | None, *, reasoning: str | None = None, finish: str = "stop", model: str = ""
    ) -> None:
        facts = {"id": "c-1", "model": model or self.body.get("model"), "created": 1, "system_fingerprint": "fp_1"}
        usage = {
            "prompt_tokens": 10,
            "completion_tokens": 4,
            "prompt_tokens_details": {"cached_tokens": 6},
            "completion_tokens_details": {"reasoning_tokens": 3 if reasoning else 0},
        }
        if not self.body.get("stream"):
            message = {"role": "assistant", "content": text}
            if reasoning is not None:
                message["reasoning_content"] = reasoning
            choice = {"index": 0, "message": message, "finish_reason": finish}
            self.handler.send(200, {**facts, "object": "chat.completion", "choices": [choice], "usage": usage})
            return
        self.handler.start_stream()
        self.handler.raw(": keep-alive\n\n")
        self.part(facts, {"role": "assistant", "content": None if text is None else ""})
        for piece in _pieces(reasoning):
            self.part(facts, {"reasoning_content": piece})
        for piece in _pieces(text):
            self.part(facts, {"content": piece})
        self.part(facts, {}, finish)
        if (self.body.get("stream_options") or {}).get("include_usage"):
            self.handler.piece({**facts, "choices": [], "usage": usage})
        self.handler.piece("[DONE]")
        self.handler.end_stream()

    def part(self, facts: dict[str, Any], delta: dict[str, Any], finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.handler.piece({**facts, "object": "chat.completion.chunk", "choices": [choice]})


class _Anthropic:
    def __init__(self, handler: _Handler, body: dict[str, Any]) -> None:
        self.handler, self.body = handler, body

    def complete(
        self, text: str | None, *, reasoning: str | None = None, finish: str = "end_turn", model: str = ""
    ) -> None:
        finish = {"stop": "end_turn", "length": "max_tokens"}.get(finish, finish)
        blocks = [{"type": "thinking", "thinking": reasoning, "signature": "s"}] if reasoning is not None else []
        blocks += [{"type": "text", "text": text}] if text is not None else []
        facts = {"id": "m-1", "type": "message", "role": "assistant", "model": model or self.body.get("model")}
        usage = {"input_tokens": 4, "cache_read_input_tokens": 6, "output_tokens": 4}
        if not self.body.get("stream"):
            self.handler.send(200, {**facts, "content": blocks, "stop_reason": finish, "usage": usage})
            return
        send = self.handler.piece
        self.handler.start_stream()
        begun = {**facts, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
        send({"type": "message_start", "message": begun}, "message_start")
        send({"type": "ping"}, "ping")
        for index, block in enumerate(blocks):
            kind = block["type"]
            empty = {"type": kind, kind if kind == "thinking" else "text": ""}
            start = {"type": "content_block_start", "index": index, "content_block": empty}
            send(start, "content_block_start")
            for piece in _pieces(block["thinking" if kind == "thinking" else "text"]):
                delta = {"type": f"{kind}_delta", ("thinking" if kind == "thinking" else "text"): piece}
                send({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")
            send({"type": "content_block_stop", "index": index}, "content_block_stop")
        delta = {"type": "message_delta", "delta": {"stop_reason": finish}, "usage": {"output_tokens": 4}}
        send(delta, "message_delta")
        send({"type": "message_stop"}, "message_stop")
        self.handler.end_stream()


def _pieces(text: str | None) -> list[str]:
    """A text as a stream of short pieces."""
    return [text[i : i + 5] for i in range(0, len(text), 5)] if text else []


def _handler_of(state: FaultServer) -> type[_Handler]:
    return type("Handler", (_Handler,), {"server_state": state})


# --- faults: (handler, body, argument) -------------------------------------------------------------------------------


def _too_many(handler: _Handler, body: dict[str, Any], after: str) -> None:
    headers = {"retry-after": after} if after else {}
    handler.send(429, {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, headers)


def _status(handler: _Handler, body: dict[str, Any], status: str) -> None:
    handler.send(int(status), {"error": {"message": f"status {status}", "type": "server_error"}})


def _hang(handler: _Handler, body: dict[str, Any], _: str) -> None:
    """Not a byte, not even a status."""
    handler.server_state.over.wait(30)
    handler.close_connection = True


def _hang_within(handler: _Handler, body: dict[str, Any], _: str) -> None:
    """A stream that begins, and then says nothing more."""
    handler.start_stream()
    handler.piece({"model": body["model"], "choices": [{"index": 0, "delta": {"content": "begun"}}]})
    _hang(handler, body, "")


def _drip(handler: _Handler, body: dict[str, Any], _: str) -> None:
    """A stream that never falls silent and never ends."""
    handler.start_stream()
    for _step in range(3000):
        if handler.server_state.over.wait(0.01):
            break
        handler.raw(": still here\n\n")
    handler.break_off()


def _flood(handler: _Handler, body: dict[str, Any], size: str) -> None:
    handler.start_stream()
    for _step in range(int(size)):
        handler.raw("data: " + "x" * 65536)
    handler.break_off()


def _cut(handler: _Handler, body: dict[str, Any], _: str) -> None:
    """The stream breaks off in the middle of the answer."""
    handler.start_stream()
    handler.piece({"model": body["model"], "choices": [{"index": 0, "delta": {"content": "half an ans"}}]})
    handler.break_off()


def _ends_early(handler: _Handler, body: dict[str, Any], _: str) -> None:
    """The stream ends as streams do, but nothing says that the answer is finished."""
    handler.start_stream()
    handler.piece({"model": body["model"], "choices": [{"index": 0, "delta": {"content": "half an ans"}}]})
    handler.end_stream()


def _error_within(handler: _Handler, body: dict[str, Any], _: str) -> None:
    handler.start_stream()
    handler.piece({"model": body["model"], "choices": [{"index": 0, "delta": {"content": "half"}}]})
    handler.piece({"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}, "error")
    handler.end_stream()


def _null(handler: _Handler, body: dict[str, Any], _: str) -> None:
    handler.complete(body, None)


def _reasoning_only(handler: _Handler, body: dict[str, Any], _: str) -> None:
    handler.complete(body, None, reasoning="thinking and thinking", finish="length")


def _unsupported(handler: _Handler, body: dict[str, Any], parameter: str) -> None:
    """Refuses a parameter wherever it is sent."""
    if parameter not in body:
        handler.complete(body, handler.server_state.answer(body))
        return
    message = f"Unsupported parameter: '{parameter}' is not supported with this model."
    error = {"message": message, "param": parameter, "code": "unsupported_parameter"}
    handler.send(400, {"error": error})


def _malformed(handler: _Handler, body: dict[str, Any], _: str) -> None:
    if body.get("stream"):
        handler.start_stream()
        handler.piece('{"model": "tiny", "choices": [{"delta": {"content": ')
        handler.end_stream()
    else:
        handler.send(200, b'{"model": "tiny", "choices": [{"message": ')


def _page(handler: _Handler, body: dict[str, Any], _: str) -> None:
    """A proxy's page instead of an answer."""
    handler.send(200, b"<html><body>Bad gateway</body></html>", {"content-type": "text/html"})


def _no_choice(handler: _Handler, body: dict[str, Any], _: str) -> None:
    handler.send(200, {"model": body["model"], "choices": []})


def _wrong_model(handler: _Handler, body: dict[str, Any], name: str) -> None:
    handler.complete(body, handler.server_state.answer(body), model=name or "another-model")


def _no_model(handler: _Handler, body: dict[str, Any], _: str) -> None:
    handler.send(404, {"error": {"message": f"The model `{body['model']}` does not exist.", "code": "model_not_found"}})


def _bad_key(handler: _Handler, body: dict[str, Any], _: str) -> None:
    """Repeats the key that it refuses."""
    sent = handler.headers.get("authorization", "") or handler.headers.get("x-api-key", "")
    handler.send(401, {"error": {"message": f"Incorrect API key provided: {sent}", "code": "invalid_api_key"}})


def _quota(handler: _Handler, body: dict[str, Any], _: str) -> None:
    handler.send(429, {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}})


def _key_at_the_cut(handler: _Handler, body: dict[str, Any], before: str) -> None:
    """Repeats the key so far behind that whoever cuts long words cuts the key."""
    sent = handler.headers.get("authorization", "") or handler.headers.get("x-api-key", "")
    handler.send(400, {"error": {"message": "x" * int(before) + sent.removeprefix("Bearer ")}})


def _key_in_answer(handler: _Handler, body: dict[str, Any], _: str) -> None:
    sent = handler.headers.get("authorization", "") or handler.headers.get("x-api-key", "")
    handler.complete(body, f"your key is {sent}", reasoning=f"they sent {sent}")


def _ignores_stream(handler: _Handler, body: dict[str, Any], _: str) -> None:
    body = {**body, "stream": False}
    handler.complete(body, handler.server_state.answer({**body, "stream": True}))


def _many_choices(handler: _Handler, body: dict[str, Any], _: str) -> None:
    """Three choices where one was asked for."""
    text = handler.server_state.answer(body)
    if not body.get("stream"):
        choices = [
            {"index": n, "message": {"content": text if n == 0 else "other"}, "finish_reason": "stop"}
            for n in (2, 0, 1)
        ]
        handler.send(200, {"model": body["model"], "choices": choices})
        return
    handler.start_stream()
    for piece in _pieces(text):
        for n in (0, 1, 2):
            said = {"index": n, "delta": {"content": "other" if n else piece}, "finish_reason": None}
            handler.piece({"model": body["model"], "choices": [said]})
    for n, end in ((1, "length"), (0, "stop"), (2, "length")):
        handler.piece({"model": body["model"], "choices": [{"index": n, "delta": {}, "finish_reason": end}]})
    handler.piece("[DONE]")
    handler.end_stream()


def _torn_character(handler: _Handler, body: dict[str, Any], _: str) -> None:
    """A limit of tokens cuts the last character in two."""
    message = {"content": handler.server_state.answer(body) + "½"}
    answer = {"model": body["model"], "choices": [{"message": message, "finish_reason": "length"}]}
    handler.send(200, json.dumps(answer, ensure_ascii=False).encode().replace("½".encode(), b"\xe6\xa0"))


def _too_long(handler: _Handler, body: dict[str, Any], _: str) -> None:
    message = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens."
    handler.send(400, {"error": {"message": message, "code": "context_length_exceeded"}})


def _redirect(handler: _Handler, body: dict[str, Any], to: str) -> None:
    handler.send(307, {}, {"location": to})


_FAULTS: dict[str, Callable[[_Handler, dict[str, Any], str], None]] = {
    "429": _too_many,
    "status": _status,
    "hang": _hang,
    "hang_within": _hang_within,
    "drip": _drip,
    "flood": _flood,
    "cut": _cut,
    "ends_early": _ends_early,
    "error_within": _error_within,
    "null": _null,
    "reasoning_only": _reasoning_only,
    "unsupported": _unsupported,
    "malformed": _malformed,
    "page": _page,
    "no_choice": _no_choice,
    "wrong_model": _wrong_model,
    "no_model": _no_model,
    "bad_key": _bad_key,
    "quota": _quota,
    "key_at_the_cut": _key_at_the_cut,
    "key_in_answer": _key_in_answer,
    "ignores_stream": _ignores_stream,
    "many_choices": _many_choices,
    "torn_character": _torn_character,
    "too_long": _too_long,
    "redirect": _redirect,
}
