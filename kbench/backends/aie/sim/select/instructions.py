"""Functions of the IR as instructions with operands: what the selection of machine operations reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

#: Operations of the API: the length of the name, which follows.
OPERATION = re.compile(r"_ZN5kbaie(\d+)")


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
