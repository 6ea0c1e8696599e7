"""Rows of a machine's table: slots, cycles in which operands are read and written, ports that are held, memory cycles.

A table is text, one row a line, its columns parted by `;`:

    names ; alternatives ; defs ; uses ; memory ; ports ; sort ; itinerary

- names: of operations that share the row, parted by spaces.
- alternatives: slots parted by `/`, in the order in which they are tried, each with the ports that only it holds.
- defs, uses: the cycle (1 is the cycle of issue) in which each operand is written or read; the last holds for all that
  follow. A letter names a bypass: a value that leaves and enters by the same one arrives a cycle earlier.
- memory: `L5` reads in cycle 5, `S7` writes in cycle 7, `M5-11` reads in 5 and writes in 11.
- ports: `NAME@3` is held in cycle 3, `NAME@1+7` in cycles 1 to 7; `~NAME@1` holds nothing, but must find it free.
- sort: what the operation is to the counters of vector activity and to control flow (`Sort`).
- itinerary: the name of the row in the source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from kbench.core.errors import HarnessError

#: `vector`: the vec slot; `arith`: arithmetic, comparison, selection, permutation in mv; `convert`: narrowing
#: in st, widening in ldb; `move`: vectors moved, inserted, extracted, broadcast; `vload`, `vstore`; else scalar.
Sort = Literal[
    "scalar", "load", "store", "vector", "arith", "convert", "move", "vload", "vstore", "branch", "call", "return",
    "event", "lock",
]  # fmt: skip

#: The slots of a bundle, in the order of a listing; `lng` occupies `alu` and `mv`.
#: Xilinx/llvm-aie AIE2Slots.td, AIE2CompositeFormats.td; AIE2P has the same (AIE2PSlots.td).
SLOTS = ("lda", "ldb", "st", "alu", "mv", "vec")
_OCCUPIES = {"lng": ("alu", "mv")} | {slot: (slot,) for slot in SLOTS}


#: Operations outside vec whose result is an accumulator, half of the widest.
ACCUMULATORS = frozenset(
    ("vlda.am", "vlda.ups", "vlda.conv", "vups", "vconv.fp32.bf16", "vconv.fp32.bf16.wh", "vmov.to.bm", "vmov.bm")
)

#: Operations of vectors whose result is a scalar.
SCALARS = frozenset(("vextract", "vextract.p", "vlt", "vge", "veqz"))


@dataclass(frozen=True)
class Operand:
    """When an operand is read or written, and the bypass that it may take."""

    cycle: int
    bypass: str = ""


@dataclass(frozen=True)
class Footprint:
    """What one alternative of an operation holds: (cycle after issue, bits held, bits that must be free)."""

    slot: str
    cells: tuple[tuple[int, int, int], ...]

    @property
    def extent(self) -> int:
        """Cycles from issue to the last that anything is held in."""
        return self.cells[-1][0]


@dataclass(frozen=True)
class Row:
    """An operation's row."""

    name: str
    alternatives: tuple[Footprint, ...]
    defs: tuple[Operand, ...]
    uses: tuple[Operand, ...]
    reads: int | None
    """Cycle in which memory is read; None: it is not."""
    writes: int | None
    sort: Sort
    itinerary: str

    def written(self, i: int) -> Operand:
        """Of the i-th def."""
        return self.defs[min(i, len(self.defs) - 1)]

    def read(self, i: int) -> Operand:
        """Of the i-th use."""
        return self.uses[min(i, len(self.uses) - 1)]

    @property
    def memory(self) -> bool:
        return self.reads is not None or self.writes is not None

    @property
    def first_access(self) -> int:
        return min(c for c in (self.reads, self.writes) if c is not None)

    @property
    def last_access(self) -> int:
        return max(c for c in (self.reads, self.writes) if c is not None)

    @property
    def extent(self) -> int:
        """Cycles from issue to the last that any alternative holds anything in."""
        return max(a.extent for a in self.alternatives)


@dataclass(frozen=True)
class Registers:
    """How many values of each kind stay in registers."""

    scalar: int
    pointer: int
    vector: int
    """Of the widest ordinary kind: X registers of 512 bits."""
    accumulator: int
    """Of the widest kind: CM of 1,024 bits on AIE2, DM of 2,048 bits on AIE2P."""


@dataclass(frozen=True)
class Machine:
    """A core's tables and constants."""

    name: str
    rows: Mapping[str, Row]
    resources: tuple[str, ...]
    """Names of the bits in footprints: slots, then ports."""
    registers: Registers
    delay_slots: int
    """Bundles behind a branch, call or return that still issue."""
    setup_distance: int
    """Bundles from the set-up of a hardware loop to the end of the block before it, the set-up's own included."""
    pipeline: int
    """Cycles until everything that an operation does is done."""
    vector_bytes: int
    """Of one vector load or store."""

    def row(self, name: str) -> Row:
        found = self.rows.get(name)
        if found is None:
            raise HarnessError(
                f"{self.name}: no operation {name!r} in the machine's table; add its row with its source"
            )
        return found


def parse(text: str) -> tuple[dict[str, Row], tuple[str, ...]]:
    """The rows of a table's text, and the names of their resources. Raises ValueError for a row that is malformed."""
    bits: dict[str, int] = {slot: i for i, slot in enumerate(SLOTS)}
    rows: dict[str, Row] = {}
    for line in text.strip().splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        names, slots, defs, uses, memory, ports, sort, itinerary = (part.strip() for part in line.split(";"))
        if sort not in get_args(Sort):
            raise ValueError(f"no such sort: {line}")
        alternatives = tuple(_footprint(alternative, ports, bits) for alternative in slots.split("/"))
        reads, writes = _memory(memory)
        for name in names.split():
            if name in rows:
                raise ValueError(f"two rows for {name}")
            rows[name] = Row(
                name, alternatives, _operands(defs), _operands(uses), reads, writes, cast(Sort, sort), itinerary
            )
    return rows, tuple(bits)


def _operands(text: str) -> tuple[Operand, ...]:
    if text == "-":
        return ()
    found = [re.fullmatch(r"(\d+)([a-z]*)", part) for part in text.split()]
    if not all(found):
        raise ValueError(f"no operands: {text}")
    return tuple(Operand(int(m[1]), m[2]) for m in found if m)


def _memory(text: str) -> tuple[int | None, int | None]:
    found = re.fullmatch(r"-|([LS])(\d+)|M(\d+)-(\d+)", text)
    if found is None:
        raise ValueError(f"no memory cycles: {text}")
    if found[3]:
        return int(found[3]), int(found[4])
    if not found[1]:
        return None, None
    return (int(found[2]), None) if found[1] == "L" else (None, int(found[2]))


def _footprint(alternative: str, ports: str, bits: dict[str, int]) -> Footprint:
    slot, *own = alternative.split()
    cells: dict[int, list[int]] = {0: [0, 0]}
    for name in _OCCUPIES[slot]:
        cells[0][0] |= 1 << bits[name]
    for port in own + ([] if ports == "-" else ports.split()):
        found = re.fullmatch(r"(~?)(\w+)@(\d+)(?:\+(\d+))?", port)
        if found is None:
            raise ValueError(f"no port: {port}")
        bit = 1 << bits.setdefault(found[2], len(bits))
        first = int(found[3]) - 1
        for cycle in range(first, first + int(found[4] or 1)):
            cells.setdefault(cycle, [0, 0])[bool(found[1])] |= bit
    return Footprint(slot, tuple((cycle, held, free) for cycle, (held, free) in sorted(cells.items())))
