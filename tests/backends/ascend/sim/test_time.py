"""The model of time: what always holds of a launch's time, and how it follows what a kernel does."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kbench.backends.ascend.profile import profile_of
from kbench.backends.ascend.sim.kernel import RUNTIME, GmBuffer, Launch, build_kernel, run_kernel
from kbench.backends.ascend.sim.prices import PRICES, prices_of
from kbench.backends.ascend.sim.timing import Time
from kbench.backends.ascend.targets import DEFAULT_TARGET, TARGETS
from kbench.core.candidate import Candidate
from kbench.core.errors import ConfigError
from kbench.core.hostcc.sandbox import sandbox

TARGET = TARGETS[DEFAULT_TARGET]
KERNEL = Path(__file__).parent / "time_kernel.cpp"
MIB = 1 << 20
CASES = Path(__file__).parents[4] / "benchmarks" / "ascend_time_cases.json"


@dataclass(frozen=True)
class Shape:
    """The kernel's tiling data, in the order of its structure."""

    count: int = 65536
    tile: int = 4096
    buffers: int = 2
    skip: int = 0
    apart: int = 0
    work: int = 1
    bypass: int = 0
    mode: int = 0


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    candidate = Candidate({"shaped.cpp": KERNEL.read_text()}, {"kernel": "shaped.cpp"})
    return build_kernel(candidate, sandbox=sandbox("auto"), timeout_s=60, workdir=tmp_path_factory.mktemp("t")).program


def timed(program: Path, shape: Shape, blocks: int = 4, spans: int = 0, prices: dict[str, float] | None = None) -> Time:
    size = shape.count + shape.skip
    launch = Launch(
        blocks,
        [GmBuffer("x", "in", np.zeros(size, np.float32)), GmBuffer("z", "out", nbytes=size * 4)],
        TARGET,
        tiling=np.array(list(asdict(shape).values()), np.uint32).tobytes(),
        time=True,
        spans=spans,
        prices=prices or {},
    )
    time = run_kernel(program, launch, sandbox=sandbox("auto"), timeout_s=60).time
    assert time is not None
    return time


def holds(time: Time) -> None:
    """What is true of every launch."""
    cycles = time["cycles"]
    assert cycles == pytest.approx(time["kernel_us"] * time["clock_mhz"], rel=1e-9)
    for pipe in time["pipes"].values():
        assert 0 <= pipe["busy"] <= cycles * (1 + 1e-9) + 1e-6
        assert all(w >= 0 for w in pipe["waits"].values())
        assert pipe["busy"] + sum(pipe["waits"].values()) + pipe["idle"] <= cycles * (1 + 1e-6) + 1e-6
        assert pipe["idle"] >= -1e-3
    assert time["kernel_us"] >= time["roofline"]["us"] * (1 - 1e-9)
    assert time["us"] == pytest.approx(time["launch_us"] + time["kernel_us"])
    profile_of(time)  # which checks that no part is longer than the whole
    assert 0 <= time["efficiency"] <= 1
    assert time["unpriced"] == 0


def test_the_runtime_has_the_prices_of_the_table() -> None:
    text = (RUNTIME / "prices.h").read_text()
    assert re.findall(r"double (\w+);", text) == list(PRICES)


def test_every_fitted_price_names_fitting_rows_and_no_others() -> None:
    rows = json.loads(CASES.read_text())["rows"]
    fits = {name: row["id"] for row in rows for name in row["fits"]}
    named = {p.name.removesuffix("_us"): p.rows for p in PRICES.values() if p.kind == "fit"}
    assert {name: (row,) for name, row in fits.items()} == named
    assert all(p.source for p in PRICES.values())
    assert {p.kind for p in PRICES.values()} <= {"doc", "ini", "fit", "ours", "target"}


def test_a_price_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="expected names of the table"):
        prices_of(TARGET, {"speed_of_light": 1})


def test_the_committed_comparison_has_every_case_and_judges_by_test_rows() -> None:
    rows = {row["id"]: row for row in json.loads(CASES.read_text())["rows"]}
    found = json.loads(CASES.with_name("ascend_time_ledger.json").read_text())
    assert [entry["id"] for entry in found] == list(rows)
    assert all(abs(entry["error"]) <= 0.25 for entry in found if entry["role"] == "test")
    assert all((entry["role"] == "fit") == bool(rows[entry["id"]]["fits"]) for entry in found)
    adds = [entry for entry in found if entry["id"].startswith("add_")]
    modelled = sorted(adds, key=lambda entry: entry["modelled"]["task_us"])
    assert modelled == sorted(adds, key=lambda entry: rows[entry["id"]]["task_us"])


