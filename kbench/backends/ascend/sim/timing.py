"""The modelled time of a launch: the shape of what the simulator reports, and how it is read.

A launch with `Launch.time` set replays its operations on a model of the chip (runtime/replay.cpp) after the kernel has
ended. `read_time` makes of the report what `RunResult.stats["time"]` holds: a `Time`, plain JSON. All durations named
`cycles` are of the target's vector clock, `us` are microseconds; averages over cores say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from kbench.backends.ascend.sim.prices import prices_of
from kbench.backends.ascend.sim.time_hints import hints
from kbench.backends.ascend.targets import Target
from kbench.core.errors import HarnessError
from kbench.core.hostcc import compiler

PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")
_CAUSES = (*(f"flag {p}" for p in PIPES), "issue", "barrier", "sync", "queue")


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
    `efficiency` = roofline.us / us. `operations` of all cores, of which `folded` were replayed as runs of alike ones,
    and `unpriced` not at all: there was no room for them, and only the pipes' own cycles count."""

    us: float
    launch_us: float
    kernel_us: float
    cycles: float
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


def read_time(
    lines: Sequence[Mapping[str, Any]], target: Target, changed: Mapping[str, float], program: Path
) -> Time | None:
    """The report's line about time, as a `Time`; None where there is none.

    Raises:
        HarnessError: the replay did not come to an end.
    """
    raw = next((line["time"] for line in lines if "time" in line), None)
    if raw is None:
        return None
    if "failed" in raw or raw["stuck"]:
        raise HarnessError(f"the model of time: {raw.get('failed', 'the replay stands still')}")
    time = _time(raw, prices_of(target, changed))
    timeline = next((line["timeline"] for line in lines if "timeline" in line), None)
    if timeline is not None:
        time["timeline"] = _timeline(timeline, program)
    return time


def _time(raw: Mapping[str, Any], price: Mapping[str, float]) -> Time:
    clock, cores = price["clock_mhz"], raw["cores"]
    cycles = raw["cycles"]
    launch_us = price["launch_one_core_us"] + price["launch_per_core_us"] * (cores - 1)
    us = launch_us + cycles / clock
    pipes = {p: _pipe(r, cores) for p, r in zip(PIPES, raw["pipes"], strict=True) if r["operations"] or r["busy"]}
    copies = {p: _copies(row) for p, row in zip(("MTE2", "MTE3"), raw["copies"], strict=True) if row[0]}
    gm = _traffic(raw, copies)
    roofline = _roofline(raw, gm, price)
    time: Time = {
        "us": us,
        "launch_us": launch_us,
        "kernel_us": cycles / clock,
        "cycles": cycles,
        "clock_mhz": round(clock),
        "cores": cores,
        "blocks": raw["blocks"],
        "slowest_core": raw["slowest"],
        "critical": _critical(pipes, cycles),
        "pipes": pipes,
        "gm": gm,
        "copies": copies,
        "vector": _vector(raw["vector"]),
        "bandwidth_gbps": (gm["read"] + gm["written"]) / us / 1000,
        "roofline": roofline,
        "efficiency": roofline["us"] / us,
        "operations": raw["operations"],
        "folded": raw["folded"],
        "unpriced": raw["unpriced"],
        "hints": [],
    }
    time["hints"] = hints(time)
    return time


def _pipe(raw: Mapping[str, Any], cores: int) -> PipeTime:
    waits = {cause: w / cores for cause, w in zip(_CAUSES, raw["waits"], strict=True) if w > 0}
    return {
        "busy": raw["busy"] / cores,
        "waits": waits,
        "idle": raw["idle"] / cores,
        "operations": raw["operations"],
        "bytes": raw["bytes"],
    }


def _copies(row: Sequence[int]) -> Copies:
    count, size, pieces, small, unaligned, contended, bypassed = row
    return {
        "count": count,
        "bytes": size,
        "pieces": pieces,
        "small": small,
        "unaligned": unaligned,
        "contended": contended,
        "bypassed": bypassed,
    }


def _vector(row: Sequence[float]) -> Vector:
    operations, repeats, work, conflicts, overhead = row
    return {
        "operations": int(operations),
        "repeats": int(repeats),
        "work": work,
        "conflicts": conflicts,
        "overhead": overhead,
    }


def _traffic(raw: Mapping[str, Any], copies: Mapping[str, Copies]) -> Traffic:
    hbm_read, hbm_written, hits, cold = raw["memory"]
    return {
        "read": copies["MTE2"]["bytes"] if "MTE2" in copies else 0,
        "written": copies["MTE3"]["bytes"] if "MTE3" in copies else 0,
        "l2_hits": hits,
        "hbm_read": hbm_read,
        "hbm_written": hbm_written,
        "cold": cold,
    }


def _roofline(raw: Mapping[str, Any], gm: Traffic, price: Mapping[str, float]) -> Roofline:
    times = {
        "memory": gm["cold"] / price["memory_gbps"] / 1000,
        "l2": (gm["read"] + gm["written"]) / price["mixed_gbps"] / 1000,
        "vector": raw["vector"][2] / max(price["chip_cores"], raw["cores"]) / price["clock_mhz"],
    }
    bound = max(times, key=lambda name: times[name])
    return {
        "us": times[bound],
        "memory_us": times["memory"],
        "l2_us": times["l2"],
        "vector_us": times["vector"],
        "bound": bound,
    }


def _critical(pipes: Mapping[str, PipeTime], cycles: float) -> str:
    """The pipe that is busy longest; nothing is where none works for half of the time."""
    name = max(pipes, key=lambda p: pipes[p]["busy"], default="")
    return name if name and pipes[name]["busy"] >= 0.5 * cycles else "latency"


def _timeline(raw: Mapping[str, Any], program: Path) -> Timeline:
    names: dict[str, int] = {}
    lines: dict[str, int] = {}
    places = [_named(place, program, names, lines) for place in raw["places"]]
    return {
        "pipes": list(PIPES),
        "spans": [
            [core, pipe, places[place][0], start, cycles, places[place][1], count]
            for core, pipe, place, start, cycles, count in raw["spans"]
        ],
        "flags": [
            [core, source, at, to, until, places[place][1]] for core, source, at, to, until, place in raw["flags"]
        ],
        "names": list(names),
        "lines": list(lines),
        "dropped": raw["dropped"],
    }


def _named(place: Sequence[Any], program: Path, names: dict[str, int], lines: dict[str, int]) -> tuple[int, int]:
    """A place's name and line as numbers; a line that is not known is −1."""
    pc, outer, api = place
    name = names.setdefault(api or "scalar", len(names))
    found = next((at for at in (compiler.line_of(program, p - 1) for p in (pc, outer) if p) if at), None)
    return name, lines.setdefault(f"{found[0]}:{found[1]}", len(lines)) if found else -1
