"""Imports point one way: cli → core ← backends, generators, task_specs, importers."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

KBENCH = Path(__file__).parents[1] / "kbench"
OUTSIDE = (
    "kbench.backends",
    "kbench.generators",
    "kbench.task_specs",
    "kbench.importers",
    "kbench.cli",
    "kbench.testing",
)
SDKS = ("torch", "transformers", "openai", "anthropic", "typer")


def imported(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: a relative import"
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("file", sorted((KBENCH / "core").rglob("*.py")), ids=lambda f: str(f.relative_to(KBENCH)))
def test_core_knows_no_backend_no_generator_and_no_sdk(file):
    wrong = {n for n in imported(file) for bad in (*OUTSIDE, *SDKS) if n == bad or n.startswith(f"{bad}.")}
    assert not wrong


@pytest.mark.parametrize("part", ["generators", "task_specs"])
def test_generators_and_tasks_know_no_backend(part):
    for file in (KBENCH / part).rglob("*.py"):
        assert not {n for n in imported(file) if n.startswith("kbench.backends")}, file


def test_importing_kbench_imports_nothing_else():
    code = "import sys; before = set(sys.modules); import kbench; print(sorted(set(sys.modules) - before - {'kbench'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    third_party = [m for m in ast.literal_eval(done.stdout) if m.split(".")[0] not in sys.stdlib_module_names]
    assert third_party == []


def test_everything_that_is_exported_exists():
    import kbench

    for name in kbench.__all__:
        assert getattr(kbench, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = kbench.nothing
