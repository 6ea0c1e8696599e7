"""Sources of the C family as tokens: where functions begin and end, and what a file calls its own.

No parser: kernels come in dialects that no one parser takes, and a corpus may hold pieces that never compiled.
Brackets, names and the few words that introduce a declaration say enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_LEXER = re.compile(
    r"(?P<comment>//(?:[^\\\n]|\\.|\\\n)*|/\*.*?(?:\*/|\Z))"
    r"|(?P<directive>^[ \t]*\#(?:[^\\\n]|\\.|\\\n)*)"
    r"|(?P<string>(?:R\"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)\"|\Z)|L?\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'))"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|[\w.]|'(?=\w))*)"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<sign><<=|>>=|<=>|\.\.\.|->|::|\+\+|--|<<|[-+*/%&|^=!<>]=|&&|\|\||[^\s\w])",
    re.DOTALL | re.MULTILINE,
)
_DEFINE = re.compile(r"\s*#\s*define\s+(\w+)(?:\([^)\n]*\))?(.*)", re.DOTALL)
#: A macro that is nothing but another name.
_ALIAS = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(?:\w+[ \t]*::[ \t]*)*([^\W\d]\w*)[ \t]*$", re.MULTILINE)
_COMMENT_MARKS = re.compile(r"^[ \t]*(?://+|/\*+|\*(?!/))|\*/[ \t]*$", re.MULTILINE)
_QUOTES = re.compile(r"\A(?:R\"[^()\\\s]{0,16}\(|L?[\"'])|(?:\)[^()\\\s]{0,16}\"|[\"'])\Z")
#: Words with parentheses and braces after them that are no functions.
_BLOCKS = frozenset({
    "if", "for", "while", "switch", "catch", "do", "else", "return", "sizeof", "alignof", "decltype",
    "static_assert"
})  # fmt: skip
_AFTER_HEAD = frozenset({"const", "noexcept", "override", "final", "volatile"})
_DECLARE = frozenset({"class", "struct", "typename", "enum", "union", "using"})
#: Characters before a function that are searched for the comment above it.
LONGEST_COMMENT = 4_000
_MATES = {"(": ")", "{": "}", "[": "]"}


class Token(NamedTuple):
    """`kind` is word, number, string or sign; `start` and `end` are its place in the text."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Function:
    """A function with its body: its name, and its first and last token (inclusive), declaration included."""

    name: str
    first: int
    last: int


def tokens(text: str, *, offset: int = 0) -> list[Token]:
    """The tokens of a source; comments are left out, and of directives all but the bodies of macros."""
    found: list[Token] = []
    for match in _LEXER.finditer(text.replace("\\\n", "  ")):  # a line that goes on; as long, so places hold
        kind = match.lastgroup or ""
        if kind == "directive":
            macro = _DEFINE.match(match[0])
            if macro and macro[2].strip() and not _ALIAS.match(match[0]):
                found += tokens(macro[2], offset=offset + match.start() + macro.start(2))
        elif kind != "comment":
            found.append(Token(kind, match[0], offset + match.start(), offset + match.end()))
    return found


def asides(text: str) -> tuple[str, str]:
    """What a source says beside its code: the text of its comments, and that of its strings. Either may be code."""
    said: dict[str, list[str]] = {"comment": [], "string": []}
    for match in _LEXER.finditer(text):
        kind = match.lastgroup or ""
        if kind in said:
            said[kind].append(match[0])
    comments = _COMMENT_MARKS.sub("", "\n".join(said["comment"]))
    strings = "".join(_QUOTES.sub("", one) if one.startswith("R") else _spoken(one) for one in said["string"])
    return comments, strings


def _spoken(literal: str) -> str:
    text = _QUOTES.sub("", literal)
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


