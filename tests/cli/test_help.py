"""The program itself: its help, its version, its plugins."""

from __future__ import annotations

import subprocess
import sys

from tests.cli.program import kbench, searching


def test_a_plugin_that_fails_is_a_sentence_with_a_way_out():
    done = kbench("list", plugins=("-p", "no_such_plugin", "-p", "no:aie", "-p", "no:ascend"))
    assert done.returncode == 2
    assert "plugin 'no_such_plugin' (--plugin no_such_plugin) does not import: ModuleNotFoundError" in done.stderr
    assert "kbench --plugin no:no_such_plugin" in done.stderr


def test_help_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['kbench', '--help']\n"
        "from kbench.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'pydantic', 'duckdb', 'jinja2', 'pluggy', 'ml_dtypes', 'torch'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_version():
    assert kbench("--version").stdout.startswith("kbench ")


def test_commands_are_listed_in_the_order_of_their_use():
    listed = [line.split()[1] for line in kbench("--help").stdout.split("Commands")[1].splitlines() if "│ " in line]
    assert listed == [
        "run", "list", "show", "prompt", "exec", "profile", "score", "extract", "compare", "import", "doctor", "rag"
    ]  # fmt: skip


def test_names_are_completed():
    program = "import sys; sys.argv = ['kbench']; from kbench.cli import main; main()"
    asked = {"_TYPER_COMPLETE_ARGS": "kbench run --target npu", "_KBENCH_COMPLETE": "complete_zsh"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=searching() | asked)
    assert done.returncode == 0, done.stderr
    for target in ("npu1", "npu2"):
        assert target in done.stdout
    assert "ascend910b1" not in done.stdout
