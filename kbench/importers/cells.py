"""Typed rows of a benchmark's table of cases. Nothing is evaluated: a cell is a number, a truth value or a text.

The types are those that the benchmark's own reader (pandas, then its own narrowing of whole numbers) gives, because its
Python tells them apart: a column is of numbers only where every cell is one, whole numbers become int, a column of
truth values becomes 0 and 1, an empty cell is NaN.
"""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path
from typing import Any

from kbench.core.errors import ConfigError

#: Cells that pandas reads as missing.
_MISSING = {
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
}  # fmt: skip
_TRUTH = {"true": True, "false": False}
_WHOLE = re.compile(r"\s*[+-]?\d+\s*")

Row = dict[str, Any]


def read_rows(path: Path) -> list[Row]:
    """The rows of a `;`-separated file, columns typed.

    Raises:
        ConfigError: no such file, no header, or a row with more cells than columns; names file and line.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            lines = [(n, cells) for n, cells in enumerate(csv.reader(file, delimiter=";"), 1) if any(cells)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{path}: {error}") from None
    if not lines:
        raise ConfigError(f"{path}: no header")
    header = lines[0][1]
    for number, cells in lines[1:]:
        if len(cells) > len(header):
            raise ConfigError(f"{path}:{number}: {len(cells)} cells, but {len(header)} columns")
    table = [cells + [""] * (len(header) - len(cells)) for _, cells in lines[1:]]
    columns = [_typed([row[i] for row in table]) for i in range(len(header))]
    return [dict(zip(header, values, strict=True)) for values in zip(*columns, strict=True)]


def _typed(cells: list[str]) -> list[Any]:
    present = [c for c in cells if c not in _MISSING]
    if present and all(c.lower() in _TRUTH for c in present):
        whole = len(present) == len(cells)
        return [(int(_TRUTH[c.lower()]) if whole else _TRUTH[c.lower()]) if c in present else math.nan for c in cells]
    numbers = [_number(c) for c in cells]
    if any(n is None for n in numbers):
        return [math.nan if c in _MISSING else c for c in cells]
    if all(isinstance(n, int) or (math.isfinite(n) and n == int(n)) for n in numbers if n is not None):
        return [int(n) for n in numbers if n is not None]
    return [float(n) for n in numbers if n is not None]


def _number(cell: str) -> int | float | None:
    if cell in _MISSING:
        return math.nan
    if _WHOLE.fullmatch(cell):
        return int(cell)
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None
