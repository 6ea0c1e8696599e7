"""Typed cells: what the benchmark's own reader would give, without evaluating anything."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from kbench.core.errors import ConfigError
from kbench.importers.cells import read_rows


def rows(folder: Path, text: str) -> list[dict[str, object]]:
    file = folder / "cases.csv"
    file.write_text(text)
    return read_rows(file)


def test_columns_have_one_type(tmp_path: Path) -> None:
    found = rows(tmp_path, "case_id;n;scale;word;flag;some\n0;3;1.0;[1, 2];True;None\n1;4;2;None;False;7\n\n")
    assert math.isnan(found[0].pop("some"))  # type: ignore[arg-type]
    assert found[0] == {"case_id": 0, "n": 3, "scale": 1, "word": "[1, 2]", "flag": 1}
    assert isinstance(found[1]["scale"], int)
    assert isinstance(found[1]["some"], float)
    assert math.isnan(found[1]["word"])  # type: ignore[arg-type]


def test_fractions_make_the_column_float(tmp_path: Path) -> None:
    found = rows(tmp_path, "a;b\n1;1e-3\n2;x\n")
    assert [type(r["a"]) for r in found] == [int, int]
    assert [r["b"] for r in found] == ["1e-3", "x"]
    assert [r["a"] for r in rows(tmp_path, "a;b\n1;0\n1.5;0\n")] == [1.0, 1.5]


def test_nothing_is_evaluated(tmp_path: Path) -> None:
    text = "a;b\n__import__('os').system('touch pwned');1\n"
    assert rows(tmp_path, text)[0]["a"] == "__import__('os').system('touch pwned')"
    assert not Path("pwned").exists()


def test_a_row_with_too_many_cells_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cases\.csv:3: 3 cells, but 2 columns"):
        rows(tmp_path, "a;b\n1;2\n1;2;3\n")
    with pytest.raises(ConfigError, match="no header"):
        rows(tmp_path, "")
