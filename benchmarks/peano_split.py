"""Draws which families of Peano's schedules are for training and which are the test set.

    python benchmarks/peano_split.py

The split was drawn once, before the scheduler had been run on any row. Families (files of `peano_rows`) stay whole:
their rows are alike. Within each stratum (target, and whether most rows are loops) the families are shuffled with
the seed, and each goes to the half that has fewer rows so far; the test half first.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from pathlib import Path

from tests.backends.aie.schedule.rows import FOLDER, Row, read_all

SEED = 20261130
SPLIT = FOLDER.parent / "peano_split.json"


def draw(rows: list[Row], seed: int) -> dict[str, list[str]]:
    """`{"test": families, "training": families}`."""
    families: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        families[row.family].append(row)
    strata: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for family, members in families.items():
        loops = sum(row.kind != "block" for row in members)
        strata[members[0].target, 2 * loops > len(members)].append(family)
    chance = random.Random(seed)
    halves: dict[str, list[str]] = {"test": [], "training": []}
    for stratum in sorted(strata):
        names = sorted(strata[stratum])
        chance.shuffle(names)
        taken = {"test": 0, "training": 0}
        for name in names:
            half = min(taken, key=lambda h: (taken[h], h))
            halves[half].append(name)
            taken[half] += len(families[name])
    return {half: sorted(names) for half, names in halves.items()}


def half(name: str) -> list[Row]:
    """The rows of `training` or `test`."""
    families = json.loads(SPLIT.read_text())[name]
    return [row for row in read_all() if row.family in families]


def write(path: Path = SPLIT) -> None:
    """Draws and writes the split."""
    path.write_text(json.dumps(draw(read_all(), SEED), indent=1) + "\n")


if __name__ == "__main__":
    write()
