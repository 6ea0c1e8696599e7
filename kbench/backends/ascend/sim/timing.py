"""The modelled time of a launch: the shape of what the simulator reports, and how it is read.

A launch with `Launch.time` set replays its operations on a model of the chip (runtime/replay.cpp) after the kernel has
ended. `read_time` makes of the report what `RunResult.stats["time"]` holds: a `Time`, plain JSON. All durations named
`cycles` are of the target's vector clock, `us` are microseconds; averages over cores say so.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class PipeTime(TypedDict):
    """One pipe, averaged over the cores that ran: `busy` + the sum of `waits` + `idle` is the cores' mean time.

    `waits` is by cause: "issue" (the scalar unit had given it nothing yet), "flag PIPE" (for a flag that PIPE sets),
    "barrier" (for the core's other pipes), "sync" (for other cores), "queue" (the scalar unit, for a full queue).
    `idle`: after the pipe's last operation. `operations`, `bytes`: of all cores."""

    busy: float
    waits: dict[str, float]
    idle: float
    operations: int
    bytes: int


class Traffic(TypedDict):
    """Bytes that copies and scalar accesses moved to and from global memory, by where they came from.

    `read`, `written`: what the kernel asked for. `l2_hits`: of the read ones, those that L2 held. `hbm_read`,
    `hbm_written`: what the memory behind L2 moved, whole lines. `cold`: distinct bytes read."""

    read: int
    written: int
    l2_hits: int
    hbm_read: int
    hbm_written: int
    cold: int


class Copies(TypedDict):
    """The copies of one direction, of all cores. `small`: those of less than 16 KiB; `unaligned`: with pieces that do
    not begin at a multiple of 512 bytes; `pieces`: contiguous runs; `contended`: begun at an address that another core
    was just using; `bypassed`: with L2 switched off."""

    count: int
    bytes: int
    pieces: int
    small: int
    unaligned: int
    contended: int
    bypassed: int


class Vector(TypedDict):
    """The vector operations of all cores, in cycles: `work` at the documented rate, `conflicts` by banks of UB,
    `overhead` by starting and draining."""

    operations: int
    repeats: int
    work: float
    conflicts: float
    overhead: float


class Roofline(TypedDict):
    """The least time of the launch's work on the whole chip: what was read at the memory's peak, or all that was moved
    at L2's, or the vector work at the documented rate over all cores, whichever takes longest (`bound`)."""

    us: float
    memory_us: float
    l2_us: float
    vector_us: float
    bound: str  # "memory", "l2" or "vector"


class Timeline(TypedDict):
    """What happened when, for a trace: times in cycles since the cores began.

    `spans`: [core, pipe, name, start, cycles, line, count]; name and line index `names` and `lines` (−1: unknown), pipe
    indexes `pipes`; count operations were folded into the span. `flags`: [core, from pipe, set at, to pipe, waited
    until, line], arrows between pipes. `dropped`: operations that no span shows."""

    pipes: list[str]
    names: list[str]
    lines: list[str]  # "file:line"
    spans: list[list[float]]
    flags: list[list[float]]
    dropped: int


class Time(TypedDict):
    """`us` = `launch_us` + `kernel_us`: as a profiler's task duration, and its two parts, of which the cores' own is
    `cycles` long. `critical`: the pipe that is busy longest, or "latency" where none is busy for half of the time.
    `efficiency` = roofline.us / us. `operations` of all cores, of which `folded` were priced as runs of alike ones."""

    us: float
    launch_us: float
    kernel_us: float
    cycles: int
    clock_mhz: int
    cores: int
    blocks: int
    slowest_core: int
    critical: str
    pipes: dict[str, PipeTime]
    gm: Traffic
    copies: dict[str, Copies]
    vector: Vector
    bandwidth_gbps: float
    roofline: Roofline
    efficiency: float
    operations: int
    folded: int
    unpriced: int
    hints: list[str]
    timeline: NotRequired[Timeline]
