"""What the scheduler is given: a function as machine operations, in program order, before anything is placed.

Names of values are registers to the scheduler: a name that is written twice is one register, and nothing may write it
while an older value is still to be read. A front end in single-assignment form gives each value a name of its own and
says with `Loop.carried` which value of a trip is which of the next.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Memory:
    """What an operation reads or writes. Whether it reads or writes is a fact of its row in the machine's table.

    Two accesses are free of each other if their roots differ and one of them is `distinct`; if both have a `group` and
    the groups differ; or if they have one root, one step, known offsets, and share no byte.
    """

    root: str
    """The object or pointer that the address is based on; the same name means the same address."""
    size: int
    """Bytes."""
    offset: int | None = None
    """Bytes from the root on the innermost loop's first trip; None: unknown."""
    step: int | None = None
    """Bytes that the address moves from one trip of the innermost loop to the next; None: unknown."""
    distinct: bool = False
    """Nothing with another root overlaps it: a `__restrict` argument, an array of the function's own, a constant."""
    group: str = ""
    """Class of type-based alias analysis; empty overlaps everything."""
    bank: str = ""
    """Memory bank that the source names (`__aie_dm_resource_a`: `a`); empty: unknown."""


@dataclass(frozen=True)
class Call:
    """A routine that an operation calls and that is not scheduled here: soft float, division, the C library."""

    name: str
    cycles: int
    """From the first bundle behind the call's delay slots to the return's last delay slot, the return included."""
    vector_cycles: int = 0
    """Those of them that hold an arithmetic vector operation."""


@dataclass(frozen=True)
class Operation:
    """One machine operation.

    `name` is a row of the machine's table (`aie2.py`, `aie2p.py`). `defs` and `uses` follow the order of that row: a
    row's last cycle holds for all further operands. First among the uses stand those that are read late: the
    accumulator, the shift of a fused widening load, the value of a store. `a|b` is one operand of several registers.
    """

    name: str
    defs: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    memory: Memory | None = None
    call: Call | None = None
    text: str = ""
    """As a listing shows it; empty: the name and its operands."""
    line: int = 0
    """Of the kernel's source; 0: unknown."""


@dataclass(frozen=True)
class Block:
    """A basic block. A branch that ends it is its last operation, except that of a counted loop (see `Loop`)."""

    label: str
    operations: tuple[Operation, ...] = ()
    successors: tuple[str, ...] = ()
    """Labels; empty: it returns to the caller, and the return is its last operation."""


@dataclass(frozen=True)
class Loop:
    """A natural loop.

    A `counted` loop's trips are known on entry. Its counter, comparison and branch back are not among the operations of
    its blocks: the scheduler adds what the form that it chooses needs (a hardware loop, or a decrement and a branch).
    """

    header: str
    blocks: tuple[str, ...]
    """Labels, the header and the blocks of inner loops included."""
    counted: bool = False
    trips: int | None = None
    """Trips of one entry, if that is a constant."""
    min_trips: int | None = None
    """From `min_iteration_count`, `AIE_LOOP_RANGE` or `chess_loop_range`; None: the source says nothing."""
    pipeline: bool = True
    """False: the source says `pipeline(disable)`, which switches off the pipeliner before register allocation; the one
    behind it runs if there is a `min_trips`."""
    target_ii: int | None = None
    """From `pipeline_initiation_interval`, in cycles."""
    carried: tuple[tuple[str, str], ...] = ()
    """(name at the trip's start, name at its end) of the values that go from one trip to the next."""
    software: bool = False
    """It may not become a hardware loop: libcalls, soft float (see `decide.py`)."""
    setup: bool = True
    """False: the block before it holds the set-up of the hardware loop already (translations of machine code)."""


@dataclass(frozen=True)
class Function:
    """Blocks in the order of the layout, the entry first; loops in any order."""

    name: str
    blocks: tuple[Block, ...]
    loops: tuple[Loop, ...] = ()
    fixed_registers: bool = False
    """Names are registers of the machine, as behind register allocation: a value must be read before its register is
    written again, from trip to trip too. False: a value of a pipelined loop may outlive the interval at which trips
    start; the scheduler then adds the moves that keep it."""
