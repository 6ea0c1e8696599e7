"""Sums over any piece of any block: vector cycles are some of its cycles, whatever the weighting."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kbench.backends.aie.cycles.tally import _Measure
from kbench.backends.aie.sim.schedule import schedule
from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.schedule.program import Function
from kbench.backends.aie.sim.schedule.table import SLOTS
from tests.backends.aie.schedule.programs import loops, straight

CHECKED = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
ROUTINE: Any = SimpleNamespace(selected=SimpleNamespace(origins={}), code=SimpleNamespace(name="f"))


@pytest.mark.parametrize("core", ["aie2", "aie2p"])
@CHECKED
@given(function=st.one_of(straight(), loops()), cut=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_vector_cycles_are_at_most_all_cycles(core: str, function: Function, cut: tuple[float, float]) -> None:
    measure = _Measure(machine(core), {})
    for block in schedule(function, core).blocks.values():
        start, end = sorted(round(part * len(block.bundles)) for part in cut)
        sums = measure(ROUTINE, block, start, end)
        strict, default, loose = (sums.get(name, 0.0) for name in ("strict", "default", "loose"))
        assert 0 <= strict <= default <= loose <= sums["cycles"]
        assert sums.get("useful", 0.0) <= default
        assert sums.get("empty", 0.0) + loose <= sums["cycles"]
        assert all(sums.get(f"slot {slot}", 0.0) <= sums["cycles"] for slot in SLOTS)
