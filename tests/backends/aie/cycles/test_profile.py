"""Profiles of small kernels: cycles between the events, vector cycles, what reaches an output, and what is suspect."""

from __future__ import annotations

import pytest

from kbench.core.profile import Profile
from tests.backends.aie.cycles.kernels import SCALAR, VECTOR, closely, drawn_closely, kernel


def rules(profile: Profile) -> list[str]:
    return [hint.rule for hint in profile.suspects]


def check(profile: Profile) -> None:
    """What holds of every profile."""
    counts = profile.counts
    assert profile.cycles is not None
    assert 0 <= counts["vpu_cycles_strict"] <= counts["vpu_cycles"] <= counts["vpu_cycles_loose"] <= profile.cycles
    assert counts["useful_vector_cycles"] <= counts["vpu_cycles"]
    assert profile.scores["useful_vector"] <= profile.scores["vectorization"] <= 1
    assert profile.cycles <= counts["whole_cycles"]


@pytest.mark.parametrize("target", ["npu1", "npu2"])
def test_vectors_take_fewer_cycles_and_score_where_numbers_do_not(target: str):
    scalar, _ = closely(kernel(SCALAR), target)
    vector, _ = closely(kernel(VECTOR), target)
    for profile in (scalar, vector):
        check(profile)
        assert rules(profile) == []
    assert scalar.scores["vectorization"] == 0
    assert vector.counts["vpu_cycles"] in (3, 4), "four sums of 16 lanes, of which a prologue may hold one"
    assert vector.cycles < scalar.cycles
    assert (vector.efficiency or 0) > (scalar.efficiency or 0)


def test_restrict_makes_no_loop_slower_and_this_one_faster():
    for body in (SCALAR, VECTOR):
        with_it, _ = closely(kernel(body))
        without, _ = closely(kernel(body, pointers="int32_t *"))
        assert with_it.cycles < without.cycles
        assert without.loops[0].bound == "aliasing"
        assert "__restrict" in without.hints[0].message or "one element" in without.hints[0].message


def test_code_without_loops_is_told_to_restrict_its_buffers():
    body = "    AIE_LOOP_UNROLL_FULL\n    for (unsigned i = 0; i < 64; i += 16)\n"
    body += "        aie::store_v(y + i, aie::add(aie::load_v<16>(x + i), n));"
    without, _ = closely(kernel(body, pointers="int32_t *"))
    with_it, _ = closely(kernel(body))
    assert [hint.rule for hint in without.hints] == ["aliasing"]
    assert [hint.rule for hint in with_it.hints] == []
    assert with_it.cycles < without.cycles


def test_a_loop_is_told_with_its_line_trips_and_bound():
    profile, _ = closely(kernel(VECTOR))
    (loop,) = profile.loops
    assert (loop.file, loop.line) == ("increment.cc", 6)
    assert (loop.entries, loop.trips) == (1, 4)
    assert loop.interval <= loop.length
    assert loop.bound
    assert profile.hints[0].line == 6


def test_events_of_the_kernel_s_own_are_suspect():
    profile, _ = closely(kernel(f"    event1();\n{SCALAR}"))
    assert rules(profile)[0] == "own_events"
    assert "window" in rules(profile)
    assert profile.hints[0].line == 5
    plain, _ = closely(kernel(SCALAR))
    assert profile.cycles < plain.cycles / 2, "the first event1 ends the window, as on the device"


def test_an_event0_in_the_kernel_changes_no_window():
    profile, _ = closely(kernel(f"{VECTOR}\n    event0();"))
    plain, _ = closely(kernel(VECTOR))
    assert rules(profile) == ["own_events"]
    assert abs(profile.cycles - plain.cycles) <= 6


def test_an_event1_before_the_first_event0_leaves_nothing():
    early = "struct Early { Early() { event1(); } };\nstatic Early early;"
    profile, _ = closely(kernel(VECTOR, early))
    assert rules(profile) == ["own_events", "window"]
    assert profile.cycles == 0
    assert profile.scores == {}
    assert profile.roofline is None


SCRATCH = "alignas(32) int32_t scratch[64];"
SPIN = """    for (unsigned r = 0; r < 50; ++r)
        for (unsigned i = 0; i < 64; i += 16)
            aie::store_v(scratch + i, aie::add(aie::load_v<16>(x + i), int32_t(r)));
"""


def test_vector_work_that_reaches_no_output_raises_the_score_and_is_suspect():
    plain, _ = closely(kernel(SCALAR))
    padded, _ = closely(kernel(SPIN + SCALAR, SCRATCH))
    check(padded)
    assert padded.scores["vectorization"] > plain.scores["vectorization"]
    assert padded.scores["useful_vector"] == 0
    assert "useless_work" in rules(padded)


