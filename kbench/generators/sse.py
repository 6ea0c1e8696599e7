"""Server-sent events: what a model server streams (WHATWG HTML, section 9.2.6, as far as model servers use it)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Event(NamedTuple):
    """One event: its type (empty where the server names none) and its data, lines joined."""

    type: str
    data: str


def events(chunks: Iterable[bytes]) -> Iterator[Event]:
    """The events of a stream of bytes, each as soon as the empty line that ends it has come.

    An event that the stream's end cuts off is no event; comments (`: keep-alive`) are none either.
    """
    kind, data = "", list[str]()
    for line in _lines(chunks):
        if line:
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "data":
                data.append(value)
            elif field == "event":
                kind = value
        else:
            if data:
                yield Event(kind, "\n".join(data))
            kind, data = "", []


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    r"""Finished lines; they end in \n, \r or \r\n, and a chunk may end anywhere, also within a character."""
    rest = bytearray()
    after_return = False
    for chunk in chunks:
        if after_return and chunk:
            chunk = chunk.removeprefix(b"\n")
            after_return = False
        rest += chunk
        if b"\n" not in chunk and b"\r" not in chunk:
            continue  # a long line comes in many chunks: it is not searched again for each
        after_return = rest.endswith(b"\r")
        *whole, last = rest.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        rest = bytearray(last)
        for line in whole:
            yield line.decode("utf-8", errors="replace")
