"""Evaluation of the syntax, with a host for what the names mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .program import Function, Program
from .syntax import Node, Parser
from .tokens import CppError, Token

STEP_LIMIT = 200_000


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
                arguments: list[Any] | None = [self.value(a, scopes) for a in initialiser]
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