SHAPES = st.builds(
    Shape,
    count=st.integers(1, 512).map(lambda n: n * 128),
    tile=st.integers(1, 64).map(lambda n: n * 64),
    buffers=st.integers(1, 2),
    skip=st.sampled_from([0, 1, 8, 64]).map(lambda n: n * 8),
    apart=st.sampled_from([0, 32, 256, 512]),
    work=st.integers(0, 4),
    bypass=st.integers(0, 1),
    mode=st.sampled_from([0, 1, 2, 3]),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shape=SHAPES, blocks=st.integers(1, 48))
def test_parts_of_the_time_add_up_and_no_launch_beats_the_roofline(program: Path, shape: Shape, blocks: int) -> None:
    holds(timed(program, shape, blocks))


def test_more_blocks_than_cores_take_turns(program: Path) -> None:
    one = timed(program, Shape(count=128 * 48), 48)
    three = timed(program, Shape(count=128 * 144), 144)
    holds(three)
    assert three["cores"] == 48
    assert three["blocks"] == 144
    assert 2 < three["kernel_us"] / one["kernel_us"] < 4


def test_blocks_that_copy_nothing_run_side_by_side(program: Path) -> None:
    shape = Shape(count=1 << 18, mode=3)
    one, eight, many = (timed(program, shape, blocks) for blocks in (1, 8, 192))
    assert one["cycles"] / eight["cycles"] == pytest.approx(8, rel=0.05)
    assert one["cycles"] / many["cycles"] == pytest.approx(48, rel=0.3)  # four blocks for each core


def test_the_same_launch_takes_the_same_time(program: Path) -> None:
    shape = Shape(count=1 << 18, mode=2)
    assert timed(program, shape, 24) == timed(program, shape, 24)


# ---- where launch and latency do not decide: what is better never takes longer ---------------------------------------

LARGE = Shape(count=4 * MIB, tile=4096)  # 32 MiB moved


def ends(shape: Shape) -> float:
    """µs in which the first copy fills the pipes and the last one drains them: longer where copies are."""
    return 2 * shape.tile * 4 / PRICES["core_bytes"].value / (TARGET.clock_mhz or 1)


@pytest.mark.parametrize("buffers", [1, 2])
def test_more_cores_never_slow_a_large_kernel_down(program: Path, buffers: int) -> None:
    shape = replace(LARGE, buffers=buffers)
    times = [timed(program, shape, blocks)["kernel_us"] for blocks in (1, 2, 5, 12, 24, 31, 47, 48)]
    assert all(many <= few + ends(shape) for few, many in pairwise(times)), times


@pytest.mark.parametrize(("blocks", "buffers"), [(1, 2), (7, 1), (48, 1), (48, 2)])
def test_larger_copies_never_slow_a_large_kernel_down(program: Path, blocks: int, buffers: int) -> None:
    shapes = [replace(LARGE, tile=tile, buffers=buffers) for tile in (256, 512, 1024, 2048, 4096, 8192)]
    times = [timed(program, shape, blocks)["us"] - ends(shape) for shape in shapes]
    assert all(large <= small * (1 + 1e-3) for small, large in pairwise(times)), times


@pytest.mark.parametrize("blocks", [1, 7, 48])
@pytest.mark.parametrize("work", [1, 8])
def test_double_buffering_never_slows_a_large_kernel_down(program: Path, blocks: int, work: int) -> None:
    shape = replace(LARGE, work=work)
    single, double = (timed(program, replace(shape, buffers=b), blocks)["us"] for b in (1, 2))
    assert double <= single


@pytest.mark.parametrize("blocks", [1, 48])
@pytest.mark.parametrize("bypass", [0, 1])
def test_aligned_addresses_never_slow_a_large_kernel_down(program: Path, blocks: int, bypass: int) -> None:
    shape = replace(LARGE, bypass=bypass)
    aligned = timed(program, shape, blocks)
    assert aligned["copies"]["MTE2"]["unaligned"] == 0
    for skip in (8, 24, 64):
        shifted = timed(program, replace(shape, skip=skip), blocks)
        assert shifted["copies"]["MTE2"]["unaligned"] > 0
        assert aligned["us"] <= shifted["us"]


