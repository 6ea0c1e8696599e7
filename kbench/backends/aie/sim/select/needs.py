"""Which instructions become machine operations at all: what stores, branches and calls need, less what addressing modes
and loop counters do for free."""

from __future__ import annotations

from kbench.backends.aie.sim.select.addresses import Address, Addresses
from kbench.backends.aie.sim.select.flow import NaturalLoop, Shape
from kbench.backends.aie.sim.select.instructions import Code, Instruction

#: Calls that are nothing on the device.
DROPPED = ("llvm.lifetime.", "llvm.experimental.noalias", "llvm.assume", "llvm.dbg.", "llvm.donothing",
           "llvm.invariant.", "llvm.prefetch", "llvm.sideeffect", "llvm.var.annotation")  # fmt: skip
_EFFECTS = frozenset(
    ("set_rounding", "set_saturation", "event", "put_mcd", "get_scd", "print", "cycles", "bfp16_store")
)


def has_effect(instruction: Instruction) -> bool:
    """Whether an instruction does something besides its result."""
    if instruction.opcode in ("store", "br", "switch", "ret", "unreachable", "atomicrmw", "cmpxchg"):
        return True
    if instruction.opcode == "load":
        return instruction.volatile
    if instruction.opcode != "call" or instruction.what.startswith(DROPPED):
        return False
    if instruction.operation:
        return instruction.operation in _EFFECTS
    if instruction.what.startswith("llvm."):
        return instruction.what.startswith(("llvm.mem", "llvm.trap"))
    return True


def counted(shape: Shape) -> dict[str, NaturalLoop]:
    """The loops whose trips are known on entry, by the block that ends a trip."""
    return {loop.latches[0]: loop for loop in shape.loops if loop.counter is not None}


class Needs:
    """The values of a function that must be computed."""

    def __init__(self, code: Code, shape: Shape, addresses: Addresses) -> None:
        self.code = code
        self.addresses = addresses
        self.latches = counted(shape)
        self.values: set[str] = set()
        for piece in code.blocks.values():
            for instruction in piece.instructions:
                if has_effect(instruction):
                    self._take(instruction, piece.label)

    def __contains__(self, value: str) -> bool:
        return value in self.values

    def _take(self, instruction: Instruction, block: str) -> None:
        waiting = [(instruction, block)]
        while waiting:
            one, label = waiting.pop()
            for value in self._operands(one, label):
                made = self.code.definitions.get(value)
                if made is not None and value not in self.values:
                    self.values.add(value)
                    waiting.append((made, self.code.homes[value]))

    def _operands(self, instruction: Instruction, block: str) -> tuple[str, ...]:
        if instruction.opcode in ("load", "store"):
            pointer = instruction.operands[-1]
            return (*instruction.operands[:-1], *self.of_address(self.addresses.of(pointer, block)))
        if instruction.opcode == "br" and block in self.latches:
            return ()  # a counter's comparison is part of the loop
        return instruction.operands

    def of_address(self, address: Address) -> tuple[str, ...]:
        """What an address needs besides constants and what steps with a loop."""
        made = self.code.definitions.get(address.object)
        loaded = made is not None and made.opcode not in ("alloca", "phi")
        given = tuple(value for value, _ in (*address.index, *address.fixed))
        return (*given, address.object) if loaded else given
