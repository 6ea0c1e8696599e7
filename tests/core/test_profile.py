"""The shape of a profile: what must fit together, and what a record keeps of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kbench.core.profile import (
    MOST,
    Baseline,
    Hint,
    Line,
    Loop,
    Profile,
    Roofline,
    Traffic,
    Unit,
    costliest,
    free_form,
    speedup_over_reference,
)

WHOLE = Profile(
    latency_us=25.0,
    launch_us=20.0,
    cycles=9250.0,
    clock_mhz=1850,
    cores=8,
    units=(Unit(name="V", busy_cycles=2000, waiting={"MTE2": 5000}, most_busy_cycles=2500, operations=12),),
    traffic=(Traffic(path="GM→UB", bytes=1 << 20, transfers=64, gb_per_s=209.7),),
    roofline=Roofline(limits={"memory": 4625, "vector": 1500}, basis="task", bytes=1 << 20),
    bound="MTE2",
    hints=(Hint(message="V waits for MTE2 54 %: no double buffering", share=0.54, file="k.cpp", line=7),),
    loops=(Loop(trips=64, interval=2, length=14, stages=7, pipelined=True, cycles=142, bound="slot st"),),
    lines=(Line(file="k.cpp", line=7, unit="V", cycles=2000),),
    scores={"vectorization": 0.25},
    counts={"vpu_cycles": 2312},
    folded=3,
    assumptions=("the clock is not published",),
)


def changed(**more):
    return Profile.model_validate(WHOLE.model_dump() | more)


def test_it_reads_back_as_it_was_written_and_says_nothing_twice():
    text = WHOLE.model_dump_json()
    assert Profile.model_validate_json(text) == WHOLE
    assert json.loads(Profile(cycles=7).model_dump_json()) == {"cycles": 7}
    assert "file" not in json.loads(text)["loops"][0]


def test_what_follows_from_it():
    assert WHOLE.efficiency == 0.5
    assert (WHOLE.roofline.cycles, WHOLE.roofline.bound) == (4625, "memory")
    assert Profile(latency_us=3).efficiency is None
    assert str(WHOLE.hints[0]) == "k.cpp:7: V waits for MTE2 54 %: no double buffering"
    suspect = Hint(message="useless", kind="suspect")
    assert changed(hints=[suspect]).suspects == (suspect,)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"latency_us": None, "cycles": None}, "says nothing"),
        ({"latency_us": 26.0}, "expected launch_us"),
        ({"cycles": -1}, "greater than or equal"),
        ({"cycles": float("nan")}, "finite"),
        ({"units": [{"name": "V", "busy_cycles": 9300}]}, "unit V: 9300 cycles busy or waiting, of 9250"),
        ({"units": [{"name": "V", "busy_cycles": 5000, "waiting": {"S": 5000}}]}, "10000 cycles busy or waiting"),
        ({"units": [{"name": "V", "busy_cycles": 1, "most_busy_cycles": 9999}]}, "unit V"),
        ({"units": [{"name": "V", "busy_cycles": 1}] * 2}, "a name stands twice"),
        ({"roofline": {"limits": {"memory": 9999}, "basis": "task"}}, "9999 cycles at least"),
        ({"roofline": {"limits": {}, "basis": "task"}}, "at least 1"),
        ({"scores": {"vectorization": 1.5}}, "less than or equal to 1"),
        ({"hints": [{"message": "x" * 501}]}, "at most 500"),
        ({"hints": [{"message": "x"}] * (MOST + 1)}, f"at most {MOST}"),
        ({"cores": 0}, "greater than or equal to 1"),
        ({"speed": 1}, "not permitted"),
    ],
)
def test_what_does_not_fit_is_refused(wrong, told):
    with pytest.raises(ValidationError, match=told):
        changed(**wrong)


@given(st.floats(1, 1e9), st.floats(0, 1), st.floats(0, 1))
def test_shares_of_the_whole_always_fit_however_they_round(cycles, busy, rest):
    waiting = {"S": cycles * (1 - busy) * rest, "MTE2": cycles * (1 - busy) * (1 - rest)}
    unit = Unit(name="V", busy_cycles=cycles * busy, waiting=waiting)
    found = Profile(cycles=cycles, units=(unit,), roofline=Roofline(limits={"a": cycles}, basis="kernel"))
    assert found.efficiency == pytest.approx(1)
    assert Profile.model_validate_json(found.model_dump_json()) == found


def test_speedup_is_over_the_reference_in_a_measure_that_both_have():
    base = Baseline(source_sha="s", latency_us=50, cycles=92500)
    assert speedup_over_reference(WHOLE, base) == 2
    assert speedup_over_reference(Profile(cycles=9250), base) == 10
    assert speedup_over_reference(Profile(cycles=5), Baseline(source_sha="s", latency_us=1)) is None
    assert speedup_over_reference(Profile(cycles=0), base) is None


def test_the_costliest_are_kept():
    lines = [Line(file="k", line=i, unit="V", cycles=i % 50) for i in range(100)]
    kept = costliest(lines)
    assert len(kept) == MOST
    assert [line.cycles for line in kept] == sorted((line.cycles for line in lines), reverse=True)[:MOST]


def test_a_profile_from_before_there_was_a_shape():
    found = free_form({"cycles": 7, "vector": 3, "note": "fast", "bad": float("nan"), "minus": -1})
    assert found == Profile(cycles=7, counts={"vector": 3})
    assert free_form({"note": "fast"}) is None
    assert free_form(None) is None
