"""docs/aie.md: what it shows is what there is, and its example passes on every target."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from kbench import Candidate, Request, Settings, evaluate
from kbench.backends.aie.interface import TARGETS
from kbench.backends.aie.movement import sheets
from kbench.core.suite import Suite
from kbench.core.suite_folder import load_suite_folder
from kbench.generators.replay import Replay
from kbench.task_specs import npueval_suite

TEXT = (Path(__file__).parents[1] / "docs/aie.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```\n", TEXT, re.DOTALL))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("docs")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def suite(written: Path) -> Suite:
    return load_suite_folder(written / "tasks", {})


def kernel(written: Path) -> Candidate:
    request = Request(messages=(), suite="tasks", task="bf16_leaky")
    found = Replay(str(written / "kernels")).generate(request).candidate
    assert found is not None
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_the_kernel_passes_as_a_task(suite: Suite, written: Path, target: str) -> None:
    record = evaluate(suite.tasks["bf16_leaky"], kernel(written), "aie", settings=Settings(target=target))
    assert record.outcome == "passed", record.message
    assert [case.case for case in record.cases] == ["n1024", "n64"]


def test_a_kernel_that_ends_too_early_does_not(suite: Suite, written: Path) -> None:
    good = kernel(written)
    (path,) = good.files
    short = Candidate({path: good.files[path].replace("i < count", "i < count - N")}, good.roles, good.entry)
    assert evaluate(suite.tasks["bf16_leaky"], short, "aie").outcome == "unwritten"


def test_the_movement_shown_is_the_task_s() -> None:
    entry = npueval_suite().tasks["conv1d_bfloat16"]
    (sheet,) = sheets(entry.task, entry.cases)
    shown = TEXT.partition("show conv1d_bfloat16 --suite npueval --backend aie\n")[2]
    title, *lines = shown.partition("```")[0].splitlines()
    assert title == sheet.title
    assert [re.split(r" {2,}", line) for line in lines] == [list(sheet.columns), *map(list, sheet.rows)]


def test_every_draw_tells_signs_apart(suite: Suite) -> None:
    task = suite.tasks["bf16_leaky"].task
    for case in suite.tasks["bf16_leaky"].cases:
        x = np.asarray(task.draw(case, np.random.default_rng(0))["x"])
        assert (x < 0).any()
        assert (x > 0).any()
