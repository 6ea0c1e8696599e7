"""The committed draw of mutants of kernels for a tile: whole, and argued where something survived."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.aie_mutations import KINDS

LEDGER = json.loads((Path(__file__).parents[2] / "benchmarks" / "aie_mutants_ledger.json").read_text())


def test_the_draw_is_whole() -> None:
    assert LEDGER["of"] >= 100
    assert set(LEDGER["kinds"]) == set(KINDS)
    assert all(counts["killed"] + counts["survived"] >= 10 for counts in LEDGER["kinds"].values())


def test_nearly_all_are_caught_and_the_rest_is_argued() -> None:
    assert LEDGER["rate"] >= 0.97
    assert all(s["argument"] for s in [*LEDGER["survivors"], *LEDGER["equivalent"]])


def test_an_equivalent_gives_the_same_bits_on_every_case() -> None:
    assert all(s["same_bits"] for s in LEDGER["equivalent"])
