"""Loads and stores as machine operations: widths, fused conversions, addresses.

A pointer that moves by a constant from trip to trip costs nothing (post-modification); one that an outer loop moves, or
that a value that no loop steps is part of, is computed before the loop; an index inside the loop goes through a
modifier register. Fused forms (`vlda.ups`, `vldb.unpack`, `vst.srs`, …) are what Peano's combiner makes where a
conversion is the only use of a load, or its value's only use is a store (llvm-aie, AIE2 combiner and instruction
selector).
"""

from __future__ import annotations

from kbench.backends.aie.sim.schedule.program import Memory
from kbench.backends.aie.sim.select import kinds
from kbench.backends.aie.sim.select.addresses import Address, Addresses
from kbench.backends.aie.sim.select.emit import Emitter
from kbench.backends.aie.sim.select.instructions import Code, Instruction
from kbench.backends.aie.sim.select.registers import operation_kinds, spread

_LOADS = {8: ("lda.s8", "lda.u8"), 16: ("lda.s16", "lda.u16")}
_STORES = {8: "st.s8", 16: "st.s16"}


def fused(code: Code) -> dict[str, str]:
    """Value → the fused form that takes its place: of a load's only use by a conversion, and of a conversion whose
    only use is a store. Values of loads stand for the load, others for the conversion."""
    found: dict[str, str] = {}
    for value, made in code.definitions.items():
        users = code.users.get(value, [])
        if len(users) != 1 or users[0][0] != code.homes[value]:
            continue
        user = users[0][1]
        if made.opcode == "load" and kinds.is_vector(made.type) and user.operation in ("ups", "unpack"):
            form = _load_form(user)
        elif made.opcode == "load" and kinds.is_vector(made.type) and is_sum(user):
            form = "vlda.conv"
        elif made.operation in ("srs", "pack") and user.opcode == "store":
            form = _store_form(made)
        elif is_sum(made) and user.opcode == "store":
            form = "vst.conv"
        else:
            form = ""
        if form:
            found[value] = form
    return found


def is_sum(instruction: Instruction) -> bool:
    """Whether it is a sum of bfloat16, which widens its operands and narrows its result."""
    return instruction.operation in ("radd", "rsub") and operation_kinds(instruction)[0] == "bf16"


def _load_form(user: Instruction) -> str:
    result, operand = operation_kinds(user)[:2]
    if user.operation == "unpack":
        return "vldb.unpack" if (operand, result) in (("i8", "i16"), ("i4", "i8")) else ""
    if operand == "bf16":
        return "vlda.conv"
    return "vlda.am" if operand == "f32" or (operand == "i32" and result == "acc32") else "vlda.ups"


def _store_form(made: Instruction) -> str:
    result, operand = operation_kinds(made)[:2]
    if made.operation == "pack":
        return "vst.pack" if (operand, result) in (("i16", "i8"), ("i8", "i4")) else ""
    if operand == "accf32":
        return "vst.conv" if result == "bf16" else "vst.am"
    if operand == "acc32" and result == "i32":
        return "vst.am"
    return "vst.srs" if (operand, result) not in (("acc64", "i8"), ("acc32", "i4")) else ""


