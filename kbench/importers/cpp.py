"""An interpreter for the small part of C++ in which benchmarks write their glue.

Two kinds of file are read with it, unmodified: an operator's registration (a class whose constructor describes inputs,
outputs and attributes) and the wrapper between Python and the kernel call (which allocates outputs and passes
arguments on). Interpreting them tells the kernel's interface for every case exactly, where reading them with regular
expressions would guess.

What the names mean (`torch::empty`, `this->Input`, …) is the `Host`'s business; this module knows the language only:
declarations, assignments, calls, `if`, `for`, `switch`, lambdas, initialiser lists, vectors and maps. Function bodies
are parsed when they are called, so that a file may hold any other C++ in functions that nobody calls.

This file stands alone: it is also loaded in the sandboxed child, which has no kbench.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

STEP_LIMIT = 200_000


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


_CLOSE = {"(": ")", "{": "}", "[": "]"}


def _match(tokens: Sequence[Token], at: int) -> int:
    """The index of the bracket that closes the one at `at`."""
    stack: list[str] = []
    for i in range(at, len(tokens)):
        text = tokens[i].text if tokens[i].kind == "op" else ""
        if text in _CLOSE:
            stack.append(_CLOSE[text])
        elif text and stack and text == stack[-1]:
            stack.pop()
            if not stack:
                return i
    raise CppError(f"line {tokens[at].line}: {tokens[at].text!r} is never closed")


# ---------------------------------------------------------------------------------------------------------------------
# What a file declares


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
        if text in _CLOSE:
            at = _match(tokens, at)
            if text == "{" and not assigned:
                return at + 1
        assigned = assigned or text == "="
        at += 1
    return at


def _skip_semicolon(tokens: Sequence[Token], at: int) -> int:
    return at + 1 if at < len(tokens) and tokens[at].text == ";" and tokens[at - 1].text == "}" else at


def _read_call_or_function(item: Sequence[Token], call: int, program: Program) -> None:
    close = _match(item, call)
    name = item[call - 1].text
    if item[-1].text == "}" and item[call - 1].kind == "name":
        opened = next((i for i in range(close, len(item)) if item[i].text == "{"), None)
        if opened is not None:
            parameters = _parameters(item[call + 1 : close])
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
            close = _match(item, i + 1)
            opened = next((k for k in range(close, len(item)) if item[k].text == "{"), None)
            if opened is not None:
                end = _match(item, opened)
                program.constructors[name] = Function(name, (), tuple(item[opened + 1 : end]))
                return


def _parameters(tokens: Sequence[Token]) -> tuple[Parameter, ...]:
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


# ---------------------------------------------------------------------------------------------------------------------
# Syntax: statements and expressions as tuples, the first item names the kind


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
            close = _CLOSE[self.token.text]
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
                close = _CLOSE[self.token.text]
                self.at += 1
                return ("make", f"{token.text}<{inner}>", self.arguments(close))
            self.at = start
        return ("name", token.text, token.line)

    def _lambda(self) -> Node:
        while not self.take("]"):
            self.at += 1
        self.need("(")
        close = _match(self.tokens, self.at - 1)
        parameters = _parameters(self.tokens[self.at : close])
        self.at = close + 1
        while self.token.text != "{":
            self.at += 1
        end = _match(self.tokens, self.at)
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


# ---------------------------------------------------------------------------------------------------------------------
# Evaluation


class Host:
    """What names outside the language mean. Subclasses give functions, types and methods of their library."""

    def name(self, name: str) -> Any:
        """The value of a name that the program does not define. Raises KeyError where there is none."""
        raise KeyError(name)

    def call(self, name: str, arguments: list[Any]) -> Any:
        """Call a function, or make a value of a type, that the program does not define. Raises KeyError."""
        raise KeyError(name)

    def make(self, kind: str, arguments: list[Any] | None) -> Any:
        """A value of declared type `kind` from its initialiser (None: default). Raises KeyError to keep the value."""
        raise KeyError(kind)

    def method(self, value: Any, name: str, template: str, arguments: list[Any]) -> Any:
        """Call a method of a library object. Raises KeyError where it has none."""
        raise KeyError(name)


@dataclass
class Pointer:
    """An iterator or pointer into a vector."""

    items: list[Any]
    at: int = 0

    def __add__(self, steps: int) -> Pointer:
        return Pointer(self.items, self.at + steps)


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class _Break(Exception):
    pass


class Interpreter:
    """Runs functions of a `Program`. `this` is what `this->` means in a constructor."""

    def __init__(self, program: Program, host: Host) -> None:
        self.program = program
        self.host = host
        self.this: Any = None
        self.line = 0
        self.steps = 0
        self.globals: dict[str, Any] = {}
        for tokens in program.constants:
            self._constant(tokens)

    def _constant(self, tokens: Sequence[Token]) -> None:
        """Evaluate a declaration at file scope; one that is not understood stays undefined."""
        try:
            for statement in Parser(tokens).block():
                self.run(statement, [self.globals])
        except (CppError, KeyError, TypeError):
            return

    def construct(self, name: str, this: Any) -> None:
        """Run the constructor of class `name` on `this`."""
        self.this = this
        self._body(self.program.constructors[name], [self.globals, {}])

    def call(self, name: str, arguments: Sequence[Any]) -> Any:
        """Call a function of the program.

        Raises:
            CppError: with the line, for anything outside the subset and for what the program throws.
        """
        function = self.program.functions[name]
        return self._invoke(function, list(arguments), [self.globals])

    def _invoke(self, function: Function, arguments: list[Any], scopes: list[dict[str, Any]]) -> Any:
        scope: dict[str, Any] = {}
        if len(arguments) > len(function.parameters):
            raise CppError(f"{function.name} takes {len(function.parameters)} arguments, got {len(arguments)}")
        for i, parameter in enumerate(function.parameters):
            if i < len(arguments):
                scope[parameter.name] = arguments[i]
            elif parameter.default:
                scope[parameter.name] = self.value(Parser(parameter.default).expression(), scopes)
            else:
                raise CppError(f"{function.name} needs {len(function.parameters)} arguments, got {len(arguments)}")
        return self._body(function, [*scopes, scope])

    def _body(self, function: Function, scopes: list[dict[str, Any]]) -> Any:
        try:
            for statement in Parser(function.body).block():
                self.run(statement, scopes)
        except _Return as ended:
            return ended.value
        except (KeyError, TypeError, AttributeError, IndexError, ValueError, ZeroDivisionError) as error:
            raise CppError(f"line {self.line}: {type(error).__name__}: {error}") from error
        return None

    def run(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        self.steps += 1
        if self.steps > STEP_LIMIT:
            raise CppError(f"line {self.line}: more than {STEP_LIMIT} steps")
        getattr(self, f"_run_{node[0]}")(node, scopes)

    def _run_at(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        self.line = node[1]
        self.run(node[2], scopes)

    def _run_block(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        inner = [*scopes, {}]
        for statement in node[1]:
            self.run(statement, inner)

    def _run_expr(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        self.value(node[1], scopes)

    def _run_declare(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        for kind, name, form, initialiser in node[1]:
            if form == "(":
                arguments = [self.value(a, scopes) for a in initialiser]
            else:
                arguments = [self.value(initialiser, scopes)] if form == "=" else None
            scopes[-1][name] = self.make(kind, arguments)

    def _run_if(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        self.run(node[2] if self.value(node[1], scopes) else node[3], scopes)

    def _run_foreach(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        for item in list(self.value(node[2], scopes)):
            try:
                self.run(node[3], [*scopes, {node[1]: item}])
            except _Break:
                return

    def _run_for(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        inner = [*scopes, {}]
        if node[1] is not None:
            self.run(node[1], inner)
        while self.value(node[2], inner):
            try:
                self.run(node[4], inner)
            except _Break:
                return
            if node[3] is not None:
                self.value(node[3], inner)

    def _run_switch(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        subject = self.value(node[1], scopes)
        labels = [None if arm[0] is None else self.value(arm[0], scopes) for arm in node[2]]
        start = next((i for i, v in enumerate(labels) if node[2][i][0] is not None and v == subject), None)
        if start is None:
            start = next((i for i, arm in enumerate(node[2]) if arm[0] is None), len(labels))
        try:
            for _, statements in node[2][start:]:
                self._run_block(("block", statements), scopes)
        except _Break:
            return

    def _run_return(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        raise _Return(None if node[1] is None else self.value(node[1], scopes))

    def _run_break(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        raise _Break

    def _run_throw(self, node: Node, scopes: list[dict[str, Any]]) -> None:
        raise CppError(f"line {self.line}: it throws: {self.value(node[1], scopes)}")

    def make(self, kind: str, arguments: list[Any] | None) -> Any:
        """A value of a declared type."""
        bare = kind.replace("const ", "").strip(" &*")
        if bare.startswith("std::vector"):
            return _vector(arguments)
        if bare.startswith(("std::map", "std::unordered_map")):
            return dict((arguments or [[]])[0])
        if bare in ("int", "int64_t", "int32_t", "size_t", "uint32_t", "uint64_t", "long"):
            return int(arguments[0]) if arguments else 0
        if bare in ("double", "float"):
            return float(arguments[0]) if arguments else 0.0
        try:
            return self.host.make(kind, arguments)
        except KeyError:
            return arguments[0] if arguments else None

    def value(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        return getattr(self, f"_value_{node[0]}")(node, scopes)

    def _value_number(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        return node[1]

    _value_string = _value_number

    def _value_list(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        return [self.value(item, scopes) for item in node[1]]

    def _value_lambda(self, node: Node, scopes: list[dict[str, Any]]) -> Callable[..., Any]:
        return lambda *arguments: self._invoke(node[1], list(arguments), scopes)

    def _value_name(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        for scope in reversed(scopes):
            if node[1] in scope:
                return scope[node[1]]
        if node[1] == "this":
            return self.this
        if node[1] in ("nullptr", "c10::nullopt", "std::nullopt"):
            return None
        try:
            return self.host.name(node[1])
        except KeyError:
            raise CppError(f"line {node[2]}: {node[1]!r} is not known") from None

    def _value_ternary(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        return self.value(node[2] if self.value(node[1], scopes) else node[3], scopes)

    def _value_binary(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        operator, left = node[1], self.value(node[2], scopes)
        if operator == "&&":
            return bool(left) and bool(self.value(node[3], scopes))
        if operator == "||":
            return bool(left) or bool(self.value(node[3], scopes))
        return _OPERATIONS[operator](left, self.value(node[3], scopes))

    def _value_unary(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        operator = node[1]
        if operator in ("++", "--"):
            return self._assign(node[2], self.value(node[2], scopes) + (1 if operator == "++" else -1), scopes)
        value = self.value(node[2], scopes)
        if operator == "-":
            return -value
        if operator == "!":
            return not value
        if operator == "*" and isinstance(value, Pointer):
            return value.items[value.at]
        return value

    def _value_assign(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        operator, target, value = node[1], node[2], self.value(node[3], scopes)
        if operator != "=":
            value = _OPERATIONS[operator[0]](self.value(target, scopes), value)
        return self._assign(target, value, scopes)

    def _assign(self, target: Node, value: Any, scopes: list[dict[str, Any]]) -> Any:
        if target[0] == "name":
            scope = next((s for s in reversed(scopes) if target[1] in s), scopes[-1])
            scope[target[1]] = value
        elif target[0] == "index":
            self.value(target[1], scopes)[self.value(target[2], scopes)] = value
        elif target[0] == "method" and target[2] in ("back", "front"):
            self.value(target[1], scopes)[-1 if target[2] == "back" else 0] = value
        else:
            raise CppError(f"line {self.line}: this cannot be assigned to")
        return value

    def _value_index(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        holder, at = self.value(node[1], scopes), self.value(node[2], scopes)
        return holder.items[holder.at + at] if isinstance(holder, Pointer) else holder[at]

    def _value_member(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        return self.host.method(self.value(node[1], scopes), node[2], "", [])

    def _value_method(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        value = self.value(node[1], scopes)
        arguments = [self.value(a, scopes) for a in node[4]]
        if isinstance(value, list) and node[2] in _VECTOR:
            return _VECTOR[node[2]](value, *arguments)
        if isinstance(value, dict) and node[2] == "at":
            return value[arguments[0]]
        if isinstance(value, str) and node[2] in ("c_str", "data"):
            return value
        return self.host.method(value, node[2], node[3], arguments)

    def _value_make(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        arguments = [self.value(a, scopes) for a in node[2]]
        kind = node[1]
        if kind.startswith(("static_cast<", "reinterpret_cast<", "const_cast<")):
            return self.make(kind[kind.index("<") + 1 : -1], arguments)
        return self.make(kind, arguments)

    def _value_call(self, node: Node, scopes: list[dict[str, Any]]) -> Any:
        callee = node[1]
        name = callee[1] if callee[0] == "name" else ""
        if name == "EXEC_NPU_CMD":  # a macro: its first argument is a name, not a value
            return self.host.call(name, [node[2][0][1], *(self.value(a, scopes) for a in node[2][1:])])
        arguments = [self.value(a, scopes) for a in node[2]]
        if name == "std::for_each":
            for item in arguments[0].items[arguments[0].at : arguments[1].at]:
                arguments[2](item)
            return None
        if name in self.program.functions and not any(name in s for s in scopes):
            return self._invoke(self.program.functions[name], arguments, [self.globals])
        if callee[0] != "name" or any(name in s for s in scopes):
            return self.value(callee, scopes)(*arguments)
        try:
            return self.host.call(name, arguments)
        except KeyError:
            return self.make(name, arguments)


def _vector(arguments: list[Any] | None) -> list[Any]:
    if not arguments:
        return []
    if len(arguments) == 2 and isinstance(arguments[0], Pointer):
        return list(arguments[0].items[arguments[0].at : arguments[1].at])
    if isinstance(arguments[0], int):
        return [arguments[1] if len(arguments) == 2 else 0] * arguments[0]
    if isinstance(arguments[0], list | tuple):
        return list(arguments[0])
    return list(arguments)


def _divide(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return int(a / b) if abs(a) < 2**52 else (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)
    return a / b


def _remainder(a: Any, b: Any) -> Any:
    return a - _divide(a, b) * b


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": _remainder,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}

_VECTOR: dict[str, Callable[..., Any]] = {
    "push_back": lambda v, x: v.append(x),
    "emplace_back": lambda v, x: v.append(x),
    "pop_back": lambda v: v.pop() and None,
    "size": len,
    "empty": lambda v: not v,
    "reserve": lambda v, n: None,
    "back": lambda v: v[-1],
    "front": lambda v: v[0],
    "at": lambda v, i: v[i],
    "vec": list,
    "begin": lambda v: Pointer(v),
    "cbegin": lambda v: Pointer(v),
    "end": lambda v: Pointer(v, len(v)),
    "cend": lambda v: Pointer(v, len(v)),
    "data": lambda v: Pointer(v),
}
