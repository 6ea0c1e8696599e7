"""Syntax: statements and expressions as tuples, the first item names the kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .program import Function, read_parameters
from .tokens import CLOSE, CppError, Token, matching

Node = tuple[Any, ...]
_BINARY: list[tuple[str, ...]] = [("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%")]
_ASSIGN = ("=", "+=", "-=", "*=", "/=", "%=")
_STATEMENTS = ("if", "for", "while", "return", "break", "throw", "switch")
_QUALIFIERS = ("const", "static", "constexpr", "inline", "volatile", "struct", "unsigned")


class Parser:
    """Recursive descent over the tokens of one function body."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        line = tokens[-1].line if tokens else 0
        self.tokens = [*tokens, Token("end", "", line)]
        self.at = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self, text: str) -> bool:
        if self.token.text == text and self.token.kind in ("op", "name"):
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        if not self.take(text):
            raise CppError(f"line {self.token.line}: expected {text!r}, got {self.token.text!r}")

    def block(self) -> list[Node]:
        statements = []
        while self.token.kind != "end" and self.token.text != "}":
            statements.append(self.statement())
        return statements

    def statement(self) -> Node:
        line = self.token.line
        if self.take("{"):
            body = self.block()
            self.need("}")
            return ("block", body)
        if self.take(";"):
            return ("block", [])
        word = self.token.text
        if self.token.kind == "name" and word in _STATEMENTS:
            self.at += 1
            return ("at", line, getattr(self, f"_{word}")())
        declared = self.declaration()
        if declared is None:
            declared = ("expr", self.expression())
        self.need(";")
        return ("at", line, declared)

    def _if(self) -> Node:
        self.take("constexpr")
        self.need("(")
        condition = self.expression()
        self.need(")")
        then = self.statement()
        return ("if", condition, then, self.statement() if self.take("else") else ("block", []))

    def _for(self) -> Node:
        self.need("(")
        first = self.declaration()
        if first is not None and self.take(":"):
            over = self.expression()
            self.need(")")
            return ("foreach", first[1][0][1], over, self.statement())
        if first is None and self.token.text != ";":
            first = ("expr", self.expression())
        self.need(";")
        condition = ("number", 1) if self.token.text == ";" else self.expression()
        self.need(";")
        step = None if self.token.text == ")" else self.expression()
        self.need(")")
        return ("for", first, condition, step, self.statement())

    def _while(self) -> Node:
        self.need("(")
        condition = self.expression()
        self.need(")")
        return ("for", None, condition, None, self.statement())

    def _return(self) -> Node:
        value = None if self.token.text == ";" else self.expression()
        self.need(";")
        return ("return", value)

    def _break(self) -> Node:
        self.need(";")
        return ("break",)

    def _throw(self) -> Node:
        value = self.expression()
        self.need(";")
        return ("throw", value)

    def _switch(self) -> Node:
        self.need("(")
        subject = self.expression()
        self.need(")")
        self.need("{")
        arms: list[tuple[Node | None, list[Node]]] = []
        while not self.take("}"):
            if self.take("default"):
                arms.append((None, []))
            else:
                self.need("case")
                arms.append((self.expression(), []))
            self.need(":")
            while self.token.text not in ("case", "default", "}"):
                arms[-1][1].append(self.statement())
        return ("switch", subject, arms)

    def declaration(self) -> Node | None:
        """`type name`, with an initialiser or not, or None (and nothing taken) where this is an expression."""
        start = self.at
        kind = self.type()
        if kind is None or self.token.kind != "name" or self.tokens[self.at + 1].text not in "=({;,:)[":
            self.at = start
            return None
        names = [self._declared(kind)]
        while self.take(","):
            names.append(self._declared(kind))
        return ("declare", names)

    def _declared(self, kind: str) -> Node:
        name = self.token.text
        self.at += 1
        if self.take("="):
            return (kind, name, "=", self.expression())
        if self.token.text in ("(", "{"):
            close = CLOSE[self.token.text]
            self.at += 1
            return (kind, name, "(", self.arguments(close))
        return (kind, name, "", None)

    def type(self) -> str | None:
        """The text of a type, or None."""
        words = []
        while self.token.text in _QUALIFIERS:
            words.append(self.token.text)
            self.at += 1
        if self.token.kind != "name":
            return words[-1] if words and words[-1] == "unsigned" else None
        words.append(self.token.text)
        self.at += 1
        if self.token.text == "<":
            inner = self.template_arguments()
            if inner is None:
                return None
            words[-1] += f"<{inner}>"
        while self.token.text in ("*", "&", "&&", "const"):
            words.append(self.token.text)
            self.at += 1
        return " ".join(words)

    def template_arguments(self) -> str | None:
        """The text between `<` and `>`, or None (and nothing taken) where `<` compares."""
        start = self.at
        self.need("<")
        parts = []
        while True:
            if self.token.kind == "number":
                part: str | None = self.token.text
                self.at += 1
            else:
                part = self.type()
            if part is None:
                break
            parts.append(part)
            if self.take(">"):
                return ", ".join(parts)
            if not self.take(","):
                break
        self.at = start
        return None

    def arguments(self, close: str) -> list[Node]:
        found = []
        while not self.take(close):
            found.append(self.expression())
            if not self.take(","):
                self.need(close)
                break
        return found

    def expression(self) -> Node:
        left = self.ternary()
        if self.token.text in _ASSIGN and self.token.kind == "op":
            operator = self.token.text
            self.at += 1
            return ("assign", operator, left, self.expression())
        return left

    def ternary(self) -> Node:
        condition = self.binary(0)
        if self.take("?"):
            then = self.expression()
            self.need(":")
            return ("ternary", condition, then, self.expression())
        return condition

    def binary(self, level: int) -> Node:
        if level == len(_BINARY):
            return self.unary()
        left = self.binary(level + 1)
        while self.token.kind == "op" and self.token.text in _BINARY[level]:
            operator = self.token.text
            self.at += 1
            left = ("binary", operator, left, self.binary(level + 1))
        return left

    def unary(self) -> Node:
        for operator in ("-", "+", "!", "&", "*", "++", "--"):
            if self.token.kind == "op" and self.take(operator):
                return ("unary", operator, self.unary())
        return self.postfix(self.primary())

    def postfix(self, node: Node) -> Node:
        while True:
            if self.take(".") or self.take("->"):
                node = self._member(node)
            elif self.take("("):
                node = ("call", node, self.arguments(")"))
            elif self.take("["):
                node = ("index", node, self.expression())
                self.need("]")
            elif self.token.text in ("++", "--"):
                node = ("unary", self.token.text, node)
                self.at += 1
            else:
                return node

    def _member(self, node: Node) -> Node:
        self.take("template")
        name = self.token.text
        self.at += 1
        inner = self.template_arguments() if self.token.text == "<" else None
        if self.take("("):
            return ("method", node, name, inner or "", self.arguments(")"))
        return ("member", node, name)

    def primary(self) -> Node:
        token = self.token
        self.at += 1
        if token.kind == "number":
            return ("number", _number(token.text))
        if token.kind == "string":
            return self._string(token)
        if token.text == "(":
            inner = self.expression()
            self.need(")")
            return inner
        if token.text == "{":
            return ("list", self.arguments("}"))
        if token.text == "[":
            return self._lambda()
        if token.kind == "name":
            return self._name(token)
        raise CppError(f"line {token.line}: {token.text!r} is not understood here")

    def _string(self, token: Token) -> Node:
        text = unquote(token.text)
        while self.token.kind == "string":
            text += unquote(self.token.text)
            self.at += 1
        return ("string", text)

    def _name(self, token: Token) -> Node:
        if token.text in ("true", "false"):
            return ("number", token.text == "true")
        if self.token.text == "<":
            start = self.at
            inner = self.template_arguments()
            if inner is not None and self.token.text in ("(", "{"):
                close = CLOSE[self.token.text]
                self.at += 1
                return ("make", f"{token.text}<{inner}>", self.arguments(close))
            self.at = start
        return ("name", token.text, token.line)

    def _lambda(self) -> Node:
        while not self.take("]"):
            self.at += 1
        self.need("(")
        close = matching(self.tokens, self.at - 1)
        parameters = read_parameters(self.tokens[self.at : close])
        self.at = close + 1
        while self.token.text != "{":
            self.at += 1
        end = matching(self.tokens, self.at)
        body = tuple(self.tokens[self.at + 1 : end])
        self.at = end + 1
        return ("lambda", Function("lambda", parameters, body))


def unquote(text: str) -> str:
    """The characters of a C++ string literal."""
    escapes = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
    return re.sub(r"\\(.)", lambda m: escapes.get(m.group(1), m.group(1)), text[1:-1], flags=re.S)


def _number(text: str) -> int | float:
    if text[:2].lower() == "0x":
        return int(text.rstrip("uUlL"), 16)
    bare = text.rstrip("uUlLfF")
    return float(bare) if any(c in bare for c in ".eE") else int(bare)
