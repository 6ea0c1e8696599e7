"""One request to a model server: timed out, retried as `faults.py` says, and never believed when it is cut short."""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit

from kbench.core.errors import ConfigError, ServerError, ToolMissing
from kbench.generators.faults import Fault, fault_of
from kbench.generators.sse import Event, events

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

_FIRST_WAIT_S = 1.0  # before the second try; doubled for each further one
_LONGEST_BACKOFF_S = 60.0
_ERROR_BYTES = 1 << 16
_QUICK_S = 30.0  # for what a server need not think about
_TELLING = 8  # so many first characters of a key are told to nobody: servers' words may be cut in its middle
_LEAST_KEY = 16  # characters of a key that is one; servers that want none are given words such as EMPTY


class ServerFailed(ServerError):
    """The server gives no answer, and no further try would change it: the run stops here, to be resumed.

    `fault` is what the last try met.
    """

    def __init__(self, message: str, fault: Fault) -> None:
        super().__init__(message)
        self.fault = fault


@dataclass(frozen=True)
class Limits:
    """What one completion may take; a try that breaks one is a fault of its kind."""

    connect_s: float = 10.0
    idle_s: float = 300.0
    total_s: float = 3600.0
    tries: int = 6
    longest_wait_s: float = 600.0  # a server that asks for more is not waited for
    most_bytes: int = 64 << 20


@dataclass(frozen=True)
class Asked(Generic[T]):
    """What was read from the answer, and what it took: tries, and seconds waited between them."""

    value: T
    tries: int
    waited_s: float


class Reply:
    """An answer that comes in, within its limits."""

    def __init__(self, response: httpx.Response, until: float, most_bytes: int) -> None:
        self._response = response
        self._until = until
        self._most_bytes = most_bytes

    @property
    def is_json(self) -> bool:
        """Whether the answer came whole, which servers that know no streams do whatever they were asked."""
        kind = self._response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return kind == "application/json"

    def events(self) -> Iterator[Event]:
        """Raises Fault where the stream is too slow, too long or no stream of events."""
        kind = self._response.headers.get("content-type", "")
        if "event-stream" not in kind:
            raise Fault("malformed", f"expected a stream of events, got {kind or 'no content type'}")
        return events(self._chunks())

    def json(self) -> Any:
        """Raises Fault where it is no JSON. A torn character costs that character, as in a stream."""
        text = b"".join(self._chunks()).decode("utf-8-sig", errors="replace")
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Fault("malformed", f"the answer is no JSON ({error}): {text[:200]!r}") from error

    def _chunks(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._response.iter_bytes():
            size += len(chunk)
            if size > self._most_bytes:
                raise Fault("malformed", f"the answer has more than {self._most_bytes} bytes")
            if time.monotonic() > self._until:
                raise Fault("too_slow", "the answer did not end in its time")
            yield chunk


class Client:
    """Talks to one server; safe to use from many threads.

    Args:
        base_url: what the paths of requests are appended to.
        headers: of every request; `secret` is what must never be told of them.
        per_minute: most requests begun in a minute, 0 for no limit.
        pause: waits so many seconds, or returns True at once where the client is closed.

    Raises:
        ConfigError: the URL is none, or carries a password.
        ToolMissing: httpx is not installed.
    """

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        limits: Limits = Limits(),
        *,
        secret: str = "",
        per_minute: float = 0.0,
        pause: Callable[[float], bool] | None = None,
    ) -> None:
        self.base_url = checked_url(base_url)
        self.limits = limits
        self._secret = secret
        self._closed = threading.Event()
        self._pause = pause or self._closed.wait
        self._gate = _Gate(60.0 / per_minute if per_minute else 0.0)
        library = _httpx()
        self._http = library.Client(
            headers={"accept-encoding": "identity", **headers},
            limits=library.Limits(max_connections=None, max_keepalive_connections=256),
            follow_redirects=False,  # the key is for this server alone
        )

    def post(self, path: str, body: Mapping[str, Any], read: Callable[[Reply], T], *, streams: bool) -> Asked[T]:
        """Send `body` until `read` makes something of the answer.

        Args:
            read: raises Fault where the answer is not what it should be.
            streams: the answer comes piece by piece, so `idle_s` holds; one that comes at once is silent until it does.

        Raises:
            ServerFailed: no try led to an answer, or the server refuses; `fault` says which.
        """
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", errors="replace")
        silence_s = min(self.limits.idle_s, self.limits.total_s) if streams else self.limits.total_s
        return self._until_answered(lambda: self._once("POST", path, content, read, silence_s))

    def get(self, path: str) -> Any:
        """The JSON at `path`, asked for once.

        Raises:
            Fault: there is none.
        """
        return self._once("GET", path, None, Reply.json, min(_QUICK_S, self.limits.idle_s))

    def close(self) -> None:
        """Wakes who waits, and ends connections. May be called twice."""
        self._closed.set()
        self._http.close()

    def _until_answered(self, once: Callable[[], T]) -> Asked[T]:
        waited = 0.0
        for number in range(1, self.limits.tries + 1):
            waited += self._wait(self._gate.enter())
            try:
                return Asked(once(), number, waited)
            except Fault as fault:
                last = fault
            if not last.again:
                raise ServerFailed(self.told(last, number), last)
            wait_s = self._next_wait_s(last, number)
            if number < self.limits.tries:
                waited += self._wait(wait_s)
        raise ServerFailed(self.told(last, number), last)

    def _next_wait_s(self, fault: Fault, number: int) -> float:
        """Exponential backoff with full jitter, or what the server asks for, which then holds for every thread."""
        if fault.wait_s is None:
            return random.uniform(0, min(_LONGEST_BACKOFF_S, _FIRST_WAIT_S * 2**number))
        if fault.wait_s > self.limits.longest_wait_s:
            told = f"asks to wait {fault.wait_s:.0f} s, longer than {self.limits.longest_wait_s:.0f} s"
            raise ServerFailed(f"{self.base_url} {told} ({self.hidden(str(fault))})", fault)
        self._gate.shut_for(fault.wait_s)
        return fault.wait_s

    def _wait(self, seconds: float) -> float:
        if seconds > 0 and self._pause(seconds):
            raise ServerFailed("stopped", Fault("unreachable", "the client was closed"))
        return seconds

    def told(self, fault: Fault, tries: int = 1) -> str:
        often = f" after {tries} tries" if tries > 1 else ""
        return f"{self.base_url} ({fault.kind}{often}): {self.hidden(str(fault))}"

    def hidden(self, text: str) -> str:
        """A server's words about a fault without the key and without any beginning of it: servers repeat the key that
        they refuse, and what is told of their words may end within it."""
        for end in range(len(self._secret), min(_TELLING, len(self._secret)) - 1, -1):
            text = text.replace(self._secret[:end], "[key]") if end else text
        return text

    def hidden_in_answer(self, text: str) -> str:
        """What a model, or its server, answered, without the key: answers are kept in run folders and shown."""
        return text.replace(self._secret, "[key]") if len(self._secret) >= _LEAST_KEY else text

    def _once(self, method: str, path: str, content: bytes | None, read: Callable[[Reply], T], silence_s: float) -> T:
        if self._closed.is_set():
            raise Fault("unreachable", "the client was closed")
        library, limits = _httpx(), self.limits
        until = time.monotonic() + limits.total_s
        timeout = library.Timeout(connect=limits.connect_s, read=silence_s, write=limits.connect_s, pool=None)
        headers = {"content-type": "application/json"} if content is not None else {}
        with (
            _transport_faults(library),
            self._http.stream(
                method, self.base_url + path, content=content, headers=headers, timeout=timeout
            ) as response,
        ):
            if response.status_code != 200:
                text = _beginning(response)
                raise fault_of(response.status_code, response.headers, text)
            return read(Reply(response, until, limits.most_bytes))


