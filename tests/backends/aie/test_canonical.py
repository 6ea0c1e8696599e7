"""NPUEval's own solutions through the simulator, on its vectors and on ours; where the environment names a checkout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kbench import Settings, Suite, Track, evaluate
from kbench.backends.aie.interface import TARGETS
from kbench.core.cases import draw
from kbench.core.errors import CheckError
from kbench.core.runs.workbench import checker_of
from kbench.importers import load_suite_folder
from kbench.importers.npueval import import_suite

CHECKOUT = os.environ.get("KBENCH_NPUEVAL_CHECKOUT", "")
pytestmark = pytest.mark.skipif(not CHECKOUT, reason="KBENCH_NPUEVAL_CHECKOUT names no checkout of AMDResearch/NPUEval")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    folder = tmp_path_factory.mktemp("import") / "suite"
    import_suite(Path(CHECKOUT), folder)
    return load_suite_folder(folder)


@pytest.mark.parametrize("target", TARGETS)
def test_every_solution_passes_every_case_that_it_can(suite: Suite, target: str) -> None:
    failed = {}
    for name, entry in suite.tasks.items():
        assert entry.reference is not None
        answer = entry.reference("aie", Track.FULL)
        assert answer is not None
        record = evaluate(entry, answer, "aie", settings=Settings(target=target))
        if not record.passed:
            failed[name] = record.message
    assert failed == {}
    assert len(suite.tasks) == 103


def test_the_benchmark_s_comparison_takes_its_own_outputs(suite: Suite) -> None:
    judge = checker_of(suite, "upstream")
    refused = []
    for name, entry in suite.tasks.items():
        published = draw(entry.task, entry.cases[0], 0)
        try:
            judge(entry.task, published.case, published.inputs, published.expected, published.expected)
        except CheckError:
            refused.append(name)
    assert refused == []
