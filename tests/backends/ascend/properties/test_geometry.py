"""Masks, counts, repeats and strides, drawn by rules and shrunk where they fail: which bytes an operation touches."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.backends.ascend.oracles import elementwise
from tests.backends.ascend.oracles.lanes import FORMS, Call, Operand
from tests.backends.ascend.properties.draws import PART, cases, extent
from tests.backends.ascend.properties.machine import IMAGE, Machine, Trial, judged, step


@st.composite
def calls(draw: st.DrawFn) -> Call:
    """Any additions whose accesses stay in their parts; zeros, single lanes and full masks among them."""
    dtype = draw(st.sampled_from(["i16", "i32"]))
    lanes = 128 if dtype == "i16" else 64
    form, repeats = draw(st.sampled_from(FORMS)), draw(st.integers(0, 5))
    block = draw(st.integers(1, 4))
    dst = Operand(32 * draw(st.integers(0, 8)), dtype, block, draw(st.integers(7 * block + 1, 7 * block + 9)))
    sources = []
    for at in (PART, 2 * PART):
        strides = draw(st.tuples(st.integers(0, 5), st.integers(0, 20)))
        sources.append(Operand(at + 32 * draw(st.integers(0, 8)), dtype, *strides))
    most = max(1, repeats) * lanes
    mask = draw(st.integers(0, (1 << lanes) - 1) if form.endswith("bits") else st.integers(0, lanes))
    total = draw(st.integers(0, most))
    call = Call("Add", form, total, repeats, total if form.endswith("counter") else mask, dst, tuple(sources))
    assert all(extent(lanes, o, max(1, repeats)) + 288 <= PART for o in (dst, *sources))
    return call


@settings(max_examples=cases(20), deadline=None, derandomize=True)
@given(st.lists(calls(), min_size=1, max_size=8))
def test_any_geometry(vector: Machine, drawn: list[Call]) -> None:
    image = np.random.default_rng(91).integers(0, 256, IMAGE, np.uint8)
    judged(vector, [Trial(call, step(call), image, elementwise.run) for call in drawn])