def test_work_on_memory_of_its_own_that_an_output_needs_is_useful():
    copy = "    for (unsigned i = 0; i < 64; i += 16) aie::store_v(y + i, aie::add(aie::load_v<16>(scratch + i), n));"
    filled = "aie::max(aie::load_v<16>(x + i), -5000)"
    fill = f"    for (unsigned i = 0; i < 64; i += 16) aie::store_v(scratch + i, {filled});\n"
    profile, _ = closely(kernel(fill + copy, SCRATCH))
    assert rules(profile) == []
    assert profile.counts["useful_vector_cycles"] == profile.counts["vpu_cycles"] > 0


def test_outputs_that_are_written_again_and_again_are_suspect():
    again = f"    for (volatile int r = 0; r < 10; r = r + 1) {{\n{VECTOR}\n    }}"
    profile, _ = closely(kernel(again))
    assert "useless_work" in rules(profile)
    assert profile.scores["useful_vector"] < profile.scores["vectorization"] / 5


def test_a_branch_that_never_happens_makes_nothing_useful():
    body = f"""    const int32_t most = aie::reduce_max(aie::load_v<16>(x));
    if (most > 1000000) y[0] = 0;
{SCALAR}"""
    profile, _ = closely(kernel(body))
    assert profile.counts["vpu_cycles"] > 0
    assert profile.counts["useful_vector_cycles"] == 0
    assert "useless_work" in rules(profile)


def test_what_is_multiplied_with_zero_reaches_nothing():
    body = """    const auto spin = aie::max(aie::min(aie::load_v<16>(x), 77), -77);
    for (unsigned i = 0; i < 64; i += 16) {
        auto sum = aie::mac(aie::mul<acc64>(aie::load_v<16>(x + i), 1), aie::add(spin, int32_t(i)), 0);
        aie::store_v(y + i, aie::add(sum.to_vector<int32_t>(0), n));
    }"""
    profile, _ = closely(kernel(body))
    plain, _ = closely(kernel(body.replace("int32_t(i)), 0)", "int32_t(i)), 2)")))
    assert profile.counts["useful_vector_cycles"] < plain.counts["useful_vector_cycles"]
    assert plain.counts["useful_vector_cycles"] == plain.counts["vpu_cycles"]
    assert "useless_work" in rules(profile)


def test_functions_that_are_not_inlined_count():
    helper = f"[[gnu::noinline]] static void work(int32_t *x, int32_t *y, int32_t n) {{\n{SCALAR}\n}}"
    inlined, _ = closely(kernel(SCALAR, pointers="int32_t *"))
    called, _ = closely(kernel("    work(x, y, n);", helper, pointers="int32_t *"))
    assert rules(called) == []
    assert 0 < called.cycles - inlined.cycles < 40


def test_divisions_are_told_as_calls():
    profile, _ = closely(kernel("    for (unsigned i = 0; i < 64; ++i) y[i] = x[i] / (n - 2) + n;"))
    assert profile.loops[0].bound == "call"
    assert "division" in profile.loops[0].hint
    assert profile.counts["routine_cycles"] > 64 * 40
    assert any("routines" in text for text in profile.assumptions)
    plain, _ = closely(kernel(SCALAR))
    assert len(plain.assumptions) == 1


def test_the_listing_shows_every_bundle():
    _, text = closely(kernel(VECTOR))
    assert "function increment_wrapper" in text
    assert " vadd " in text
    assert "loop: " in text
    assert "4 times" in text
    for slot in ("lda", "ldb", "st", "alu", "mv", "vec"):
        assert slot in text


def test_movement_stands_beside_the_kernel():
    profile, _ = closely(kernel(VECTOR))
    assert profile.counts["dma_cycles"] == 64
    assert {t.path: t.bytes for t in profile.traffic} == {"DMA in 0": 256, "DMA out 0": 256}
    assert profile.roofline is not None
    assert profile.roofline.limits == {"loads": 4, "stores": 8}


@pytest.mark.parametrize(
    "body",
    [
        SCALAR,
        VECTOR,
        "    if (n > 2) for (int i = 0; i < 64; i += n) y[i] = x[i];\n" + SCALAR,
        "    for (unsigned r = 0; r < 4; ++r)\n        for (unsigned i = 0; i < 16 * r; ++i) y[i] = x[i] / n;\n"
        + SCALAR,
    ],
)
def test_a_timeline_lasts_as_long_as_the_run(body: str):
    profile, drawn = drawn_closely(kernel(body))
    assert drawn.facts["cycles"] == profile.counts["whole_cycles"]
    assert drawn.end_us * 1000 == pytest.approx(profile.counts["whole_cycles"], abs=16)
    by_track: dict[int, float] = {}
    for span in sorted(drawn.spans, key=lambda span: (span.track, span.start_us)):
        assert span.start_us >= by_track.get(span.track, 0.0) - 1e-9, "spans of a slot do not overlap"
        by_track[span.track] = span.end_us
    assert [span.name for span in drawn.spans].count("event") == 2
