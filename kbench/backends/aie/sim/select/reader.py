"""Reads the functions of a module's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from kbench.backends.aie.sim.ir import CALL, Function, Module, Places, arguments, closing, result_type, split, type_at
from kbench.backends.aie.sim.select.instructions import Code, Instruction, Parameter, Piece

_META = re.compile(r", !([\w.]+) !(\d+)")
_GROUP = re.compile(r" #\d+(?=$|[ ,])")
_LABEL = re.compile(r'^(?:"([^"]+)"|([\w.$-]+)):')
_ASSIGNED = re.compile(r"^  (%\S+) = (\S+) (.*)$")
_PLAIN = re.compile(r"^  (\S+)\s?(.*)$")
_TARGET = re.compile(r"label %(\"[^\"]+\"|[\w.$-]+)")
_INCOMING = re.compile(r"\[ (.+?), %(\"[^\"]+\"|[\w.$-]+) \]")
_FLAG = re.compile(
    r"(?:nuw|nsw|nusw|exact|disjoint|nneg|samesign|inbounds|volatile|atomic|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc"
    r"|inrange\([^)]*\)|same)\s+"
)
_CASTS = frozenset(
    [
        "trunc",
        "zext",
        "sext",
        "fptrunc",
        "fpext",
        "fptoui",
        "fptosi",
        "uitofp",
        "sitofp",
        "ptrtoint",
        "inttoptr",
        "bitcast",
        "addrspacecast",
    ]
)
_ALIGN = re.compile(r", align (\d+)$")
_CALLEE = re.compile(r'([^@]*?)@("[^"]+"|[\w.$-]+)\(')


class Reader:
    """Reads the functions of a module."""

    def __init__(self, module: Module, places: Places) -> None:
        self.module = module
        self.places = places
        self._scopes: dict[str, frozenset[str]] = {}

    def read(self, function: Function) -> Code:
        entry = _entry_label(function)
        piece = Piece(entry)
        blocks = {entry: piece}
        for line in _whole_lines(function.body):
            label = _LABEL.match(line)
            if label is not None:
                name = label[1] or label[2]
                if not blocks[entry].instructions and piece.label == entry:
                    del blocks[entry]
                    entry = name
                piece = blocks[name] = Piece(name)
            elif line.startswith("  "):
                piece.instructions.append(self.instruction(line))
        if not entry:
            _name_entry(blocks)
        return Code(function.name, tuple(_parameters(function)), blocks)

    def instruction(self, line: str) -> Instruction:
        meta = dict(_META.findall(line))
        text = _GROUP.sub("", _META.sub("", line))
        facts = {
            "place": self.places.of(f"!{meta['dbg']}") if "dbg" in meta else 0,
            "scopes": self.scopes(meta.get("alias.scope", "")),
            "free_of": self.scopes(meta.get("noalias", "")),
            "group": self.group(meta.get("tbaa", "")),
            "loop": f"!{meta['llvm.loop']}" if "llvm.loop" in meta else "",
        }
        if " align " in text and (align := _ALIGN.search(text)) is not None:
            facts["align"] = int(align[1])
        if (call := CALL.match(text)) is not None:
            return _call(call[1] or "", call[2], facts)
        assigned = _ASSIGNED.match(text)
        if assigned is not None:
            return _assigned(assigned[1], assigned[2], assigned[3], facts)
        plain = _PLAIN.match(text)
        assert plain is not None, line
        return _plain(plain[1], plain[2], facts)

    def scopes(self, node: str) -> frozenset[str]:
        """The scopes in a list of them."""
        if not node:
            return frozenset()
        if node not in self._scopes:
            self._scopes[node] = frozenset(re.findall(r"!\d+", self.module.metadata.get(f"!{node}", "")))
        return self._scopes[node]

    def group(self, tag: str) -> str:
        """The name of the accessed type in type-based alias analysis; nothing where that overlaps everything."""
        text = self.module.metadata.get(f"!{tag}", "") if tag else ""
        nodes = re.findall(r"!\d+", text)
        if len(nodes) < 2:
            return ""
        name = re.match(r'!\{!"([^"]*)"', self.module.metadata.get(nodes[1], ""))
        return "" if name is None or name[1] == "omnipotent char" else name[1]


def _name_entry(blocks: dict[str, Piece]) -> None:
    """Phis call a first block that has no label by the number that it would have."""
    for piece in blocks.values():
        for n, i in enumerate(piece.instructions):
            if i.opcode == "phi" and any(t not in blocks for t in i.targets):
                piece.instructions[n] = replace(i, targets=tuple(t if t in blocks else "" for t in i.targets))


def _entry_label(function: Function) -> str:
    first = next((line for line in function.body if line.strip()), "")
    label = _LABEL.match(first)
    return (label[1] or label[2]) if label else ""


def _whole_lines(body: list[str]) -> Iterator[str]:
    """The lines, a switch with its cases as one."""
    lines = iter(body)
    for line in lines:
        if line.startswith("  switch ") and "]" not in line:
            for more in lines:
                line += " " + more.strip()
                if more.strip().startswith("]"):
                    break
        if line.strip() and not line.lstrip().startswith((";", "#dbg")):
            yield line


def _parameters(function: Function) -> Iterator[Parameter]:
    at = function.header.index("(", function.header.index("@"))
    for part in split(function.header[at + 1 : at + closing(function.header[at:]) - 1]):
        if part == "...":
            continue
        type_, rest = type_at(part)
        yield Parameter(part.split()[-1], type_, bool(re.search(r"\bnoalias\b", rest)))


def _unflagged(text: str) -> str:
    while (flag := _FLAG.match(text)) is not None:
        text = text[flag.end() :]
    return text


def _call(result: str, rest: str, facts: Mapping[str, object]) -> Instruction:
    callee = _CALLEE.search(rest)
    if callee is None:  # through a pointer
        return Instruction("call", result, _first_type(rest), what="", **facts)  # type: ignore[arg-type]
    type_ = result_type(callee[1])
    given = [] if "metadata" in rest[callee.end() - 1 :] else arguments(rest, callee.end() - 1)
    types, values = [t for t, _ in given], [v for _, v in given]
    return Instruction("call", result, type_, tuple(values), tuple(types), callee[2], **facts)  # type: ignore[arg-type]


def _first_type(text: str) -> str:
    words = re.sub(r"\b(?:fastcc|noundef|nonnull|signext|zeroext|inreg)\b|range\([^)]*\)", "", text)
    return type_at(words)[0]


#: What stands behind an opcode: (type of the result, operands, their types, what, where operands come from).
_Parts = tuple[str, tuple[str, ...], tuple[str, ...], str, tuple[str, ...]]


def _assigned(result: str, opcode: str, rest: str, facts: Mapping[str, object]) -> Instruction:
    text = _unflagged(rest)
    if opcode in _CASTS:
        parts = _cast(text)
    elif opcode in _PAIRS:
        parts = _pairs(opcode, text)
    else:
        parts = _PARTS.get(opcode, _binary)(text)
    type_, given, types, what, targets = parts
    if opcode == "or" and rest.startswith("disjoint "):
        what = "disjoint"
    volatile = opcode == "load" and "volatile " in rest[:20]
    return Instruction(opcode, result, type_, given, types, what, targets, volatile=volatile, **facts)  # type: ignore[arg-type]


def _binary(text: str) -> _Parts:
    type_, text = type_at(text)
    given = tuple(split(text))
    return type_, given, (type_,) * len(given), "", ()


def _phi(text: str) -> _Parts:
    type_, text = type_at(text)
    incoming = _INCOMING.findall(text)
    labels = tuple(label.strip('"') for _, label in incoming)
    return type_, tuple(v for v, _ in incoming), (type_,) * len(incoming), "", labels


def _compare(text: str) -> _Parts:
    predicate, text = text.split(" ", 1)
    of, text = type_at(text)
    type_ = "i1" if not of.startswith("<") else re.sub(r"x .*>", "x i1>", of)
    return type_, tuple(split(text)), (of, of), predicate, ()


def _cast(text: str) -> _Parts:
    before, _, type_ = text.rpartition(" to ")
    of, value = type_at(before)
    return type_, (value,), (of,), "", ()


def _step(text: str) -> _Parts:
    what, *rest = split(text)
    pairs = [type_at(p) for p in rest]
    return "ptr", tuple(v for _, v in pairs), tuple(t for t, _ in pairs), what, ()


def _load(text: str) -> _Parts:
    type_, text = type_at(text)
    address = split(text.lstrip(", "))[0]
    return type_, (type_at(address)[1],), ("ptr",), "", ()


def _alloca(text: str) -> _Parts:
    return "ptr", (), (), text, ()


_PARTS: Mapping[str, Callable[[str], _Parts]] = {
    "phi": _phi, "icmp": _compare, "fcmp": _compare, "getelementptr": _step, "load": _load, "alloca": _alloca,
}  # fmt: skip
#: Instructions whose operands each have a type of their own.
_PAIRS = frozenset(
    ("select", "extractelement", "insertelement", "shufflevector", "extractvalue", "insertvalue", "freeze")
)


def _pairs(opcode: str, text: str) -> _Parts:
    pairs = [type_at(p) if not p.isdigit() else ("i32", p) for p in split(text)]
    types = tuple(t for t, _ in pairs)
    return _type_of(opcode, types), tuple(v for _, v in pairs), types, "", ()


def _type_of(opcode: str, types: tuple[str, ...]) -> str:
    if opcode == "select":
        return types[1]
    if opcode == "extractelement":
        return types[0].split(" x ", 1)[1][:-1]
    if opcode == "shufflevector":
        lanes = types[2].split(" x ", 1)[0]
        return f"{lanes} x {types[0].split(' x ', 1)[1]}"
    return types[0]


def _plain(opcode: str, rest: str, facts: Mapping[str, object]) -> Instruction:
    volatile = rest.startswith(("volatile ", "atomic volatile "))
    text = _unflagged(rest)
    if opcode == "store":
        value, address = split(text)[:2]
        (of, v), (_, a) = type_at(value), type_at(address)
        return Instruction(opcode, type=of, operands=(v, a), types=(of, "ptr"), volatile=volatile, **facts)  # type: ignore[arg-type]
    targets = tuple(t.strip('"') for t in _TARGET.findall(text))
    given: tuple[str, ...] = ()
    if opcode in ("br", "switch") and not text.startswith("label"):
        given = (type_at(split(text)[0])[1],)
    elif opcode == "ret" and text != "void":
        given = (type_at(text)[1],)
    return Instruction(opcode, operands=given, types=("i1",) * len(given), targets=targets, **facts)  # type: ignore[arg-type]
