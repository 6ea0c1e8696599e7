"""Functions that call themselves at run time, which the device's C++ does not have.

The optimiser turns simple recursion into loops, so it has to be found before: in the text, which suspects more than is
guilty (names are compared, not functions), and then, for suspects alone, in the compiler's unoptimised code.
Recursion through other objects (`next->walk()`) and through function pointers is not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

Graph = dict[str, set[str]]

_OPAQUE = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_HEAD_END = re.compile(r"\)\s*+(?:const\b\s*+|noexcept\b\s*+)*\{")
_NAME = re.compile(r"(\w+)\s*+\Z")
_CONTROL = frozenset(("if", "for", "while", "switch", "catch"))


# Bodies are looked at once for each function around them, and for each name: beyond these, nothing is looked for.
_MOST_NESTED = 8
_MOST_FUNCTIONS = 1000


def suspects(texts: Iterable[str]) -> bool:
    """Whether a function of these names, among those that the texts define, may call itself."""
    defined = [pair for text in texts for pair in _bodies(_OPAQUE.sub(" ", text))]
    if len(defined) > _MOST_FUNCTIONS:
        return False
    calls = {name: _call_of(name) for name, _ in defined}
    graph: Graph = {name: set() for name in calls}
    for name, body in defined:
        graph[name].update(other for other, call in calls.items() if other in body and call.search(body))
    return bool(_trimmed(graph))


def _call_of(name: str) -> re.Pattern[str]:
    """A call of this name, on no other object and of no other class."""
    return re.compile(rf"(?:\bthis\s*+->\s*+|(?<![\w.:>])){name}\s*+(?:<[^;(){{}}<>]*>\s*+)?\(")


def _bodies(text: str) -> Iterator[tuple[str, str]]:
    """Names and bodies of the functions that a text without comments defines."""
    ends = dict(_pairs(text, "{}"))
    openings = {closing: opening for opening, closing in _pairs(text, "()")}
    left = _MOST_NESTED * len(text)
    for match in _HEAD_END.finditer(text):
        end = ends.get(match.end() - 1)
        opening = openings.get(match.start(), 0)
        name = _NAME.search(text[max(0, opening - 200) : opening])
        if end is None or name is None or name[1] in _CONTROL:
            continue
        left -= end - match.end()
        if left < 0:
            return
        yield name[1], text[match.end() : end]


def _pairs(text: str, brackets: str) -> Iterator[tuple[int, int]]:
    """Where brackets of a kind are opened and closed."""
    opened: list[int] = []
    for match in re.finditer(f"[{brackets}]", text):
        if match[0] == brackets[0]:
            opened.append(match.start())
        elif opened:
            yield opened.pop(), match.start()


def _trimmed(graph: Mapping[str, set[str]]) -> Graph:
    """Without the nodes that no cycle can go through: those that call none, or that none calls."""
    kept = {node: {c for c in called if c in graph} for node, called in graph.items()}
    while True:
        called = set().union(*kept.values()) if kept else set()
        inner = {node: to & kept.keys() for node, to in kept.items() if to and node in called}
        if len(inner) == len(kept):
            return inner
        kept = {node: to & inner.keys() for node, to in inner.items()}


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    todo = list(graph[start])
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += graph[node]
    return seen


class Recursion(NamedTuple):
    """A function of the candidate's that calls itself, through others where `through` is not empty."""

    name: str
    file: str
    line: int
    through: tuple[str, ...]


_FUNCTION = re.compile(r'^define [^@\n]*@("[^"\n]+"|[\w.$]+)\([^\n]*$(.*?)^\}', re.MULTILINE | re.DOTALL)
_CALL = re.compile(r'\b(?:call|invoke)\b[^@\n]*@("[^"\n]+"|[\w.$]+)\(')
_PLACE = re.compile(
    r'^(!\d+) = (?:distinct )?!DISubprogram\(name: "([^"]+)"[^\n]*?file: (!\d+), line: (\d+)', re.MULTILINE
)
_FILE = re.compile(r'^(!\d+) = !DIFile\(filename: "([^"]+)"', re.MULTILINE)


def recursion(ir: str) -> Recursion | None:
    """The first recursive function of a module in LLVM's text, before any optimisation."""
    graph: Graph = {}
    heads: dict[str, str] = {}
    for match in _FUNCTION.finditer(ir):
        graph[match[1]] = set(_CALL.findall(match[2]))
        heads[match[1]] = match[0].split("\n", 1)[0]
    graph = _trimmed(graph)
    first = next((function for function in graph if function in _reached(graph, function)), None)
    if first is None:
        return None
    files = dict(_FILE.findall(ir))
    known = {at: (name, files.get(file, ""), int(line)) for at, name, file, line in _PLACE.findall(ir)}

    def told(function: str) -> tuple[str, str, int]:
        place = re.search(r"!dbg (!\d+)", heads[function])
        return known.get(place[1] if place else "", (function, "", 0))

    others = (f for f in _reached(graph, first) if f != first and first in _reached(graph, f))
    return Recursion(*told(first), tuple(sorted(told(f)[0] for f in others)))
