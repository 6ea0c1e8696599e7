"""Operations of the API as machine operations, by the table's rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kbench.backends.aie.sim.schedule.program import Memory
from kbench.backends.aie.sim.select import kinds
from kbench.backends.aie.sim.select.access import is_sum
from kbench.backends.aie.sim.select.emit import Emitter
from kbench.backends.aie.sim.select.flow import integer
from kbench.backends.aie.sim.select.instructions import Instruction
from kbench.backends.aie.sim.select.products import PRODUCTS, ProductSelection
from kbench.backends.aie.sim.select.registers import (
    MATRICES,
    MULTIPLIES,
    SLIDES,
    STRUCTURAL,
    chunk,
    lanes,
    operation_kinds,
    spread,
)
from kbench.backends.aie.sim.select.routines import routine
from kbench.backends.aie.sim.select.table import Row, Step

#: How many of an operation's operands are values; what follows are numbers: shifts, places, sizes, modes.
_VALUES = {
    "mac": 3, "msc": 3, "rmac": 3, "rmsc": 3, "select": 3, "elem_set": 3, "elem_get": 1, "push": 2, "neg": 1, "abs": 1,
    "conj": 1, "bit_not": 1, "logical_downshift": 1, "reduce_add": 1, "rreduce_add": 1, "reduce_max": 1,
    "reduce_min": 1, "reduce_mul": 1, "reverse": 1, "transpose": 1, "filter_even": 1, "filter_odd": 1, "real": 1,
    "imag": 1, "pack": 1, "unpack": 1, "srs": 1, "ups": 1, "to_fixed": 1, "to_float": 1, "inv": 1, "invsqrt": 1,
    "sqrt": 1, "tanh": 1, "exp2": 1, "broadcast": 1, "linear_approx": 1, "parallel_lookup": 1, "shuffle_up": 1,
    "shuffle_up_rotate": 1, "shuffle_up_replicate": 1, "shuffle_down": 1, "shuffle_down_rotate": 1,
    "shuffle_down_replicate": 1, "reduce_add_v": 4, "rreduce_add_v": 4, "set_rounding": 1, "set_saturation": 1,
    "event": 1, "put_mcd": 1, "print": 1, "get_scd": 0, "cycles": 0, "get_rounding": 0, "get_saturation": 0,
}  # fmt: skip
#: Operands that stay numbers in scalar registers, by operation.
_SCALAR_OPERANDS = {"elem_set": (1, 2), "push": (1,), "broadcast": (0,), "select": (2,), "event": (0,)}
_SUBTRACTS = frozenset(("sub", "rsub", "saturating_sub"))
#: What the compiler computes once for all that need it: operands arranged for the multiplier, widened, split.
_SHARED = frozenset(("vmov", "vunpack", "vups", "vconv.fp32.bf16", "vshuffle", "vbneg_ltz"))
_SCALAR_ROUTINES = {"inv": "__divsf3", "sqrt": "sqrtf", "invsqrt": "sqrtf"}
_TABLE = Memory("@lookup table", 32, distinct=True)
#: 64 numbers of 8 bits and the exponents of their blocks.
_BLOCK_BYTES = 72


class VectorSelection:
    """Emits the operations of the API."""

    def __init__(self, emitter: Emitter, forms: Mapping[str, str]) -> None:
        self.out = emitter
        self.products = ProductSelection(emitter)
        self.forms = forms
        self.registers = emitter.registers
        self.target = emitter.registers.target

    def select(self, instruction: Instruction) -> None:
        name = instruction.operation
        if name in STRUCTURAL:
            self.structural(instruction)
        elif name in MATRICES:
            self.products.matrix(instruction)
        elif name in SLIDES:
            self.products.sliding(instruction)
        elif name in MULTIPLIES and "f32" in operation_kinds(instruction)[1:]:
            self.products.of_floats(instruction)
        elif name in _SCALAR_ROUTINES and not instruction.type.startswith("<"):
            self.out.add("jl", (instruction.result,), (self.out.scalar(instruction.operands[1]),),
                         call=routine(_SCALAR_ROUTINES[name]))  # fmt: skip
        else:
            self.by_row(instruction)

    def structural(self, instruction: Instruction) -> None:
        """Parts of 128 bits are moved; all others are registers of their own. A place that is not known is counted as
        two selections."""
        if instruction.operation not in ("extract", "insert"):
            return
        operands = instruction.operands
        own = self.registers.names(instruction.result)
        if integer(operands[2]) is None:
            source = self.out.names(operands[1], vector=True)
            for made in own:
                self.out.add("vsel", (made,), (*source[:2], self.out.scalar(operands[2])))

    # --- by the table -------------------------------------------------------------------------------------------------

    def by_row(self, instruction: Instruction) -> None:
        row = self.registers.row(instruction)
        if row is None:
            self.unknown(instruction)
            return
        count = self.registers.instances(instruction, row)
        operands = self.operands(instruction, row)
        scalars = self.numbers(instruction)
        result = self.registers.names(instruction.result) if instruction.result else ()
        if instruction.operation in ("elem_get", "elem_set"):
            self.element(instruction, operands[0], scalars)
            return
        if row.steps[-1].name == "vextract":  # a reduction: the registers become one first
            operands = [(self.combined(instruction, row, operands[0]),), *operands[1:]]
            count = 1
        if any(step.repeated for step in row.steps):
            count = 1
        elif instruction.operation == "push":
            count = len(result)
        for i in range(count):
            chosen = [chunk(names, i, count) for names in operands]
            self.instance(instruction, row, chosen, result[i] if i < len(result) else "", scalars)

    def element(self, instruction: Instruction, names: tuple[str, ...], numbers: Sequence[str]) -> None:
        """Reads or writes an element, of the register that it is in."""
        at = integer(instruction.operands[2])
        whole = lanes(instruction.types[1], operation_kinds(instruction)[1])
        one = self.registers.place_of(names, at, whole)
        held = names[one] if one is not None else "|".join(dict.fromkeys(names))
        index = self.out.scalar(instruction.operands[2])
        if instruction.operation == "elem_get":
            self.out.add("vextract", (instruction.result,), (held, index))
            return
        made = self.registers.names(instruction.result)[one or 0]
        self.out.add("vinsert", (made,), (held, self.out.scalar(instruction.operands[3]), index))

    def operands(self, instruction: Instruction, row: Row) -> list[tuple[str, ...]]:
        """The registers of each operand that is a value."""
        name, found = instruction.operation, operation_kinds(instruction)
        given = list(zip(instruction.operands[1:], instruction.types[1:], found[1:], strict=False))
        stay = _SCALAR_OPERANDS.get(name, ())
        named = []
        for i, (value, type_, kind) in enumerate(given[: _VALUES.get(name, 2)]):
            if type_.startswith("<") and kind != "mask":
                named.append(self.moved(value, kind))
            elif name == "broadcast" and not value.startswith("%"):
                named.append((self.out.number(value),))
            elif i in stay or row.lanes == 0 or kind == "mask" or name.startswith(("set_", "get_", "to_")):
                named.append(self.out.names(value))
            else:
                named.append((self.out.broadcast(value),))
        return named

    def moved(self, value: str, kind: str) -> tuple[str, ...]:
        """The registers of a vector or an accumulator, of the file that it is needed in: the bits of one may be taken
        for the other's, which moves them."""
        wanted = kind in kinds.ACCUMULATORS
        names = self.out.names(value, vector=True, accumulator=wanted)
        held = self.registers.in_accumulator(value)
        if held is None or held == wanted:
            return names
        return tuple(self.out.once("vmov.to.bm" if wanted else "vmov.from.bm", (name,)) for name in names)

    def numbers(self, instruction: Instruction) -> tuple[str, ...]:
        """Registers of the numbers behind the values."""
        rest = instruction.operands[1 + _VALUES.get(instruction.operation, 2) :]
        return tuple(self.out.scalar(v) for v in rest if v.startswith("%"))

    def combined(self, instruction: Instruction, row: Row, names: tuple[str, ...]) -> str:
        """The registers of a vector, combined into one by the reduction's own operation."""
        size = row.lanes
        given = lanes(instruction.types[1], operation_kinds(instruction)[1])
        whole = spread(names, max(1, given // size))
        step = next((s.name for s in row.steps if s.name in ("vmax_lt", "vmin_ge", "vadd", "vadd.f")), "vadd")
        held = whole[0]
        for other in whole[1:]:
            made = self.out.temporary()
            self.out.add(step, (made,), (held, other))
            held = made
        return held

    def instance(
        self, instruction: Instruction, row: Row, operands: Sequence[str], result: str, numbers: Sequence[str]
    ) -> None:
        accumulator = ""
        given = list(operands)
        if instruction.operation in MULTIPLIES and instruction.operation.lstrip("r") in ("mac", "msc"):
            accumulator = given.pop(0)
        held = dict(zip("abcd", given, strict=False))
        held["x"] = held.get("a", "")
        total = max(1, min(lanes(instruction.types[1], operation_kinds(instruction)[1]), abs(row.lanes) or 1)) if (
            len(instruction.types) > 1) else 1  # fmt: skip
        for group, repeated in _grouped(self.unfused(instruction, row)):
            for _ in range(max(1, (total - 1).bit_length()) if repeated else 1):
                for step in group:
                    self.step(instruction, step, held, result, numbers, accumulator)

    def unfused(self, instruction: Instruction, row: Row) -> Sequence[Step]:
        """The steps that loads and stores do not do: the widening of an operand, the narrowing of the result."""
        if not is_sum(instruction):
            return row.steps
        found = list(row.steps)
        for name, value in (("a", instruction.operands[1]), ("b", instruction.operands[2])):
            if value in self.forms:
                gone = next(s for s in found if s.operands == (name,))
                found = [_renamed(s, gone.result, name.upper()) for s in found if s is not gone]
        if instruction.result in self.forms:
            last = found.pop()
            found = [Step("r", s.name, s.operands) if s.result in last.operands else s for s in found]
        return found

    def step(
        self,
        instruction: Instruction,
        step: Step,
        held: dict[str, str],
        result: str,
        numbers: Sequence[str],
        accumulator: str,
    ) -> None:
        name = step.name
        uses: list[str] = []
        for operand in step.operands:
            if operand == "s":
                uses += numbers
            elif operand in ("A", "B"):
                uses.append(held[operand.lower()])
            elif operand == "k":
                uses.append(self.out.constant(f"constant of {instruction.operation}"))
            else:
                uses.append(held.get(operand, ""))
        if name[:1] in "*+":
            name, first = self.product(instruction, name)
            if first and accumulator:
                uses.insert(0, accumulator)
        if instruction.operation in _SUBTRACTS and name.startswith("vadd"):
            name = f"vsub{name[4:]}"
        if step.result not in ("", "r") and name in _SHARED:
            held[step.result] = self.out.once(name, uses)
            return
        made = result if step.result == "r" else self.out.temporary() if step.result else ""
        if step.result:
            held[step.result] = made
        memory = _memory(instruction, name)
        self.out.add(name, (made,) if made else (), uses, memory=memory)

    @staticmethod
    def product(instruction: Instruction, mark: str) -> tuple[str, bool]:
        operation = instruction.operation.removeprefix("r")
        first, further = PRODUCTS[operation]
        suffix = ".f" if mark.endswith("f") else ""
        return (first if mark[0] == "*" else further) + suffix, mark[0] == "*"

    # --- what the table does not have ---------------------------------------------------------------------------------

    def unknown(self, instruction: Instruction) -> None:
        """An operation without a row: a loop over its elements by a routine where it is `sqrt`, else one permutation
        for each register of the result."""
        found = operation_kinds(instruction)
        values = [v for v in instruction.operands[1:] if v.startswith("%")]
        uses = [n for v in values for n in self.registers.names(v)]
        if instruction.operation in _SCALAR_ROUTINES:
            for _ in range(lanes(instruction.type, found[0])):
                self.out.add("jl", (self.out.temporary(),), uses, call=routine(_SCALAR_ROUTINES[instruction.operation]))
        for made in self.registers.names(instruction.result) if instruction.result else ():
            self.out.add("vshuffle", (made,), uses[:3])


def _memory(instruction: Instruction, name: str) -> Memory | None:
    """What an operation that is no load or store of the IR touches: a table, or a stream of blocks at a pointer."""
    if name == "vldb.4x":
        return _TABLE
    return Memory(instruction.operands[1], _BLOCK_BYTES) if name in ("vld.pop", "vst.push") else None


def _renamed(step: Step, old: str, new: str) -> Step:
    return Step(step.result, step.name, tuple(new if o == old else o for o in step.operands), step.repeated)


def _grouped(steps: Sequence[Step]) -> list[tuple[list[Step], bool]]:
    """The steps in runs of those that are repeated and those that are not."""
    found: list[tuple[list[Step], bool]] = []
    for step in steps:
        if not found or found[-1][1] != step.repeated:
            found.append(([], step.repeated))
        found[-1][0].append(step)
    return found
