"""In how many registers a value stands, and what they are called.

A vector or accumulator of several registers is the tuple of their names, the lowest lanes first. Parts of values, and
values put together from parts, are names of the same registers: nothing moves.
"""

from __future__ import annotations

from kbench.backends.aie.sim.select import kinds
from kbench.backends.aie.sim.select.flow import integer
from kbench.backends.aie.sim.select.instructions import Code, Instruction
from kbench.backends.aie.sim.select.table import Row, rows

#: Operations whose result is the operands' registers, or some of them.
STRUCTURAL = frozenset(("extract", "insert", "replicate", "concat", "undef"))
MULTIPLIES = frozenset(("mul", "mac", "msc", "negmul", "rmul", "rmac", "rmsc", "rnegmul"))
MATRICES = frozenset(("mmul", "mmul_mac", "rmmul", "rmmul_mac", "mmul_bfp16", "mmul_bfp16_mac", "mmul_sparse"))
SLIDES = frozenset(
    ("sliding_mul", "sliding_mac", "rsliding_mul", "rsliding_mac", "sliding_mul_sym", "accumulate", "accumulate_mac",
     "raccumulate", "raccumulate_mac")
)  # fmt: skip
#: Instructions that leave the bits where they are.
_ALIASES = frozenset(("bitcast", "freeze", "trunc", "ptrtoint", "inttoptr", "addrspacecast"))
_ACCUMULATOR_BITS = {"npu1": 1024, "npu2": 2048}


def operation_kinds(instruction: Instruction) -> tuple[str, ...]:
    """The kinds of an operation's result and operands."""
    word = integer(instruction.operands[0]) if instruction.operands else 0
    return kinds.unpacked((word or 0) & 0xFFFFFFFF, len(instruction.operands) - 1)


