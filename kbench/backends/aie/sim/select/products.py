"""Products that are several instructions: of floats, of matrices, and sliding ones."""

from __future__ import annotations

from collections.abc import Sequence

from kbench.backends.aie.sim.select import kinds
from kbench.backends.aie.sim.select.emit import Emitter
from kbench.backends.aie.sim.select.flow import integer
from kbench.backends.aie.sim.select.instructions import Instruction
from kbench.backends.aie.sim.select.registers import chunk, lanes, operation_kinds, spread
from kbench.backends.aie.sim.select.table import FLOAT_SPLITS, instructions_of, products_per_cycle

#: The first and the further products of each operation.
PRODUCTS = {
    "mul": ("vmul", "vmac"), "mac": ("vmac", "vmac"), "negmul": ("vnegmul", "vmsc"), "msc": ("vmsc", "vmsc"),
}  # fmt: skip


class ProductSelection:
    """Emits products."""

    def __init__(self, emitter: Emitter) -> None:
        self.out = emitter
        self.registers = emitter.registers
        self.target = emitter.registers.target

    def of_floats(self, instruction: Instruction) -> None:
        """f32 in pieces of bfloat16 (HDR aiev2_core.h): each factor is split by subtracting what has been taken."""
        operation = instruction.operation.removeprefix("r")
        accumulates = operation in ("mac", "msc")
        values = instruction.operands[1:4] if accumulates else instruction.operands[1:3]
        types = instruction.types[1:4] if accumulates else instruction.types[1:3]
        found = operation_kinds(instruction)[1:]
        emulation = (
            integer(instruction.operands[1 + len(values) + 1]) if len(instruction.operands) > len(values) + 2 else 9
        )
        products = (emulation or 9) % 16
        size = 16 if self.target == "npu1" else 32
        wide = max(lanes(t, "f32") for t in types if t.startswith("<"))
        count = max(1, wide // size)
        named = [
            self.out.names(v, vector=True, accumulator=k in kinds.ACCUMULATORS) if t.startswith("<")
            else (self.out.broadcast(v),)
            for v, t, k in zip(values, types, found, strict=False)
        ]  # fmt: skip
        result = spread(self.registers.names(instruction.result), count)
        for i in range(count):
            factors = [chunk(n, i, count) for n in named]
            start = factors.pop(0) if accumulates else ""
            self.pieces(operation, factors, start, products, result[i])

    def pieces(self, operation: str, factors: Sequence[str], start: str, products: int, result: str) -> None:
        first, further = PRODUCTS[operation]
        split = [self.split(f, FLOAT_SPLITS.get(products, 2)) for f in factors]
        pairs = sorted(((i + j, i, j) for i in range(len(split[0])) for j in range(len(split[1]))), reverse=True)
        held = start
        chosen = pairs[-products:]
        for n, (_, i, j) in enumerate(chosen):
            made = result if n == len(chosen) - 1 else self.out.temporary()
            uses = (held, split[0][i], split[1][j]) if held else (split[0][i], split[1][j])
            self.out.add(f"{further if held and n else first}.f", (made,), uses)
            held = made

    def split(self, factor: str, splits: int) -> list[str]:
        found, rest = [], factor
        one = self.out.constant("constant of split")
        for i in range(splits + 1):
            joined = self.out.once("vinsert", (one, self.out.once("vconv.bf16.fp32", (rest,))))
            found.append(joined)
            if i < splits:
                rest = self.out.once("vmsc.f", (rest, joined, one))
        return found

    def matrix(self, instruction: Instruction) -> None:
        """A matrix product: as many instructions as its tiles take, in turns over the accumulator's registers."""
        name = instruction.operation
        found = operation_kinds(instruction)
        accumulates = name.endswith("_mac")
        values = instruction.operands[1:4] if accumulates else instruction.operands[1:3]
        types = list(zip(values, found[1:], strict=False))
        named = [self.out.names(v, vector=True, accumulator=k in kinds.ACCUMULATORS) for v, k in types]
        start = named.pop(0) if accumulates else ()
        a, b = (found[2], found[3]) if accumulates else (found[1], found[2])
        sizes = [integer(v) or 1 for v in instruction.operands[1 + len(values) :][:3]]
        m, k, n = sizes if len(sizes) == 3 else (8, 8, 8)
        count = instructions_of(self.target, a, b, m, k, n)
        if "bfp16" in name:
            count = 1
        if (a, b) == ("f32", "f32"):
            named = [tuple(self.split(chunk(x, 0, 1), 2)) for x in named]
            count *= 9
        if self.target == "npu2" and (a, b) == ("bf16", "bf16"):
            named = [self.arranged(x, count) for x in named]
        self.chain(instruction, count, start, named, "f32" in (a, b) or a in ("bf16", "bfp16"))

    def arranged(self, names: tuple[str, ...], count: int) -> tuple[str, ...]:
        """npu2 multiplies matrices of bfloat16 lane by lane: rows and columns are repeated first."""
        made = tuple(self.out.temporary() for _ in range(max(1, count // 2)))
        for i, one in enumerate(made):
            self.out.add("vshuffle", (one,), (names[i % len(names)], names[i % len(names)]))
        return made

    def chain(
        self,
        instruction: Instruction,
        count: int,
        start: Sequence[str],
        factors: Sequence[tuple[str, ...]],
        floats: bool,
    ) -> None:
        suffix = ".f" if floats else ""
        result = self.registers.names(instruction.result)
        count = max(count, len(result))
        begins = spread(tuple(start), len(result)) if start else [""] * len(result)
        for i, (last, held) in enumerate(zip(result, begins, strict=True)):
            share = max(1, count // len(result))
            for n in range(share):
                made = last if n == share - 1 else self.out.temporary()
                pair = [f[(n + i * share) % len(f)] for f in factors]
                self.out.add(f"{'vmac' if held else 'vmul'}{suffix}", (made,), (held, *pair) if held else pair)
                held = made

    def sliding(self, instruction: Instruction) -> None:
        """Lanes times points products, as many at a time as a matrix of these types has."""
        name = instruction.operation
        found = operation_kinds(instruction)
        accumulates = name.endswith("_mac")
        given = list(zip(instruction.operands[1:], instruction.types[1:], found[1:], strict=False))
        vectors = [(v, k) for v, t, k in given if t.startswith("<")]
        named = [self.out.names(v, vector=True, accumulator=k in kinds.ACCUMULATORS) for v, k in vectors]
        start = named.pop(0) if accumulates else ()
        a, b = (found[2], found[3]) if accumulates else (found[1], found[2])
        numbers = [integer(v) for v, t, _ in given if not t.startswith("<")]
        points = next((n for n in numbers if n), 8) if name.startswith(("sliding", "rsliding")) else len(named) - 1
        products = lanes(instruction.type, found[0]) * max(1, points)
        self.chain(instruction, -(-products // products_per_cycle(self.target, a, b)), start, named or [("",)],
                   found[0] in ("accf32", "caccf32"))  # fmt: skip
