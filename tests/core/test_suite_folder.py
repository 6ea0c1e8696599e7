"""A folder of the user's task files is a suite; a broken one is named with its line."""

from __future__ import annotations

import json
import textwrap

import pytest

from kbench.core.errors import ConfigError
from kbench.core.suite import Suite
from kbench.core.suite_folder import load_suite_folder

TASK = """
import numpy as np
from kbench import Case, Task, Tensor, Tolerance

TASK = Task(
    name="NAME",
    summary="y = |x|.",
    tensors=(Tensor("x"), Tensor("y", "out")),
    behavior=lambda case, inputs: {"y": np.abs(inputs["x"])},
    out_shapes=lambda case, inputs: {"y": case.shapes["x"]},
    draw=lambda case, rng: {"x": rng.standard_normal(case.shapes["x"]).astype(np.float32)},
    tolerance={"*": {"*": Tolerance(0, 1e-6, "one rounding")}},
    dtypes=({"T": "float32"},),
)
CASES = (Case("a", {"x": (3,)}, {"T": "float32"}),)
"""


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))


def test_each_file_is_a_task(tmp_path):
    write(tmp_path, one=TASK.replace("NAME", "one"), two=TASK.replace("NAME", "two"), _shared="1 / 0")
    suite = load_suite_folder(tmp_path, {})
    assert (suite.name, list(suite.tasks)) == (tmp_path.name, ["one", "two"])
    assert [c.name for c in suite.tasks["one"].cases] == ["a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = (\n", "bad.py:2: SyntaxError: '(' was never closed"),
        ("x = 1\n\nimport nonexistent_module\n", "bad.py:3: ModuleNotFoundError"),
        ("def f():\n    return 1 / 0\n\nf()\n", "bad.py:2: ZeroDivisionError"),
        ("from kbench import Task\nTASK = Task(nam='x')\n", "bad.py:2: TypeError"),
        ("x = 1\n", "bad.py:1: expected TASK to be a kbench.Task, got NoneType"),
        (TASK + "\nCASES = ()\n", "bad.py:1: expected CASES to be kbench.Case objects, at least one, got ()"),
    ],
)
def test_a_broken_task_file_is_named_with_its_line(tmp_path, text, message):
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_suite_folder(tmp_path, {})
    assert message in str(caught.value)


def test_two_tasks_of_one_name(tmp_path):
    write(tmp_path, one=TASK, two=TASK)
    with pytest.raises(ConfigError, match=r"two\.py: a task named 'NAME' is in this suite already"):
        load_suite_folder(tmp_path, {})


def test_an_empty_folder_is_no_suite(tmp_path):
    with pytest.raises(ConfigError, match=r"holds no suite: expected suite\.json, or Python files"):
        load_suite_folder(tmp_path, {})


def test_an_imported_folder_goes_to_its_kind(tmp_path):
    (tmp_path / "suite.json").write_text(json.dumps({"kind": "elsewhere"}))
    wanted = Suite("s", {})
    assert load_suite_folder(tmp_path, {"elsewhere": lambda folder: wanted}) is wanted
    with pytest.raises(ConfigError, match="no kind of suite named 'elsewhere'"):
        load_suite_folder(tmp_path, {})
    (tmp_path / "suite.json").write_text("{")
    with pytest.raises(ConfigError, match="names no kind of suite"):
        load_suite_folder(tmp_path, {})
