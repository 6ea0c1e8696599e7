"""Profiles and times as text for people: of one case, of the attempts of a run, and in the scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from kbench.core.profile import Baseline, Hint, Loop, Profile, Unit, speedup_over_reference
from kbench.core.record import CaseResult, Record
from kbench.core.score import Bounds, Score, Speed
from kbench.core.scoring.speed import EFFICIENCY, SCORE, SPEEDUP, Ratio

_PLAIN: dict[str, Any] = {"box": None, "pad_edge": False}
#: Lines and loops of a profile that are shown; the record has the rest.
_SHOWN = 12


# --- one case ---------------------------------------------------------------------------------------------------------


def headline(profile: Profile, baseline: Baseline | None = None) -> str:
    """The time of a case in one line: `23.4 µs = 20.5 µs launch + 5,365 cycles at 1,850 MHz on 8 cores; …`."""
    parts = [_time(profile)]
    if profile.bound:
        parts.append(f"bound by {profile.bound}")
    if profile.efficiency is not None and profile.roofline:
        limit = f"the {profile.roofline.basis}'s roofline ({profile.roofline.bound})"
        parts.append(f"{profile.efficiency:.1%} of {limit}")
    speedup = speedup_over_reference(profile, baseline) if baseline else None
    if speedup is not None:
        parts.append(f"{_ratio(speedup)} the reference's speed")
    parts += [f"{name} {value:.1%}" for name, value in profile.scores.items()]
    return "; ".join(parts)


def _time(profile: Profile) -> str:
    cores = f" on {profile.cores} cores" if profile.cores > 1 else ""
    if profile.cycles is None:
        return f"{_us(profile.latency_us)}{cores}"
    clock = f" at {profile.clock_mhz:,g} MHz" if profile.clock_mhz else ""
    cycles = f"{profile.cycles:,.0f} cycles{clock}{cores}"
    if profile.latency_us is None:
        return cycles
    launch = f"{_us(profile.launch_us)} launch + " if profile.launch_us else ""
    return f"{_us(profile.latency_us)} = {launch}{cycles}"


def _us(value: float | None) -> str:
    return "–" if value is None else f"{value:,.4g} µs" if value < 1e4 else f"{value:,.0f} µs"


def profile_parts(case: CaseResult) -> Iterator[Text | Table]:
    """All that the profile of a case says."""
    profile = case.profile
    if profile is None:
        return
    yield Text(headline(profile, case.baseline), style="bold")
    if profile.units:
        yield _unit_table(profile)
    if profile.traffic:
        yield _traffic_table(profile)
    if profile.loops:
        yield _loop_table(profile.loops)
    if profile.lines:
        yield _line_table(profile)
    if profile.counts:
        yield Text("counts: " + ", ".join(f"{name} {value:,.10g}" for name, value in profile.counts.items()))
    yield from (_hint(hint) for hint in profile.hints)
    if profile.folded:
        yield Text(f"{profile.folded:,} operations were summed, not followed one by one", style="dim")
    yield from (Text(f"assumed: {text}", style="dim") for text in profile.assumptions)


def _hint(hint: Hint) -> Text:
    share = f" ({hint.share:.0%} of the time)" if hint.share is not None else ""
    return Text(f"{hint.kind}: {hint}{share}", style="yellow" if hint.kind == "suspect" else "cyan")


def _unit_table(profile: Profile) -> Table:
    table = Table("unit", "busy", "cycles", "busiest core", "waits for", "idle", "operations", "bytes", **_PLAIN)
    for unit in profile.units:
        table.add_row(*_unit_row(unit, profile.cycles))
    return table


def _unit_row(unit: Unit, cycles: float | None) -> list[Text]:
    def share(part: float) -> str:
        return f"{part / cycles:.1%}" if cycles else f"{part:,.0f}"

    waits = ", ".join(f"{name} {share(part)}" for name, part in sorted(unit.waiting.items(), key=lambda w: -w[1]))
    idle = max(0.0, cycles - unit.busy_cycles - sum(unit.waiting.values())) if cycles else None
    most = "" if unit.most_busy_cycles is None else share(unit.most_busy_cycles)
    row = (
        unit.name,
        share(unit.busy_cycles),
        f"{unit.busy_cycles:,.0f}",
        most,
        waits,
        "" if idle is None else share(idle),
        f"{unit.operations:,}" if unit.operations else "",
        f"{unit.bytes:,}" if unit.bytes else "",
    )
    return [Text(cell) for cell in row]


def _traffic_table(profile: Profile) -> Table:
    table = Table("way", "bytes", "transfers", "bytes each", "GB/s", "at most", **_PLAIN)
    for way in profile.traffic:
        row = (
            way.path,
            f"{way.bytes:,}",
            f"{way.transfers:,}" if way.transfers else "",
            f"{way.bytes / way.transfers:,.0f}" if way.transfers else "",
            "" if way.gb_per_s is None else f"{way.gb_per_s:,.4g}",
            "" if way.peak_gb_per_s is None else f"{way.peak_gb_per_s:,.4g}",
        )
        table.add_row(*map(Text, row))
    return table


def _loop_table(loops: Iterable[Loop]) -> Table:
    heads = ("loop", "trips", "entries", "interval", "length", "stages", "cycles", "bound", "what to do")
    table = Table(*heads, **_PLAIN)
    for loop in loops:
        stages = str(loop.stages) if loop.pipelined else "not pipelined"
        numbers = (loop.trips, loop.entries, loop.interval, loop.length)
        row = (_place(loop.file, loop.line), *(f"{n:,g}" for n in numbers), stages, f"{loop.cycles:,g}", loop.bound)
        table.add_row(*map(Text, row), Text(loop.hint))
    return table


def _line_table(profile: Profile) -> Table:
    table = Table("line", "unit", "busy cycles", "of all", "operations", **_PLAIN)
    for line in profile.lines[:_SHOWN]:
        share = f"{line.cycles / profile.cycles:.1%}" if profile.cycles else ""
        row = (_place(line.file, line.line), line.unit, f"{line.cycles:,.0f}", share, f"{line.operations:,}")
        table.add_row(*map(Text, row))
    return table


def _place(file: str, line: int) -> str:
    return f"{file}:{line}" if file else "?"


# --- the attempts of a run --------------------------------------------------------------------------------------------


def attempt_table(records: Iterable[Record]) -> Table:
    """A row for each case that has a profile."""
    table = Table("task", "case", "sample", "latency", "cycles", "over reference", "of roofline", "bound", **_PLAIN)
    for record in records:
        for case in record.cases:
            if case.profile is not None:
                sample = f"{record.sample}, attempt {record.attempt}" if record.attempt else str(record.sample)
                table.add_row(*map(Text, (record.task, case.case, sample, *_case_row(case, case.profile))))
    return table


def _case_row(case: CaseResult, profile: Profile) -> tuple[str, ...]:
    return (
        _us(profile.latency_us),
        "–" if profile.cycles is None else f"{profile.cycles:,.0f}",
        "–" if case.speedup_over_reference is None else _ratio(case.speedup_over_reference),
        "–" if profile.efficiency is None else f"{profile.efficiency:.1%}",
        profile.bound,
    )


# --- in the scores ----------------------------------------------------------------------------------------------------


def speed_table(score: Score) -> Table:
    """A row for each task with a time: its best attempt's, the speed-ups, and the backend's scores."""
    scores = sorted({name for found in score.speeds.values() for name in found if name.startswith(SCORE)})
    heads = ["task", "timed", "best\nlatency", "best\ncycles", "over\nreference", "best", "of\nroofline"]
    table = Table(*heads, *(name.removeprefix(SCORE).replace("_", "\n") for name in scores), **_PLAIN)
    table.columns[0].no_wrap = True
    for task, found in score.speeds.items():
        table.add_row(*map(Text, (task, *_speed_row(found), *(_share(found, name, "mean") for name in scores))))
    return table


def _speed_row(found: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    latency, cycles, speedup = (found.get(name) for name in ("latency_us", "cycles", SPEEDUP))
    yield f"{(latency or cycles or {'attempts': 0})['attempts']:g}"
    yield _us(latency["least"] if latency else None)
    yield f"{cycles['least']:,.0f}" if cycles else "–"
    yield _ratio(speedup["geomean"]) if speedup else "–"
    yield _ratio(speedup["most"]) if speedup else "–"
    yield _share(found, EFFICIENCY, "geomean")


def _share(found: Mapping[str, Mapping[str, float]], name: str, which: str) -> str:
    return f"{found[name][which]:.1%}" if name in found else "–"


def _ratio(value: float) -> str:
    return f"{value:.3g} ×"


def speed_lines(score: Score) -> list[str]:
    """What the run's times come to, each number by its name; nothing where no attempt has a time."""
    speed = score.overall.speed
    if speed is None:
        return []
    lines = [f"timed: {speed.timed} of {score.overall.planned} attempts"]
    lines += _ratio_lines(speed)
    if speed.fast_p:
        shares = ", ".join(f"fast_{p:g} {percent(bounds)}" for p, bounds in speed.fast_p.items())
        lines.append(f"fast_p, over all tasks, what failed or has no time counts as not fast: {shares}")
    for name, bounds in speed.scores.items():
        lines.append(f"{name}: {percent(bounds)} (mean over {score.overall.tasks} tasks, what failed counts as 0)")
    return lines


def _ratio_lines(speed: Speed) -> Iterator[str]:
    named = {SPEEDUP: speed.speedup_over_reference, EFFICIENCY: speed.roofline_efficiency}
    for name, ratio in named.items():
        if ratio is not None:
            value, best = _values(name, ratio)
            yield f"{name}: {value} (geometric mean over {ratio.tasks} tasks, {ratio.attempts} attempts; best {best})"


def _values(name: str, ratio: Ratio) -> tuple[str, str]:
    if name == EFFICIENCY:
        return f"{ratio.geomean:.1%}", f"{ratio.best:.1%}"
    return _ratio(ratio.geomean), _ratio(ratio.best)


def percent(bounds: Bounds | None) -> str:
    """A rate, or the two ends where it is not known exactly."""
    if bounds is None:
        return "–"
    if abs(bounds.high - bounds.low) < 1e-12:
        return f"{bounds.low:.1%}"
    return f"{bounds.low:.1%} … {bounds.high:.1%}"
