"""WebAssembly modules, as far as the simulator must read and change them by hand.

An object file that the compiler makes is a module already: what a linker would fill in holds the values of the module
alone, whose data begin at address 0. So nothing is linked: the runtime's instance gives memory, stack pointer and
operations as imports, and all that is missing is the export section.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_MAGIC = b"\0asm\1\0\0\0"
_CUSTOM, _IMPORTS, _EXPORTS, _DATA = 0, 2, 7, 11
_FUNCTION, _DATUM, _SECTION = 0, 1, 3  # kinds of symbols
_UNDEFINED, _NAMED = 0x10, 0x40  # flags of symbols
_I32_CONST = 0x41


@dataclass
class Object:
    """What an object file says: functions → index, data → address, names of the functions that it imports, functions to
    run first, and where its data end."""

    functions: dict[str, int] = field(default_factory=dict)
    data: dict[str, int] = field(default_factory=dict)
    imports: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    data_end: int = 0


class _Reader:
    def __init__(self, data: bytes, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """An unsigned LEB128 number."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def name(self) -> str:
        length = self.number()
        self.at += length
        return self.data[self.at - length : self.at].decode()


def _sections(data: bytes) -> Iterator[tuple[int, int, _Reader]]:
    """(kind, where it begins, its content). Raises ValueError where there is no module."""
    if data[:8] != _MAGIC:
        raise ValueError("not a WebAssembly module")
    at = 8
    while at < len(data):
        head = _Reader(data, at + 1, len(data))
        size = head.number()
        yield data[at], at, _Reader(data, head.at, head.at + size)
        at = head.at + size


def exports(data: bytes) -> list[str]:
    """The names that a module exports. Raises ValueError where it is none."""
    for kind, _, section in _sections(data):
        if kind == _EXPORTS:
            return [name for name, _ in _entries(section)]
    return []


def _entries(section: _Reader) -> Iterator[tuple[str, int]]:
    for _ in range(section.number()):
        name, _ = section.name(), section.byte()
        yield name, section.number()


def read_object(data: bytes) -> Object:
    """The symbols of an object file."""
    found = Object()
    segments: list[tuple[int, int]] = []
    for kind, _, section in _sections(data):
        if kind == _IMPORTS:
            found.imports = list(_imported_functions(section))
        elif kind == _DATA:
            segments = list(_segments(section))
        elif kind == _CUSTOM and section.name() == "linking":
            _read_linking(section, segments, found)
    found.data_end = max((at + size for at, size in segments), default=0)
    return found


def _imported_functions(section: _Reader) -> Iterator[str]:
    for _ in range(section.number()):
        section.name()
        name, kind = section.name(), section.byte()
        if kind == 0:
            section.number()
            yield name
        elif kind == 3:
            section.at += 2
        else:
            if kind == 1:
                section.byte()
            bounded = section.number() & 1
            section.number()
            if bounded:
                section.number()


def _segments(section: _Reader) -> Iterator[tuple[int, int]]:
    """(address, bytes) of each data segment."""
    for _ in range(section.number()):
        section.number()
        if section.byte() != _I32_CONST:
            raise ValueError("a data segment without a constant address")
        at = section.number()  # written as signed, but no address here has that bit
        section.byte()
        size = section.number()
        section.at += size
        yield at, size


def _read_linking(section: _Reader, segments: list[tuple[int, int]], found: Object) -> None:
    section.number()  # version
    symbols: list[str] = []
    first: list[tuple[int, int]] = []
    while section.at < section.end:
        kind, size = section.byte(), section.number()
        end = section.at + size
        if kind == 8:
            symbols = [_symbol(section, segments, found) for _ in range(section.number())]
        elif kind == 6:
            first = [(section.number(), section.number()) for _ in range(section.number())]
        section.at = end
    found.first = [symbols[index] for _, index in sorted(first)]


def _symbol(section: _Reader, segments: list[tuple[int, int]], found: Object) -> str:
    kind, flags = section.byte(), section.number()
    if kind == _SECTION:
        section.number()
        return ""
    if kind == _DATUM:
        name = section.name()
        if not flags & _UNDEFINED:
            segment, offset, _ = section.number(), section.number(), section.number()
            found.data[name] = segments[segment][0] + offset
        return name
    index = section.number()
    name = section.name() if not flags & _UNDEFINED or flags & _NAMED else ""
    if kind == _FUNCTION and name and not flags & _UNDEFINED:
        found.functions[name] = index
    return name


def with_exports(data: bytes, functions: Sequence[tuple[str, int]]) -> bytes:
    """The module with these functions exported, and without what only a linker reads."""
    entries = b"".join(_text(name) + b"\0" + _leb(index) for name, index in functions)
    export = bytes([_EXPORTS]) + _sized(_leb(len(functions)) + entries)
    kept: list[bytes] = [_MAGIC]
    for kind, at, section in _sections(data):
        if kind == _CUSTOM:
            continue
        if kind > _EXPORTS and export:
            kept.append(export)
            export = b""
        kept.append(data[at : section.end])
    return b"".join([*kept, export])


def _text(name: str) -> bytes:
    return _sized(name.encode())


def _sized(data: bytes) -> bytes:
    return _leb(len(data)) + data


def _leb(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
