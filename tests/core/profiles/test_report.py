"""A profile in words: what its one line says, and that nothing in it is lost in the tables."""

from __future__ import annotations

import io

from rich.console import Console

from kbench.core.profile import Baseline, Hint, Loop, Profile
from kbench.core.profiles.report import headline, profile_parts, speed_table
from kbench.core.record import CaseResult
from tests.core.test_profile import WHOLE
from tests.core.test_score import manifest, record, scored


def shown(profile, baseline=None):
    console = Console(file=io.StringIO(), width=200)
    for part in profile_parts(CaseResult(case="c", outcome="passed", profile=profile, baseline=baseline)):
        console.print(part)
    return console.file.getvalue()


def test_the_headline_names_every_number():
    assert headline(WHOLE, Baseline(source_sha="s", latency_us=50)) == (
        "25 µs = 20 µs launch + 9,250 cycles at 1,850 MHz on 8 cores; bound by MTE2; "
        "50.0% of the task's roofline (memory); 2 × the reference's speed; vectorization 25.0%"
    )
    assert headline(Profile(latency_us=12345.6)) == "12,346 µs"
    assert headline(Profile(cycles=7)) == "7 cycles"


def test_all_of_a_profile_is_shown():
    text = shown(WHOLE)
    rows = [line.split() for line in text.splitlines()]
    assert ["V", "21.6%", "2,000", "27.0%", "MTE2", "54.1%", "24.3%", "12"] in rows
    assert ["GM→UB", "1,048,576", "64", "16,384", "209.7"] in rows
    assert ["?", "64", "1", "2", "14", "7", "142", "slot", "st"] in rows
    assert ["k.cpp:7", "V", "2,000", "21.6%", "0"] in rows
    assert "counts: vpu_cycles 2,312" in text
    assert "hint: k.cpp:7: V waits for MTE2 54 %: no double buffering (54% of the time)" in text
    assert "3 operations were summed, not followed one by one" in text
    assert "assumed: the clock is not published" in text


def test_what_is_unknown_is_left_out():
    assert shown(None) == ""
    bare = shown(Profile(latency_us=3, hints=(Hint(message="useless", kind="suspect"),)))
    assert bare.splitlines() == ["3 µs", "suspect: useless"]
    loop = Loop(trips=4, interval=9, length=9, cycles=36, bound="aliasing", hint="__restrict", file="k.cc", line=3)
    assert "k.cc:3  4      1        9         9       not pipelined  36      aliasing  __restrict" in shown(
        Profile(cycles=50, loops=(loop,))
    )


def test_times_of_a_run_fit_a_page():
    names = ("vectorization", "vectorization_strict", "vectorization_loose", "useful_vector", "mac_utilisation")
    profile = Profile(cycles=123456, scores=dict.fromkeys(names, 0.5))
    case = CaseResult(case="c", outcome="passed", profile=profile)
    done = record("passed", cases=["passed"]).model_copy(update={"cases": (case,)})
    console = Console(file=io.StringIO(), width=140)
    console.print(speed_table(scored(manifest(), [done])))
    text = console.file.getvalue()
    assert "…" not in text
    assert text.splitlines()[-1].split() == ["t0", "1", "–", "123,456", "–", "–", "–", *["50.0%"] * 5]
