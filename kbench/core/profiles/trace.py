"""Timelines as files of the trace event format (JSON), which Perfetto and chrome://tracing open.

A group of tracks is a process, a track a thread of it, a span a complete event (`X`), an arrow a flow (`s` to `f`). A
viewer holds some hundred thousand events: a longer timeline is drawn coarser, by joining neighbours.
"""

from __future__ import annotations

import bisect
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from kbench.core.errors import ConfigError
from kbench.core.timeline import Arrow, Span, Timeline

#: Spans and arrows of one file at most; about 200 bytes each.
MOST_SPANS = 50_000
MOST_ARROWS = 20_000
_NANOSECOND_US = 1e-3


def write_trace(
    timeline: Timeline, path: Path, *, most_spans: int = MOST_SPANS, most_arrows: int = MOST_ARROWS
) -> None:
    """Write a timeline; a longer one than fits is coarsened, and the file's `otherData` says how.

    Raises:
        ConfigError: the file cannot be written.
    """
    try:
        with path.open("w", encoding="utf-8") as file:
            for part in _lines(timeline, most_spans, most_arrows):
                file.write(part)
    except OSError as error:
        raise ConfigError(f"cannot write the trace to {path}: {error.strerror or error}") from error


def _lines(timeline: Timeline, most_spans: int, most_arrows: int) -> Iterator[str]:
    """The file's text, an event a line."""
    spans, grain_us = coarsen(timeline.spans, most_spans)
    arrows = list(_bound(timeline.arrows, spans))
    kept = _evenly(arrows, most_arrows)
    facts = {
        **timeline.facts,
        "time_unit": "microseconds of the modelled target, from the kernel's start",
        "spans": len(timeline.spans),
        "spans_drawn": len(spans),
        "arrows": len(timeline.arrows),
        "arrows_drawn": len(kept),
        "joined_below_us": grain_us,
        "notes": "; ".join(timeline.notes),
    }
    yield '{"displayTimeUnit": "ns",\n"otherData": ' + _json(facts) + ',\n"traceEvents": [\n'
    events: Iterable[dict[str, Any]] = (*_metadata(timeline), *_complete(timeline, spans), *_flows(timeline, kept))
    for number, event in enumerate(events):
        yield (",\n" if number else "") + _json(event)
    yield "\n]}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


# --- drawn coarser ----------------------------------------------------------------------------------------------------


def coarsen(spans: Sequence[Span], most: int) -> tuple[list[Span], float]:
    """(spans by track and time, the grain in µs below which neighbours were joined).

    Where there are too many, neighbours of a track that are shorter than a grain and lie closer than it become one
    span, with the smallest grain, of those that double, that leaves few enough.
    """
    ordered = sorted(spans, key=lambda span: (span.track, span.start_us))
    grain_us = 0.0
    joined = ordered
    while len(joined) > most:
        end_us = max(span.end_us for span in ordered)
        grain_us = max(2 * grain_us, end_us / (1 << 20), 1e-6)
        joined = list(_joined(ordered, grain_us))
        if grain_us > 2 * end_us + 1:
            break  # a span for each track is left
    return joined, grain_us


def _joined(spans: Sequence[Span], grain_us: float) -> Iterator[Span]:
    """Neighbours that are shorter than the grain and closer than it, as one."""
    run: list[Span] = []
    for span in spans:
        if run and not _belongs(span, run[-1], grain_us):
            yield _one(run)
            run = []
        run.append(span)
    if run:
        yield _one(run)


def _belongs(span: Span, last: Span, grain_us: float) -> bool:
    near = span.track == last.track and span.start_us - last.end_us <= grain_us
    return near and max(span.duration_us, last.duration_us) <= grain_us


def _one(run: Sequence[Span]) -> Span:
    """A run of spans as one, named after the operation that took longest; waiting is a gap between operations."""
    work = [span for span in run if span.kind == "busy"] or run
    if len(run) == 1:
        return run[0]
    spent: Counter[tuple[str, str, int]] = Counter()
    for span in work:
        spent[span.name, span.file, span.line] += int(_busy(span) * 1e6) + 1
    (name, file, line), _ = spent.most_common(1)[0]
    others = len(spent) - 1
    return Span(
        track=run[0].track,
        name=f"{name} and {others} more" if others else name,
        start_us=run[0].start_us,
        duration_us=run[-1].end_us - run[0].start_us,
        kind=work[0].kind,
        file=file,
        line=line,
        operations=sum(span.operations for span in work),
        busy_us=sum(_busy(span) for span in work),
    )


def _busy(span: Span) -> float:
    return span.duration_us if span.busy_us is None else span.busy_us


# --- arrows -----------------------------------------------------------------------------------------------------------

_Bound = tuple[Arrow, Span, Span]


