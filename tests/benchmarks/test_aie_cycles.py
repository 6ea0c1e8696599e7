"""The cycle model beside published counts, and in families of kernels whose order is known."""

from __future__ import annotations

import pytest

from benchmarks.aie_cycles import markdown, measured, out_of_order, profiled
from benchmarks.aie_published import Family, Published, families, published

JUDGED = [row for row in published() if row.limit is not None]


@pytest.mark.parametrize("row", JUDGED, ids=lambda row: f"row{row.number}")
def test_a_published_count_is_met(row: Published) -> None:
    profile = profiled(row.task, row.source, "npu1")
    assert row.limit is not None
    assert profile.cycles == pytest.approx(row.cycles, rel=row.limit)
    if row.vector_cycles == 0:
        assert profile.scores["vectorization"] == 0
    else:
        assert profile.scores["vectorization"] * row.cycles == pytest.approx(row.vector_cycles, rel=row.limit)


@pytest.mark.parametrize("family", families()[:1], ids=lambda family: family.name)
def test_faster_forms_of_a_kernel_are_faster(family: Family) -> None:
    found = measured(family)
    assert out_of_order(found) == []
    assert found["scalar", "npu1"].scores["vectorization"] == 0


def test_tables_align_numbers_to_the_right() -> None:
    assert markdown([("a", "b"), ("x", "1,024"), ("y", "+3%")]) == [
        "| a | b |",
        "| --- | ---: |",
        "| x | 1,024 |",
        "| y | +3% |",
    ]
