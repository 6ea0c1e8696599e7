"""What a picture of a trace is drawn from; the drawing itself needs matplotlib."""

from __future__ import annotations

import json

import pytest

from benchmarks import render_trace
from benchmarks.timelines import draw
from kbench.core.profiles.trace import write_trace
from kbench.core.timeline import Arrow, Span, Timeline, Track


@pytest.fixture
def trace(tmp_path):
    tracks = [Track(f"core {core}", pipe) for core in range(3) for pipe in ("V", "MTE2", "MTE3")]
    spans = [Span(1, "DataCopy", 0, 4), Span(0, "wait", 0, 1, "wait"), Span(0, "Add", 3, 2), Span(2, "DataCopy", 5, 3)]
    spans.append(Span(4, "DataCopy", 0, 100))
    path = tmp_path / "t.json"
    write_trace(Timeline(tracks, spans, [Arrow("MTE2_V", 1, 3, 0, 3), Arrow("late", 4, 100, 7, 100)]), path)
    return json.loads(path.read_text())


def test_rows_are_the_first_cores_in_the_order_of_the_file(trace):
    assert render_trace.rows_of(trace["traceEvents"], 1) == {(1, 1): 0, (1, 2): 1, (1, 3): 2}
    rows = render_trace.rows_of(trace["traceEvents"], 2)
    assert list(rows.values()) == list(range(6))
    ((start, end),) = render_trace.flows_of(trace["traceEvents"], rows)
    assert (start["tid"], end["tid"]) == (2, 1)


def test_shares_are_of_the_first_cores_time(trace):
    assert draw.shares(trace) == "MTE2 50%, V 25%, MTE3 38%, MTE2 with V 12%, V with MTE3 0%"


def test_the_serial_kernel_differs_where_it_should():
    text = next(t for path, t in draw.serial().files.items() if path.startswith("op_kernel"))
    assert text.count("PipeBarrier<PIPE_ALL>();") == 3
    assert "BUFFER_NUM = 1" in text
