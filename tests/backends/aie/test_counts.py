"""How often each block ran, and what the counters said at event0 and event1."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest

from kbench.backends.aie.sim.build import AieBuild
from kbench.backends.aie.sim.machine import Buffer, Call, Ran, run_kernel
from kbench.core.hostcc.sandbox import sandbox
from tests.backends.aie.snippets import build

LOOP = """
#pragma clang loop unroll(disable)
for (int i = 0; i < n; ++i) { y[i] = x[i] / 3; %s }
"""


def ran(body: str, n: int = 12) -> tuple[AieBuild, Ran]:
    x = np.arange(16, dtype=np.int32)
    with tempfile.TemporaryDirectory() as folder:
        built = build(body, "int32_t *x, int32_t *y, int n", "npu1", Path(folder))
        buffers = [Buffer("x", 64, x.tobytes()), Buffer("y", 64, writable=True)]
        first, _ = run_kernel(
            built, Call(buffers, [("buffer", 0), ("buffer", 1), ("i32", n)], 1024), sandbox("auto"), 60
        )
    return built, first


def counts(built: AieBuild, ran: Ran) -> dict[str, int]:
    return {label: int(n) for (_, label), n in zip(built.facts.labels, ran.counts, strict=True)}


@pytest.mark.parametrize("n", [1, 5, 12])
def test_a_block_is_counted_as_often_as_it_runs(n: int):
    built, first = ran(LOOP % "", n)
    found = counts(built, first)
    assert found[""] == 1
    assert n in [k for label, k in found.items() if label]
    assert {name for name, _ in built.facts.labels} == {"k"}


def test_events_keep_the_counters_of_their_first_time():
    built, first = ran(f"event0();\n{LOOP % 'if (i == 4) event1();'}\nevent1();")
    zero, one = first.events
    assert zero is not None
    assert one is not None
    blocks = [label for _, label in built.facts.labels]
    assert sum(zero.counts) == 1
    assert zero.counts[0] == 1
    assert min(zero.site.place, one.site.place) > 0, "the lines are the candidate's"
    assert built.facts.places[zero.site.place] == ("kernel.cc", 3)
    assert max(one.counts) == 5, "the first event1 is that of the fifth trip"
    assert blocks[one.site.block] != blocks[zero.site.block]
    assert max(first.counts) == 12


def test_two_events_in_one_block_are_told_apart():
    _, first = ran("event0(); y[0] = x[1]; event1();")
    zero, one = first.events
    assert zero is not None
    assert one is not None
    assert (zero.site.block, zero.site.before) == (0, 0)
    assert (one.site.block, one.site.before) == (0, 1)
    assert list(zero.counts) == list(one.counts) == [1]


def test_an_event_that_the_run_does_not_meet_is_none():
    _, first = ran("if (n > 100) event0(); y[0] = x[0]; event1();")
    assert first.events[0] is None
    assert first.events[1] is not None
    assert ran("y[0] = x[0];")[1].events == (None, None)
