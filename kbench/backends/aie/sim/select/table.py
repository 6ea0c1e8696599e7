"""What an operation of the API becomes: machine operations for each register's worth of lanes, with their source.

A row: operations ; kinds ; lanes ; steps ; source.

- operations: names of `kb_aie/ops.h` that share the row.
- kinds: those of the operands that the row tells apart, signs left out (`u8` is `i8`); `>acc32`: of the result; `*`:
  any.
- lanes: elements that one instance works on, of npu1 and of npu2 where they differ; 0: one instance for all.
- steps: `result = name operands`, parted by `|`. `a`, `b`, `c` are the operands, `r` the result, `t1` … values between;
  `k` is a constant in a register; `s` stands for all numbers that are given besides. `*` is the first product and `+` a
  further one: what they are depends on whether the operation starts from nothing, adds or subtracts. `log2[ … ]` is
  repeated until `x`, which is `a` at first, has one lane left.
- source: where the steps are from; the abbreviations stand at the table's head.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


#: f32 products in pieces of bfloat16, for 16 lanes: how many products, splits and conversions (API mul_acc32_fp.hpp,
#: HDR aiev2_core.h: accuracy safe, fast, low): products → splits of each factor.
FLOAT_SPLITS = {9: 2, 6: 2, 3: 1}


@dataclass(frozen=True)
class Step:
    """`result` = `name` of `operands`; `times`: part of what is repeated until one lane is left."""

    result: str
    name: str
    operands: tuple[str, ...]
    repeated: bool = False


@dataclass(frozen=True)
class Row:
    """How one instance works on `lanes` lanes (negative: on bits of the result; 0: on everything)."""

    operations: tuple[str, ...]
    kinds: tuple[str, ...]
    result: str
    lanes: int
    steps: tuple[Step, ...]
    source: str

    def fits(self, kinds: tuple[str, ...]) -> bool:
        """`kinds`: the result's, then the operands'."""
        if self.result and self.result != kinds[0]:
            return False
        if self.kinds == ("*",):
            return True
        operands = kinds[1:]
        if self.result and self.operations[0] == "mul":
            return tuple(operands[: len(self.kinds)]) == self.kinds
        return any(operands[:1] == (k,) for k in self.kinds)


def parse(text: str, npu2: bool) -> list[Row]:
    """The rows of a table. Raises ValueError for one that is malformed."""
    rows = []
    for line in text.strip().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        operations, kinds, lanes, steps, source = (part.strip() for part in line.split(";"))
        result = next((k[1:] for k in kinds.split() if k.startswith(">")), "")
        given = tuple(k for k in kinds.split() if not k.startswith(">")) or ("*",)
        counts = [int(n) for n in lanes.split("/")]
        rows.append(Row(tuple(operations.split()), given, result, counts[-1 if npu2 else 0], _steps(steps), source))
    return rows


def _steps(text: str) -> tuple[Step, ...]:
    found, repeated = [], False
    for part in text.split("|"):
        part = part.strip()
        if part.startswith("log2["):
            part, repeated = part[5:].strip(), True
        ends = part.endswith("]")
        result, _, rest = part.rstrip("] ").rpartition("=")
        name, *operands = rest.split()
        found.append(Step(result.strip(), name, tuple(operands), repeated))
        repeated = repeated and not ends
    return tuple(found)


@cache
def rows(target: str) -> dict[str, list[Row]]:
    """Operation → its rows for a target, the first that fits counts."""
    npu2 = target == "npu2"
    found: dict[str, list[Row]] = {}
    texts = [(_HERE / name).read_text(encoding="utf-8") for name in ("operations_npu2.txt", "operations.txt")]
    for row in (parse(texts[0], True) if npu2 else []) + parse(texts[1], npu2):
        for operation in row.operations:
            found.setdefault(operation, []).append(row)
    return found


#: Products of one instruction of a matrix multiplication: M, K, N. (API mmul_*.hpp: the intrinsics that they call;
#: AMD's table of multiplications per cycle.)
TILES = {
    "npu1": {
        ("i8", "i4"): ((4, 16, 8),),
        ("i8", "i8"): ((4, 8, 8), (4, 8, 4)),
        ("i16", "i8"): ((4, 4, 8), (4, 8, 4), (2, 8, 8), (8, 4, 4)),
        ("i8", "i16"): ((4, 4, 4), (2, 4, 8)),
        ("i16", "i16"): ((4, 4, 4), (2, 4, 8), (4, 2, 8)),
        ("i32", "i16"): ((4, 2, 4),),
        ("i16", "i32"): ((4, 2, 4),),
        ("i32", "i32"): ((2, 2, 4),),
        ("bf16", "bf16"): ((4, 8, 4),),
        ("f32", "f32"): ((4, 8, 4),),
    },
    "npu2": {
        ("i8", "i4"): ((4, 16, 16),),
        ("i8", "i8"): ((8, 8, 8),),
        ("i16", "i8"): ((4, 8, 8), (8, 4, 8)),
        ("i8", "i16"): ((4, 8, 8), (8, 4, 8)),
        ("i16", "i16"): ((4, 4, 8), (8, 2, 8)),
        ("i32", "i16"): ((4, 2, 8),),
        ("i16", "i32"): ((4, 2, 8),),
        ("i32", "i32"): ((2, 2, 8),),
        ("bf16", "bf16"): ((8, 1, 4), (4, 1, 8)),
        ("f32", "f32"): ((8, 1, 4), (4, 1, 8)),
        ("bfp16", "bfp16"): ((8, 8, 8),),
    },
}


#: Multiplications in one cycle, of each pair of types: TILES' largest. Used for sliding multiplications and for use.
def products_per_cycle(target: str, a: str, b: str) -> int:
    """The most products of one instruction; 16 where the table has no such pair."""
    tiles = TILES[target].get((a, b)) or TILES[target].get((b, a)) or ((4, 2, 2),)
    return max(m * k * n for m, k, n in tiles)


def instructions_of(target: str, a: str, b: str, m: int, k: int, n: int) -> int:
    """How many multiplications of a tile's size make one of M × K by K × N."""
    tiles = TILES[target].get((a, b)) or TILES[target].get((b, a))
    if tiles is None:
        return max(1, -(-m * k * n // 16))
    return min(-(-m // x) * -(-k // y) * -(-n // z) for x, y, z in tiles)
