"""What operations cost on Atlas A2 and A3: the one table of the model of time (runtime/timing.h, docs/ascend-time.md).

Sources: `doc` is the AscendC documentation of 2026-07 (asc-devkit 82b89a15f, below docs/zh), `ini` the chip's platform
configuration (CANN 8.1), `fit` a constant that no page gives, fitted on the published cases named in `rows` and never
judged on them (benchmarks/ascend_time_cases.json), `ours` a choice that nothing published supports.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from kbench.backends.ascend.targets import MIB, Target
from kbench.core.errors import ConfigError

_CLOCK_MHZ, _L2_BYTES = 1800, 192 * MIB  # of a chip for which nothing is published


@dataclass(frozen=True)
class Price:
    """One constant; `rows` are the published cases that it was fitted on."""

    name: str
    value: float
    unit: str
    kind: str  # "doc", "ini", "fit", "ours" or "target"
    source: str
    rows: tuple[str, ...] = field(default=())


_MOVES = "api/附录/Vector指令理论性能汇总.md"
_ANALYSIS = "guide/算子实践参考/性能分析/分析性能数据.md"

_TABLE = (
    Price("clock_mhz", 0, "MHz", "target", "targets.py; 1800 where no clock is published"),
    Price("chip_cores", 0, "cores", "target", "targets.py: vector cores"),
    Price("l2_bytes", 0, "B", "target", "targets.py; 192 MiB where nothing is published"),
    Price("launch_one_core_us", 0.46, "µs", "fit", "task duration less the core's own time, one core", ("add_1",)),
    Price("launch_per_core_us", 0.27, "µs", "fit", "the same for each further core", ("copy_3",)),
    Price("scalar_call", 1.507, "cycles", "fit", "issue of one API call", ("add_1",)),
    Price("scalar_block", 4, "cycles", "ours", "a basic block of the kernel's own code: about so many instructions"),
    Price("scalar_access", 10, "cycles", "fit", "GetValue or SetValue in UB", ("add_0",)),
    Price("scalar_register", 1, "cycles", "doc", f"{_MOVES}: SetMask and its relatives, 1 cycle a call"),
    Price("queue_depth", 32, "operations", "doc", "architecture page 2201: 32 for MMAD and MTE1; taken for every pipe"),
    Price("flag_latency", 0, "cycles", "fit", "from SetFlag to the WaitFlag's end", ("add_1",)),
    Price("sync_all", 400, "cycles", "ours", "SyncAll and cross-core flags: about a write and a read of global memory"),
    Price("vector_overhead", 24.43, "cycles", "fit", "starting and draining of one vector instruction", ("bank_1",)),
    Price("read_write_conflict", 0.7868, "cycles", "fit", "a repeat whose write meets a read in its bank", ("bank_5",)),
    Price("slow_repeat_16", 4, "cycles", "doc", f"{_MOVES}: Exp, Ln, Sqrt, Div, 32 halves a cycle"),
    Price("slow_repeat_32", 2, "cycles", "doc", f"{_MOVES}: the same, 32 floats a cycle"),
    Price("double_repeat", 2, "cycles", "doc", f"{_MOVES}: MulAddDst, half of Add's rate"),
    Price("reduce_repeat", 7, "cycles", "doc", f"{_MOVES}: ReduceRepeat, 128/7 halves or 64/7 floats a cycle"),
    Price("reduce_block_16", 7, "cycles", "doc", f"{_MOVES}: ReduceDataBlock, 128/7 halves a cycle (64 floats)"),
    Price("gather_element", 0.2, "cycles", "doc", f"{_MOVES}: Gather, 5 elements a cycle"),
    Price("gatherb_repeat", 128 / 42, "cycles", "doc", f"{_MOVES}: Gatherb, 42 halves or 21 floats a cycle"),
    Price("gather_mask_repeat", 2, "cycles", "doc", f"{_MOVES}: GatherMask, 64 halves or 32 floats a cycle"),
    Price("sort_element", 0.5, "cycles", "doc", f"{_MOVES}: Sort32 and MrgSort, 2 elements a cycle"),
    Price("library_passes", 12, "passes", "ours", "an advanced function over its data, as so many basic operations"),
    Price("copy_in_latency", 189.1, "cycles", "fit", "from a copy's start to its first byte in UB", ("add_1",)),
    Price("copy_out_latency", 39.07, "cycles", "fit", "from a copy's start to its first byte out of UB", ("add_1",)),
    Price("copy_interval", 20.63, "cycles", "fit", "between the starts of two copies of one pipe", ("copy_1",)),
    Price("core_bytes", 32, "B/cycle", "ini", "ddr_rate: a core's share of memory at most"),
    Price("core_l2_bytes", 110, "B/cycle", "ini", "l2_read_rate: the same for what L2 holds"),
    Price("memory_gbps", 1800, "GB/s", "doc", f"{_ANALYSIS}: peak bandwidth of global memory"),
    Price("l2_gbps", 5200, "GB/s", "doc", "README of the example data_copy: peak of L2"),
    Price("mixed_gbps", 7000, "GB/s", "doc", "guide/…/L2-Cache切分.md: reads and writes of L2; only for rooflines"),
    Price("line_bytes", 512, "B", "doc", "guide/…/GM地址尽量512B对齐.md: requests are cut at multiples of 512"),
    Price("request_overhead", 106.1, "B", "fit", "what a request costs the memory beyond its bytes", ("copy_3",)),
    Price("same_address", 1.547, "factor", "fit", "a request where every other core is at the same line", ("copy_7",)),
)  # fmt: skip
PRICES: Mapping[str, Price] = {p.name: p for p in _TABLE}


def prices_of(target: Target, changed: Mapping[str, float] | None = None) -> dict[str, float]:
    """The table's values for a chip; `changed` replaces some of them.

    Raises:
        ConfigError: `changed` names none of the table's.
    """
    own = {
        "clock_mhz": float(target.clock_mhz or _CLOCK_MHZ),
        "chip_cores": float(target.aiv),
        "l2_bytes": float(target.l2_bytes or _L2_BYTES),
    }
    unknown = set(changed or {}) - set(PRICES)
    if unknown:
        raise ConfigError(
            f"prices: expected names of the table ({', '.join(PRICES)}), got {', '.join(sorted(unknown))}"
        )
    return {p.name: p.value for p in _TABLE} | own | dict(changed or {})


def pack(prices: Mapping[str, float]) -> bytes:
    """As runtime/prices.h lays them out."""
    return struct.pack(f"<{len(_TABLE)}d", *(prices[p.name] for p in _TABLE))