@pytest.mark.parametrize("blocks", [1, 48])
@pytest.mark.parametrize("work", [1, 16])
def test_a_layout_without_bank_conflicts_never_slows_a_large_kernel_down(program: Path, blocks: int, work: int) -> None:
    free, conflicting = (timed(program, replace(LARGE, work=work, apart=apart), blocks) for apart in (0, 32))
    assert free["vector"]["conflicts"] == 0
    assert conflicting["vector"]["conflicts"] > 0
    assert free["us"] <= conflicting["us"]


# ---- single effects --------------------------------------------------------------------------------------------------


def test_cores_wait_for_the_slowest_at_a_barrier(program: Path) -> None:
    time = timed(program, Shape(count=1 << 17, work=20, mode=2), 8)
    assert time["pipes"]["S"]["waits"]["sync"] > 0.3 * time["cycles"]
    assert any("cores wait for each other" in hint for hint in time["hints"])


def test_the_same_lines_again_come_from_l2_and_at_once_they_contend(program: Path) -> None:
    time = timed(program, Shape(count=1 << 16, mode=1), 16)
    assert time["gm"]["read"] == 16 * (1 << 18)
    assert time["gm"]["hbm_read"] == 1 << 18
    assert time["gm"]["l2_hits"] == 15 * (1 << 18)
    assert time["copies"]["MTE2"]["contended"] > 0


def test_past_l2_every_read_comes_from_memory(program: Path) -> None:
    time = timed(program, Shape(count=1 << 16, mode=1, bypass=1), 16)
    assert time["gm"]["l2_hits"] == 0
    assert time["copies"]["MTE2"]["bypassed"] == time["copies"]["MTE2"]["count"]


def test_scalar_accesses_cost_and_are_folded(program: Path) -> None:
    time = timed(program, Shape(count=1 << 20, mode=3), 1)
    assert time["cycles"] >= (1 << 20) * PRICES["scalar_access"].value
    assert time["critical"] == "S"
    assert time["operations"] < 100


def test_scalar_code_between_calls_counts(program: Path) -> None:
    few, many = (timed(program, Shape(count=n, mode=5), 1) for n in (1 << 12, 1 << 16))
    assert many["cycles"] - few["cycles"] > ((1 << 16) - (1 << 12)) * PRICES["scalar_block"].value * 0.5
    assert many["critical"] == "S"


def test_runs_of_alike_copies_are_folded(program: Path) -> None:
    time = timed(program, Shape(count=1 << 20, tile=32, mode=4), 1)
    assert time["folded"] == (1 << 15) - 1
    per_copy = time["pipes"]["MTE2"]["busy"] / (1 << 15)
    assert per_copy == pytest.approx(PRICES["copy_interval"].value, rel=0.02)
    assert any("use ≥ 16 KiB" in hint for hint in time["hints"])


def test_a_price_changes_the_time_it_is_of_and_nothing_else(program: Path) -> None:
    shape = Shape(count=1 << 17)
    usual, slow = timed(program, shape), timed(program, shape, prices={"memory_gbps": 180.0})
    assert slow["kernel_us"] > 1.3 * usual["kernel_us"]
    assert slow["gm"] == usual["gm"]
    assert slow["vector"] == usual["vector"]


def test_one_buffer_and_two_give_different_advice(program: Path) -> None:
    one = timed(program, replace(LARGE, buffers=1, work=8), 48)
    two = timed(program, replace(LARGE, buffers=2, work=8), 48)
    assert any("no double buffering" in hint for hint in one["hints"])
    assert not any("no double buffering" in hint for hint in two["hints"])


# ---- timelines -------------------------------------------------------------------------------------------------------


def test_a_timeline_shows_each_pipe_in_order_with_names_and_lines(program: Path) -> None:
    time = timed(program, Shape(), 2, spans=1000)
    line = time["timeline"]
    assert line["dropped"] == 0
    assert {"DataCopy", "Adds"} <= set(line["names"])
    assert all(text.startswith("shaped.cpp:") for text in line["lines"])
    for core in range(2):
        for pipe in range(len(line["pipes"])):
            spans = sorted((s[3], s[3] + s[4]) for s in line["spans"] if s[0] == core and s[1] == pipe)
            assert all(b[0] >= a[1] - 1e-6 for a, b in pairwise(spans))
            assert all(0 <= start <= end <= time["cycles"] * (1 + 1e-6) for start, end in spans)
    assert line["flags"]
    assert all(until >= at for _, _, at, _, until, _ in line["flags"])


def test_a_timeline_stays_within_its_bounds(program: Path) -> None:
    time = timed(program, Shape(count=1 << 18, tile=512), 4, spans=100)
    line = time["timeline"]
    assert len(line["spans"]) <= 100
    assert line["dropped"] > 0
