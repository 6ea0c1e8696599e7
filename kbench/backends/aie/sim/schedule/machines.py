"""The two cores: their tables (`aie2.txt`, `aie2p.txt`) and constants."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kbench.backends.aie.sim.schedule.table import Machine, Registers, parse
from kbench.core.errors import ConfigError

#: AMD AM020, Register Files; llvm-aie AIE2RegisterInfo.td, AIE2PRegisterInfo.td: 32 r, 8 p, 12 x of 512 bits (both);
#: 9 cm of 1,024 bits (AIE2), 5 dm of 2,048 bits (AIE2P).
_REGISTERS = {"aie2": Registers(32, 8, 12, 9), "aie2p": Registers(32, 8, 12, 5)}

#: Bytes of one vector load or store: AM020 (two loads and a store of 256 bits a cycle); `dmx` rows of the AIE2P table.
_VECTOR_BYTES = {"aie2": 32, "aie2p": 64}

_TARGETS = {"npu1": "aie2", "npu2": "aie2p"}


@cache
def machine(target: str) -> Machine:
    """The core of a target (`npu1`, `npu2`) or by its own name (`aie2`, `aie2p`). Raises ConfigError for another."""
    name = _TARGETS.get(target, target)
    if name not in _REGISTERS:
        raise ConfigError(f"no cycle model for {target!r}; there are: {', '.join((*_TARGETS, *_REGISTERS))}")
    rows, resources = parse((Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8"))
    return Machine(
        name=name,
        rows=rows,
        resources=resources,
        registers=_REGISTERS[name],
        delay_slots=5,  # llvm-aie AIE2InstrInfo.td, hasDelaySlot; tnzr.org/xdna measures six cycles for a jump
        setup_distance=8,  # llvm-aie AIEBaseSubtarget.cpp, region end edges: 112 bytes are seven full bundles
        pipeline=11,  # the write of a part-word store (E11), the latest event of any row
        vector_bytes=_VECTOR_BYTES[name],
    )
