"""bfloat, which WebAssembly lacks: 16 bits in memory and registers, arithmetic in float, rounding at run time."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Protocol

from kbench.backends.aie.sim.ir import CALL, Types, arguments, result_type


class NewModule(Protocol):
    """What new lines need of the module that they go into."""

    types: Types

    def name(self) -> str:
        """A name that nothing has."""

    def runtime(self, name: str, declaration: str) -> str:
        """Declares a function of the runtime, or an intrinsic; gives its symbol."""


_FMF = re.compile(r"\b(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) ")
_BF16_TYPE = re.compile(r"(?<![%@\w.\"])bfloat(?![\w.\"])")
_BF16_CONSTANT = re.compile(r"\b0xR([0-9A-F]{4})\b")


def as_integers(text: str) -> str:
    """Types and constants of bfloat as those of i16."""
    if "bfloat" not in text:
        return text
    return _BF16_CONSTANT.sub(lambda m: str(int(m[1], 16)), _BF16_TYPE.sub("i16", text))


def value_as_integer(value: str) -> str:
    return _BF16_CONSTANT.sub(lambda m: str(int(m[1], 16)), value)


_EXTEND = re.compile(r"^  (%\S+) = fpext (?:[a-z]+ )*(.*bfloat>?) (.+) to (.+)$")
_TRUNCATE = re.compile(r"^  (%\S+) = fptrunc (?:[a-z]+ )*(<.+?>|\S+) (.+) to (.*bfloat>?)$")
_FROM_INT = re.compile(r"^  (%\S+) = ([su])itofp (?:nneg )?(<.+?>|\S+) (.+) to (.*bfloat>?)$")
_TO_INT = re.compile(r"^  (%\S+) = fpto([su])i (.*?bfloat>?) (.+) to (.+)$")
_COMPARE = re.compile(r"^  (%\S+) = fcmp (?:[a-z]+ )*?([a-z]+) (.*?bfloat>?) (.+), (.+)$")
_BINARY = re.compile(r"^  (%\S+) = f(add|sub|mul|div|rem) (?:[a-z]+ )*(.*?bfloat>?) (.+), (.+)$")
_NEGATE = re.compile(r"^  (%\S+) = fneg (?:[a-z]+ )*(.*?bfloat>?) (.+)$")
_INTRINSIC = re.compile(r"@llvm\.([a-z.]+)\.(v\d+)?bf16\(")


class Bfloat:
    """The instructions that have bfloat in them."""

    def __init__(self, module: NewModule) -> None:
        self.new = module

    def lines(self, line: str) -> Iterator[str]:
        for pattern, rewrite in (
            (_EXTEND, self.extend),
            (_TRUNCATE, self.truncate),
            (_FROM_INT, self.from_int),
            (_TO_INT, self.to_int),
            (_COMPARE, self.compare),
            (_BINARY, self.binary),
            (_NEGATE, self.negate),
        ):
            if (m := pattern.match(line)) is not None:
                yield from rewrite(*m.groups())
                return
        if (intrinsic := _INTRINSIC.search(line)) is not None:
            yield from self.intrinsic(line, intrinsic)
            return
        if " = phi " in line or " = select " in line:
            line = _FMF.sub("", line)
        yield as_integers(line)

    def widened(self, type_: str, value: str, into: str = "") -> Iterator[str]:
        """Yields the lines that make a float of a bfloat; the last one names it."""
        shape = functools.partial(_shaped, type_)
        i32, shifted, name = self.new.name(), self.new.name(), into or self.new.name()
        yield f"  {i32} = zext {shape('i16')} {value_as_integer(value)} to {shape('i32')}"
        amount = "16" if shape("i32") == "i32" else "splat (i32 16)"
        yield f"  {shifted} = shl {shape('i32')} {i32}, {amount}"
        yield f"  {name} = bitcast {shape('i32')} {shifted} to {shape('float')}"

    def wide(self, type_: str, value: str, lines: list[str]) -> str:
        lines += self.widened(type_, value)
        return lines[-1].split()[0]

    def narrowed(self, type_: str, value: str, into: str) -> Iterator[str]:
        """The lines that round a float (or a vector of them) to bfloat as the control state says."""
        round_ = self.new.runtime("kbrt_round_bf16", "declare i16 @kbrt_round_bf16(float)")
        lanes = self.new.types.lanes(type_)[0] if type_.startswith("<") else 0
        if not lanes:
            yield f"  {into} = call i16 {round_}(float {value})"
            return
        old = "poison"
        for i in range(lanes):
            one, rounded = self.new.name(), self.new.name()
            new = into if i == lanes - 1 else self.new.name()
            yield f"  {one} = extractelement <{lanes} x float> {value}, i32 {i}"
            yield f"  {rounded} = call i16 {round_}(float {one})"
            yield f"  {new} = insertelement <{lanes} x i16> {old}, i16 {rounded}, i32 {i}"
            old = new

    def extend(self, result: str, type_: str, value: str, to: str) -> Iterator[str]:
        if "double" not in to:
            yield from self.widened(type_, value, result)
            return
        lines: list[str] = []
        wide = self.wide(type_, value, lines)
        yield from lines
        yield f"  {result} = fpext {_shaped(type_, 'float')} {wide} to {to}"

    def truncate(self, result: str, source: str, value: str, type_: str) -> Iterator[str]:
        if "double" in source:
            name = self.new.name()
            yield f"  {name} = fptrunc {source} {value} to {_shaped(type_, 'float')}"
            value = name
        yield from self.narrowed(type_, value, result)

    def from_int(self, result: str, sign: str, source: str, value: str, type_: str) -> Iterator[str]:
        name = self.new.name()
        yield f"  {name} = {sign}itofp {source} {value} to {_shaped(type_, 'float')}"
        yield from self.narrowed(type_, name, result)

    def to_int(self, result: str, sign: str, type_: str, value: str, to: str) -> Iterator[str]:
        lines: list[str] = []
        wide = self.wide(type_, value, lines)
        yield from lines
        yield f"  {result} = fpto{sign}i {_shaped(type_, 'float')} {wide} to {to}"

    def compare(self, result: str, how: str, type_: str, a: str, b: str) -> Iterator[str]:
        lines: list[str] = []
        left, right = self.wide(type_, a, lines), self.wide(type_, b, lines)
        yield from lines
        yield f"  {result} = fcmp {how} {_shaped(type_, 'float')} {left}, {right}"

    def binary(self, result: str, how: str, type_: str, a: str, b: str) -> Iterator[str]:
        lines: list[str] = []
        left, right, name = self.wide(type_, a, lines), self.wide(type_, b, lines), self.new.name()
        yield from lines
        yield f"  {name} = f{how} {_shaped(type_, 'float')} {left}, {right}"
        yield from self.narrowed(type_, name, result)

    def negate(self, result: str, type_: str, value: str) -> Iterator[str]:
        sign = "-32768" if not type_.startswith("<") else "splat (i16 -32768)"
        yield f"  {result} = xor {_shaped(type_, 'i16')} {value_as_integer(value)}, {sign}"

    def intrinsic(self, line: str, m: re.Match[str]) -> Iterator[str]:
        """As the one of float, between conversions; what selects or clears a bit stays exact that way."""
        call = CALL.match(line)
        assert call is not None
        name, suffix = f"llvm.{m[1]}.{m[2] or ''}", "f32"
        given = arguments(line, line.index("(", m.start()))
        lines: list[str] = []
        values = []
        for type_, value in given:
            if "bfloat" in type_:
                values.append((_shaped(type_, "float"), self.wide(type_, value, lines)))
            else:
                values.append((type_, value))
        yield from lines
        before = line[line.index("call ") + 5 : m.start()]
        returned = result_type(before)
        to = _shaped(returned, "float") if "bfloat" in returned else returned
        declared = f"declare {to} @{name}{suffix}({', '.join(t for t, _ in values)})"
        self.new.runtime(f"{name}{suffix}", declared)
        wide = self.new.name()
        result = call[1] or self.new.name()
        into = wide if "bfloat" in returned else result
        yield f"  {into} = call {to} @{name}{suffix}({', '.join(f'{t} {v}' for t, v in values)})"
        if "bfloat" in returned:
            yield from self.narrowed(returned, wide, result)


def _shaped(type_: str, element: str) -> str:
    """`element`, or a vector of as many of them as `type_` has."""
    return re.sub(r"bfloat|float", element, type_) if type_.startswith("<") else element
