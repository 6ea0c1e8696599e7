"""Which values reach an output: backwards from what is stored there, through registers, through memory of the
kernel's own, and through branches that went both ways in the run.

The vectorization score counts vector work of any kind, so a kernel can raise it with work that nothing needs. What no
optimiser removes, because it is stored somewhere or decides something that never happens, is told apart here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbench.backends.aie.cycles.program import Program, Routine
from kbench.backends.aie.cycles.tally import bytes_of
from kbench.backends.aie.cycles.window import Window
from kbench.backends.aie.sim.select.instructions import Instruction
from kbench.backends.aie.sim.select.needs import DROPPED, has_effect
from kbench.backends.aie.sim.select.registers import MULTIPLIES

_PRODUCTS = MULTIPLIES | {"bit_and"}
_ZEROS = frozenset(("0", "zeroinitializer", "0.000000e+00", "0xR0000", "false"))


def reaching(program: Program, window: Window) -> dict[str, frozenset[str]]:
    """By function, the values (and, as selection calls them, the stores) that reach an output in this window."""
    found: dict[str, frozenset[str]] = {}
    read: set[str] = set()
    while True:  # a store to memory of the kernel's own counts once something that counts reads there
        before = len(read)
        for name, routine in program.routines.items():
            found[name] = _Slice(routine, window.counts.get(name, {}), read).run()
        if len(read) == before:
            return found


class _Slice:
    def __init__(self, routine: Routine, counts: Mapping[str, int], read: set[str]) -> None:
        self.routine = routine
        self.code = routine.code
        self.counts = counts
        self.read = read  # memory of the kernel's own that something useful reads: `@name`, or function and alloca
        self.found: set[str] = set()
        self.seen: set[str] = set()
        addresses = routine.selected.addresses
        self.given = {  # to another function, which may read it
            addresses.object(addresses.based(v)[0])
            for piece in self.code.blocks.values()
            for i in piece.instructions
            if i.opcode == "call" and not i.operation and not i.what.startswith("llvm.")
            for v in i.operands
            if v.startswith("%")
        }

    def run(self) -> frozenset[str]:
        for label, piece in self.code.blocks.items():
            if self.counts.get(label):
                for instruction in piece.instructions:
                    if self._is_root(instruction, label):
                        self._take(instruction, label)
        return frozenset(self.found)

    def _is_root(self, i: Instruction, label: str) -> bool:
        if i.opcode == "store":
            own = self._own_memory(i, label)
            return not own or own in self.read
        if i.opcode in ("br", "switch"):
            return sum(self.counts.get(target, 0) > 0 for target in set(i.targets)) > 1
        if i.opcode == "ret":
            return True
        return i.opcode == "call" and not i.operation and has_effect(i) and not i.what.startswith(DROPPED)

    def _take(self, root: Instruction, label: str) -> None:
        self.found.add(f"{root.opcode} {' '.join(root.operands)}")
        waiting: list[tuple[Instruction, str]] = [(root, label)]
        while waiting:
            one, at = waiting.pop()
            if one.opcode == "load" and (own := self._own_memory(one, at)):
                self.read.add(own)
            for value in self._needed(one):
                made = self.code.definitions.get(value)
                if made is None or value in self.seen:
                    continue
                self.seen.add(value)
                if not self._is_idle(made):
                    self.found.add(value)
                waiting.append((made, self.code.homes[value]))

    def _needed(self, i: Instruction) -> tuple[str, ...]:
        """The operands that a result depends on: of a product with zero, neither factor."""
        return i.operands[1 : _first_factor(i)] if self._is_idle(i) else i.operands

    def _is_idle(self, i: Instruction) -> bool:
        """Whether an operation multiplies with zero."""
        first = _first_factor(i)
        return i.operation in _PRODUCTS and any(self._is_zero(v) for v in i.operands[first : first + 2])

    def _is_zero(self, value: str) -> bool:
        made = self.code.definitions.get(value)
        if made is not None and made.operation == "broadcast":
            value = made.operands[1]
        return value in _ZEROS

    def _own_memory(self, i: Instruction, label: str) -> str:
        """The memory of the kernel's own that an access goes to, or nothing where it is a buffer's, or not known."""
        base = self.routine.selected.addresses.of(i.operands[-1], label).object
        made = self.code.definitions.get(base)
        if base.startswith("@"):
            return base
        own = made is not None and made.opcode == "alloca" and base not in self.given
        return f"{self.code.name} {base}" if own else ""


def _first_factor(i: Instruction) -> int:
    return 2 if i.operation.endswith(("mac", "msc")) else 1


def buffers(program: Program) -> dict[str, set[str]]:
    """By function, the parameters that the kernel's buffers come in by: the entry's, and what they are passed on to."""
    found: dict[str, set[str]] = {name: set() for name in program.routines}
    if program.entry not in found:
        return found
    found[program.entry] = {p.name for p in program.routines[program.entry].code.parameters}
    waiting = [program.entry]
    while waiting:
        name = waiting.pop()
        routine = program.routines[name]
        addresses = routine.selected.addresses
        for piece in routine.code.blocks.values():
            for i in piece.instructions:
                if i.opcode != "call" or i.what not in found:
                    continue
                objects = [addresses.object(addresses.based(v)[0]) for v in i.operands]
                given = zip(program.routines[i.what].code.parameters, objects, strict=False)
                new = {p.name for p, base in given if base in found[name]} - found[i.what]
                if new:
                    found[i.what] |= new
                    waiting.append(i.what)
    return found


def output_bytes(program: Program, window: Window) -> tuple[int, bool]:
    """(bytes that vector stores wrote into the kernel's buffers, whether it also reads back what it stores there)."""
    written, back = 0, False
    given = buffers(program)
    for name, routine in program.routines.items():
        stored: set[str] = set()
        loaded: set[str] = set()
        for label, i in _accesses(routine):
            times = window.counts.get(name, {}).get(label, 0)
            base = routine.selected.addresses.of(i.operands[-1], label).object
            if not times or base not in given[name]:
                continue
            (stored if i.opcode == "store" else loaded).add(base)
            if i.opcode == "store" and i.type.startswith("<"):
                written += times * bytes_of(i)
        back |= bool(stored & loaded)
    return written, back


def _accesses(routine: Routine) -> Iterator[tuple[str, Instruction]]:
    for label, piece in routine.code.blocks.items():
        for i in piece.instructions:
            if i.opcode in ("load", "store"):
                yield label, i
