"""How many cycles a kernel takes: its machine operations placed in the slots of the device, block by block.

program.py    what is given: operations, blocks, loops
result.py     what comes back: bundles, and what each loop became and why
machines.py   the two cores; their tables are aie2.txt and aie2p.txt, table.py reads them
graph.py      which operation waits for which, and how long; memory.py: of accesses to memory
board.py      slots and ports, cycle by cycle
linear.py     one region, from its end; regions.py: what comes behind it
modulo.py     trips that overlap; bounds.py: how close they can follow; inner.py: innermost loops
decide.py     what each loop becomes
pressure.py   registers
scheduler.py  the whole function
"""

from kbench.backends.aie.sim.schedule.scheduler import schedule

__all__ = ["schedule"]
