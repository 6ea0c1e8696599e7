"""Tokens of C++ text, and the brackets among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


class CppError(Exception):
    """The source is outside the subset, or it threw; the message says where."""


@dataclass(frozen=True)
class Token:
    kind: str  # name, number, string, op, end
    text: str
    line: int


_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<directive>\#(?:[^\n\\]|\\.|\\\n)*)
      | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
      | (?P<name>[A-Za-z_]\w*(?:\s*::\s*~?[A-Za-z_]\w*)*|::\s*[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)
      | (?P<op><<=|>>=|->|\+\+|--|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|<<|::|.)""",
    re.S | re.X,
)


def tokenize(text: str) -> list[Token]:
    """Tokens of C++ text: comments and directives dropped, `a::b` one name, `>>` two tokens (it closes templates)."""
    tokens: list[Token] = []
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "op"
        if kind not in ("space", "directive"):
            word = re.sub(r"\s+", "", match.group()) if kind == "name" else match.group()
            tokens.append(Token(kind, word, line))
        line += match.group().count("\n")
    tokens.append(Token("end", "", line))
    return tokens


CLOSE = {"(": ")", "{": "}", "[": "]"}


def matching(tokens: Sequence[Token], at: int) -> int:
    """The index of the bracket that closes the one at `at`."""
    stack: list[str] = []
    for i in range(at, len(tokens)):
        text = tokens[i].text if tokens[i].kind == "op" else ""
        if text in CLOSE:
            stack.append(CLOSE[text])
        elif text and stack and text == stack[-1]:
            stack.pop()
            if not stack:
                return i
    raise CppError(f"line {tokens[at].line}: {tokens[at].text!r} is never closed")
