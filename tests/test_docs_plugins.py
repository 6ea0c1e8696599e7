"""docs/plugins.md tells what is there: every hook, and examples that work."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from kbench.core import hookspecs

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```\n", TEXT, re.DOTALL))


@pytest.mark.parametrize("hook", [name for name in dir(hookspecs) if name.startswith("kbench_register_")])
def test_every_hook_is_documented(hook):
    names = ", ".join(inspect.signature(getattr(hookspecs, hook)).parameters)
    assert f"`{hook}({names})`" in TEXT


def test_the_backend_shown_is_the_example():
    example = ROOT / "examples" / "kbench-backend-c"
    for file in ("kbench_backend_c.py", "pyproject.toml", "test_kbench_backend_c.py"):
        assert FILES[file] == (example / file).read_text(encoding="utf-8")


def test_the_generator_shown_is_the_example():
    example = ROOT / "examples" / "kbench-generator-command"
    for file in ("kbench_generator_command.py", "test_kbench_generator_command.py"):
        assert FILES[file] == (example / file).read_text(encoding="utf-8")
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in example.iterdir() if file.is_file()) < 60


@pytest.mark.parametrize("test", ["test_kbench_generator_command.py", "test_kbench_suite_mine.py"])
def test_the_examples_pass_their_own_tests(test, tmp_path, run_kit, installed_example):
    for name in (test, test.removeprefix("test_")):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    results = run_kit(tmp_path / test, tmp_path, installed_example)
    assert results, "no test ran"
    assert not any(results.values()), results