class AccessSelection:
    """Emits loads and stores."""

    def __init__(self, emitter: Emitter, addresses: Addresses, distinct: frozenset[str], forms: dict[str, str]) -> None:
        self.out = emitter
        self.addresses = addresses
        self.distinct = distinct
        self.forms = forms
        self.vector_bytes = emitter.machine.vector_bytes
        self._pointers: dict[tuple[str, str, int | None], str] = {}
        self._roots = self._shared_roots()

    def _shared_roots(self) -> dict[tuple[str, str], str]:
        """(block, object) → the root that all its accesses there have, where it is one."""
        found: dict[tuple[str, str], set[str]] = {}
        for piece in self.out.code.blocks.values():
            for i in piece.instructions:
                if i.opcode in ("load", "store"):
                    at = self.addresses.of(i.operands[-1], piece.label)
                    found.setdefault((piece.label, at.object), set()).add(at.root)
        return {key: roots.pop() for key, roots in found.items() if len(roots) == 1}

    def memory(self, i: Instruction, at: Address, size: int, more: int = 0) -> Memory:
        known = self._roots.get((self.out.block, at.object)) == at.root and at.offset is not None
        return Memory(
            at.object,
            size,
            at.offset + more if known and at.offset is not None else None,
            at.step if known else None,
            at.object in self.distinct,
            i.group,
        )

    def pointer(self, at: Address) -> str:
        """The register that an access goes through, after what it takes to compute it."""
        loaded = self.out.code.definitions.get(at.object)
        plain = at.object if loaded is not None and loaded.opcode not in ("alloca", "phi") else ""
        if not at.index:
            return self._ahead(at) or plain
        held = plain
        for value, times in at.index:
            held = self._indexed(value, times, held)
        return held

    def _indexed(self, value: str, times: int, held: str) -> str:
        key = (self.out.block, value, times)
        if key not in self._pointers:
            scaled, modifier = self.out.scalar(value), self.out.temporary()
            if times not in (1, -1):
                shifted = self.out.temporary()
                self.out.add("ashl" if times & (times - 1) == 0 else "mul", (shifted,), (scaled,))
                scaled = shifted
            self.out.add("mov.dj", (modifier,), (scaled, held))
            self._pointers[key] = modifier
        return self._pointers[key]

    def _ahead(self, at: Address) -> str:
        """A pointer that outer loops move or that fixed values are part of: set once, before the innermost loop."""
        if not at.moves and not at.fixed:
            return ""
        loop = self.out.shape.around.get(self.out.block)
        before = self.out.shape.entries(loop) if loop is not None and loop.innermost else []
        label = before[0] if len(before) == 1 and before[0] in self.out.blocks else self.out.block
        key = (label, at.root, at.step)
        if key not in self._pointers:
            made = self._pointers[key] = self.out.temporary()
            add = self.out.add if label == self.out.block else lambda n, d, u=(): self.out.add_late(label, n, d, u)
            held = [self.out.scalar(v) for v, _ in at.fixed]
            for n, (_, times) in enumerate(at.fixed):
                if times not in (1, -1):
                    shifted = self.out.temporary()
                    add("ashl" if times & (times - 1) == 0 else "mul", (shifted,), (held[n],))
                    held[n] = shifted
                modifier = self.out.temporary()
                add("mov.m", (modifier,), (held[n],))
                held[n] = modifier
            add("padd", (made,), tuple(held))
        return self._pointers[key]

    # --- loads --------------------------------------------------------------------------------------------------------

    def load(self, i: Instruction) -> None:
        at = self.addresses.of(i.operands[0], self.out.block)
        size = max(1, kinds.bits(i.type) // 8)
        pointer = self.pointer(at)
        if kinds.is_vector(i.type):
            self.load_vector(i, at, size, pointer)
        elif size > 4:
            for n, half in enumerate((i.result, self.out.temporary())):
                self.out.add("lda", (half,), (pointer,), self.memory(i, at, 4, 4 * n))
        else:
            self.out.add(self._scalar_load(i), (i.result,), (pointer,), self.memory(i, at, size))

    def _scalar_load(self, i: Instruction) -> str:
        names = _LOADS.get(kinds.bits(i.type))
        if i.type == "ptr":
            return "lda.p"
        if names is None:
            return "lda"
        signed = any(user.opcode == "sext" for _, user in self.out.code.users.get(i.result, []))
        return names[0] if signed else names[1]

    def load_vector(self, i: Instruction, at: Address, size: int, pointer: str) -> None:
        form = self.forms.get(i.result, "vld")
        names = self.out.registers.names(i.result)
        user = self.out.code.users[i.result][0][1] if form != "vld" else None
        if user is not None and not is_sum(user):
            self.load_fused(i, user, form, at, size, pointer)
            return
        aligned = i.align >= min(size, self.vector_bytes) or i.align == 0
        for n, name in enumerate(names):
            part = min(size, self.vector_bytes)
            memory = self.memory(i, at, part, part * n)
            if aligned or user is not None:
                self.out.add(form, (name,), (pointer,), memory)
            else:
                self.load_unaligned(name, pointer, memory)

    def load_unaligned(self, name: str, pointer: str, memory: Memory) -> None:
        """Two loads, joined at the place where the wanted bytes begin (AIE API, load_unaligned_v)."""
        first, second = self.out.temporary(), self.out.temporary()
        self.out.add("vld", (first,), (pointer,), memory)
        self.out.add("vld", (second,), (pointer,), memory)
        self.out.add("vshift.align", (name,), (first, pointer, second))

    def load_fused(self, i: Instruction, user: Instruction, form: str, at: Address, size: int, pointer: str) -> None:
        """As many loads as the conversion's registers take; those belong to the conversion."""
        names = self.out.registers.names(user.result)
        each = max(1, size // self._fused_bytes(form, i))
        spreaded = spread(names, max(each, len(names)))
        count = max(each, len(names))
        part = max(1, size // count)
        for n in range(count):
            made = spreaded[n] if len(names) >= count else self._part(names, n, count)
            self.out.add(form, (made,), (pointer,), self.memory(i, at, part, part * n))
        self._join(names, count)

    def _fused_bytes(self, form: str, i: Instruction) -> int:
        """Bytes that one fused load reads: half of what fills an accumulator or a vector."""
        return self.vector_bytes

    def _part(self, names: tuple[str, ...], n: int, count: int) -> str:
        return f"{names[n * len(names) // count]}/{n}"

    def _join(self, names: tuple[str, ...], count: int) -> None:
        """Where several loads fill one register, that register is all of them."""
        if len(names) < count:
            for k, name in enumerate(names):
                parts = [self._part(names, n, count) for n in range(count) if n * len(names) // count == k]
                self.out.registers.replace(name, "|".join(parts))

    # --- stores -------------------------------------------------------------------------------------------------------

    def store(self, i: Instruction) -> None:
        value = i.operands[0]
        at = self.addresses.of(i.operands[1], self.out.block)
        size = max(1, kinds.bits(i.type) // 8)
        pointer = self.pointer(at)
        if kinds.is_vector(i.type):
            self.store_vector(i, value, at, size, pointer)
        elif size > 4:
            for n in range(2):
                self.out.add("st", (), (self.stored(value), pointer), self.memory(i, at, 4, 4 * n))
        else:
            name = _STORES.get(max(8, kinds.bits(i.type)), "st")
            self.out.add(name, (), (self.stored(value), pointer), self.memory(i, at, size))

    def stored(self, value: str) -> str:
        """A register: a store takes no number."""
        if value.startswith("%"):
            return self.out.scalar(value)
        return self.out.number(value)

    def store_vector(self, i: Instruction, value: str, at: Address, size: int, pointer: str) -> None:
        form, source = "vst", value
        if value in self.forms:
            form = self.forms[value]
            made = self.out.code.definitions[value]
            source = value if is_sum(made) else made.operands[1]
        count = max(1, size // self.vector_bytes)
        names = spread(self.out.names(source, vector=True), count)
        part = max(1, size // count)
        for n in range(count):
            memory = self.memory(i, at, part, part * n)
            if i.align and i.align < min(size, self.vector_bytes):
                self.store_unaligned(names[n], pointer, memory)
            else:
                self.out.add(form, (), (names[n], pointer), memory)

    def store_unaligned(self, name: str, pointer: str, memory: Memory) -> None:
        """Two vectors are read, the bytes put between them, both written (AIE API, store_unaligned_v)."""
        held = []
        for _ in range(2):
            old, moved, new = (self.out.temporary() for _ in range(3))
            self.out.add("vld", (old,), (pointer,), memory)
            self.out.add("vshift", (moved,), (name, name, pointer))
            self.out.add("vsel", (new,), (old, moved))
            held.append(new)
        for new in held:
            self.out.add("vst", (), (new, pointer), memory)
