"""The committed draws of mutants of kernels for a tile: whole, and argued where something survived."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.aie_mutations import KINDS

DRAWS = json.loads((Path(__file__).parents[2] / "benchmarks" / "aie_mutants_ledger.json").read_text())


@pytest.mark.parametrize("draw", DRAWS.values(), ids=list(DRAWS))
def test_a_draw_is_whole_caught_and_argued(draw: dict[str, Any]) -> None:
    assert draw["of"] >= 100
    assert set(draw["kinds"]) == set(KINDS)
    assert all(counts["killed"] + counts["survived"] >= 10 for counts in draw["kinds"].values())
    assert draw["rate"] >= 0.97
    assert all(s["argument"] for s in [*draw["survivors"], *draw["equivalent"]])
