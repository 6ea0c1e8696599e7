"""Symbols of ELF object files, read with `struct`: a candidate's object is judged by them before it is linked."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMTAB, _UNDEFINED, _WEAK, _LOCAL, _IFUNC = 2, 0, 2, 0, 10


@dataclass(frozen=True)
class Symbols:
    """Names of one object: `undefined` must come from elsewhere; `strong` and `weak` it defines for others."""

    undefined: frozenset[str]
    strong: frozenset[str]
    weak: frozenset[str]
    ifuncs: frozenset[str]


def read_symbols(path: Path) -> Symbols:
    """The global symbols of a 64-bit little-endian ELF file. Raises ValueError where it is none."""
    data = path.read_bytes()
    sections = [section for _, section in _sections(path, data)]
    names: dict[str, set[str]] = {"undefined": set(), "strong": set(), "weak": set(), "ifuncs": set()}
    for section in sections:
        if section[1] == _SYMTAB:
            strings = sections[section[6]]
            text = data[strings[4] : strings[4] + strings[5]]
            _sort_symbols(data[section[4] : section[4] + section[5]], text, names)
    return Symbols(**{kind: frozenset(found) for kind, found in names.items()})


def _sections(path: Path, data: bytes) -> list[tuple[int, tuple[int, ...]]]:
    """Each section's header: its place in the file, and its fields."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError(f"{path} is not a 64-bit ELF file")
    header = _HEADER.unpack_from(data)
    at, size, count = header[6], header[11], header[12]
    if at and count == 0:  # more than 65279 sections: the number stands in the first one
        count = _SECTION.unpack_from(data, at)[5]
    return [(at + i * size, _SECTION.unpack_from(data, at + i * size)) for i in range(count)]


def section_bytes(path: Path) -> dict[str, bytes]:
    """The content of an object's sections by name; of one that several have, all of them after each other."""
    data = path.read_bytes()
    sections = [section for _, section in _sections(path, data)]
    names = sections[_HEADER.unpack_from(data)[13]]
    text = data[names[4] : names[4] + names[5]]
    found: dict[str, bytes] = {}
    for section in sections:
        name = _name(text, section[0])
        found[name] = found.get(name, b"") + data[section[4] : section[4] + section[5]]
    return found


def rename_definitions(path: Path, prefix: str, keep: Callable[[str], bool]) -> None:
    """Puts `prefix` before the name of everything that an object defines for others, but for the names to `keep`.

    Two translations of one source can then be linked into one program without meeting."""
    data = bytearray(path.read_bytes())
    sections = _sections(path, bytes(data))
    for _, section in sections:
        if section[1] != _SYMTAB:
            continue
        place, strings = sections[section[6]]
        text = bytearray(data[strings[4] : strings[4] + strings[5]])
        for at in range(section[4], section[4] + section[5], _SYMBOL.size):
            name_at, info, _, home, _, _ = _SYMBOL.unpack_from(data, at)
            name = _name(bytes(text), name_at) if name_at and info >> 4 != _LOCAL and home != _UNDEFINED else ""
            if name and not keep(name):
                struct.pack_into("<I", data, at, len(text))
                text += f"{prefix}{name}".encode() + b"\0"
        struct.pack_into("<Q", data, place + 24, len(data))  # sh_offset: the new strings lie at the file's end
        struct.pack_into("<Q", data, place + 32, len(text))  # sh_size
        data += text
    path.write_bytes(data)


def _sort_symbols(table: bytes, text: bytes, names: dict[str, set[str]]) -> None:
    for name_at, info, _, section, _, _ in _SYMBOL.iter_unpack(table):
        bind = info >> 4
        if info & 15 == _IFUNC:
            names["ifuncs"].add(_name(text, name_at))
        if bind == _LOCAL or not name_at:
            continue
        kind = "undefined" if section == _UNDEFINED else "weak" if bind == _WEAK else "strong"
        names[kind].add(_name(text, name_at))


def _name(text: bytes, at: int) -> str:
    return text[at : text.index(b"\0", at)].decode(errors="replace")


def merge(parts: Sequence[Symbols]) -> Symbols:
    """The symbols of several objects that are linked together."""
    strong = frozenset[str]().union(*(p.strong for p in parts))
    weak = frozenset[str]().union(*(p.weak for p in parts))
    undefined = frozenset[str]().union(*(p.undefined for p in parts)) - strong - weak
    return Symbols(undefined, strong, weak, frozenset[str]().union(*(p.ifuncs for p in parts)))
