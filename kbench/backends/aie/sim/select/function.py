"""A function of the IR as the scheduler's input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.schedule.program import Block, Call, Function, Loop, Operation
from kbench.backends.aie.sim.select.access import AccessSelection, fused, is_sum
from kbench.backends.aie.sim.select.addresses import Addresses, distinct_objects
from kbench.backends.aie.sim.select.emit import Emitter
from kbench.backends.aie.sim.select.flow import NaturalLoop, Shape, shape_of
from kbench.backends.aie.sim.select.instructions import Code, Instruction, Piece
from kbench.backends.aie.sim.select.needs import DROPPED, Needs, has_effect
from kbench.backends.aie.sim.select.registers import Registers
from kbench.backends.aie.sim.select.scalar import ScalarSelection
from kbench.backends.aie.sim.select.vector import VectorSelection

_NOTHING = frozenset(("phi", "getelementptr", "alloca", "bitcast", "freeze", "trunc", "ptrtoint", "inttoptr", "fence",
                      "addrspacecast", "unreachable"))  # fmt: skip


@dataclass(frozen=True)
class Hints:
    """What the source says about a loop."""

    min_trips: int | None = None
    pipeline: bool = True
    target_ii: int | None = None


@dataclass(frozen=True)
class Preheader:
    """A block that stands before a loop alone, where the program has none: LLVM puts one before each counted loop."""

    before: tuple[str, ...]
    header: str
    trips: int | None

    def count(self, given: Mapping[str, int]) -> int:
        """How often the loop is entered: no more often than the blocks before it ran, and than its head did."""
        run = given.get(self.header, 0)
        if self.trips and run % self.trips == 0:
            return run // self.trips
        return min(run, sum(given.get(label, 0) for label in self.before))


@dataclass(frozen=True)
class Selected:
    """A function ready to be scheduled. `origins`: by block and in the order of its operations, the IR's value (or
    the text of a store) that each is part of; `code` and `shape` are what was read."""

    function: Function
    origins: Mapping[str, Sequence[str]]
    code: Code
    shape: Shape
    addresses: Addresses
    distinct: frozenset[str] = field(default_factory=frozenset)
    preheaders: Mapping[str, Preheader] = field(default_factory=dict)

    def counts(self, given: Mapping[str, int]) -> dict[str, int]:
        """How often each block ran, those that were added here included."""
        return {**given, **{label: added.count(given) for label, added in self.preheaders.items()}}


def select(
    code: Code, target: str, lines: Sequence[int], own: frozenset[str], hints: Mapping[str, Hints] | None = None
) -> Selected:
    """The machine operations of a function. `lines`: of each place; `own`: functions of the module, whose blocks are
    scheduled on their own; `hints`: by the loop's metadata."""
    core = machine(target)
    shape = shape_of(code)
    addresses = Addresses(code, shape)
    distinct = distinct_objects(code, addresses)
    registers = Registers(code, target, core.vector_bytes)
    emitter = Emitter(code, shape, registers, core, lines)
    body = _Body(emitter, addresses, distinct, own)
    labels = layout(code, shape)
    for label, following in zip(labels, [*labels[1:], ""], strict=True):
        body.block(code.blocks[label], following)
    blocks = [Block(label, tuple(emitter.blocks[label]), code.blocks[label].successors) for label in labels]
    blocks, preheaders = with_preheaders(blocks, shape)
    loops = tuple(body.loop(loop, hints or {}, preheaders) for loop in shape.loops)
    function = Function(code.name, tuple(blocks), loops)
    return Selected(function, emitter.origins, code, shape, addresses, distinct, preheaders)


def layout(code: Code, shape: Shape) -> list[str]:
    """The blocks in the order in which they stand in program memory: each is followed by a successor that has no
    place yet where there is one, within its innermost loop first."""
    placed: dict[str, None] = {}
    waiting = [next(iter(code.blocks))]
    while waiting:
        label = waiting.pop()
        if label in placed:
            continue
        placed[label] = None
        loop = shape.around.get(label)
        inside = [s for s in code.blocks[label].successors if loop is not None and s in loop.blocks]
        if loop is not None and len(inside) > 1:  # what leads to the other stands before it
            ahead = {s: len(_ahead(code, s, loop.header).intersection(inside)) for s in inside}
            inside.sort(key=lambda s: -ahead[s])
        outside = [s for s in code.blocks[label].successors if s not in inside]
        outside.sort(key=lambda s: shape.around.get(s) is None)  # into a loop rather than past it
        waiting += [*reversed(outside), *reversed(inside)]
    return list(placed)


