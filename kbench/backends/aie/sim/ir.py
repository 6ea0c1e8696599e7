"""LLVM IR as text: types with their sizes, the pieces of a module, places in the source. Nothing is understood that
the lowering does not need."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

SYMBOL = re.compile(r'@("[^"]+"|[\w.$-]+)')
_SCALAR = re.compile(r"ptr|i\d+|float|double|bfloat|half|void|metadata|x86_fp80|fp128|label|token")
_NAMED = re.compile(r'%(?:"[^"]+"|[\w.$-]+)')
_BYTES = {"ptr": 4, "float": 4, "double": 8, "bfloat": 2, "half": 2}
_CLOSING = {"<": ">", "[": "]", "{": "}", "(": ")"}


def type_at(text: str) -> tuple[str, str]:
    """The type that a text begins with, and what follows it."""
    text = text.lstrip()
    if text[:1] in "<[{":
        end = closing(text)
        return text[:end], text[end:].lstrip()
    found = _SCALAR.match(text) or _NAMED.match(text)
    if found is None:
        raise ValueError(f"no type: {text[:80]}")
    return found[0], text[found.end() :].lstrip()


def closing(text: str) -> int:
    """The place behind the bracket that closes the text's first character."""
    depth, quoted = 0, False
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif c in "<[{(":
            depth += 1
        elif c in ">]})":
            depth -= 1
            if depth == 0:
                return i + 1
    raise ValueError(f"no end: {text[:80]}")


def split(text: str) -> list[str]:
    """The parts between commas that stand in no bracket."""
    parts, depth, start, quoted = [], 0, 0, False
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif c in "<[{(":
            depth += 1
        elif c in ">]})":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


#: A call: its result and what follows the word.
CALL = re.compile(r"^  (?:(%\S+) = )?(?:tail |musttail |notail )?call (.*)$")
_VALUE = re.compile(r"[%@\d<\[{-]|zeroinitializer|undef|poison|null|true|false|getelementptr|splat|inttoptr|ptrtoint")


def result_type(before: str) -> str:
    """The type at the end of `fastcc noundef <4 x i32> `."""
    text = before.strip()
    while text:
        try:
            type_, rest = type_at(text)
        except ValueError:
            type_, rest = "", text
        if type_ and not rest:
            return type_
        word = re.match(r"[\w.]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*", text)
        text = text[word.end() :] if word else text[1:]
    return "void"


def arguments(rest: str, at: int) -> list[tuple[str, str]]:
    """(type, value) of a call's arguments; `at` is where they open."""
    inner = rest[at + 1 : at + closing(rest[at:]) - 1]
    return [_argument(part) for part in split(inner)]


def _argument(part: str) -> tuple[str, str]:
    type_, rest = type_at(part)
    while rest and not _VALUE.match(rest):
        word = re.match(r"align \d+\s*|[\w.]+", rest)
        rest = rest[word.end() :] if word else rest[1:]
        rest = (rest[closing(rest) :] if rest.startswith("(") else rest).lstrip()
    return type_, rest