def lanes(type_: str, kind: str) -> int:
    """Elements of a kind in a value of a type."""
    return max(1, kinds.bits(type_) // kinds.BITS.get(kind, 32))


class Registers:
    """The registers of a function's values."""

    def __init__(self, code: Code, target: str, vector_bytes: int) -> None:
        self.code = code
        self.target = target
        self.vector_bytes = vector_bytes
        self._width: dict[str, int] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._replaced: dict[str, str] = {}
        for value, made in code.definitions.items():  # in order, so that no chain is followed deeply
            if made.opcode != "phi":
                self.width(value)

    def row(self, instruction: Instruction) -> Row | None:
        """The table's row for an operation, or None."""
        name, found = instruction.operation, operation_kinds(instruction)
        if name in MULTIPLIES:
            given = found if name in ("mul", "negmul", "rmul", "rnegmul") else (found[0], *found[2:])
            return next((r for r in rows(self.target)["mul"] if r.fits(given)), None)
        return next((r for r in rows(self.target).get(name, ()) if r.fits(found)), None)

    def instances(self, instruction: Instruction, row: Row) -> int:
        """How many instances of a row an operation takes."""
        if row.lanes == 0:
            return 1
        if row.lanes < 0:
            return max(1, kinds.bits(instruction.type) // -row.lanes)
        found = operation_kinds(instruction)
        counts = [
            lanes(t, k)
            for t, k in zip(instruction.types[1:], found[1:], strict=False)
            if t.startswith("<") and k not in ("mask", "none")
        ]
        if not counts and instruction.type.startswith("<"):
            counts = [lanes(instruction.type, found[0])]
        return max(1, -(-max(counts, default=1) // row.lanes))

    def width(self, value: str) -> int:
        """In how many registers a value stands."""
        if value not in self._width:
            self._width[value] = 1  # a value that only depends on itself
            made = self.code.definitions.get(value)
            self._width[value] = 1 if made is None else self._width_of(made)
        return self._width[value]

    def _width_of(self, made: Instruction) -> int:
        if made.opcode in _ALIASES:
            return self.width(made.operands[0])
        if made.opcode in ("phi", "select"):
            given = made.operands if made.opcode == "phi" else made.operands[1:]
            known = [v for v in given if v in self.code.definitions and v != made.result]
            widths = [self.width(v) for v in known]
            return max(widths, default=self.plain_width(made.type))
        if made.opcode == "call" and made.operation:
            return self._operation_width(made)
        return self.plain_width(made.type)

    def plain_width(self, type_: str) -> int:
        return max(1, kinds.bits(type_) // 8 // self.vector_bytes) if kinds.is_vector(type_) else 1

    def _operation_width(self, made: Instruction) -> int:
        name = made.operation
        if name in ("broadcast", "elem_get"):
            return 1
        if name in ("elem_set", "push"):
            return self.width(made.operands[1])
        if name in STRUCTURAL:
            return self._structural_width(made)
        if name in MATRICES or name in SLIDES:
            return max(1, kinds.bits(made.type) // _ACCUMULATOR_BITS[self.target])
        row = self.row(made)
        if row is None or not made.type.startswith("<"):
            return 1
        return self.instances(made, row)

    def _structural_width(self, made: Instruction) -> int:
        name, given = made.operation, made.operands[1:]
        whole = kinds.bits(made.type)
        if name == "undef":
            return 1
        if name == "concat":
            return sum(self.width(v) for v in given)
        if name == "insert":
            part = max(1, whole // kinds.bits(made.types[3]))
            return max(self.width(given[0]), self.width(given[2]) * part)
        source = kinds.bits(made.types[1])
        if name == "replicate":
            return self.width(given[0]) * max(1, whole // source)
        return max(1, self.width(given[0]) * whole // source)

    def names(self, value: str) -> tuple[str, ...]:
        """The registers of a value that an instruction defines or that the function is given."""
        if value not in self._names:
            self._names[value] = self._own(value)
            made = self.code.definitions.get(value)
            if made is not None:
                self._names[value] = self._names_of(made)
        return self._names[value]

    def alias(self, value: str, other: str) -> None:
        """`value` stands where `other` does."""
        self._names[value] = self.names(other) if other.startswith("%") else ("",)

    def replace(self, name: str, new: str) -> None:
        """Wherever `name` is part of a value, `new` is."""
        self._replaced[name] = new

    def whole(self, use: str) -> str:
        """An operand's registers, parts that were filled one by one told as such."""
        if not self._replaced:
            return use
        return "|".join(dict.fromkeys(self._replaced.get(n, n) for n in use.split("|")))

    def rename(self, value: str, name: str) -> None:
        self._names[value] = (name,)

    def _own(self, value: str) -> tuple[str, ...]:
        width = self.width(value)
        return (value,) if width == 1 else tuple(f"{value}.{i}" for i in range(width))

    def _names_of(self, made: Instruction) -> tuple[str, ...]:
        if made.opcode in _ALIASES:
            return self.names(made.operands[0]) if made.operands[0].startswith("%") else self._own(made.result)
        if made.operation == "elem_set":
            return self._changed(made)
        if made.opcode != "call" or made.operation not in STRUCTURAL or made.operation == "undef":
            return self._own(made.result)
        given = made.operands[1:]
        if made.operation == "concat":
            return tuple(name for v in given for name in self.names(v))
        if made.operation == "replicate":
            return self.names(given[0]) * max(1, kinds.bits(made.type) // kinds.bits(made.types[1]))
        at = integer(given[1])
        if at is None:
            return self._own(made.result)
        return self._extracted(made, at) if made.operation == "extract" else self._inserted(made, at)

    def _changed(self, made: Instruction) -> tuple[str, ...]:
        """One register is new where the element's place is known, all are where it is not."""
        own, names = self._own(made.result), self.names(made.operands[1])
        one = self.place_of(names, integer(made.operands[2]), lanes(made.types[1], operation_kinds(made)[1]))
        if one is None or len(names) != len(own):
            return own
        return tuple(own[i] if i == one else name for i, name in enumerate(names))

    @staticmethod
    def place_of(names: tuple[str, ...], element: int | None, whole: int) -> int | None:
        """Which of a value's registers an element is in."""
        return None if element is None else min(len(names) - 1, element * len(names) // max(1, whole))

    def _extracted(self, made: Instruction, at: int) -> tuple[str, ...]:
        names = self.names(made.operands[1])
        parts = max(1, kinds.bits(made.types[1]) // kinds.bits(made.type))
        return share(names, at, parts)

    def _inserted(self, made: Instruction, at: int) -> tuple[str, ...]:
        base, part = made.operands[1], made.operands[3]
        parts = max(1, kinds.bits(made.type) // kinds.bits(made.types[3]))
        new = self.names(part)
        width = max(self.width(made.result), parts * len(new) if parts > 1 else len(new))
        held = list(spread(() if self.is_undefined(base) else self.names(base), width))
        if len(new) * parts > width:  # a part of one register
            old = held[0]
            return ("|".join(dict.fromkeys(n for n in (old, *new) if n)),) if width == 1 else tuple(held)
        size = width // parts
        held[at * size : (at + 1) * size] = spread(new, size)
        return tuple(held)

    def in_accumulator(self, value: str) -> bool | None:
        """Whether a value stands in an accumulator; None: nobody knows (a phi, an argument, a load)."""
        made = self.code.definitions.get(value)
        while made is not None and made.opcode in _ALIASES:
            made = self.code.definitions.get(made.operands[0])
        if made is None or not made.operation or made.operation in ("undef", "broadcast"):
            return None
        return operation_kinds(made)[0] in kinds.ACCUMULATORS

    def is_undefined(self, value: str) -> bool:
        made = self.code.definitions.get(value)
        return value in ("undef", "poison") or (made is not None and made.operation == "undef")


def share(names: tuple[str, ...], at: int, parts: int) -> tuple[str, ...]:
    """The at-th of equal parts of a value's registers; where a register holds several parts, that one."""
    if not names:
        return names
    if len(names) >= parts:
        size = len(names) // parts
        return names[at * size : (at + 1) * size] or names[-1:]
    return (names[at * len(names) // parts],)


def spread(names: tuple[str, ...], width: int) -> tuple[str, ...]:
    """The same registers, told as `width` of them."""
    if not names:
        return ("",) * width
    return tuple("|".join(n for n in share(names, i, width) if n) for i in range(width))


def chunk(names: tuple[str, ...], i: int, count: int) -> str:
    """The registers of the i-th of `count` equal parts of a value; one register serves them all."""
    return spread(names, count)[i] if len(names) != 1 else names[0]
