"""Whether one source is a copy of another in disguise: renamed, reformatted, re-templated or retyped.

Both are brought to what such a disguise leaves as it is. Comments, layout, types, qualifiers, template heads and
arguments, casts and brackets are taken out; names, strings and numbers (all but 0 and 1) become one and the same mark,
except names of functions that are called and not defined in the file: they belong to the machine, and no renaming can
touch them. What remains is compared as overlapping runs of tokens (k-grams: Broder, "On the resemblance and
containment of documents", 1997): `share` is the part of the solution's runs that the other text holds too.

Kin are much alike as well (a square root, and its reciprocal), but a copy computes with the same operations. So two
sources are also compared by what they compute with, operators and called names: where the other text lacks some of the
solution's, or has more of its own, it is another operation, and kin.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kbench.core.likeness.tokens import Source, Token

#: Length of the runs of tokens that are compared.
RUN = 5
#: A text that holds this share of the solution's runs and computes with the same operations is a copy of it.
#: Thresholds were chosen on the `tune` half of benchmarks/rag/planted.py and judged on the other.
SAME_OPERATIONS_SHARE = 0.85
#: One that holds this share is a copy whatever else it computes: a solution with something around it.
ANY_SHARE = 0.97
#: The part of a solution's operations that a copy of it may lack, or have besides.
DIFFERENCE = 0.04
#: Functions with fewer tokens say nothing by themselves.
SMALLEST = 20

_DROPPED = frozenset({
    "static", "inline", "constexpr", "consteval", "const", "volatile", "extern", "explicit", "noexcept",
    "register", "mutable", "typename", "unsigned", "signed", "restrict", "__restrict", "virtual", "override",
    "final", "friend", "auto", "public", "private", "protected", "struct", "class", "this"
})  # fmt: skip
_TYPES = frozenset({
    "bool", "char", "double", "float", "int", "long", "short", "void", "half", "bfloat16", "bfloat16_t",
    "accfloat", "acc32", "acc48", "acc64", "acc80", "size_t", "int8", "uint8", "int16", "uint16", "int32",
    "uint32", "int64", "uint64", "float16", "float32"
})  # fmt: skip
_CASTS = frozenset({
    "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast", "bit_cast", "__builtin_bit_cast"
})  # fmt: skip
_KEPT_WORDS = frozenset({"for", "while", "do", "if", "else", "switch", "case", "break", "continue", "return"})
_OPERATORS = frozenset({
    "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "!", "&", "|", "^", "~", "<<", "?"
})  # fmt: skip
_BRACKETS = frozenset({"(", ")", "{", "}", "::", ".", "->", "..."})
_TEMPLATE_SIGNS = frozenset({"::", ",", "*", "&", "<", ">", ".", "(", ")", "-", "+", "/", "..."})
_AFTER_TEMPLATE = frozenset({"(", ")", ";", ",", "{", "}", "::", ">", "&", "*", "[", "]"})
#: Nothing and one mean something; other numbers may as well be names.
_SMALL = re.compile(r"[01](?:\.0*)?[fFuUlL]*")
#: C's names of float functions, and the compiler's own, are those of the function.
_FLOAT_NAMES = frozenset({
    "abs", "exp", "exp2", "log", "log2", "log10", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "floor", "ceil",
    "round", "trunc", "rint", "pow", "fmax", "fmin", "fma", "erf"
})  # fmt: skip
_SAME = {"fabs": "abs", "fmax": "max", "fmin": "min"}

Runs = Counter[tuple[str, ...]]


@dataclass(frozen=True)
class Print:
    """What is left of a source, or of one function of it: `size` tokens, their runs, and the operations among them."""

    size: int
    runs: Runs
    operations: Counter[str]
    digest: str

    @classmethod
    def of(cls, kept: Sequence[str]) -> Print:
        runs = Counter(tuple(kept[i : i + RUN]) for i in range(max(1, len(kept) - RUN + 1))) if kept else Counter()
        operations = Counter(t for t in kept if t in _OPERATORS or t.startswith("call:"))
        return cls(len(kept), runs, operations, hashlib.sha256(" ".join(kept).encode()).hexdigest()[:24])


@dataclass(frozen=True)
class Prints:
    """A whole source, and its functions by name where they are large enough to say something."""

    whole: Print
    functions: tuple[tuple[str, Print], ...]


@dataclass(frozen=True)
class Likeness:
    """How much of a solution a text holds: `share` of its runs; operations that it lacks and that it has beyond the
    solution's, as parts of the solution's."""

    share: float
    lacking: float
    surplus: float

    @property
    def copy(self) -> bool:
        if self.lacking > DIFFERENCE:
            return False
        return self.share >= (SAME_OPERATIONS_SHARE if self.surplus <= DIFFERENCE else ANY_SHARE)


@lru_cache(maxsize=1 << 14)
def prints(text: str, own: frozenset[str] = frozenset()) -> Prints:
    """What is left of a source when every disguise is taken off.

    Args:
        own: what the file calls its own (`Source.names`), where the text is a part of one.
    """
    source = Source(text, own)
    functions = []
    for function in source.functions:
        found = Print.of(list(_plain(source, function.first, function.last + 1)))
        if found.size >= SMALLEST:
            functions.append((function.name, found))
    return Prints(Print.of(list(_plain(source, 0, len(source.tokens)))), tuple(functions))


def likeness(solution: Print, other: Print) -> Likeness:
    """How much of the solution the other one holds."""
    if not solution.runs:
        return Likeness(0.0, 0.0, 0.0)
    held = sum((solution.runs & other.runs).values())
    total = max(1, solution.operations.total())
    lacking = (solution.operations - other.operations).total()
    surplus = (other.operations - solution.operations).total()
    return Likeness(held / solution.runs.total(), lacking / total, surplus / total)


# ------------------------------------------------------------------------------------------- what a disguise leaves


def _plain(source: Source, first: int, past: int) -> Iterator[str]:
    """The tokens that remain, each as a mark: `n` a name or a number, `0` nothing or one, `call:NAME` a function of the
    machine."""
    found = source.tokens
    i = first
    while i < past:
        token = found[i]
        after = found[i + 1] if i + 1 < past else None
        if token.kind in ("number", "string"):
            yield "0" if _SMALL.fullmatch(token.text) else "n"
        elif token.kind == "sign":
            skipped = _cast_end(source, i, past) if token.text == "(" else None
            if skipped is not None:
                i = skipped
            elif token.text not in _BRACKETS and not _is_declarator(source, i, first):
                yield from _sign(token.text)
        elif token.text == "template" and after is not None and after.text == "<":
            i = _head_end(found, i + 1, past)
        else:
            end = _template_end(found, i, past)
            mark = _word(source, i, found[end + 1] if end + 1 < past else None)
            i = end
            if mark:
                yield mark
        i += 1


def _sign(text: str) -> Iterator[str]:
    if len(text) > 1 and text.endswith("=") and text not in ("<=", ">=", "==", "!="):
        yield "="
        yield text[:-1]
    else:
        yield text


def _word(source: Source, i: int, after: Token | None) -> str:
    """The mark of a word, given the token that follows it and its template arguments; empty where it is left out."""
    text = source.tokens[i].text
    if text in _KEPT_WORDS:
        return text
    if text in _DROPPED or text in _TYPES or text in _CASTS or _is_type(source, text):
        return ""
    if text.startswith("__") and text.endswith("__"):
        return ""  # a compiler's qualifier
    if after is not None and (after.text == "::" or after.kind == "word"):
        return ""  # a qualifier; a type, or a macro before a statement
    if after is None or after.text != "(":
        return "n"
    if text in source.own_functions:
        return "f"
    if _is_declared(source.tokens, i):
        return "n"
    return f"call:{_machine_name(text)}"


def _is_type(source: Source, text: str) -> bool:
    return text in source.own_types or text.endswith("_t")


def _is_declared(found: Sequence[Token], i: int) -> bool:
    """Whether a name before a parenthesis is a variable that is declared there: it stands right after a type."""
    before = found[i - 1] if i else None
    if before is None or before.kind != "word":
        return before is not None and before.text == ">" and _closes_template(found, i - 1)
    return before.text not in _KEPT_WORDS and before.text not in ("new", "throw", "case", "delete", "not", "and", "or")


def _closes_template(found: Sequence[Token], closing: int) -> bool:
    """Whether a `>` closes arguments of a template, not a comparison."""
    depth = 0
    for i in range(closing, max(0, closing - 200), -1):
        depth += {">": 1, "<": -1}.get(found[i].text, 0)
        if depth == 0:
            return found[i - 1].kind == "word" and _angle_end(found, i, closing + 1) == closing
        if found[i].text in (";", "{", "}"):
            return False
    return False


def _machine_name(text: str) -> str:
    name = text.removeprefix("__builtin_")
    if name.endswith("f") and name[:-1] in (*_FLOAT_NAMES, "fabs"):
        name = name[:-1]
    if name.startswith(("set_", "get_")):
        return name[:4]  # made from the names of fields, which are the file's own
    return _SAME.get(name, name)


def _template_end(found: Sequence[Token], i: int, past: int) -> int:
    """The last token of a word with its template arguments, or the word itself where there are none."""
    if i + 1 >= past or found[i + 1].text != "<":
        return i
    end = _angle_end(found, i + 1, past)
    if end is None:
        return i
    after = found[end + 1] if end + 1 < past else None
    return end if after is None or after.kind == "word" or after.text in _AFTER_TEMPLATE else i


def _angle_end(found: Sequence[Token], opening: int, past: int) -> int | None:
    """The `>` that closes the `<` at `opening`, if what lies between can be arguments of a template."""
    depth = parentheses = 0
    for i in range(opening, min(past, opening + 200)):
        token = found[i]
        if token.kind == "sign":
            parentheses += {"(": 1, ")": -1}.get(token.text, 0)
            if token.text not in _TEMPLATE_SIGNS or parentheses < 0:
                return None
            depth += {"<": 1, ">": -1}.get(token.text, 0)
            if depth == 0:
                return i
    return None


def _head_end(found: Sequence[Token], opening: int, past: int) -> int:
    """The `>` that closes the head of a template, whatever its parameters default to."""
    depth = 0
    for i in range(opening, past):
        depth += {"<": 1, ">": -1}.get(found[i].text, 0)
        if depth == 0:
            return i
    return opening


def _cast_end(source: Source, i: int, past: int) -> int | None:
    """The closing parenthesis of a cast `(type)` that opens at `i`."""
    found, end = source.tokens, source.mates.get(i)
    if end is None or end + 1 >= past or end == i + 1:
        return None
    if i and ((found[i - 1].kind == "word" and found[i - 1].text != "return") or found[i - 1].text in (")", "]", ">")):
        return None
    inside = [t for t in found[i + 1 : end] if t.text not in ("*", "&", "const", "::", "unsigned")]
    after = found[end + 1]
    if not inside or any(t.kind != "word" for t in inside) or found[i + 1].kind != "word":
        return None
    known = all(t.text in _TYPES or _is_type(source, t.text) for t in inside)
    if known or (len(inside) == 1 and after.kind in ("word", "number")):
        return end if after.kind in ("word", "number") or after.text in ("(", "-", "*", "&", "!", "~") else None
    return None


def _is_declarator(source: Source, i: int, first: int) -> bool:
    """Whether a `*` or `&` belongs to a type: right after one, or after another such sign."""
    found = source.tokens
    if found[i].text not in ("*", "&", "&&"):
        return False
    j = i - 1
    while j >= first and found[j].text in ("*", "&", "&&", "const", "__restrict", "__gm__"):
        j -= 1
    if j < first:
        return False
    before = found[j]
    return before.kind == "word" and (before.text in (*_TYPES, "auto") or _is_type(source, before.text))
