"""The IR's functions as instructions with operands: what the selection of machine operations reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from kbench.backends.aie.sim.ir import CALL, Function, Module, Places, arguments, closing, result_type, split, type_at

#: Operations of the API: the length of the name, which follows.
OPERATION = re.compile(r"_ZN5kbaie(\d+)")
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


@dataclass(frozen=True)
class Instruction:
    """One instruction. `operands` are values (`%5`, `@t`, `7`, …) with their `types`, in the order of the text: a
    store's value, then its address. `what`: a comparison's predicate, a called function, a stepped type."""

    opcode: str
    result: str = ""
    type: str = "void"
    operands: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    what: str = ""
    targets: tuple[str, ...] = ()  # labels: of a branch, or where a phi's operands come from
    place: int = 0
    scopes: frozenset[str] = frozenset()
    free_of: frozenset[str] = frozenset()
    group: str = ""
    loop: str = ""
    volatile: bool = False
    align: int = 0

    @property
    def operation(self) -> str:
        """The operation of the API that this calls, or nothing."""
        found = OPERATION.match(self.what) if self.opcode == "call" else None
        return self.what[found.end() :][: int(found[1])] if found else ""


@dataclass
class Piece:
    """A basic block."""

    label: str
    instructions: list[Instruction] = field(default_factory=list)

    @property
    def successors(self) -> tuple[str, ...]:
        """Labels, each once."""
        last = self.instructions[-1] if self.instructions else None
        return tuple(dict.fromkeys(last.targets)) if last and last.opcode in ("br", "switch") else ()

    @property
    def phis(self) -> Iterator[Instruction]:
        return (i for i in self.instructions if i.opcode == "phi")


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str
    noalias: bool


@dataclass
class Code:
    """A function: its blocks by label, the first is the entry, whose label is empty where nothing names it."""

    name: str
    parameters: tuple[Parameter, ...]
    blocks: dict[str, Piece]

    @cached_property
    def definitions(self) -> dict[str, Instruction]:
        return {i.result: i for piece in self.blocks.values() for i in piece.instructions if i.result}

    @cached_property
    def homes(self) -> dict[str, str]:
        """The block of each value."""
        return {i.result: piece.label for piece in self.blocks.values() for i in piece.instructions if i.result}

    @cached_property
    def users(self) -> dict[str, list[tuple[str, Instruction]]]:
        """The (block, instruction) that each value goes to."""
        found: dict[str, list[tuple[str, Instruction]]] = {}
        for piece in self.blocks.values():
            for instruction in piece.instructions:
                for value in dict.fromkeys(instruction.operands):
                    if value.startswith("%"):
                        found.setdefault(value, []).append((piece.label, instruction))
        return found


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


def _operand(text: str) -> tuple[str, str]:
    """(type, value)."""
    type_, value = type_at(text)
    return type_, value


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


def _assigned(result: str, opcode: str, rest: str, facts: Mapping[str, object]) -> Instruction:
    volatile = "volatile " in rest[:20]
    text = _unflagged(rest)
    disjoint = opcode == "or" and rest.startswith("disjoint ")
    given: tuple[str, ...]
    types: tuple[str, ...]
    what, targets = "", ()
    if opcode == "phi":
        type_, text = type_at(text)
        incoming = _INCOMING.findall(text)
        given, targets = tuple(v for v, _ in incoming), tuple(label.strip('"') for _, label in incoming)
        types = (type_,) * len(given)
    elif opcode in ("icmp", "fcmp"):
        what, text = text.split(" ", 1)
        what, text = (what, text) if what not in ("samesign",) else tuple(text.split(" ", 1))
        of, text = type_at(text)
        given = tuple(split(text))
        types = (of,) * len(given)
        type_ = "i1" if not of.startswith("<") else re.sub(r"x .*>", "x i1>", of)
    elif opcode in _CASTS:
        before, _, type_ = text.rpartition(" to ")
        of, value = type_at(before)
        given, types = (value,), (of,)
    elif opcode == "getelementptr":
        parts = split(text)
        what, type_ = parts[0], "ptr"
        pairs = [_operand(p) for p in parts[1:]]
        given, types = tuple(v for _, v in pairs), tuple(t for t, _ in pairs)
    elif opcode == "load":
        type_, text = type_at(text)
        address = split(text.lstrip(", "))[0]
        given, types = (_operand(address)[1],), ("ptr",)
    elif opcode == "alloca":
        type_, given, types, what = "ptr", (), (), text
    elif opcode in (
        "select",
        "extractelement",
        "insertelement",
        "shufflevector",
        "extractvalue",
        "insertvalue",
        "freeze",
    ):
        pairs = [_operand(p) if not p.isdigit() else ("i32", p) for p in split(text)]
        given, types = tuple(v for _, v in pairs), tuple(t for t, _ in pairs)
        type_ = _type_of(opcode, types)
        volatile = False
    else:
        type_, text = type_at(text)
        given = tuple(split(text))
        types = (type_,) * len(given)
        what = "disjoint" if disjoint else ""
    return Instruction(opcode, result, type_, given, types, what, targets, volatile=volatile, **facts)  # type: ignore[arg-type]


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
        (of, v), (_, a) = _operand(value), _operand(address)
        return Instruction(opcode, type=of, operands=(v, a), types=(of, "ptr"), volatile=volatile, **facts)  # type: ignore[arg-type]
    targets = tuple(t.strip('"') for t in _TARGET.findall(text))
    given: tuple[str, ...] = ()
    if opcode in ("br", "switch") and not text.startswith("label"):
        given = (_operand(split(text)[0])[1],)
    elif opcode == "ret" and text != "void":
        given = (_operand(text)[1],)
    return Instruction(opcode, operands=given, types=("i1",) * len(given), targets=targets, **facts)  # type: ignore[arg-type]
