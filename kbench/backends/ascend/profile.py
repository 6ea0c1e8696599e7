"""A launch's modelled time (sim/timing.py) in the shape that every backend has: profile, timeline, cost of lines."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kbench.backends.ascend.sim.timing import PipeTime, Time
from kbench.backends.ascend.sim.timing import Timeline as Recorded
from kbench.core.profile import MOST, Hint, Line, Profile, Roofline, Traffic, Unit, costliest
from kbench.core.timeline import Arrow, Span, Timeline, Track

_SLACK_US = 1e-4  # of times that are rounded on their way here


def profile_of(time: Time) -> Profile:
    """The profile of a launch: means over its cores, sums over all of them where a unit counts operations and bytes."""
    clock_mhz = float(time["clock_mhz"])
    roofline = time["roofline"]
    limits = {"memory": roofline["memory_us"], "l2": roofline["l2_us"], "vector": roofline["vector_us"]}
    vector, gm = time["vector"], time["gm"]
    return Profile(
        latency_us=time["us"],
        launch_us=time["launch_us"],
        cycles=time["cycles"],
        clock_mhz=clock_mhz,
        cores=time["cores"],
        units=tuple(_unit(name, pipe) for name, pipe in time["pipes"].items() if pipe["operations"]),
        traffic=tuple(_traffic(time)),
        roofline=Roofline(
            limits={name: us * clock_mhz for name, us in limits.items()},
            basis="kernel",
            bytes=gm["cold"] + gm["written"],
        ),
        bound=time["critical"],
        hints=tuple(Hint(message=text[:500]) for text in time["hints"][:MOST]),
        lines=costliest(_lines(time["timeline"], time["cores"])) if "timeline" in time else (),
        counts={
            "blocks": time["blocks"],
            "l2_hit_bytes": gm["l2_hits"],
            "vector_work_cycles": vector["work"],
            "vector_overhead_cycles": vector["overhead"],
            "bank_conflict_cycles": vector["conflicts"],
        },
        folded=time["folded"],
        assumptions=tuple(_assumptions(time)),
    )


def _unit(name: str, pipe: PipeTime) -> Unit:
    waiting = {cause: cycles for cause, cycles in pipe["waits"].items() if cycles > 0}
    return Unit(
        name=name, busy_cycles=pipe["busy"], waiting=waiting, operations=pipe["operations"], bytes=pipe["bytes"]
    )


def _traffic(time: Time) -> Iterator[Traffic]:
    gm, copies, us = time["gm"], time["copies"], time["kernel_us"]
    ways = {
        "GM→core": (gm["read"], copies["MTE2"]["count"] if "MTE2" in copies else 0),
        "core→GM": (gm["written"], copies["MTE3"]["count"] if "MTE3" in copies else 0),
        "HBM→L2": (gm["hbm_read"], 0),
        "L2→HBM": (gm["hbm_written"], 0),
    }
    for path, (moved, transfers) in ways.items():
        if moved:
            yield Traffic(path=path, bytes=moved, transfers=transfers, gb_per_s=moved / us / 1e3 if us else None)


def _assumptions(time: Time) -> Iterator[str]:
    if time["unpriced"]:
        yield f"{time['unpriced']:,} operations were too many to be replayed: only the pipes' own cycles count of them"


def timeline_of(time: Time) -> Timeline | None:
    """The timeline of a launch that recorded one: a group for each core, a track for each pipe that worked."""
    recorded = time.get("timeline")
    if recorded is None:
        return None
    numbers = _tracks(recorded)
    clock_mhz = time["clock_mhz"]
    notes = [f"{recorded['dropped']:,} operations are not shown"] if recorded["dropped"] else []
    tracks = [Track(f"core {core}", recorded["pipes"][pipe]) for core, pipe in numbers]
    spans = [_span(recorded, span, numbers, clock_mhz) for span in recorded["spans"]]
    arrows = [_arrow(recorded, flag, numbers, clock_mhz) for flag in recorded["flags"]]
    return Timeline(
        tracks=tracks,
        spans=[*spans, *_waits(tracks, spans, arrows)],
        arrows=arrows,
        facts={"clock_mhz": clock_mhz, "cores": time["cores"], "launch_us": time["launch_us"]},
        notes=notes,
    )


def _tracks(recorded: Recorded) -> dict[tuple[int, int], int]:
    """(core, pipe) → the track's number, in this order, of all that spans and flags name."""
    used = {(int(span[0]), int(span[1])) for span in recorded["spans"]}
    used |= {(int(flag[0]), int(flag[pipe])) for flag in recorded["flags"] for pipe in (1, 3)}
    return {place: number for number, place in enumerate(sorted(used))}


