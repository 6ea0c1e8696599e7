"""Asks any server that speaks OpenAI's chat completions: vLLM, SGLang, llama.cpp, Ollama, hosted ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

from kbench.core.errors import ConfigError
from kbench.core.generator import Completion, Request
from kbench.generators.faults import Fault, event_fault
from kbench.generators.http import Reply, ServerFailed
from kbench.generators.served import Said, Served

_HOSTED = "https://api.openai.com/v1"
#: A parameter that some servers refuse → what means the same to them (nothing: only counts are lost).
_SAME_OTHERWISE = {"max_tokens": "max_completion_tokens", "stream_options": ""}
#: Ends that are the server's fault: vLLM aborts what runs when it shuts down, routers pass on a provider's failure.
_NO_END = frozenset({"error", "abort"})


@dataclass
class OpenAI(Served):
    """The `openai` generator. `reasoning_content` (or `reasoning`) is kept apart from the answer.

    Besides the options of `Served`: `system=developer` sends the system prompt under that role; `thinking_name` is the
    server's name for a limit of what the model thinks (`thinking_budget`, say), for which the API has none.
    """

    base_url: str = _HOSTED
    key_env: str = "OPENAI_API_KEY"
    thinking_name: str = ""

    name = "openai"
    path: ClassVar[str] = "/chat/completions"
    finish_reasons: ClassVar[Mapping[str, str]] = {"eos": "stop", "max_tokens": "length", "model_length": "length"}

    def __post_init__(self) -> None:
        self.system_role = "system"
        if self.system == "developer":
            self.system, self.system_role = "yes", "developer"
        super().__post_init__()
        self._otherwise: set[str] = set()

    def key_needed(self) -> bool:
        return urlsplit(self.base_url).hostname == urlsplit(_HOSTED).hostname

    def headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def identity(self) -> Mapping[str, Any] | None:
        return {**(super().identity() or {}), "system_role": self.system_role, "thinking_name": self.thinking_name}

    def body(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        if sampling.thinking_tokens is not None and not self.thinking_name:
            raise ConfigError(
                "chat completions have no limit for what a model thinks: name your server's parameter with "
                "--generator-option thinking_name=NAME, or use --reasoning-effort"
            )
        messages = [
            {"role": self.system_role if m.role == "system" else m.role, "content": m.content}
            for m in self.messages(request)
        ]
        wanted = {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": sampling.top_k,
            "max_tokens": sampling.max_tokens,
            "stop": list(sampling.stop) or None,
            "seed": request.sample_seed,
            "reasoning_effort": sampling.reasoning_effort,
            "stream": self.streams or None,
            "stream_options": {"include_usage": True} if self.streams else None,
        }
        body = {"model": self.model, "messages": messages, **{k: v for k, v in wanted.items() if v is not None}}
        if sampling.thinking_tokens is not None:
            body[self.thinking_name] = sampling.thinking_tokens
        for name in self._otherwise:
            _say_otherwise(body, name)
        return body

    def generate(self, request: Request) -> Completion:
        while True:
            try:
                return super().generate(request)
            except ServerFailed as failed:
                name = failed.fault.parameter
                if name not in _SAME_OTHERWISE or name in self._otherwise or name in self.more:
                    raise
                self._otherwise.add(name)

    def read(self, reply: Reply) -> Said:
        answer = reply.json()
        choice = _choice(answer)
        message = choice.get("message")
        if not isinstance(message, Mapping):
            raise Fault("malformed", f"the answer has no message: {json.dumps(answer)[:200]}")
        said = Said(finish_reason=_end(choice, answer), usage=answer.get("usage"))
        _take(said, answer, message)
        return said

    def read_stream(self, reply: Reply) -> Said:
        said = Said()
        number: Any = None  # of the choice that is read: servers with a default of their own send several
        for event in reply.events():
            if event.data == "[DONE]":
                return said
            piece = _json(event.data)
            if not isinstance(piece, Mapping):
                raise Fault("malformed", f"a piece of the stream is no object: {event.data[:200]}")
            if piece.get("error"):
                raise event_fault(piece)
            said.usage = piece.get("usage") or said.usage
            choices = piece.get("choices") or []
            if not isinstance(choices, list) or not all(isinstance(c, Mapping) for c in choices):
                raise Fault("malformed", f"a piece of the stream has no choice: {event.data[:200]}")
            number = choices[0].get("index") if choices and number is None else number
            choice = next((c for c in choices if c.get("index") == number), {})
            delta = choice.get("delta")
            _take(said, piece, delta if isinstance(delta, Mapping) else {})
            if choice.get("finish_reason"):
                said.finish_reason = _end(choice, piece)
        if not said.finish_reason:
            raise Fault("cut", "the stream ended before the answer did")
        return said


def _say_otherwise(body: dict[str, Any], name: str) -> None:
    value = body.pop(name, None)
    if value is not None and _SAME_OTHERWISE[name]:
        body[_SAME_OTHERWISE[name]] = value


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Fault("malformed", f"a piece of the stream is no JSON ({error}): {text[:200]}") from error


def _choice(answer: Any) -> Mapping[str, Any]:
    if isinstance(answer, Mapping) and answer.get("error"):
        raise event_fault(answer)
    choices = answer.get("choices") if isinstance(answer, Mapping) else None
    if not isinstance(choices, list) or not choices or not all(isinstance(c, Mapping) for c in choices):
        raise Fault("malformed", f"the answer has no choice: {json.dumps(answer)[:200]}")
    return next((c for c in choices if c.get("index") == 0), choices[0])


def _end(choice: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    reason = str(choice.get("finish_reason") or "")
    if reason in _NO_END:
        raise event_fault(choice if choice.get("error") else answer)
    return reason


def _take(said: Said, answer: Mapping[str, Any], part: Mapping[str, Any]) -> None:
    """Add what a message, or a piece of one, holds."""
    said.text.append(_text(part.get("content")) or _text(part.get("refusal")))
    said.reasoning.append(_text(part.get("reasoning_content")) or _text(part.get("reasoning")))
    said.model = str(answer.get("model") or said.model)
    said.fingerprint = str(answer.get("system_fingerprint") or said.fingerprint)


def _text(content: Any) -> str:
    """A text, or a list of parts of which some are texts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(p.get("text", "")) for p in content if isinstance(p, Mapping) and p.get("type") == "text")
    return ""
