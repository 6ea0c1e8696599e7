"""What a file declares, found without parsing any body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .tokens import CLOSE, Token, matching, tokenize


@dataclass(frozen=True)
class Parameter:
    type: str
    name: str
    default: tuple[Token, ...] = ()


@dataclass(frozen=True)
class Function:
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Token, ...]


@dataclass
class Program:
    """Functions, constructors, constants and calls at file scope, found without parsing any body."""

    functions: dict[str, Function] = field(default_factory=dict)
    constructors: dict[str, Function] = field(default_factory=dict)
    constants: list[tuple[Token, ...]] = field(default_factory=list)
    calls: list[tuple[str, tuple[Token, ...]]] = field(default_factory=list)


def read_program(text: str) -> Program:
    """What the file declares. Anything that is not understood at file scope is passed over."""
    program = Program()
    _read_scope(tokenize(text)[:-1], program)
    return program


def _read_scope(tokens: Sequence[Token], program: Program) -> None:
    at = 0
    while at < len(tokens):
        at = _read_item(tokens, at, program)


def _read_item(tokens: Sequence[Token], at: int, program: Program) -> int:
    """Read one item at file or namespace scope; the index after it."""
    text = tokens[at].text
    if text == ";":
        return at + 1
    end = _item_end(tokens, at)
    opened = next((i for i in range(at, end) if tokens[i].text == "{"), None)
    if text == "namespace" and opened is not None:
        _read_scope(tokens[opened + 1 : end - 1], program)
        return end
    if text == "class" and opened is not None:
        _read_class(tokens[at:end], program)
        return _skip_semicolon(tokens, end)
    call = next((i for i in range(at, end) if tokens[i].text == "("), None)
    if call is not None and (opened is None or call < opened) and call > at:
        _read_call_or_function(tokens[at:end], call - at, program)
    elif any(t.text == "=" for t in tokens[at:end]):
        program.constants.append(tuple(t for t in tokens[at:end] if t.text not in ("static", "inline")))
    return _skip_semicolon(tokens, end)


def _item_end(tokens: Sequence[Token], at: int) -> int:
    """Behind the `;` or the closing brace that ends the item (a brace after `=` does not end it)."""
    assigned = False
    while at < len(tokens):
        text = tokens[at].text
        if text == ";":
            return at + 1
        if text in CLOSE:
            at = matching(tokens, at)
            if text == "{" and not assigned:
                return at + 1
        assigned = assigned or text == "="
        at += 1
    return at


def _skip_semicolon(tokens: Sequence[Token], at: int) -> int:
    return at + 1 if at < len(tokens) and tokens[at].text == ";" and tokens[at - 1].text == "}" else at


def _read_call_or_function(item: Sequence[Token], call: int, program: Program) -> None:
    close = matching(item, call)
    name = item[call - 1].text
    if item[-1].text == "}" and item[call - 1].kind == "name":
        opened = next((i for i in range(close, len(item)) if item[i].text == "{"), None)
        if opened is not None:
            parameters = read_parameters(item[call + 1 : close])
            function = Function(name, parameters, tuple(item[opened + 1 : -1]))
            program.functions[name] = function
            program.calls.append((name, tuple(item[call + 1 : close])))
            if name == "PYBIND11_MODULE":
                program.functions[name] = Function(name, (), tuple(item[opened + 1 : -1]))
    elif any(t.text == "=" for t in item):
        program.constants.append(tuple(t for t in item if t.text not in ("static", "inline")))
    else:
        program.calls.append((name, tuple(item[call + 1 : close])))


def _read_class(item: Sequence[Token], program: Program) -> None:
    """Keep the constructor of a class: `explicit NAME(…) : BASE(…) { … }`."""
    name = item[1].text
    body = next(i for i in range(len(item)) if item[i].text == "{") + 1
    for i in range(body, len(item) - 1):
        if item[i].text == name and item[i + 1].text == "(":
            close = matching(item, i + 1)
            opened = next((k for k in range(close, len(item)) if item[k].text == "{"), None)
            if opened is not None:
                end = matching(item, opened)
                program.constructors[name] = Function(name, (), tuple(item[opened + 1 : end]))
                return


def read_parameters(tokens: Sequence[Token]) -> tuple[Parameter, ...]:
    found = []
    for part in split_commas(tokens):
        equal = next((i for i, t in enumerate(part) if t.text == "="), len(part))
        names = [t for t in part[:equal] if t.kind == "name"]
        if names:
            kind = " ".join(t.text for t in part[:equal] if t is not names[-1])
            found.append(Parameter(kind, names[-1].text, tuple(part[equal + 1 :])))
    return tuple(found)


def split_commas(tokens: Sequence[Token]) -> list[list[Token]]:
    """The parts between commas that stand outside every bracket, template brackets included."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in ("(", "{", "[", "<")) - (token.text in (")", "}", "]", ">"))
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [p for p in parts if p]
