"""Real kernels' bundles before the independent judge of schedules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kbench.backends.aie import references
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate
from kbench.task_specs import npueval_suite
from tests.backends.aie.cycles.kernels import BACKEND
from tests.backends.aie.schedule.checker import violations

FOLDER = Path(references.__file__).parent
TASKS = npueval_suite().tasks


@pytest.mark.parametrize(
    ("task", "which", "target"),
    [
        ("matmul_16x16_int8", "vector", "npu1"),
        ("dotproduct_bfloat16", "vector", "npu1"),
        ("conv1d_int32", "vector", "npu2"),
        ("cumsum_int16", "vector", "npu1"),
        ("argmax_int32", "scalar", "npu2"),
    ],
)
def test_bundles_of_real_kernels_break_no_rule(task: str, which: str, target: str, tmp_path: Path):
    entry = TASKS[task]
    source = (FOLDER / task / f"{which}.cc").read_text()
    settings, case = Settings(target=target), entry.cases[0]
    inputs = entry.task.draw(case, np.random.default_rng(0))
    candidate = Candidate({f"{task}.cc": source}, {"kernel": f"{task}.cc"}, task)
    built = BACKEND.compile(candidate, entry, [case], settings, tmp_path)
    result = BACKEND.run(built, entry, case, inputs, settings)
    seen = built.data.closeup(next(iter(built.data.modules)), result)
    for routine in seen.program.routines.values():
        assert violations(routine.selected.function, routine.schedule, 3) == []
