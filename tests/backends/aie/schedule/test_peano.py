"""Peano's rows: that they are what the page says, that their halves are whole, and that the model is near them."""

from __future__ import annotations

import json

import pytest

from benchmarks.aie_cycles import compared, half, summary
from benchmarks.peano_split import SEED, SPLIT, draw
from tests.backends.aie.schedule.checker import violations
from tests.backends.aie.schedule.rows import read_all
from tests.backends.aie.schedule.translate import function


def test_there_are_enough_rows_and_both_halves_have_their_share() -> None:
    rows = read_all()
    assert len(rows) >= 40
    halves = {name: len(half(name)) for name in ("training", "test")}
    assert sum(halves.values()) == len(rows)
    assert min(halves.values()) >= 0.4 * len(rows)


def test_the_split_is_the_one_that_the_seed_draws() -> None:
    assert draw(read_all(), SEED) == json.loads(SPLIT.read_text())
