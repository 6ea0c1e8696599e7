"""Peano's rows: that they are what the page says, and that their halves are those that were drawn."""

from __future__ import annotations

import json

import pytest

from benchmarks.aie_cycles import compared, summary
from benchmarks.peano_split import SEED, SPLIT, draw, half
from kbench.backends.aie.sim.schedule import schedule
from tests.backends.aie.schedule.checker import violations
from tests.backends.aie.schedule.rows import Row, read_all
from tests.backends.aie.schedule.translate import function


def test_there_are_enough_rows_and_both_halves_have_their_share() -> None:
    halves = {name: len(half(name)) for name in ("training", "test")}
    assert sum(halves.values()) == len(read_all()) >= 40
    assert min(halves.values()) >= 20


def test_the_split_is_the_one_that_the_seed_draws() -> None:
    assert draw(read_all(), SEED) == json.loads(SPLIT.read_text())


@pytest.mark.parametrize("row", read_all(), ids=lambda row: row.name)
def test_a_row_says_where_it_comes_from_and_keeps_its_operations(row: Row) -> None:
    assert row.source.startswith(row.target + "/")
    assert row.expected > 0
    translated = [op for block in function(row).blocks for op in block.operations]
    added = sum(op.name == "ret" for op in translated) - sum(op.name == "ret" for op in row.ops)
    counter = 2 * (row.kind == "loop" and row.ops[-1].name == "jnz")  # the scheduler counts pipelined loops itself
    assert len(translated) == len(row.ops) + added - counter
    assert [op.memory is not None for op in translated[: len(row.ops) - counter]] == [
        op.access is not None for op in row.ops[: len(row.ops) - counter]
    ]


@pytest.mark.parametrize("row", read_all(), ids=lambda row: row.name)
def test_a_row_is_scheduled_as_the_machine_allows(row: Row) -> None:
    translated = function(row)
    found = schedule(translated, row.target)
    stages = found.loops["loop"].stages if "loop" in found.loops else 1
    assert violations(translated, found, stages + 2) == []


@pytest.mark.parametrize("name", ["training", "test"])
def test_the_model_is_near_what_peano_makes_of_the_rows(name: str) -> None:
    told = summary([compared(row) for row in half(name)])
    assert told["median"] <= 0.1
    assert told["within 30 %"] >= 0.9