@dataclass(frozen=True)
class Types:
    """The module's named types."""

    named: Mapping[str, str] = field(default_factory=dict)

    def size(self, type_: str) -> int:
        """Bytes of a value in memory."""
        return self._layout(type_)[0]

    def lanes(self, type_: str) -> tuple[int, int]:
        """(lanes, bits of each) of a scalar or a vector."""
        if type_.startswith("<"):
            count, element = type_[1:-1].split(" x ", 1)
            return int(count), self.lanes(element)[1]
        if type_.startswith("i"):
            return 1, int(type_[1:])
        return 1, 8 * _BYTES[type_]

    def _layout(self, type_: str) -> tuple[int, int]:
        """(size, alignment)."""
        if type_ in _BYTES:
            return _BYTES[type_], _BYTES[type_]
        if type_.startswith("i"):
            size = 1 << max(0, (int(type_[1:]) - 1).bit_length() - 3)
            return size, min(size, 16)
        if type_.startswith("%"):
            return self._layout(self.named[type_])
        if type_.startswith("["):
            count, element = type_[1:-1].split(" x ", 1)
            size, align = self._layout(element)
            return int(count) * size, align
        if type_.startswith("<{"):
            return self._members(type_[1:-1], packed=True)
        if type_.startswith("<"):
            lanes, bits = self.lanes(type_)
            size = 1 << max(0, ((lanes * bits + 7) // 8 - 1).bit_length())
            return size, size
        if type_.startswith("{"):
            return self._members(type_, packed=False)
        raise ValueError(f"no size: {type_}")

    def _members(self, type_: str, packed: bool) -> tuple[int, int]:
        at, most = 0, 1
        for member in split(type_[1:-1].strip()):
            size, align = self._layout(member)
            align = 1 if packed else align
            at = -(-at // align) * align + size
            most = max(most, align)
        return -(-at // most) * most, most


@dataclass
class Function:
    """A definition: its header line, and its body's lines."""

    name: str
    header: str
    body: list[str]


@dataclass
class Module:
    """The pieces of a module's text."""

    types: dict[str, str] = field(default_factory=dict)
    globals: dict[str, str] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    declarations: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)

    def reachable(self, roots: Iterable[str]) -> set[str]:
        """Every symbol that the roots need, themselves included."""
        found: set[str] = set()
        waiting = list(roots)
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            found.add(name)
            if name in self.functions:
                function = self.functions[name]
                waiting += (n for line in function.body if "@" in line for n in SYMBOL.findall(line))
            elif name in self.globals:
                waiting += SYMBOL.findall(self.globals[name].partition("=")[2])
        return found


def parse(text: str) -> Module:
    """A module as clang prints it."""
    module = Module()
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith("define "):
            name = _name(line)
            body: list[str] = []
            for inner in lines:
                if inner == "}":
                    break
                body.append(inner)
            module.functions[name] = Function(name, line, body)
        elif line.startswith("declare "):
            module.declarations[_name(line)] = line
        elif line.startswith("@"):
            module.globals[_name(line)] = line
        elif line.startswith("%"):
            name, _, definition = line.partition(" = type ")
            module.types[name] = definition
        elif line.startswith("!") and line[1:2].isdigit():
            name, _, value = line.partition(" = ")
            module.metadata[name] = value
    return module


def _name(line: str) -> str:
    found = SYMBOL.search(line)
    assert found is not None
    return found[1]


_FIELD = re.compile(r"(\w+): (!\d+|\"[^\"]*\"|\d+)")


class Places:
    """Debug locations → indices of (file, line) pairs of the candidate's own files; 0 is no place."""

    def __init__(self, metadata: Mapping[str, str], own: Collection[str]) -> None:
        self._metadata = metadata
        self._own = own
        self._known: dict[str, int] = {}
        self._indices: dict[tuple[str, int], int] = {("", 0): 0}

    @property
    def table(self) -> list[tuple[str, int]]:
        return list(self._indices)

    def of(self, location: str) -> int:
        """The index for a `!DILocation` (or a `!DISubprogram`) by its number; where it stands in headers, that of the
        call through which the candidate got there."""
        if location not in self._known:
            self._known[location] = self._find(location)
        return self._known[location]

    def _find(self, location: str) -> int:
        while location:
            fields = dict(_FIELD.findall(self._metadata.get(location, "")))
            file = self._file(fields.get("file") or fields.get("scope", ""))
            if file in self._own:
                return self._indices.setdefault((file, int(fields.get("line", 0))), len(self._indices))
            location = fields.get("inlinedAt", "")
        return 0

    def _file(self, scope: str) -> str:
        """The file of a scope, or of the file itself."""
        for _ in range(1000):
            fields = dict(_FIELD.findall(self._metadata.get(scope, "")))
            if "filename" in fields:
                return posixpath.normpath(fields["filename"].strip('"'))
            scope = fields.get("file") or fields.get("scope", "")
            if not scope:
                break
        return ""
