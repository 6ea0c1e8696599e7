"""The cycle model beside published counts, and in families of kernels whose order is known."""

from __future__ import annotations

import pytest

from benchmarks.aie_cycles import PAGE, markdown, measured, out_of_order, profiled
from benchmarks.aie_published import Family, Published, families, published
from tests.backends.aie.schedule.rows import read_all

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


def test_the_page_has_every_row_with_what_peano_made_of_it() -> None:
    page = PAGE.read_text()
    for row in read_all():
        assert f"| {row.name} | {row.target} | `{row.source}` {row.function} |" in page
    assert "| 9 | argmax int32, scalar | Peano, device | 1,792 |" in page


def test_tables_align_numbers_to_the_right() -> None:
    assert markdown([("a", "b"), ("x", "1,024"), ("y", "+3%")]) == [
        "| a | b |",
        "| --- | ---: |",
        "| x | 1,024 |",
        "| y | +3% |",
    ]
