"""The shape of a function: which block dominates which, its loops, and what each of them counts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from kbench.backends.aie.sim.select.instructions import Code, Instruction

#: Where a comparison of a and b stands when it is read as one of b and a, and when it is denied.
_SWAPPED = {
    "slt": "sgt",
    "sgt": "slt",
    "sle": "sge",
    "sge": "sle",
    "ult": "ugt",
    "ugt": "ult",
    "ule": "uge",
    "uge": "ule",
}
_DENIED = {"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
           "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt"}  # fmt: skip


@dataclass(frozen=True)
class Counter:
    """What counts a loop: the phi, its successor, and the comparison and branch that end a trip."""

    phi: str
    step: int
    next: str
    compare: str
    trips: int | None


@dataclass
class NaturalLoop:
    """A loop: the block at its head, the blocks that jump back there, all its blocks, the loop around it."""

    header: str
    latches: list[str]
    blocks: set[str]
    outer: NaturalLoop | None = None
    counter: Counter | None = None
    innermost: bool = True
    steps: dict[str, int] = field(default_factory=dict)
    """What is added to each phi of the header in a trip, where that is a constant (bytes, of a pointer)."""


@dataclass
class Shape:
    """A function's loops, the outermost first, and the innermost one of each block."""

    loops: list[NaturalLoop]
    around: dict[str, NaturalLoop]
    predecessors: dict[str, list[str]]
    dominators: dict[str, set[str]]

    def entries(self, loop: NaturalLoop) -> list[str]:
        """The blocks from which the loop is entered."""
        return [b for b in self.predecessors[loop.header] if b not in loop.blocks]


def shape_of(code: Code) -> Shape:
    """The loops of a function."""
    predecessors: dict[str, list[str]] = {label: [] for label in code.blocks}
    for piece in code.blocks.values():
        for label in piece.successors:
            predecessors[label].append(piece.label)
    dominators = _dominators(code, predecessors)
    found: dict[str, NaturalLoop] = {}
    for piece in code.blocks.values():
        for label in piece.successors:
            if label in dominators[piece.label]:
                loop = found.setdefault(label, NaturalLoop(label, [], {label}))
                loop.latches.append(piece.label)
                _fill(loop, piece.label, predecessors)
    loops = sorted(found.values(), key=lambda loop: -len(loop.blocks))
    around: dict[str, NaturalLoop] = {}
    for loop in loops:
        loop.outer = around.get(loop.header)
        if loop.outer is not None:
            loop.outer.innermost = False
        for label in loop.blocks:
            around[label] = loop
    for loop in loops:
        loop.steps = dict(_steps(code, loop))
        loop.counter = _counter(code, loop)
    return Shape(loops, around, predecessors, dominators)


def _dominators(code: Code, predecessors: Mapping[str, list[str]]) -> dict[str, set[str]]:
    labels = list(code.blocks)
    everything = set(labels)
    found = dict.fromkeys(labels, everything)
    found[labels[0]] = {labels[0]}
    changed = True
    while changed:
        changed = False
        for label in labels[1:]:
            before = [found[p] for p in predecessors[label]]
            new = (set.intersection(*before) if before else set()) | {label}
            if new != found[label]:
                found[label], changed = new, True
    return found


def _fill(loop: NaturalLoop, latch: str, predecessors: Mapping[str, list[str]]) -> None:
    waiting = [latch]
    while waiting:
        label = waiting.pop()
        if label not in loop.blocks:
            loop.blocks.add(label)
            waiting += predecessors[label]


def integer(value: str) -> int | None:
    """The number that a constant operand is."""
    if value.lstrip("-").isdigit():
        return int(value)
    return {"true": 1, "false": 0, "null": 0}.get(value)


def step_bytes(instruction: Instruction) -> int | None:
    """The constant that a getelementptr of bytes, or of a plain type, adds to its pointer."""
    if instruction.opcode != "getelementptr" or len(instruction.operands) != 2:
        return None
    index = integer(instruction.operands[1])
    size = element_bytes(instruction.what)
    return None if index is None or size is None else index * size