@dataclass(frozen=True)
class Source:
    """A text with what its tokens say; `own` are names that the file of this part defines elsewhere, as `names` gives
    them."""

    text: str
    own: frozenset[str] = frozenset()

    @cached_property
    def tokens(self) -> list[Token]:
        meant = dict(_ALIAS.findall(self.text))
        if not meant:
            return tokens(self.text)
        return [t._replace(text=meant.get(t.text, t.text)) if t.kind == "word" else t for t in tokens(self.text)]

    @cached_property
    def mates(self) -> dict[int, int]:
        """Opening bracket → its closing one, by index; those without a mate are left out."""
        found: dict[int, int] = {}
        open_: list[int] = []
        for i, token in enumerate(self.tokens):
            if token.kind != "sign":
                continue
            if token.text in _MATES:
                open_.append(i)
            elif token.text in _MATES.values():
                while open_ and _MATES[self.tokens[open_[-1]].text] != token.text:
                    open_.pop()  # a bracket that is never closed
                if open_:
                    found[open_.pop()] = i
        return found

    @cached_property
    def functions(self) -> list[Function]:
        """Functions with bodies in the order of the text, methods among them; none lies inside another."""
        found: list[Function] = []
        past = -1
        for i, token in enumerate(self.tokens):
            if i <= past or token.text != "(" or i == 0 or self.tokens[i - 1].kind != "word":
                continue
            body = self._body_after(i)
            if body is None or self.tokens[i - 1].text in _BLOCKS:
                continue
            past = self.mates[body]
            found.append(Function(self.tokens[i - 1].text, self._declaration_of(i - 1), past))
        return found

    def _body_after(self, parenthesis: int) -> int | None:
        """The brace of the body, where a function's head ends with this list of parameters."""
        i = self.mates.get(parenthesis)
        while i is not None and i + 1 < len(self.tokens):
            i += 1
            text = self.tokens[i].text
            if text == "{":
                return i if i in self.mates else None
            if text in (":", "->"):  # a constructor's initialisers; a trailing return type
                return self._brace_before_end(i)
            if text not in _AFTER_HEAD:
                return None
        return None

    def _brace_before_end(self, i: int) -> int | None:
        while i < len(self.tokens) and self.tokens[i].text not in (";", "}", "?"):
            if self.tokens[i].text == "{" and self.tokens[i - 1].text != ",":
                closing = self.mates.get(i)
                after = self.tokens[closing + 1].text if closing is not None and closing + 1 < len(self.tokens) else ""
                if after not in (",", "{"):  # else the braces of an initialiser
                    return i if closing is not None else None
            i = self.mates.get(i, i) + 1
        return None

    def _declaration_of(self, name: int) -> int:
        """The first token of the declaration that this name stands in."""
        i = name
        while i > 0 and self.tokens[i - 1].text not in (";", "{", "}"):
            if self.tokens[i - 1].text == ":" and self.tokens[i - 2].text in ("public", "private", "protected"):
                break
            i -= 1
        return i

    def text_of(self, function: Function) -> str:
        """A function's text with the comment right above it."""
        start = self.tokens[function.first].start
        head = self.text[max(0, start - LONGEST_COMMENT) : start]
        above = re.search(r"(?:^[ \t]*//[^\n]*\n|/\*(?:(?!\*/).)*\*/[ \t]*\n)+[ \t]*\Z", head, re.DOTALL | re.MULTILINE)
        first = start - len(head) + above.start() if above else start
        return self.text[first : self.tokens[function.last].end].strip("\n")

    @cached_property
    def own_functions(self) -> frozenset[str]:
        """Names of functions, macros and local lambdas that the file defines."""
        names = {f.name for f in self.functions}
        names |= {m[1] for m in re.finditer(r"^[ \t]*#\s*define\s+(\w+)", self.text, re.MULTILINE)}
        words = self.tokens
        for i in range(len(words) - 2):
            if words[i].kind == "word" and words[i + 1].text == "=" and words[i + 2].text == "[":
                names.add(words[i].text)
        return frozenset(names | {name[:-2] for name in self.own if name.endswith("()")})

    @cached_property
    def own_types(self) -> frozenset[str]:
        """Names of classes, aliases and types of templates that the file declares."""
        return frozenset(_own_types(self.tokens)) | {name for name in self.own if not name.endswith("()")}

    @property
    def names(self) -> frozenset[str]:
        """What the file calls its own: `f()` a function, `T` a type."""
        return self.own_types | {f"{name}()" for name in self.own_functions}


def _own_types(found: Sequence[Token]) -> Iterator[str]:
    for i, token in enumerate(found[:-1]):
        after = found[i + 1]
        if token.text in _DECLARE and after.kind == "word" and after.text not in ("namespace", "class"):
            yield after.text
        elif token.text == "typedef":
            end = next((j for j in range(i, len(found)) if found[j].text == ";"), i)
            yield found[end - 1].text
