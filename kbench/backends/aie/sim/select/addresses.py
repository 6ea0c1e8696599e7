"""Where each access goes: from which object, how far from its start, how far from trip to trip; and which objects
cannot overlap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kbench.backends.aie.sim.select.flow import NaturalLoop, Shape, element_bytes, integer, invariant
from kbench.backends.aie.sim.select.instructions import Code, Instruction

#: A place in a variable, as the IR writes it where a value may stand.
_CONSTANT = re.compile(r"getelementptr (?:\w+ )*\(i8, ptr (@[\w.$-]+), i32 (-?\d+)\)$")


_SUMS = frozenset(("add", "sub", "mul", "shl", "or", "zext", "sext"))


@dataclass
class Affine:
    """constant + Σ coefficient · value."""

    constant: int = 0
    terms: dict[str, int] = field(default_factory=dict)

    def plus(self, other: Affine, times: int = 1) -> Affine:
        terms = dict(self.terms)
        for value, n in other.terms.items():
            terms[value] = terms.get(value, 0) + n * times
        return Affine(self.constant + other.constant * times, {v: n for v, n in terms.items() if n})

    def number(self) -> int | None:
        return None if self.terms else self.constant


@dataclass(frozen=True)
class Address:
    """An access: `object` is what it lies in (an argument, `@name`, an alloca, or a pointer of unknown origin); `root`
    names the address on the innermost loop's first trip but for `offset`; `step`: bytes from trip to trip, None where
    it is no constant. What it is computed from besides: `index`, values that change from trip to trip in no constant
    step; `fixed`, values that no trip changes; each with what it is multiplied by. `moves`: an outer loop moves it as
    well."""

    object: str
    root: str
    offset: int | None
    step: int | None
    index: tuple[tuple[str, int], ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()
    moves: bool = False


class Addresses:
    """The addresses of a function."""

    def __init__(self, code: Code, shape: Shape) -> None:
        self.code = code
        self.shape = shape
        self._affine: dict[str, Affine] = {}
        self._known: dict[tuple[str, str], Address] = {}
        for made in code.definitions.values():  # in order, so that no chain is followed deeply
            if made.opcode in _SUMS:
                self.affine(made.result)

    def of(self, pointer: str, block: str) -> Address:
        """The address that `pointer` is for an access in a block."""
        if (pointer, block) not in self._known:
            self._known[pointer, block] = self._found(pointer, block)
        return self._known[pointer, block]

    def _found(self, pointer: str, block: str) -> Address:
        base, rest = self.based(pointer)
        loop = self.shape.around.get(block)
        step: int | None = 0
        names, fixed, index, moves = [], [], [], False
        for value, times in sorted([(base, 1), *rest.terms.items()]):
            moved = self._step(value, loop)
            names.append(f"{value}*{times}" if times != 1 else value)
            if moved is None:
                step = None
                index.append((value, times))
            elif step is not None:
                step += moved * times
            if moved == 0 and self._steps_outside(value):
                moves = True
            elif moved == 0 and value != base:
                fixed.append((value, times))
        found = self.object(base)
        given = tuple((v, n) for v, n in index if v != base)
        return Address(found, "+".join(names), rest.constant, step, given, tuple(fixed), moves)

    def _steps_outside(self, value: str) -> bool:
        """Whether a value steps with a loop around, which moves a pointer along for it."""
        home = self.shape.around.get(self.code.homes.get(value, ""))
        return home is not None and value in home.steps

    def _step(self, value: str, loop: NaturalLoop | None) -> int | None:
        """How far a value goes in a trip of the loop; None: nobody knows."""
        if loop is None or invariant(self.code, value, loop):
            return 0
        return loop.steps.get(value)

    def object(self, base: str) -> str:
        """The object that a pointer is based on, through the phis that only step."""
        seen = set()
        while base not in seen:
            seen.add(base)
            made = self.code.definitions.get(base)
            if made is None or made.opcode != "phi":
                return base
            starts = {self.based(v)[0] for v in made.operands} - seen
            if len(starts) != 1:
                return base
            base = starts.pop()
        return base

    def based(self, pointer: str) -> tuple[str, Affine]:
        """(the pointer that it starts from, what is added to that)."""
        total = Affine()
        for _ in range(1000):
            made = self.code.definitions.get(pointer)
            if made is None or made.opcode != "getelementptr":
                break
            step = self._stepped(made)
            if step is None:
                break
            total = total.plus(step)
            pointer = made.operands[0]
        constant = _CONSTANT.match(pointer)
        if constant is not None:
            return constant[1], total.plus(Affine(int(constant[2])))
        return pointer, total

    def _stepped(self, made: Instruction) -> Affine | None:
        """What a getelementptr adds, of a plain type or an array's element."""
        type_, total = made.what, Affine()
        for i, index in enumerate(made.operands[1:]):
            if i:
                if type_[:1] != "[":
                    return None
                type_ = type_[1:-1].split(" x ", 1)[1]
            size = element_bytes(type_)
            if size is None:
                return None
            total = total.plus(self.affine(index), size)
        return total

    def affine(self, value: str) -> Affine:
        """An integer as a sum."""
        if value not in self._affine:
            self._affine[value] = self._summed(value)
        return self._affine[value]

    def _summed(self, value: str) -> Affine:
        number = integer(value)
        if number is not None:
            return Affine(number)
        made = self.code.definitions.get(value)
        own = Affine(0, {value: 1})
        if made is None or made.opcode not in _SUMS:
            return own
        first = self.affine(made.operands[0])
        if made.opcode in ("zext", "sext"):
            return first
        second = self.affine(made.operands[1])
        if made.opcode == "add" or (made.opcode == "or" and second.number() is not None and self._disjoint(made)):
            return first.plus(second)
        if made.opcode == "sub":
            return first.plus(second, -1)
        by = second.number()
        if by is None or made.opcode == "or":
            return own
        return Affine().plus(first, by if made.opcode == "mul" else 1 << by)

    def _disjoint(self, made: Instruction) -> bool:
        return made.what == "disjoint"