class _Gate:
    """When the next request may begin: so many a minute at most, and none while the server wants to be left alone."""

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s
        self._lock = threading.Lock()
        self._next = 0.0
        self._shut_until = 0.0

    def enter(self) -> float:
        """Takes a turn; how many seconds it is away."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next, self._shut_until)
            if self._interval_s:
                self._next = turn + self._interval_s
            return turn - now

    def shut_for(self, seconds: float) -> None:
        with self._lock:
            self._shut_until = max(self._shut_until, time.monotonic() + seconds)


@contextmanager
def _transport_faults(library: Any) -> Iterator[None]:
    try:
        yield
    except (library.ConnectError, library.ConnectTimeout) as error:
        raise Fault("unreachable", f"no connection: {error or type(error).__name__}") from error
    except library.TimeoutException as error:
        raise Fault("silent", "no byte came in its time") from error
    except library.RemoteProtocolError as error:
        raise Fault("cut", f"the answer stops: {error}") from error
    except (library.TransportError, library.DecodingError, library.StreamError) as error:
        raise Fault("cut", f"the connection broke: {error or type(error).__name__}") from error


def _beginning(response: httpx.Response) -> str:
    """The first bytes of an error's body."""
    text = b""
    for chunk in response.iter_bytes():
        text += chunk
        if len(text) >= _ERROR_BYTES:
            break
    return text[:_ERROR_BYTES].decode("utf-8", errors="replace")


def checked_url(url: str) -> str:
    """The URL without its last slash.

    Raises:
        ConfigError: it is no http(s) URL, or it carries what belongs into an environment variable.
    """
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(f"base_url {url!r}: expected http://HOST:PORT/… or https://HOST/…")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError(
            "base_url holds a user, a password or a query; runs keep their options, so keys belong into an environment "
            "variable: key_env=NAME names it"
        )
    return url.strip().rstrip("/")


def key_from(variable: str, *, needed: bool) -> str:
    """The key in this environment variable; empty where there is none.

    Raises:
        ConfigError: it is needed and missing, or could not be sent.
    """
    key = os.environ.get(variable, "").strip()
    if not key and needed:
        raise ConfigError(f"the environment variable {variable} holds no key: set it, or name another: key_env=NAME")
    if not key.isascii() or not key.isprintable():
        raise ConfigError(f"the key in {variable} has characters that no header can carry")
    return key


def _httpx() -> Any:
    try:
        import httpx
    except ImportError as error:
        raise ToolMissing("served models need the package httpx: pip install 'kbench[served]'") from error
    return httpx
