"""What generators that ask a model server have in common: options, the check of what fits, and how its no is told."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from kbench.core.errors import ConfigError, GenerateError
from kbench.core.generator import Completion, Generator, Message, Request
from kbench.generators import options
from kbench.generators.accounting import Prices, tokens
from kbench.generators.faults import Fault
from kbench.generators.http import Client, Limits, Reply, ServerFailed, checked_url, key_from

#: A prompt has at least one token for so many bytes of UTF-8; what does not fit even so is not sent.
_MOST_BYTES_A_TOKEN = 8
#: Known names of the context's length in a server's list of models: vLLM and SGLang, OpenRouter, llama.cpp, LM Studio.
_CONTEXT_NAMES = ("max_model_len", "context_length", "meta.n_ctx", "meta.n_ctx_train", "max_context_length")


@dataclass
class Said:
    """What a server answered, piece by piece: its own names for why it ended and for what it used."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    finish_reason: str = ""
    model: str = ""
    usage: Any = None
    fingerprint: str = ""


@dataclass
class Served(Generator):
    """A model behind an HTTP server. Options are text, as the command line gives them.

    Args:
        model: the server's name for it; its meaning is the server's alone.
        base_url: up to what all requests have in common, such as http://127.0.0.1:8000/v1.
        key_env: the environment variable that holds the key. The key itself is never kept or told.
        revision: which state of the model this is, where its name does not say: part of the completion cache's key.
        answers_as: the name under which the server answers, where it is another than `model`; `*` for any.
        context: tokens that prompt and completion may have together; asked of the server where empty.
        system: `yes` where the model takes a system prompt, `no` to put it before the user's first message.
        stream: `yes` to receive the answer as it is written, so that a server that hangs is noticed.
        omit: parameters not to send, comma-separated: some models refuse `temperature` or `seed`.
        extra: JSON object of further parameters, sent as they are; they win over kbench's own.
        idle_s, total_s: seconds without a byte, and for one completion.
        tries: how often a completion is asked for where the server fails.
        per_minute: most requests in a minute; 0 for no limit of ours.
        price_in, price_out, price_cached: US dollars for a million tokens.
    """

    model: str = ""
    base_url: str = ""
    key_env: str = ""
    revision: str = ""
    answers_as: str = ""
    context: str = ""
    system: str = "yes"
    stream: str = "yes"
    omit: str = ""
    extra: str = ""
    idle_s: str = "300"
    total_s: str = "3600"
    tries: str = "6"
    per_minute: str = "0"
    price_in: str = "0"
    price_out: str = "0"
    price_cached: str = ""
    _client: Client | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _asking: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    concurrency: ClassVar[int] = 8
    path: ClassVar[str]
    models_path: ClassVar[str] = "/models"
    #: What ends a completion, in kbench's words.
    finish_reasons: ClassVar[Mapping[str, str]] = {}

    def __post_init__(self) -> None:
        if not self.model:
            raise ConfigError(f"the {self.name} generator needs a model: --generator-option model=NAME")
        self.base_url = self.normal_url(checked_url(self.base_url))
        self.streams = options.yes("stream", self.stream)
        self.omitted = frozenset(options.names(self.omit))
        self.more = options.json_object("extra", self.extra)
        self._context_tokens = options.whole("context", self.context) if self.context else None
        cached = options.number("price_cached", self.price_cached) if self.price_cached else None
        price_in, price_out = (options.number(n, getattr(self, n)) for n in ("price_in", "price_out"))
        self.prices = Prices(price_in, price_out, cached)
        self.limits = Limits(
            idle_s=options.number("idle_s", self.idle_s, least=0.001),
            total_s=options.number("total_s", self.total_s, least=0.001),
            tries=options.whole("tries", self.tries, least=1),
        )
        self.rate = options.number("per_minute", self.per_minute)
        options.yes("system", self.system)

    # --- what a kind of server is

    @abstractmethod
    def headers(self, key: str) -> dict[str, str]:
        """Of every request."""

    @abstractmethod
    def body(self, request: Request) -> dict[str, Any]:
        """Of the request for one completion, apart from `omit` and `extra`."""

    @abstractmethod
    def read(self, reply: Reply) -> Said:
        """Of an answer that comes at once. Raises Fault where it is not one."""

    @abstractmethod
    def read_stream(self, reply: Reply) -> Said:
        """Of an answer that comes piece by piece. Raises Fault where it is not one, or not whole."""

    def normal_url(self, url: str) -> str:
        """What users may give for the base URL, made one."""
        return url.removesuffix(self.path)

    def key_needed(self) -> bool:
        """Whether the server is one that answers nobody without a key."""
        return False

    # --- the contract of generators

    def generate(self, request: Request) -> Completion:
        body = {k: v for k, v in self.body(request).items() if k not in self.omitted} | self.more
        self._require_fit(request)
        asked = self._ask(body)
        said, hidden = asked.value, self.client.hidden_in_answer
        self._require_model(said.model)
        usage: dict[str, Any] = dict(tokens(said.usage)) | {"requests": asked.tries}
        cost = self.prices.cost(usage)
        if cost is not None:
            usage["cost_usd"] = cost
        if said.fingerprint:
            usage["fingerprint"] = hidden(said.fingerprint)
        finish = self.finish_reasons.get(said.finish_reason, said.finish_reason) or "unknown"
        text, reasoning = hidden("".join(said.text)), hidden("".join(said.reasoning))
        if finish == "content_filter" and not text:
            raise GenerateError(f"{self.model}, or its server, declines: {said.finish_reason}", outcome="refusal")
        return Completion(text, finish_reason=finish, usage=usage, reasoning=reasoning, model=hidden(said.model))

    def identity(self) -> Mapping[str, Any] | None:
        return {
            "base_url": self.base_url,
            "model": self.model,
            "revision": self.revision,
            "system": options.yes("system", self.system),
            "omit": sorted(self.omitted),
            "extra": self.more,
        }

    def prepare(self) -> None:
        """Whether there is a key, the server answers at all and takes the key. What it serves it need not list."""
        key_from(self.key_env, needed=self.key_needed())
        try:
            self.client.get(self.models_path)
        except Fault as fault:
            if fault.kind in ("unreachable", "silent", "unauthorised"):
                raise self._refusal(ServerFailed(self.client.told(fault), fault)) from fault

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    # --- how

    @property
    def client(self) -> Client:
        with self._lock:
            if self._client is None:
                key = key_from(self.key_env, needed=self.key_needed())
                self._client = Client(self.base_url, self.headers(key), self.limits, secret=key, per_minute=self.rate)
            return self._client

    def messages(self, request: Request) -> Sequence[Message]:
        """Those of the request, the system prompt in the first user message where the model takes none."""
        return request.messages if options.yes("system", self.system) else without_system(request.messages)

    def _ask(self, body: Mapping[str, Any]) -> Any:
        try:
            return self.client.post(self.path, body, self._read, streams=self.streams)
        except ServerFailed as failed:
            raise self._refusal(failed) from failed

    def _read(self, reply: Reply) -> Said:
        return self.read_stream(reply) if self.streams and not reply.is_json else self.read(reply)

    def _refusal(self, failed: ServerFailed) -> Exception:
        """The server's no, with what to do about it."""
        fault = failed.fault
        advice = {
            "unauthorised": f"the key in {self.key_env} is missing or not valid there; set it, or name another "
            "variable with key_env=NAME",
            "not_found": f"does it serve {self.model!r}, and is {self.base_url} right?{self._served_names()}",
            "unreachable": f"is the server at {self.base_url} running?",
            "quota": "add credit, then go on with --resume",
        }.get(fault.kind, "")
        if fault.kind == "too_long":
            return GenerateError(str(failed), outcome="context_limit")
        if fault.kind == "refused" and fault.parameter:
            advice = f"leave it out with omit={','.join(sorted({*self.omitted, fault.parameter}))}"
        return ServerFailed(f"{failed}; {advice}", fault) if advice else failed

    def _served_names(self) -> str:
        names = [str(entry["id"]) for entry in self._listed() if "id" in entry]
        return self.client.hidden(f" It serves {', '.join(names[:10])}.") if names else ""

    def _listed(self) -> list[Mapping[str, Any]]:
        """The server's own list of its models; empty where it has none."""
        try:
            answer = self.client.get(self.models_path)
        except Fault:
            return []
        entries = answer.get("data") if isinstance(answer, Mapping) else None
        return [e for e in entries if isinstance(e, Mapping)] if isinstance(entries, list) else []

    def _reads(self) -> int:
        """Tokens that prompt and completion may have together; 0 where nobody says. The server is asked once."""
        with self._asking:
            if self._context_tokens is None:
                mine = next((e for e in self._listed() if e.get("id") == self.model), {})
                self._context_tokens = next((n for name in _CONTEXT_NAMES if (n := _whole_at(mine, name))), 0)
            return self._context_tokens

    def _require_fit(self, request: Request) -> None:
        """Refuse a prompt that cannot fit; one that may not is the server's to refuse, which counts exactly."""
        reads = self._reads()
        if not reads:
            return
        size = sum(len(m.content.encode(errors="replace")) for m in request.messages)
        least, room = -(-size // _MOST_BYTES_A_TOKEN), request.sampling.max_tokens or 1
        if least + room > reads:
            raise GenerateError(
                f"the prompt has at least {least} tokens ({size} bytes) and the completion may have {room}; "
                f"{self.model} has room for {reads}",
                outcome="context_limit",
            )

    def _require_model(self, answered: str) -> None:
        """Refuse answers of a model that nobody asked for: they would stand under the wrong name."""
        wanted = self.answers_as or self.model
        if wanted == "*" or not answered or _same_model(wanted, answered):
            return
        answered = self.client.hidden(answered)
        raise ServerFailed(
            f"{self.base_url} was asked for model {self.model!r} and answers as {answered!r}; where that is right, say "
            f"answers_as={answered}",
            Fault("refused", f"answers as {answered!r}"),
        )


def without_system(messages: Sequence[Message]) -> list[Message]:
    """The system prompt put before the first message of the user."""
    system = "\n\n".join(m.content.strip() for m in messages if m.role == "system")
    rest = [m for m in messages if m.role != "system"]
    if not system:
        return rest
    if rest and rest[0].role == "user":
        return [Message("user", f"{system}\n\n{rest[0].content}"), *rest[1:]]
    return [Message("user", system), *rest]


def _whole_at(entry: Mapping[str, Any], place: str) -> int:
    value: Any = entry
    for key in place.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _same_model(wanted: str, answered: str) -> bool:
    """The same name; or one with a folder before it (a vendor's, a file's), with a date or tag behind it, or with the
    suffix of a file: so hosts and llama.cpp add to names."""
    one, other = (name.lower().rpartition("/")[2].removesuffix(".gguf") for name in (wanted, answered))
    short, long = sorted((one, other), key=len)
    return long == short or (long.startswith(short) and long[len(short)] in "-:@")
