"""What the scheduler answers: bundles for every block, and what each loop became and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from kbench.backends.aie.sim.schedule.program import Operation

#: What a loop became: its trips overlap; the hardware counts, trips one after another; a decrement and a branch; a
#: branch on a condition.
Kind = Literal["pipelined", "hardware", "counted", "branch"]

#: What holds a loop back: a slot or a port that is full; a chain of values from trip to trip; the same through memory
#: that may overlap; the latency of one trip, as trips do not overlap; the delay slots of a branch; a call.
Bound = Literal["slot", "recurrence", "aliasing", "latency", "control", "call"]


@dataclass(frozen=True)
class Issue:
    """One operation in one slot of a bundle."""

    operation: Operation
    slot: str
    """`lda`, `ldb`, `st`, `alu`, `mv`, `vec`; `lng`, which occupies `alu` and `mv`."""
    block: str
    """Label of the block whose operation this is: parts of a pipelined loop stand in the blocks around it."""
    index: int
    """Place among that block's operations; -1: the scheduler added it (loop control, spills)."""
    stage: int = 0
    """Of a pipelined loop's operation: how many trips ago its trip began."""
    uses: tuple[str, ...] = ()
    """What it reads, where that is not what the operation says: a value that outlives the interval was moved to another
    register by an operation that the scheduler added. Empty: as the operation says."""


#: What issues in one cycle; empty where the machine waits.
Bundle = tuple[Issue, ...]


@dataclass(frozen=True)
class BlockSchedule:
    """The bundles of a block as they run: a preheader ends with the prologue of the loop behind it, an exit begins with
    that loop's epilogue, a pipelined loop's own bundles are its steady state."""

    label: str
    bundles: tuple[Bundle, ...]
    prologue: int = 0
    """Of these, the last that belong to the prologue of the next loop."""
    epilogue: int = 0
    """Of these, the first that belong to the epilogue of the loop before."""
    call_cycles: int = 0
    """Cycles of the routines that one execution calls; they are in no bundle."""
    spills: int = 0
    """Values that are stored and loaded again, as the registers do not hold them."""

    @property
    def cycles(self) -> int:
        """Of one execution."""
        return len(self.bundles) + self.call_cycles


@dataclass(frozen=True)
class LoopSchedule:
    """What an innermost loop became (outer loops are the sum of their blocks)."""

    header: str
    kind: Kind
    ii: int
    """Cycles from the start of one trip to that of the next."""
    length: int
    """Cycles of one trip from its first operation to its last."""
    res_mii: int
    """The least interval that slots and ports allow."""
    rec_mii: int
    """The least interval that chains from trip to trip allow; 0: there is none."""
    bound: Bound
    reason: str
    """In words: which slot, which chain, why trips do not overlap."""
    stages: int = 1
    """Trips in flight."""
    resource: str = ""
    """The fullest slot or port."""
    chain: tuple[int, ...] = ()
    """Indices of the operations of the longest chain from trip to trip."""


@dataclass(frozen=True)
class Schedule:
    """A function's schedule."""

    function: str
    machine: str
    blocks: Mapping[str, BlockSchedule]
    """By label, in the order of the layout."""
    loops: Mapping[str, LoopSchedule]
    """By header."""
    preheaders: Mapping[str, tuple[str, ...]]
    """Of a pipelined loop, by header: the labels of the blocks that enter it."""

    def executions(self, counts: Mapping[str, int]) -> dict[str, int]:
        """How often each block's bundles run, from how often the program ran the block (labels that are missing: 0).
        Each entry of a pipelined loop runs `stages - 1` trips in its prologue and epilogue."""
        runs = {label: counts.get(label, 0) for label in self.blocks}
        for header, before in self.preheaders.items():
            entries = sum(counts.get(label, 0) for label in before)
            runs[header] = max(0, runs[header] - entries * (self.loops[header].stages - 1))
        return runs

    def cycles(self, counts: Mapping[str, int]) -> int:
        """Of a run that executed the blocks `counts` times."""
        return sum(n * self.blocks[label].cycles for label, n in self.executions(counts).items())
