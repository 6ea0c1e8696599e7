"""Registers: how many values are wanted at once, and what it costs when there are too few.

Vectors and accumulators are counted, in registers of the widest kind (X of 512 bits; CM of 1,024 bits on AIE2, DM of
2,048 on AIE2P); scalars and pointers are many, and cheap to compute again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import Literal

from kbench.backends.aie.sim.schedule.decide import Work
from kbench.backends.aie.sim.schedule.graph import read, units, written
from kbench.backends.aie.sim.schedule.modulo import Pipeline
from kbench.backends.aie.sim.schedule.program import Memory, Operation
from kbench.backends.aie.sim.schedule.table import ACCUMULATORS, SCALARS, Machine

File = Literal["vector", "accumulator"]

#: Operations whose result is half of an X register on AIE2 (256 bits; all of them fill one on AIE2P).
_HALF = frozenset(("vld", "vlda", "vldb", "vldb.4x", "vsrs", "vsrsm", "vpack", "vconv.bf16.fp32", "vfloor", "vfloor.w"))

#: Bytes on the stack that each spilled value gets: the widest accumulator.
_PLACE = 256

Kinds = Mapping[str, tuple[File, float]]


def kinds(machine: Machine, operations: Iterable[Operation]) -> dict[str, tuple[File, float]]:
    """Of each value that is a vector or an accumulator: which, and how much of the widest register it takes."""
    found: dict[str, tuple[File, float]] = {}
    for operation in operations:
        kind = _kind(machine, operation.name)
        if kind is not None and operation.defs:
            parts = units(operation.defs[0])
            found |= {name: (kind[0], kind[1] / len(parts)) for name in parts}
    return found


def _kind(machine: Machine, name: str) -> tuple[File, float] | None:
    sort = machine.row(name).sort
    if name in ACCUMULATORS:
        return "accumulator", 0.5
    if sort == "vector" or name in ("vmov.cm", "vmov.d"):
        return "accumulator", 0.5 if name.endswith(".f") else 1.0
    if name in SCALARS or sort not in ("arith", "move", "convert", "vload"):
        return None
    return "vector", 0.5 if name in _HALF and machine.vector_bytes == 32 else 1.0


def _limits(machine: Machine) -> dict[File, float]:
    return {"vector": machine.registers.vector, "accumulator": machine.registers.accumulator}


def fits(machine: Machine, pipeline: Pipeline, known: Kinds) -> bool:
    """Whether the values of overlapping trips have registers."""
    ii = pipeline.ii
    born: dict[str, int] = {}
    dies: dict[str, int] = {}
    for operation, row, place in zip(pipeline.graph.operations, pipeline.graph.rows, pipeline.places, strict=True):
        for name, operand in written(operation, row):
            born[name] = min(born.get(name, place.cycle + operand.cycle), place.cycle + operand.cycle)
        for name, operand in read(operation, row):
            dies[name] = max(dies.get(name, 0), place.cycle + operand.cycle)
    wanted: dict[File, list[float]] = {file: [0.0] * ii for file in _limits(machine)}
    for name, end in dies.items():
        if name in known:
            file, weight = known[name]
            start = born.get(name, 0)
            # A value from before the loop, or of the trip before, lives all the time.
            span = range(ii) if name not in born or end < start else range(start, end)
            for cycle in span:
                wanted[file][cycle % ii] += weight
    return all(max(wanted[file]) <= limit for file, limit in _limits(machine).items())


def spill(machine: Machine, work: Work, known: Kinds) -> int:
    """Stores and loads again, in program order, what has no register: of the values that are wanted, the one whose next
    reader is farthest goes first (Belady). Returns the number of times.

    A loaded value counts from its first reader: the compiler puts loads where they are wanted."""
    before: dict[int, list[Operation]] = {}
    count = 0
    for file in _limits(machine):
        for name, at, back in _victims(machine, work, known, file):
            saved, loaded = _transfers(machine, name, known[name], count * _PLACE)
            before.setdefault(at + 1, []).extend(saved)
            before.setdefault(back, []).extend(loaded)
            count += 1
    for at in sorted(before, reverse=True):
        for operation in reversed(before[at]):
            work.operations.insert(at, operation)
            work.origin.insert(at, -1)
    return count


def _victims(machine: Machine, work: Work, known: Kinds, file: File) -> list[tuple[str, int, int]]:
    """(value, the operation behind which it goes to memory, the operation before which it comes back)."""
    uses: dict[str, list[int]] = {}
    for i, operation in enumerate(work.operations):
        for name in {name for operand in operation.uses for name in units(operand)}:
            if known.get(name, ("", 0))[0] == file:
                uses.setdefault(name, []).append(i)
    if sum(known[name][1] for name in uses) <= _limits(machine)[file]:
        return []
    live: dict[str, float] = {}
    gone: set[str] = set()
    victims: list[tuple[str, int, int]] = []
    for i, operation in enumerate(work.operations):
        row = machine.row(operation.name)
        asked = {name for operand in operation.uses for name in units(operand) if name in uses}
        made = {name for name, _ in written(operation, row) if name in uses and row.sort != "vload"}
        gone -= asked | made
        live |= {name: known[name][1] for name in asked | made}
        live = {name: weight for name, weight in live.items() if uses[name][-1] > i}
        while sum(live.values()) > _limits(machine)[file]:
            name = max(live, key=lambda name: uses[name][bisect_right(uses[name], i)])
            del live[name]
            victims.append((name, i, uses[name][bisect_right(uses[name], i)]))
    return victims


def _transfers(
    machine: Machine, name: str, kind: tuple[File, float], place: int
) -> tuple[list[Operation], list[Operation]]:
    """The stores and loads of one value, at a place on the stack."""
    file, part = kind
    widest = {"vector": 64, "accumulator": 128 if machine.vector_bytes == 32 else 256}[file]
    size = machine.vector_bytes
    store, load = ("vst", "vld") if file == "vector" else ("vst.am", "vlda.am")
    saved, loaded = [], []
    for offset in range(0, max(size, round(part * widest)), size):
        memory = Memory("spilled", size, place + offset, 0, distinct=True)
        saved.append(Operation(store, (), (name,), memory, text=f"{store} {name} (spill)"))
        loaded.append(Operation(load, (name,), (), memory, text=f"{load} {name} (spill)"))
    return saved, loaded
