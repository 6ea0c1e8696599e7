"""Registers: how many values are wanted at once, and what it costs when there are too few.

Vectors and accumulators are counted, in registers of the widest kind (X of 512 bits; CM of 1,024 bits on AIE2, DM of
2,048 on AIE2P); scalars and pointers are many, and cheap to compute again.
"""

from __future__ import annotations

from kbench.backends.aie.sim.schedule.decide import Work
from kbench.backends.aie.sim.schedule.graph import Graph
from kbench.backends.aie.sim.schedule.modulo import Pipeline
from kbench.backends.aie.sim.schedule.table import Machine


def fits(machine: Machine, graph: Graph, pipeline: Pipeline) -> bool:
    """Whether the values of overlapping trips have registers."""
    return True


def spill(machine: Machine, work: Work) -> int:
    """Stores and loads again what has no register; the number of values."""
    return 0
