"""Latencies between operations: values, overwritten registers, memory."""

from __future__ import annotations

import pytest

from kbench.backends.aie.sim.schedule.graph import build
from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.schedule.program import Memory, Operation
from tests.backends.aie.schedule.kernels import at

Op = Operation


def between(first: Operation, second: Operation, target: str = "npu1") -> dict[str, int]:
    graph = build(machine(target), [first, second])
    return {edge.kind: edge.latency for edge in graph.successors[0]}


@pytest.mark.parametrize(
    ("first", "second", "latency"),
    [
        # "Latencies, AIE2": a load is read 7 cycles later, a product 5, an accumulator 2 (int) or 4 (float).
        (Op("lda", ("r0",), ("p0",)), Op("add", ("r1",), ("r0",)), 7),
        (Op("mul", ("r0",), ("r2",)), Op("add", ("r1",), ("r0",)), 2),
        (Op("vmul", ("cm0",), ("x0",)), Op("vmac", ("cm0",), ("cm0", "x1")), 2),
        (Op("vmac.f", ("bm0",), ("bm0", "x0")), Op("vmac.f", ("bm1",), ("bm0", "x1")), 4),
        (Op("vmul", ("cm0",), ("x0",)), Op("vst.srs", (), ("cm0", "s0", "p0")), 5),
        (Op("vadd", ("x0",), ("x1",)), Op("vadd", ("x2",), ("x0",)), 1),
        (Op("vadd", ("x0",), ("x1",)), Op("vst", (), ("x0", "p0")), 2),
        (Op("vups", ("cm0",), ("x1",)), Op("vmac", ("cm1",), ("cm0", "x0")), 1),
        (Op("vsrs", ("x0",), ("cm0",)), Op("vst", (), ("x0", "p0")), 4),
        # The value of a part-word store and the source of an unpack are read in cycle 7.
        (Op("add", ("r0",), ("r1",)), Op("st.s8", (), ("r0", "p0")), -5),
        (Op("vld", ("x0",), ("p0",)), Op("vunpack", ("x1",), ("x0",)), 1),
    ],
)
def test_a_value_arrives(first: Operation, second: Operation, latency: int) -> None:
    assert between(first, second)["data"] == latency


def test_accumulators_of_the_second_core_chain_in_two_and_three() -> None:
    mac = Op("vmac", ("dm0",), ("dm0", "x0"))
    assert between(Op("vmul", ("dm0",), ("x0",)), mac, "npu2")["data"] == 2
    assert between(Op("vmul.f", ("dm0",), ("x0",)), Op("vmac.f", ("dm1",), ("dm0", "x0")), "npu2")["data"] == 3


def test_a_register_may_be_overwritten_while_its_last_reader_is_under_way() -> None:
    assert between(Op("add", ("r1",), ("r0",)), Op("lda", ("r0",), ("p0",)))["anti"] == -6
    assert between(Op("vextract", ("r1",), ("x0",)), Op("vadd", ("x0",), ("x1",)))["anti"] == 0
    assert between(Op("lda", ("r0",), ("p0",)), Op("add", ("r0",), ("r1",)))["output"] == 7


@pytest.mark.parametrize(
    ("first", "second", "latency"),
    [
        ("vst", "vld", 1),
        ("vst.srs", "vld", 3),
        ("st.s8", "lda", 7),
        ("lda", "st", 1),
        ("vst", "vst.srs", 1),
        ("lda", "vst.srs", 0),
    ],
)
def test_the_same_bytes_keep_their_order(first: str, second: str, latency: int) -> None:
    kinds = between(Op(first, (), ("r0", "p0"), at("a", 0, 0)), Op(second, ("r1",), ("r2", "p1"), at("a", 0, 0)))
    assert kinds["memory"] == latency


def test_what_cannot_overlap_is_free() -> None:
    store = Op("vst", (), ("x0", "p0"), Memory("a", 32, 0, 64))
    assert not between(store, Op("vld", ("x1",), ("p1",), Memory("a", 32, 32, 64)))
    assert not between(store, Op("vld", ("x1",), ("p1",), Memory("b", 32, 0, 64, distinct=True)))
    assert between(store, Op("vld", ("x1",), ("p1",), Memory("b", 32, 0, 64)))["alias"] == 1
    assert between(store, Op("vld", ("x1",), ("p1",), Memory("a", 32, None, 64)))["alias"] == 1
    typed = Op("vst", (), ("x0", "p0"), Memory("a", 32, 0, 64, group="int"))
    assert not between(typed, Op("vld", ("x1",), ("p1",), Memory("b", 32, 0, 64, group="float")))


def test_an_address_that_moves_nobody_knows_how_far_is_compared_within_a_trip() -> None:
    body = [
        Op("vld", ("x0",), ("p",), Memory("a", 32, 0)),
        Op("vst", (), ("x1", "p"), Memory("a", 32, 32)),
        Op("vst", (), ("x1", "p"), Memory("a", 32, 0)),
    ]
    graph = build(machine("npu1"), body, loop=True)
    assert [
        (e.first, e.second, e.kind) for edges in graph.successors for e in edges if e.kind in ("memory", "alias")
    ] == [(0, 2, "memory")]
    assert {(e.first, e.second) for e in graph.carried if e.kind == "alias"} >= {(1, 0), (2, 0), (1, 2), (2, 1)}


def test_a_distance_is_found_from_offset_and_step() -> None:
    body = [Op("lda", ("r0",), ("p",), at("a", 0, 4, 4)), Op("st", (), ("r0", "p"), at("a", 12, 4, 4))]
    graph = build(machine("npu1"), body, loop=True)
    assert {(e.first, e.second, e.distance) for e in graph.carried if e.kind == "memory"} == {(1, 0, 3)}


def test_a_huge_block_keeps_every_order() -> None:
    """In a block beyond the limit a chain of edges leads from each store to each access that may overlap it."""
    body = [Op("vst", (), (f"x{i}", "p"), Memory("a" if i % 2 else "b", 32, 32 * i, 0)) for i in range(300)]
    graph = build(machine("npu1"), body)
    assert all(any(e.kind == "alias" for e in graph.predecessors[i]) for i in range(1, 300))
    assert sum(map(len, graph.predecessors)) < 600
