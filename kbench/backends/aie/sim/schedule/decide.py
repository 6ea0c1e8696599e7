"""What each loop becomes, and the operations that its control takes.

Peano makes a hardware loop of a loop of one block that calls nothing and whose trips are known on entry, unless it is
known to make at most one (llvm-aie AIEBaseTargetTransformInfo.cpp, isHardwareLoopProfitable); any other counted loop
counts down and branches. Which of its two pipeliners may overlap the trips stands in `overlap.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kbench.backends.aie.sim.schedule.graph import units
from kbench.backends.aie.sim.schedule.program import Block, Function, Loop, Operation
from kbench.backends.aie.sim.schedule.result import Kind
from kbench.backends.aie.sim.schedule.table import ACCUMULATORS, SCALARS, Machine

#: Sorts of operations that end a region: what follows waits for their delay slots.
CONTROL = ("branch", "call", "return")

#: What a hardware loop is set up with: the trips, and where it starts and ends.
LOOP_REGISTERS = frozenset(("lc", "ls", "le"))


@dataclass
class Work:
    """A block on its way through the scheduler."""

    label: str
    operations: list[Operation]
    origin: list[int]
    """Of each operation, its place in the block as given; -1: added."""
    successors: tuple[str, ...]

    def add(self, operation: Operation, before_control: bool = False) -> None:
        """One more operation at the end, or before the branch that is the end."""
        at = len(self.operations) - bool(before_control and self.operations)
        self.operations.insert(at, operation)
        self.origin.insert(at, -1)


@dataclass
class Plan:
    """The blocks with their loops' control."""

    blocks: dict[str, Work]
    kinds: dict[str, Kind]
    """Of each innermost loop, by header."""
    inner: dict[str, Loop]
    """Innermost loops of one block, by header."""
    entries: dict[str, tuple[str, ...]]
    """Of each loop, by header: the blocks that enter it."""


def plan(machine: Machine, function: Function) -> Plan:
    """Decides what each loop becomes, and adds the control."""
    blocks = {
        b.label: Work(b.label, list(b.operations), list(range(len(b.operations))), b.successors)
        for b in function.blocks
    }
    result = Plan(blocks, {}, {}, _entries(function))
    for loop in function.loops:
        innermost = not any(other is not loop and set(other.blocks) < set(loop.blocks) for other in function.loops)
        if innermost:
            result.kinds[loop.header] = kind(machine, loop, blocks)
            if len(loop.blocks) == 1:
                result.inner[loop.header] = loop
        hardware = innermost and result.kinds[loop.header] == "hardware"
        _coalesce(machine, loop, blocks)
        if hardware:
            _hardware(machine, loop, result)
        elif loop.counted:
            _counted(loop, result, function.blocks)
    return result


def kind(machine: Machine, loop: Loop, blocks: Mapping[str, Work]) -> Kind:
    """What an innermost loop becomes, pipelining aside."""
    if not loop.counted:
        return "branch"
    control = any(machine.row(o.name).sort in CONTROL for label in loop.blocks for o in blocks[label].operations)
    least = max(loop.trips or 0, loop.min_trips or 0)
    known = loop.trips is not None or loop.min_trips is not None
    if len(loop.blocks) > 1 or control or loop.software or (known and least <= 1):
        return "counted"
    return "hardware"


def _entries(function: Function) -> dict[str, tuple[str, ...]]:
    return {
        loop.header: tuple(
            b.label for b in function.blocks if loop.header in b.successors and b.label not in loop.blocks
        )
        for loop in function.loops
    }


def _hardware(machine: Machine, loop: Loop, result: Plan) -> None:
    """Trips, start and end go into registers of the loop control."""
    for label in result.entries[loop.header] if loop.setup else ():
        block = result.blocks[label]
        before = _ends(machine, block)
        block.add(Operation("mov.imm" if loop.trips is not None else "add.nc.lc", ("lc",), text="set lc"), before)
        block.add(Operation("movxm.ls", ("ls",), text="set ls"), before)
        block.add(Operation("movxm.le", ("le",), text="set le"), before)


def _counted(loop: Loop, result: Plan, layout: Sequence[Block]) -> None:
    """A count down in a register, and a branch while it is not zero."""
    counter = f"trips of {loop.header}"
    for label in result.entries[loop.header]:
        block = result.blocks[label]
        block.add(Operation("mov.imm", (counter,), text="set count"), before_control=len(block.successors) > 1)
    for one in layout:
        if one.label in loop.blocks and loop.header in one.successors:
            block = result.blocks[one.label]
            block.add(Operation("add", (counter,), (counter,), text="count down"))
            block.add(Operation("jnz", (), (counter,), text=f"jnz {loop.header}"))


def _ends(machine: Machine, block: Work) -> bool:
    """Whether a branch ends the block."""
    return bool(block.operations) and machine.row(block.operations[-1].name).sort in CONTROL


def _coalesce(machine: Machine, loop: Loop, blocks: dict[str, Work]) -> None:
    """One register for a value that goes from trip to trip, where both names are never wanted at once; else a move."""
    if len(loop.blocks) != 1:
        return
    block = blocks[loop.header]
    begins = {begin for begin, _ in loop.carried}
    renamed: dict[str, str] = {}
    for begin, end in loop.carried:
        end = renamed.get(end, end)
        if begin == end:
            continue
        writers = [i for i, o in enumerate(block.operations) if end in _names(o.defs)]
        readers = [i for i, o in enumerate(block.operations) if begin in _names(o.uses)]
        writes_begin = any(begin in _names(o.defs) for o in block.operations)
        if end in begins:
            # What was a value of this trip is another one of the next: moved before this trip writes it anew.
            block.operations.insert(0, Operation("mov", (begin,), (end,)))
            block.origin.insert(0, -1)
        elif len(writers) == 1 and not writes_begin and (not readers or readers[-1] <= writers[0]):
            renamed[end] = begin
            for work in blocks.values():
                work.operations[:] = [_rename(o, end, begin) for o in work.operations]
        else:
            name = move(machine, block.operations[writers[-1]], end) if writers else "mov"
            block.add(Operation(name, (begin,), (end,)), before_control=_ends(machine, block))


def _names(operands: Sequence[str]) -> set[str]:
    return {unit for operand in operands for unit in units(operand)}


def _rename(operation: Operation, old: str, new: str) -> Operation:
    if old not in _names(operation.defs) and old not in _names(operation.uses):
        return operation

    def other(operands: tuple[str, ...]) -> tuple[str, ...]:
        return tuple("|".join(new if unit == old else unit for unit in operand.split("|")) for operand in operands)

    return replace(operation, defs=other(operation.defs), uses=other(operation.uses))


def move(machine: Machine, operation: Operation, value: str) -> str:
    """The operation that moves one of the values that an operation writes."""
    if value not in units(operation.defs[0]):
        return "mov"  # a mask, a pointer behind the access
    name, sort = operation.name, machine.row(operation.name).sort
    if name in ACCUMULATORS:
        return "vmov.bm"
    if sort == "vector":
        return "vmov.cm"
    return "vmov" if sort in ("arith", "move", "convert", "vload") and name not in SCALARS else "mov"
