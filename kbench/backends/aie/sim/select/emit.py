"""Machine operations under construction: a list for each block, with the value of the IR that each belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kbench.backends.aie.sim.schedule.program import Call, Memory, Operation
from kbench.backends.aie.sim.schedule.table import Machine
from kbench.backends.aie.sim.select.flow import Shape, integer
from kbench.backends.aie.sim.select.instructions import Code, Instruction
from kbench.backends.aie.sim.select.registers import Registers


@dataclass
class Emitter:
    """Appends operations; `origins` are, block by block and in the same order, the values that they compute (a
    store's own name for what it stores)."""

    code: Code
    shape: Shape
    registers: Registers
    machine: Machine
    lines: Sequence[int] = ()
    blocks: dict[str, list[Operation]] = field(default_factory=dict)
    origins: dict[str, list[str]] = field(default_factory=dict)
    block: str = ""
    place: int = 0
    origin: str = ""
    _serial: int = 0
    _early: dict[str, int] = field(default_factory=dict)
    _constants: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _made: dict[tuple[str, str, tuple[str, ...]], str] = field(default_factory=dict)
    _ahead: dict[str, str] = field(default_factory=dict)  # registers that are set before loops → where

    def start(self, label: str) -> None:
        self.block = label
        self.blocks.setdefault(label, [])
        self.origins.setdefault(label, [])

    def at(self, instruction: Instruction) -> None:
        self.place = instruction.place
        self.origin = instruction.result or f"{instruction.opcode} {' '.join(instruction.operands)}"

    def temporary(self) -> str:
        self._serial += 1
        return f"%t{self._serial}"

    def add(
        self,
        name: str,
        defs: Sequence[str] = (),
        uses: Sequence[str] = (),
        memory: Memory | None = None,
        call: Call | None = None,
    ) -> None:
        self.blocks[self.block].append(self._operation(name, defs, uses, memory, call))
        self.origins[self.block].append(self.origin)

    def add_early(self, label: str, name: str, defs: Sequence[str], uses: Sequence[str] = ()) -> None:
        """At the start of another block, where it stands once for all: what a loop finds done."""
        at = self._early.get(label, 0)
        self.blocks.setdefault(label, []).insert(at, self._operation(name, defs, uses))
        self.origins.setdefault(label, []).insert(at, self.origin)
        self._early[label] = at + 1

    def add_late(self, label: str, name: str, defs: Sequence[str], uses: Sequence[str] = ()) -> None:
        """At the end of another block, before it branches."""
        held = self.blocks[label]
        at = len(held)
        while at and self.machine.row(held[at - 1].name).sort in ("branch", "return"):
            at -= 1
        held.insert(at, self._operation(name, defs, uses))
        self.origins[label].insert(at, self.origin)

    def _operation(
        self,
        name: str,
        defs: Sequence[str],
        uses: Sequence[str],
        memory: Memory | None = None,
        call: Call | None = None,
    ) -> Operation:
        self.machine.row(name)
        kept = tuple(self.registers.whole(u) for u in uses if u)
        line = self.lines[self.place] if self.place < len(self.lines) else 0
        return Operation(name, tuple(defs), kept, memory, call, line=line)

    def once(self, name: str, uses: Sequence[str]) -> str:
        """The register with what an operation makes of these: computed once for a block, and before the loops around
        where all of it is known there."""
        given = tuple(u for u in uses if u)
        labels = {self._ahead.get(u, self.block) for u in given}
        label = labels.pop() if len(labels) == 1 else self.block
        key = (label, name, given)
        if key not in self._made:
            made = self._made[key] = self.temporary()
            if label == self.block:
                self.add(name, (made,), given)
            else:
                self.add_late(label, name, (made,), given)
            if label != self.block or all(u in self._ahead for u in given):
                self._ahead[made] = label
        return self._made[key]

    # --- operands -----------------------------------------------------------------------------------------------------

    def names(self, value: str, vector: bool = False, accumulator: bool = False) -> tuple[str, ...]:
        """The registers of an operand; of a constant vector those of one that is made ahead, of a constant number none,
        as it stands in the instruction."""
        if value.startswith("%"):
            return self.registers.names(value)
        if vector:
            return (self.constant(value, accumulator),)
        return ("",)

    def scalar(self, value: str) -> str:
        return self.names(value)[0]

    def number(self, value: str) -> str:
        """A scalar register with a constant, made ahead."""
        label = self.outside(self.block)
        key = (label, value, "n")
        if key not in self._constants:
            made = self._constants[key] = self.temporary()
            self.add_early(label, "mov.imm", (made,))
        return self._constants[key]

    def constant(self, value: str, accumulator: bool = False) -> str:
        """A register with a constant, which is made once before the loops around and stays."""
        label = self.outside(self.block)
        key = (label, value, "a" if accumulator else "v")
        if key not in self._constants:
            made = self._constants[key] = self.temporary()
            if accumulator and value in ("zeroinitializer", "0"):
                self.add_early(label, "vclr", (made,))
            else:
                number = self.temporary()
                self.add_early(label, "mov.imm", (number,))
                self.add_early(label, "vbcst", (made,), (number,))
            self._ahead[made] = label
        return self._constants[key]

    def broadcast(self, value: str) -> str:
        """A register with an element in all lanes; of what a loop does not change it is made before it."""
        if integer(value) is not None or not value.startswith("%"):
            return self.constant(value)
        label = self.outside(self.block, value)
        key = (label, value, "b")
        if key not in self._constants:
            made = self._constants[key] = self.temporary()
            if label == self.block:
                self.add("vbcst", (made,), (self.scalar(value),))
            else:
                self.add_late(label, "vbcst", (made,), (self.scalar(value),))
                self._ahead[made] = label
        return self._constants[key]

    def outside(self, label: str, value: str = "") -> str:
        """The block before the outermost loop around a block in which `value` is already known."""
        loop = self.shape.around.get(label)
        home = self.code.homes.get(value, "")
        while loop is not None and (not value or home not in loop.blocks):
            before = self.shape.entries(loop)
            if len(before) != 1 or before[0] not in self.blocks:
                break
            label, loop = before[0], loop.outer
        return label
