"""The export section of a WebAssembly module, read by hand."""

from __future__ import annotations

_EXPORTS = 7


def exports(data: bytes) -> list[str]:
    """The names that a module exports. Raises ValueError where it is none."""
    if data[:8] != b"\0asm\1\0\0\0":
        raise ValueError("not a WebAssembly module")
    at = 8
    while at < len(data):
        section = data[at]
        size, at = _number(data, at + 1)
        if section == _EXPORTS:
            return _names(data, at)
        at += size
    return []


def _names(data: bytes, at: int) -> list[str]:
    count, at = _number(data, at)
    names = []
    for _ in range(count):
        length, at = _number(data, at)
        names.append(data[at : at + length].decode())
        _, at = _number(data, at + length + 1)  # the byte between is the kind
    return names


def _number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and the place behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
