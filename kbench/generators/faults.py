"""What can go wrong between kbench and a model server, and what is done about it.

| what happens | kind | asked again |
|---|---|---|
| no connection, or lost before the answer begins | `unreachable` | yes |
| no byte for `idle_s` | `silent` | yes |
| not finished after `total_s` | `too_slow` | yes |
| the answer stops before its end | `cut` | yes |
| no JSON, JSON of another shape, or more bytes than an answer can have | `malformed` | yes |
| 408, 409, 425, 429, 529 | `overloaded` | yes, once Retry-After has passed where the server sends one |
| 500 and above | `server_error` | yes |
| 402, or 429 that speaks of quota or billing | `quota` | no: waiting does not help |
| 401, 403 | `unauthorised` | no |
| 404 | `not_found` | no |
| 400 and others that speak of the context's length | `too_long` | no |
| any other status | `refused` | no |

A server overrules the last column with `x-should-retry: true` or `false`.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

_AGAIN = frozenset({"unreachable", "silent", "too_slow", "cut", "malformed", "overloaded", "server_error"})
_OVERLOADED = frozenset({408, 409, 425, 429, 529})
_STATUS = {401: "unauthorised", 402: "quota", 403: "unauthorised", 404: "not_found"}
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing|credit balance", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context_length|exceed_context_size|context (?:length|window|size)|maximum (?:context|prompt) length"
    r"|prompt is too long|too many tokens",
    re.IGNORECASE,
)
#: "Unsupported parameter: 'x' …", "`x` is not supported …", "type: x: may only …"
_PARAMETER = re.compile(r"[`'\"](\w+)[`'\"]|: (\w+): ")
_MOST_TOLD = 500  # characters of a server's own words


class Fault(Exception):
    """One try failed.

    Attributes:
        kind: a class of the table above.
        status: of HTTP; 0 where no answer began.
        body: the server's error, parsed where it is JSON.
        wait_s: what the server asks to wait, or None.
    """

    def __init__(self, kind: str, message: str, *, status: int = 0, body: Any = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status
        self.body = body
        self.again = kind in _AGAIN
        self.wait_s: float | None = None

    @property
    def parameter(self) -> str:
        """The parameter that the server does not take, where it names one."""
        if self.kind != "refused":
            return ""
        error = _error_of(self.body)
        match error:
            case {"param": str(named)} if named:
                return named
            case {"detail": [{"loc": [*_, str(named)]}, *_]}:  # FastAPI's validation
                return named
        found = _PARAMETER.search(words_of(self.body))
        return found[1] or found[2] if found else ""


def fault_of(status: int, headers: Mapping[str, str], text: str) -> Fault:
    """The fault that an answer with an error status is."""
    body = _parsed(text)
    told = words_of(body)
    elsewhere = headers.get("location", "") if 300 <= status < 400 else ""
    if elsewhere:  # not followed: the key is for one server alone
        told = f"it sends to {_printable(elsewhere)}; where that is right, give it as base_url"
    fault = Fault(_kind(status, told), f"status {status}: {told or 'no word of why'}", status=status, body=body)
    fault.wait_s = retry_after_s(headers)
    overruled = headers.get("x-should-retry")
    if overruled in ("true", "false"):
        fault.again = overruled == "true"
    return fault


def event_fault(body: Any) -> Fault:
    """The fault that an error in the middle of a stream is: its code where it is a status, else the server's own."""
    error = _error_of(body)
    code = error.get("code") if isinstance(error, Mapping) else None
    kind = error.get("type", "") if isinstance(error, Mapping) else ""
    told = words_of(body)
    status = code if isinstance(code, int) and code >= 400 else 529 if kind == "overloaded_error" else 500
    return Fault(_kind(status, told), f"an error in the stream: {told}", status=status, body=body)


def _kind(status: int, told: str) -> str:
    if status in _OVERLOADED:
        return "quota" if status == 429 and _QUOTA.search(told) else "overloaded"
    if status >= 500:
        return "server_error"
    if status in (400, 413, 422) and _TOO_LONG.search(told):
        return "too_long"
    return _STATUS.get(status, "refused")


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` (seconds or a date, RFC 9110 section 10.2.3) or `retry-after-ms` asks to wait."""
    milliseconds = headers.get("retry-after-ms")
    text = headers.get("retry-after", "").strip()
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        if not text:
            return None
        if re.fullmatch(r"[0-9]+(?:\.[0-9]*)?", text):
            return float(text)
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def words_of(body: Any) -> str:
    """What the server says, on one line and not too long: code, then message."""
    error = _error_of(body)
    if isinstance(error, Mapping):
        message = next((str(error[k]) for k in ("message", "detail", "error", "msg") if error.get(k)), "")
        code = next((str(error[k]) for k in ("code", "type") if isinstance(error.get(k), str)), "")
        told = f"{code}: {message}" if code and message else code or message or json.dumps(error)
    else:
        told = error if isinstance(error, str) else json.dumps(error)
    return _printable(told)


def _printable(told: str) -> str:
    told = " ".join(told.split())
    told = "".join(c if c.isprintable() else "�" for c in told)
    return told if len(told) <= _MOST_TOLD else f"{told[:_MOST_TOLD]}…"


def _error_of(body: Any) -> Any:
    """The error in the forms that servers use: `{"error": {…}}`, `{"error": "…"}`, `[{"error": …}]`, `{…}`, text."""
    if isinstance(body, list) and body:
        body = body[0]
    return body["error"] if isinstance(body, Mapping) and body.get("error") else body


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return re.sub(r"<[^>]*>", " ", text)  # a proxy's page