def element_bytes(type_: str) -> int | None:
    """Bytes of the types that pointers step by."""
    plain = {"ptr": 4, "float": 4, "double": 8, "bfloat": 2}
    if type_ in plain:
        return plain[type_]
    if type_[:1] == "i" and type_[1:].isdigit():
        return max(1, int(type_[1:]) // 8)
    if type_[:1] in "[<" and " x " in type_ and not type_.startswith("<{"):
        count, element = type_[1:-1].split(" x ", 1)
        inner = element_bytes(element)
        return None if inner is None else int(count) * inner
    return None


def _steps(code: Code, loop: NaturalLoop) -> list[tuple[str, int]]:
    found = []
    for phi in code.blocks[loop.header].phis:
        values = {v for v, label in zip(phi.operands, phi.targets, strict=True) if label in loop.latches}
        if len(values) == 1:
            step = _added(code, values.pop(), phi.result)
            if step is not None:
                found.append((phi.result, step))
    return found


def _constant(made: Instruction) -> int | None:
    """The constant that an instruction adds to its first operand."""
    if made.opcode == "getelementptr":
        return step_bytes(made)
    number = integer(made.operands[1]) if made.opcode in ("add", "sub", "or") else None
    if number is None or (made.opcode == "or" and made.what != "disjoint"):
        return None
    return -number if made.opcode == "sub" else number


def _added(code: Code, value: str, to: str) -> int | None:
    """What `value` adds to `to`, through any chain of additions of constants."""
    total = 0
    for _ in range(64):
        if value == to:
            return total
        made = code.definitions.get(value)
        step = None if made is None else _constant(made)
        if made is None or step is None:
            return None
        total += step
        value = made.operands[0]
    return None


def invariant(code: Code, value: str, loop: NaturalLoop) -> bool:
    """Whether a value is the same in every trip."""
    return code.homes.get(value, "") not in loop.blocks if value in code.homes else True


def _counter(code: Code, loop: NaturalLoop) -> Counter | None:
    """The loop's counter, where its one exit is a comparison of something that steps with something that does not."""
    exits = [label for label in loop.blocks if any(s not in loop.blocks for s in code.blocks[label].successors)]
    if len(loop.latches) != 1 or exits != loop.latches:
        return None
    branch = code.blocks[loop.latches[0]].instructions[-1]
    compare = code.definitions.get(branch.operands[0]) if branch.opcode == "br" and branch.operands else None
    if compare is None or compare.opcode != "icmp" or compare.type.startswith("<"):
        return None
    predicate, (a, b) = compare.what, compare.operands
    if invariant(code, a, loop):
        a, b, predicate = b, a, _SWAPPED.get(predicate, predicate)
    if not invariant(code, b, loop):
        return None
    if branch.targets[0] in loop.blocks:  # it goes on while the comparison holds
        predicate = _DENIED[predicate]
    for phi, step in loop.steps.items():
        ahead = _added(code, a, phi)
        if ahead is not None and step:
            return Counter(phi, step, a, compare.result, _trips(code, loop, phi, step, ahead, predicate, b))
    return None


def _trips(code: Code, loop: NaturalLoop, phi: str, step: int, ahead: int, leaves: str, bound: str) -> int | None:
    """Trips until `phi + ahead` and `bound` meet the predicate, where the numbers are known."""
    made = code.definitions[phi]
    starts = {v for v, label in zip(made.operands, made.targets, strict=True) if label not in loop.latches}
    if len(starts) != 1:
        return None
    distance = _distance(code, starts.pop(), bound)
    if distance is None:
        return None
    distance -= ahead
    if leaves == "eq":
        return distance // step + 1 if distance % step == 0 and distance // step >= 0 else None
    if leaves in ("sge", "uge") and step > 0:
        return max(0, math.ceil(distance / step)) + 1
    if leaves in ("sgt", "ugt") and step > 0:
        return max(0, distance // step + 1) + 1
    if leaves in ("sle", "ule") and step < 0:
        return max(0, math.ceil(distance / step)) + 1
    if leaves in ("slt", "ult") and step < 0:
        return max(0, math.floor(distance / step) + 1) + 1
    return None


def _distance(code: Code, start: str, end: str) -> int | None:
    """end - start, of two constants or of two steps from one pointer."""
    (root, before), (other, after) = _rooted(code, start), _rooted(code, end)
    return after - before if root == other else None


def _rooted(code: Code, value: str) -> tuple[str, int]:
    total = 0
    for _ in range(64):
        number = integer(value)
        if number is not None:
            return "", total + number
        made = code.definitions.get(value)
        step = None if made is None else _constant(made)
        if made is None or step is None:
            break
        total += step
        value = made.operands[0]
    return value, total