def _ahead(code: Code, start: str, end: str) -> set[str]:
    """The blocks that a block leads to without going through another."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for label in code.blocks[waiting.pop()].successors:
            if label not in found and label != end:
                found.add(label)
                waiting.append(label)
    return found


def with_preheaders(blocks: Sequence[Block], shape: Shape) -> tuple[list[Block], dict[str, Preheader]]:
    """The blocks, with one of its own before each counted innermost loop that is entered from elsewhere."""
    found = list(blocks)
    added: dict[str, Preheader] = {}
    for loop in shape.loops:
        before = shape.entries(loop)
        if loop.counter is None or not loop.innermost or not before:
            continue
        if len(before) == 1 and next(b for b in found if b.label == before[0]).successors == (loop.header,):
            continue
        label = f"before {loop.header}"
        added[label] = Preheader(tuple(before), loop.header, loop.counter.trips)
        for i, block in enumerate(found):
            if block.label in before:
                led = tuple(label if s == loop.header else s for s in block.successors)
                found[i] = Block(block.label, block.operations, led)
        at = next(i for i, block in enumerate(found) if block.label == loop.header)
        found.insert(at, Block(label, (), (loop.header,)))
    return found, added


class _Body:
    def __init__(self, emitter: Emitter, addresses: Addresses, distinct: frozenset[str], own: frozenset[str]) -> None:
        self.out = emitter
        self.code, self.shape = emitter.code, emitter.shape
        self.own = own
        self.forms = fused(self.code)
        self.needs = Needs(self.code, self.shape, addresses)
        self.access = AccessSelection(emitter, addresses, distinct, self.forms)
        self.vector = VectorSelection(emitter, self.forms)
        self.scalar = ScalarSelection(emitter)

    def block(self, piece: Piece, following: str) -> None:
        self.out.start(piece.label)
        for instruction in piece.instructions:
            self.out.at(instruction)
            if instruction.opcode in ("br", "switch"):
                self.incoming(piece)
                self.branch(instruction, piece.label, following)
            elif instruction.opcode == "ret":
                self.out.add("ret", (), tuple(n for v in instruction.operands for n in self.out.names(v)))
            elif has_effect(instruction) or instruction.result in self.needs:
                self.one(instruction)

    def one(self, i: Instruction) -> None:
        if i.opcode in _NOTHING or (i.opcode == "call" and i.what.startswith(DROPPED)):
            return
        if i.opcode == "load":
            self.access.load(i)
        elif i.opcode == "store":
            self.access.store(i)
        elif i.opcode == "call" and i.operation:
            if not self._is_fused(i):
                self.vector.select(i)
        elif i.opcode == "call" and not i.what.startswith("llvm.") and (i.what in self.own or not i.what):
            made = (i.result,) if i.result else ()
            uses = tuple(n for v in i.operands for n in self.out.names(v))
            self.out.add("jl", made, uses, call=Call(i.what, 0))
        else:
            self.scalar.select(i)

    def _is_fused(self, i: Instruction) -> bool:
        """Whether a load or a store does the operation."""
        if is_sum(i):
            return False  # the sum itself remains
        if i.result in self.forms:
            return True
        return i.operation in ("ups", "unpack") and i.operands[1] in self.forms

    # --- control ------------------------------------------------------------------------------------------------------

    def branch(self, i: Instruction, label: str, following: str) -> None:
        if label in self.needs.latches:
            return
        if i.opcode == "switch":  # a block has one branch: the last of the comparisons'
            made = ""
            for _ in i.targets[1:]:
                made = self.out.temporary()
                self.out.add("eq", (made,), (self.out.scalar(i.operands[0]),))
            self.out.add("jnz" if made else "j", (), (made,))
            return
        if i.operands:
            self.out.add("jz" if following == i.targets[0] else "jnz", (), (self.out.scalar(i.operands[0]),))
            return
        if i.targets and i.targets[0] != following:
            self.out.add("j")

    def incoming(self, piece: Piece) -> None:
        """Constants that phis behind this block take: each is put into its register here."""
        for label in piece.successors:
            for phi in self.code.blocks[label].phis:
                if phi.result not in self.needs:
                    continue
                for value, source in zip(phi.operands, phi.targets, strict=True):
                    if source != piece.label or value in ("poison", "undef"):
                        continue
                    if not value.startswith("%"):
                        self.constant(phi, value)
                    elif self.outlives(phi, label, piece.label):
                        self.copy(phi, value)

    def outlives(self, phi: Instruction, header: str, latch: str) -> bool:
        """Whether a loop of several blocks changes a value that is still wanted behind it: then the two need
        registers of their own, and a copy at the end of each trip."""
        loop = self.shape.around.get(header)
        if loop is None or loop.header != header or latch not in loop.latches or len(loop.blocks) == 1:
            return False
        return any(label not in loop.blocks for label, _ in self.code.users.get(phi.result, []))

    def copy(self, phi: Instruction, value: str) -> None:
        starts = self.out.registers.names(phi.result)
        name = "mov" if not phi.type.startswith("<") else "vmov.cm" if self._accumulates(phi) else "vmov"
        for start, end in zip(starts, _matched(self.out.names(value), starts), strict=True):
            self.out.add(name, (start,), (end,))

    def constant(self, phi: Instruction, value: str) -> None:
        for name in self.out.registers.names(phi.result):
            if not phi.type.startswith("<"):
                self.out.add("mov.imm", (name,))
            elif value == "zeroinitializer" and self._accumulates(phi):
                self.out.add("vclr", (name,))
            else:
                number = self.out.temporary()
                self.out.add("mov.imm", (number,))
                self.out.add("vbcst", (name,), (number,))

    def _accumulates(self, phi: Instruction) -> bool:
        """Whether a phi holds an accumulator: a product or a sum of products is added to it."""
        return any("mac" in u.operation or "msc" in u.operation or u.operation == "srs"
                   for _, u in self.code.users.get(phi.result, []))  # fmt: skip

    # --- loops --------------------------------------------------------------------------------------------------------

    def loop(self, loop: NaturalLoop, hints: Mapping[str, Hints], preheaders: Mapping[str, Preheader]) -> Loop:
        latch = self.code.blocks[loop.latches[0]].instructions[-1]
        hint = hints.get(latch.loop, Hints())
        blocks = tuple(label for label in self.out.blocks if label in loop.blocks)
        inner = [f"before {other.header}" for other in self.shape.loops if other.outer is loop]
        operations = [op for label in blocks for op in self.out.blocks[label]]
        return Loop(
            loop.header,
            (*blocks, *(label for label in inner if label in preheaders)),
            counted=loop.counter is not None,
            trips=loop.counter.trips if loop.counter is not None else None,
            min_trips=hint.min_trips,
            pipeline=hint.pipeline,
            target_ii=hint.target_ii,
            carried=tuple(self.carried(loop)),
            software=any(op.call is not None for op in operations) or self.has_floats(loop),
        )

    def has_floats(self, loop: NaturalLoop) -> bool:
        """Arithmetic of floats in the IR, which Peano's choice of hardware loops takes for calls."""
        return any(
            i.opcode in ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp") and not i.type.startswith("<")
            for label in loop.blocks
            for i in self.code.blocks[label].instructions
        )

    def carried(self, loop: NaturalLoop) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        if len(loop.latches) != 1:
            return found
        for phi in self.code.blocks[loop.header].phis:
            if phi.result not in self.needs or self.outlives(phi, loop.header, loop.latches[0]):
                continue
            for value, source in zip(phi.operands, phi.targets, strict=True):
                if source == loop.latches[0] and value.startswith("%"):
                    ends = self.out.names(value)
                    starts = self.out.registers.names(phi.result)
                    found += [
                        (a, self.out.registers.whole(b)) for a, b in zip(starts, _matched(ends, starts), strict=True)
                    ]
        return [(a, b) for a, b in found if a and b and "|" not in b and a != b]


def _matched(ends: tuple[str, ...], starts: tuple[str, ...]) -> tuple[str, ...]:
    return ends if len(ends) == len(starts) else tuple(ends[i * len(ends) // len(starts)] for i in range(len(starts)))


def operations_of(selected: Selected) -> list[Operation]:
    return [op for block in selected.function.blocks for op in block.operations]
