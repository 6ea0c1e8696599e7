"""The chips of Atlas A2 and A3 (NPU architecture 2201): core counts and on-chip buffers.

Core counts: AscendNPU-IR `NPUTargetSpec.td`; buffers: AscendC documentation, architecture page 2201; clocks, L2 and
HBM: CANN platform configuration of the named chip where it is published, else None.
"""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True)
class Target:
    """One chip. `aic` and `aiv` count cube and vector cores; buffers are bytes per core."""

    name: str
    aic: int
    aiv: int
    clock_mhz: int | None
    l2_bytes: int | None
    hbm_bytes: int | None
    soc: str = "ASCEND910B"  # what PlatformAscendC::GetSocVersion answers; A3 answers as A2
    npu_arch: int = 2201
    ub_bytes: int = 192 * KIB
    l1_bytes: int = 512 * KIB
    l0a_bytes: int = 64 * KIB
    l0b_bytes: int = 64 * KIB
    l0c_bytes: int = 128 * KIB
    bt_bytes: int = 1 * KIB
    fb_bytes: int = 2 * KIB


TARGETS: dict[str, Target] = {
    t.name: t
    for t in (
        Target("ascend910b1", 24, 48, 1850, 192 * MIB, 64 * 1024 * MIB),
        Target("ascend910b2", 24, 48, 1800, 192 * MIB, 64 * 1024 * MIB),
        Target("ascend910b3", 20, 40, 1800, 192 * MIB, 64 * 1024 * MIB),
        Target("ascend910b4", 20, 40, 1500, 96 * MIB, 32 * 1024 * MIB),
        Target("ascend910_93", 24, 48, 1850, 192 * MIB, 64 * 1024 * MIB),
        Target("ascend910_9362", 20, 40, None, None, None),
        Target("ascend910_9372", 20, 40, None, None, None),
        Target("ascend910_9381", 24, 48, 1800, None, None),
        Target("ascend910_9382", 24, 48, 1800, None, None),
        Target("ascend910_9391", 24, 48, 1850, 192 * MIB, 64 * 1024 * MIB),
        Target("ascend910_9392", 24, 48, None, 192 * MIB, 64 * 1024 * MIB),
    )
}
DEFAULT_TARGET = "ascend910b1"
