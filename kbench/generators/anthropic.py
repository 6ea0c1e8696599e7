"""Asks Anthropic's messages API, or a server that speaks it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kbench.core.generator import Request
from kbench.generators.faults import Fault, event_fault
from kbench.generators.http import Reply
from kbench.generators.served import Said, Served

_API = "2023-06-01"  # the only version of the messages API
#: The API demands a limit; what a whole kernel with host and tiling takes.
_MAX_TOKENS = 8192


@dataclass
class Anthropic(Served):
    """The `anthropic` generator.

    `Sampling.thinking_tokens` turns extended thinking on, with that budget. The API has no seed: samples are draws.
    """

    base_url: str = "https://api.anthropic.com"
    key_env: str = "ANTHROPIC_API_KEY"

    name = "anthropic"
    path: ClassVar[str] = "/v1/messages"
    models_path: ClassVar[str] = "/v1/models"
    finish_reasons: ClassVar[Mapping[str, str]] = {
        "end_turn": "stop",
        "stop_sequence": "stop",
        "max_tokens": "length",
        "model_context_window_exceeded": "length",
        "refusal": "content_filter",
    }

    def normal_url(self, url: str) -> str:
        return url.removesuffix(self.path).removesuffix("/v1")

    def key_needed(self) -> bool:
        return "api.anthropic.com" in self.base_url

    def headers(self, key: str) -> dict[str, str]:
        return {"anthropic-version": _API, **({"x-api-key": key} if key else {})}

    def body(self, request: Request) -> dict[str, Any]:
        sampling = request.sampling
        messages = self.messages(request)
        system = "\n\n".join(m.content for m in messages if m.role == "system")
        budget = sampling.thinking_tokens
        wanted = {
            "system": system or None,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "top_k": sampling.top_k,
            "stop_sequences": list(sampling.stop) or None,
            "thinking": {"type": "enabled", "budget_tokens": budget} if budget else None,
            "stream": self.streams or None,
        }
        return {
            "model": self.model,
            "max_tokens": sampling.max_tokens or _MAX_TOKENS + (budget or 0),
            "messages": [{"role": m.role, "content": m.content} for m in messages if m.role != "system"],
            **{k: v for k, v in wanted.items() if v is not None},
        }

    def read(self, reply: Reply) -> Said:
        answer = reply.json()
        blocks = answer.get("content") if isinstance(answer, Mapping) else None
        if not isinstance(blocks, list):
            raise Fault("malformed", f"the answer has no content: {json.dumps(answer)[:200]}")
        said = Said(
            finish_reason=str(answer.get("stop_reason") or ""),
            model=str(answer.get("model") or ""),
            usage=answer.get("usage"),
        )
        for block in blocks:
            _take(said, block)
        return said

    def read_stream(self, reply: Reply) -> Said:
        said, usage = Said(), dict[str, Any]()
        for event in reply.events():
            piece = _object(event.data)
            match piece.get("type"):
                case "message_start":
                    message = _inner(piece, "message")
                    said.model = str(message.get("model") or "")
                    usage |= _inner(message, "usage")
                case "content_block_start":
                    _take(said, _inner(piece, "content_block"))
                case "content_block_delta":
                    _take(said, _inner(piece, "delta"))
                case "message_delta":
                    said.finish_reason = str(_inner(piece, "delta").get("stop_reason") or "")
                    usage |= _inner(piece, "usage")
                case "message_stop":
                    said.usage = usage
                    return said
                case "error":
                    raise event_fault(piece)
        raise Fault("cut", "the stream ended before the answer did")


def _object(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Fault("malformed", f"a piece of the stream is no JSON ({error}): {text[:200]}") from error
    if not isinstance(value, Mapping):
        raise Fault("malformed", f"a piece of the stream is no object: {text[:200]}")
    return value


def _inner(piece: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = piece.get(name)
    return value if isinstance(value, Mapping) else {}


def _take(said: Said, block: Any) -> None:
    """Add what a block of the content, or a piece of one, holds."""
    if isinstance(block, Mapping):
        said.text.append(str(block.get("text") or ""))
        said.reasoning.append(str(block.get("thinking") or ""))