def accesses(code: Code) -> Iterator[tuple[str, Instruction, str]]:
    """(block, instruction, pointer) of every plain load and store."""
    for piece in code.blocks.values():
        for i in piece.instructions:
            if i.opcode == "load":
                yield piece.label, i, i.operands[0]
            elif i.opcode == "store":
                yield piece.label, i, i.operands[1]


def distinct_objects(code: Code, addresses: Addresses) -> frozenset[str]:
    """The objects that nothing accessed through another one overlaps."""
    by_object: dict[str, list[Instruction]] = {}
    for _, instruction, pointer in accesses(code):
        base, _ = addresses.based(pointer)
        by_object.setdefault(addresses.object(base), []).append(instruction)
    noalias = {p.name for p in code.parameters if p.noalias}
    own = {i.result for i in code.definitions.values() if i.opcode == "alloca"}
    arguments = {p.name for p in code.parameters}

    def apart(one: str, other: str) -> bool:
        if one in noalias or other in noalias or one in own or other in own:
            return _known(one) and _known(other)
        if one.startswith("@") and other.startswith("@"):
            return True
        return all(_scoped_apart(a, b) for a in by_object[one] for b in by_object[other])

    def _known(name: str) -> bool:
        return name in arguments or name in own or name.startswith("@")

    found = [one for one in by_object if all(one == other or apart(one, other) for other in by_object)]
    return frozenset(found)


def _scoped_apart(a: Instruction, b: Instruction) -> bool:
    """What `__restrict` arguments of a function that was inlined leave in the IR."""
    return bool((b.scopes and b.scopes <= a.free_of) or (a.scopes and a.scopes <= b.free_of))