def _bound(arrows: Iterable[Arrow], spans: Sequence[Span]) -> Iterator[_Bound]:
    """Each arrow with the span that it comes from, the last that began before it left, and the one that it lets begin.

    What joins a span with itself, has no span at one end, or would go back in time (of joined spans) is left out."""
    by_track = {track: list(group) for track, group in groupby(spans, key=lambda span: span.track)}
    starts = {track: [span.start_us for span in group] for track, group in by_track.items()}
    ends = {track: [span.end_us for span in group] for track, group in by_track.items()}
    for arrow in arrows:
        if arrow.source not in starts or arrow.target not in starts:
            continue
        before = bisect.bisect_left(starts[arrow.source], arrow.leaves_us) - 1
        after = bisect.bisect_right(ends[arrow.target], arrow.arrives_us)
        while after < len(ends[arrow.target]) and not _lets_begin(arrow, by_track[arrow.target][after]):
            after += 1
        if before >= 0 and after < len(ends[arrow.target]):
            source, target = by_track[arrow.source][before], by_track[arrow.target][after]
            forward = _inside(arrow.leaves_us, source) <= _inside(arrow.arrives_us, target)
            if source is not target and forward:
                yield arrow, source, target


def _lets_begin(arrow: Arrow, span: Span) -> bool:
    """Whether a span that has not ended when an arrow arrives begins then or later, or holds one that does."""
    return span.kind == "busy" and (span.operations > 1 or span.start_us >= arrow.arrives_us - _NANOSECOND_US)


def _evenly(arrows: Sequence[_Bound], most: int) -> list[_Bound]:
    """At most so many, from everywhere."""
    if len(arrows) <= most:
        return list(arrows)
    return [arrows[i * len(arrows) // most] for i in range(most)]


# --- events -----------------------------------------------------------------------------------------------------------


def _place(timeline: Timeline, track: int) -> dict[str, int]:
    """Process and thread of a track: groups count from 1 in the order of the tracks."""
    groups = list(dict.fromkeys(t.group for t in timeline.tracks))
    return {"pid": groups.index(timeline.tracks[track].group) + 1, "tid": track + 1}


def _metadata(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """Names and order of processes and threads."""
    told: set[int] = set()
    for number, track in enumerate(timeline.tracks):
        place = _place(timeline, number)
        if place["pid"] not in told:
            told.add(place["pid"])
            yield {"ph": "M", "name": "process_name", **place, "args": {"name": track.group}}
            yield {"ph": "M", "name": "process_sort_index", **place, "args": {"sort_index": place["pid"]}}
        yield {"ph": "M", "name": "thread_name", **place, "args": {"name": track.name}}
        yield {"ph": "M", "name": "thread_sort_index", **place, "args": {"sort_index": number}}


def _complete(timeline: Timeline, spans: Iterable[Span]) -> Iterator[dict[str, Any]]:
    places = [_place(timeline, track) for track in range(len(timeline.tracks))]
    for span in spans:
        start, end = _interval(span)
        args: dict[str, Any] = dict(span.facts)
        if span.file:
            args["line"] = f"{span.file}:{span.line}"
        if span.operations > 1:
            args |= {"operations": span.operations, "busy_us": round(_busy(span), 6)}
        yield {
            "ph": "X",
            "name": _name(span),
            "cat": span.kind,
            **places[span.track],
            "ts": start / 1000,
            "dur": (end - start) / 1000,
            "args": args,
        }


def _name(span: Span) -> str:
    name = f"wait: {span.name}" if span.kind == "wait" else span.name
    if span.operations > 1:
        name += f" ×{span.operations}"
    return f"{name} (line {span.line})" if span.line else name


def _flows(timeline: Timeline, arrows: Iterable[_Bound]) -> Iterator[dict[str, Any]]:
    places = [_place(timeline, track) for track in range(len(timeline.tracks))]
    for number, (arrow, source, target) in enumerate(arrows, 1):
        common = {"name": arrow.name, "cat": "sync", "id": number}
        yield {"ph": "s", **common, **places[source.track], "ts": _inside(arrow.leaves_us, source) / 1000}
        yield {"ph": "f", "bp": "e", **common, **places[target.track], "ts": _inside(arrow.arrives_us, target) / 1000}


def _interval(span: Span) -> tuple[int, int]:
    """Start and end in whole nanoseconds, which is what viewers keep: rounded each by itself, so that spans that do not
    overlap do not begin to."""
    return round(span.start_us * 1000), round(span.end_us * 1000)


def _inside(time_us: float, span: Span) -> int:
    """The time, in nanoseconds, moved into the span: a flow belongs to the span that is open at its time."""
    start, end = _interval(span)
    return max(start, min(round(time_us * 1000), end - 1))
