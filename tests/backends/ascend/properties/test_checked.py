"""What the table of checked names says is there, and oracles owe nothing to what they judge."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from kbench.backends.ascend.sim.kernel import known_api

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
ORACLES = sorted((HERE.parent / "oracles").glob("*.py"))


def imported(file: Path) -> set[str]:
    tree = ast.parse(file.read_text())
    names = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    return names | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("file", ORACLES, ids=lambda f: f.stem)
def test_an_oracle_imports_nothing_that_it_judges(file: Path) -> None:
    allowed = ("numpy", "scipy", "ml_dtypes", "collections", "dataclasses", "typing", "__future__")
    for name in imported(file):
        assert name.startswith(("tests.backends.ascend.oracles", *allowed)), f"{file.name} imports {name}"


def test_the_table_names_what_exists() -> None:
    """API → the oracle's module, the test, and how its results are compared."""
    table = json.loads((HERE / "checked.json").read_text())
    assert list(table) == sorted(table)
    for name, entry in table.items():
        assert set(entry) == {"oracle", "test", "how"}
        assert (ROOT / entry["oracle"]).is_file(), name
        assert (ROOT / entry["test"]).is_file(), name
    assert set(table) <= set(known_api()), sorted(set(table) - set(known_api()))
