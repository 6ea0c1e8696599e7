"""A timeline's file is what the trace event format asks for, holds what the timeline says, and stays small."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbench.core.errors import ConfigError
from kbench.core.profiles.trace import coarsen, write_trace
from kbench.core.timeline import Arrow, Span, Timeline, Track
from tests.trace_format import problems

TRACKS = (Track("core 0", "MTE2"), Track("core 0", "V"), Track("core 1", "MTE2"))
SMALL = Timeline(
    tracks=TRACKS,
    spans=(
        Span(0, "DataCopy", 0.0, 1.5, file="add.cpp", line=7, facts={"bytes": 4096}),
        Span(1, "flag MTE2", 0.0, 1.5, kind="wait"),
        Span(1, "Add", 1.5, 0.25, file="add.cpp", line=9, operations=4, busy_us=0.2),
        Span(2, "DataCopy", 0.5, 1.0, line=7),
    ),
    arrows=(Arrow("MTE2_V", 0, 1.5, 1, 1.5),),
    facts={"task": "AddCustom"},
    notes=("half of it is assumed",),
)


def written(timeline, tmp_path, **limits):
    path = tmp_path / "trace.json"
    write_trace(timeline, path, **limits)
    text = path.read_text()
    assert problems(text) == []
    return json.loads(text)


def of(trace, kind):
    return [event for event in trace["traceEvents"] if event["ph"] == kind]


def test_spans_become_slices_on_the_thread_of_their_track(tmp_path):
    trace = written(SMALL, tmp_path)
    slices = [(e["pid"], e["tid"], e["name"], e["ts"], e["dur"], e["cat"]) for e in of(trace, "X")]
    assert slices == [
        (1, 1, "DataCopy (line 7)", 0.0, 1.5, "busy"),
        (1, 2, "wait: flag MTE2", 0.0, 1.5, "wait"),
        (1, 2, "Add ×4 (line 9)", 1.5, 0.25, "busy"),
        (2, 3, "DataCopy (line 7)", 0.5, 1.0, "busy"),
    ]
    assert [e["args"] for e in of(trace, "X")][:3:2] == [
        {"bytes": 4096, "line": "add.cpp:7"},
        {"line": "add.cpp:9", "operations": 4, "busy_us": 0.2},
    ]


def test_groups_are_processes_and_tracks_threads_in_their_order(tmp_path):
    named = {(e["pid"], e["tid"], e["name"]): e["args"] for e in of(written(SMALL, tmp_path), "M")}
    assert named[1, 1, "process_name"] == {"name": "core 0"}
    assert named[2, 3, "process_name"] == {"name": "core 1"}
    assert named[1, 2, "thread_name"] == {"name": "V"}
    assert [named[p, t, "thread_sort_index"]["sort_index"] for p, t in ((1, 1), (1, 2), (2, 3))] == [0, 1, 2]


def test_an_arrow_goes_from_inside_the_span_that_set_it_to_the_one_that_it_lets_begin(tmp_path):
    trace = written(SMALL, tmp_path)
    (start,), (end,) = of(trace, "s"), of(trace, "f")
    assert (start["tid"], start["ts"], end["tid"], end["ts"], end["bp"]) == (1, 1.499, 2, 1.5, "e")
    assert start["id"] == end["id"]
    assert start["name"] == end["name"] == "MTE2_V"


def test_what_it_is_of_and_what_was_left_out_is_told(tmp_path):
    told = written(SMALL, tmp_path)["otherData"]
    assert told["task"] == "AddCustom"
    assert told["notes"] == "half of it is assumed"
    assert (told["spans"], told["spans_drawn"], told["arrows_drawn"], told["joined_below_us"]) == (4, 4, 1, 0.0)


def test_arrows_without_a_span_at_both_ends_are_left_out(tmp_path):
    strays = (Arrow("early", 0, 0.0, 1, 1.5), Arrow("late", 0, 1.5, 1, 9.0), Arrow("self", 2, 1.0, 2, 1.0))
    assert not of(written(Timeline(TRACKS, SMALL.spans, strays), tmp_path), "s")


def long(spans, arrows=0):
    """Copies, each of which an addition waits for."""
    copies = [Span(0, "DataCopy", 2.0 * i, 1.0, line=3) for i in range(spans)]
    adds = [Span(1, "Add", 2.0 * i + 1, 0.5, line=4) for i in range(spans)]
    flags = [Arrow("MTE2_V", 0, 2.0 * i + 1, 1, 2.0 * i + 1) for i in range(arrows)]
    return Timeline(TRACKS, [*copies, *adds], flags)


def test_a_long_timeline_is_drawn_coarser_and_keeps_its_time_and_its_operations(tmp_path):
    trace = written(long(5000, 5000), tmp_path, most_spans=300, most_arrows=50)
    slices = of(trace, "X")
    assert 2 <= len(slices) <= 300
    assert len(of(trace, "s")) <= 50
    assert sum(e["args"].get("operations", 1) for e in slices) == 10_000
    busy = sum(e["args"].get("busy_us", e["dur"]) for e in slices if e["tid"] == 1)
    assert busy == pytest.approx(5000)
    assert max(e["ts"] + e["dur"] for e in slices) == pytest.approx(9999.5)
    assert trace["otherData"]["joined_below_us"] > 0


def test_a_joined_span_is_named_after_what_took_longest():
    spans = [Span(0, "Add", 0, 1), Span(0, "Exp", 1, 3, line=5), Span(0, "Add", 4, 1), Span(0, "flag", 5, 9, "wait")]
    (one,), _ = coarsen(spans, 1)
    assert (one.name, one.line, one.operations, one.duration_us, one.busy_us) == ("Exp and 1 more", 5, 3, 14, 5)


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(ConfigError, match="cannot write the trace"):
        write_trace(SMALL, tmp_path / "missing" / "trace.json")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 60))
def test_any_timeline_gives_a_valid_file(tmp_path_factory, seed, most):
    draw = random.Random(seed)
    spans = []
    for track in range(3):
        time = 0.0
        for _ in range(draw.randrange(40)):
            time += draw.choice([0, 1e-5, 3e-4, 0.7])
            duration = draw.choice([0, 5.4e-4, 0.01234567, 2.5])
            spans.append(Span(track, draw.choice("ab"), time, duration, draw.choice(["busy", "wait"])))
            time += duration
    times = [span.end_us for span in spans] or [0.0]
    leaves = sorted(draw.choice(times) for _ in range(30))
    arrows = [Arrow("f", draw.randrange(3), t, draw.randrange(3), t + draw.choice([0, 0.1])) for t in leaves]
    timeline = Timeline(TRACKS, spans, arrows)
    written(timeline, tmp_path_factory.mktemp("trace"), most_spans=most, most_arrows=7)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("[]", "expected an object"),
        ('{"traceEvents": [NaN]}', "not JSON"),
        ('{"traceEvents": [{"ph": "X", "name": "a", "cat": "", "pid": 1, "tid": 1, "ts": 0}]}', "dur"),
        ('{"traceEvents": [{"ph": "B", "name": "a", "pid": 1, "tid": 1, "ts": 0}]}', "ph 'B'"),
        ('{"traceEvents": [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1}]}', "names nothing"),
    ],
)
def test_the_checker_sees_what_is_wrong(wrong, told):
    assert any(told in problem for problem in problems(wrong))


def test_the_checker_sees_crossing_slices_and_loose_flows():
    def event(kind, ts, dur=0.0, **more):
        return {"ph": kind, "name": "a", "cat": "c", "pid": 1, "tid": 1, "ts": ts, "dur": dur, **more}

    crossing = [event("X", 0, 2), event("X", 1, 2)]
    loose = [event("X", 0, 2), event("s", 1, id=1), event("f", 5, id=1)]
    backwards = [event("X", 0, 2), event("s", 2, id=1), event("f", 1, id=1)]
    for events, told in ((crossing, "ends after"), (loose, "no slice"), (backwards, "got fs")):
        assert any(told in problem for problem in problems(json.dumps({"traceEvents": events})))