def _span(recorded: Recorded, span: list[float], numbers: Mapping[tuple[int, int], int], clock_mhz: float) -> Span:
    core, pipe, name, start, cycles, line, count = span
    file, number = _place(recorded, int(line))
    return Span(
        numbers[int(core), int(pipe)],
        recorded["names"][int(name)] if name >= 0 else recorded["pipes"][int(pipe)],
        start / clock_mhz,
        cycles / clock_mhz,
        file=file,
        line=number,
        operations=max(1, int(count)),
        facts={"cycles": cycles},
    )


def _arrow(recorded: Recorded, flag: list[float], numbers: Mapping[tuple[int, int], int], clock_mhz: float) -> Arrow:
    core, source, leaves, target, arrives, _ = flag
    names = (recorded["pipes"][int(pipe)] for pipe in (source, target))
    ends = (numbers[int(core), int(pipe)] for pipe in (source, target))
    one, other = ends
    return Arrow("_".join(names), one, leaves / clock_mhz, other, arrives / clock_mhz)


def _waits(tracks: Sequence[Track], spans: Iterable[Span], arrows: Iterable[Arrow]) -> Iterator[Span]:
    """The gaps before operations that a flag ended, up to the flag; of several flags the one set last. The scalar unit
    works in order and stops for nothing else: each of its gaps is a wait, for a pipe, a full queue or other cores."""
    flags: dict[int, list[Arrow]] = defaultdict(list)
    for arrow in sorted(arrows, key=lambda arrow: arrow.arrives_us):
        flags[arrow.target].append(arrow)
    ends: dict[int, float] = defaultdict(float)
    for span in sorted(spans, key=lambda span: span.start_us):
        begun, ends[span.track] = ends[span.track], span.end_us
        if tracks[span.track].name == "S" and span.start_us > begun + _SLACK_US:
            yield Span(span.track, "pipes or other cores", begun, span.start_us - begun, "wait")
            continue
        waiting = flags[span.track]
        last = bisect_right(waiting, span.start_us + _SLACK_US, key=lambda arrow: arrow.arrives_us) - 1
        if last >= 0 and waiting[last].arrives_us > begun + _SLACK_US:
            together = [a for a in waiting[max(0, last - 7) : last + 1] if a.arrives_us > begun + _SLACK_US]
            arrow = max(together, key=lambda arrow: arrow.leaves_us)
            yield Span(
                span.track,
                f"flag {tracks[arrow.source].name}",
                begun,
                min(arrow.arrives_us, span.start_us) - begun,
                "wait",
            )


def _place(recorded: Recorded, line: int) -> tuple[str, int]:
    if line < 0:
        return "", 0
    file, _, number = recorded["lines"][line].rpartition(":")
    return (file, int(number)) if number.isdigit() else (recorded["lines"][line], 0)


def _lines(recorded: Recorded, cores: int) -> list[Line]:
    """What each line's operations cost each pipe, as far as spans show them."""
    cycles: defaultdict[tuple[int, int], float] = defaultdict(float)
    operations: defaultdict[tuple[int, int], int] = defaultdict(int)
    for _, pipe, _, _, spent, line, count in recorded["spans"]:
        if line >= 0:
            cycles[int(line), int(pipe)] += spent
            operations[int(line), int(pipe)] += int(count)
    found = []
    for (line, pipe), spent in cycles.items():
        file, number = _place(recorded, line)
        unit = recorded["pipes"][pipe]
        count = operations[line, pipe]
        found.append(Line(file=file, line=number, unit=unit, cycles=spent / cores, operations=count))
    return found


def listing_of(time: Time, files: Mapping[str, str]) -> str | None:
    """The candidate's source with what the operations of each line cost: cycles of each pipe, a mean over the cores."""
    recorded = time.get("timeline")
    if recorded is None:
        return None
    costs: defaultdict[tuple[str, int], list[Line]] = defaultdict(list)
    for line in _lines(recorded, time["cores"]):
        costs[line.file, line.line].append(line)
    named = {file for file, _ in costs}
    parts = [_annotated(path, text, costs) for path, text in files.items() if path in named]
    return "\n".join(parts) if parts else None


def _annotated(path: str, text: str, costs: Mapping[tuple[str, int], list[Line]]) -> str:
    rows = [f"--- {path}: busy cycles of each pipe, mean over the cores"]
    for number, source in enumerate(text.splitlines(), 1):
        spent = sorted(costs.get((path, number), ()), key=lambda line: -line.cycles)
        cost = ", ".join(f"{line.unit} {line.cycles:,.0f}" for line in spent)
        rows.append(f"{cost:>28} |{number:5} {source}".rstrip())
    return "\n".join(rows)
