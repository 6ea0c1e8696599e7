"""What the model of time reports, in the shape that every backend has."""

from __future__ import annotations

import copy

import pytest

from kbench.backends.ascend.profile import listing_of, profile_of, timeline_of
from kbench.core.profiles.trace import write_trace
from tests.trace_format import problems

#: Two cores at 1,000 MHz: a copy, an addition that waits for it, and a copy out; core 1 ends first.
TIME = {
    "us": 3.0, "launch_us": 2.0, "kernel_us": 1.0, "cycles": 1000, "clock_mhz": 1000,
    "cores": 2, "blocks": 2, "slowest_core": 0, "critical": "MTE2",
    "pipes": {
        "V": {"busy": 100, "waits": {"flag MTE2": 500, "issue": 0}, "idle": 300, "operations": 2, "bytes": 8192},
        "MTE2": {"busy": 500, "waits": {}, "idle": 400, "operations": 2, "bytes": 8192},
        "MTE3": {"busy": 200, "waits": {"flag V": 700}, "idle": 0, "operations": 2, "bytes": 4096},
        "M": {"busy": 0, "waits": {}, "idle": 900, "operations": 0, "bytes": 0},
    },
    "gm": {"read": 8192, "written": 4096, "l2_hits": 1024, "hbm_read": 7168, "hbm_written": 0, "cold": 7168},
    "copies": {
        way: {"count": 2, "bytes": moved, "pieces": 2, "small": 2, "unaligned": 0, "contended": 0, "bypassed": 0}
        for way, moved in (("MTE2", 8192), ("MTE3", 4096))
    },
    "vector": {"operations": 2, "repeats": 64, "work": 64.0, "conflicts": 0.0, "overhead": 44.0},
    "bandwidth_gbps": 12.288,
    "roofline": {"us": 0.4, "memory_us": 0.4, "l2_us": 0.1, "vector_us": 0.05, "bound": "memory"},
    "efficiency": 0.133, "operations": 6, "folded": 0, "unpriced": 0,
    "hints": ["MTE2-bound: copies of 4096 B; use 16 KiB or more"],
    "timeline": {
        "pipes": ["S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"],
        "names": ["DataCopy", "Add"],
        "lines": ["op_kernel/add.cpp:3", "op_kernel/add.cpp:4"],
        "spans": [
            [0, 4, 0, 0, 600, 0, 1], [0, 1, 1, 600, 100, 1, 1], [0, 5, 0, 700, 300, 0, 1],
            [1, 4, 0, 0, 400, 0, 1], [1, 1, 1, 400, 100, 1, 1], [1, 5, 0, 500, 100, -1, 1],
        ],
        "flags": [[0, 4, 600, 1, 600, 1], [0, 1, 700, 5, 700, 0]],
        "dropped": 0,
    },
}  # fmt: skip


def test_a_launch_becomes_a_profile():
    found = profile_of(TIME)
    assert (found.latency_us, found.launch_us, found.cycles, found.cores) == (3, 2, 1000, 2)
    assert [unit.name for unit in found.units] == ["V", "MTE2", "MTE3"]
    assert found.units[0].waiting == {"flag MTE2": 500}
    assert (found.bound, found.roofline.bound, found.efficiency) == ("MTE2", "memory", pytest.approx(0.4))
    ways = {way.path: (way.bytes, way.transfers, way.gb_per_s) for way in found.traffic}
    assert ways == {
        "GM→core": (8192, 2, 8.192), "core→GM": (4096, 2, 4.096), "HBM→L2": (7168, 0, 7.168)
    }  # fmt: skip
    assert found.hints[0].message.startswith("MTE2-bound")


def test_lines_cost_what_their_spans_take_on_the_mean_core():
    lines = {(line.line, line.unit): (line.cycles, line.operations) for line in profile_of(TIME).lines}
    assert lines == {(3, "MTE2"): (500, 2), (3, "MTE3"): (150, 1), (4, "V"): (100, 2)}
    listing = listing_of(TIME, {"op_kernel/add.cpp": "a\nb\ncopy\nadd\n", "op_host/add.cpp": "x"})
    rows = listing.splitlines()
    assert [" ".join(row.split()) for row in rows[3:]] == ["MTE2 500, MTE3 150 | 3 copy", "V 100 | 4 add"]
    assert "op_host" not in listing


def test_a_launch_becomes_a_timeline_of_cores_and_pipes(tmp_path):
    timeline = timeline_of(TIME)
    assert [(t.group, t.name) for t in timeline.tracks][:3] == [("core 0", "V"), ("core 0", "MTE2"), ("core 0", "MTE3")]
    add = next(span for span in timeline.spans if span.name == "Add")
    assert (add.start_us, add.duration_us, add.file, add.line) == (0.6, 0.1, "op_kernel/add.cpp", 4)
    waits = [(s.track, s.name, s.start_us, s.duration_us) for s in timeline.spans if s.kind == "wait"]
    assert waits == [(0, "flag MTE2", 0.0, 0.6), (2, "flag V", 0.0, 0.7)]
    assert [(a.name, a.leaves_us) for a in timeline.arrows] == [("MTE2_V", 0.6), ("V_MTE3", 0.7)]
    write_trace(timeline, tmp_path / "t.json")
    text = (tmp_path / "t.json").read_text()
    assert problems(text) == []
    assert text.count('"ph": "s"') == 2


def test_a_wait_is_named_after_the_flag_that_was_set_last_and_the_scalar_unit_waits_wherever_it_stands():
    time = copy.deepcopy(TIME)
    time["timeline"]["spans"] += [[0, 0, 0, 0, 10, 0, 1], [0, 0, 0, 50, 10, 0, 1]]
    time["timeline"]["flags"] += [[0, 5, 20, 1, 600, 1]]
    timeline = timeline_of(time)
    waits = {(timeline.tracks[s.track], s.name, s.start_us, s.duration_us) for s in timeline.spans if s.kind == "wait"}
    assert waits == {
        (("core 0", "S"), "pipes or other cores", 0.01, 0.04),
        (("core 0", "V"), "flag MTE2", 0.0, 0.6),
        (("core 0", "MTE3"), "flag V", 0.0, 0.7),
    }


def test_without_a_recorded_timeline_there_is_none():
    time = copy.deepcopy(TIME)
    del time["timeline"]
    assert timeline_of(time) is None
    assert listing_of(time, {}) is None
    assert profile_of(time).lines == ()


def test_what_was_not_replayed_is_told():
    assert (
        profile_of({**TIME, "unpriced": 1234})
        .assumptions[0]
        .startswith("1,234 operations were too many to be replayed")
    )
