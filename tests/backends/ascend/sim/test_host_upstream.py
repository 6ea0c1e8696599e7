"""Host sides that nobody here wrote. Set KBENCH_UPSTREAM to a checkout of weich97/NPUKernelBench to run this.

Each host either builds and registers, or names what is not modelled.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kbench.backends.ascend.sim.host import build_host
from kbench.backends.ascend.targets import TARGETS
from kbench.core.candidate import Candidate
from kbench.core.errors import UnsupportedApi
from kbench.core.hostcc.sandbox import sandbox

ROOT = Path(os.environ.get("KBENCH_UPSTREAM", "/nonexistent"))
FOLDERS = sorted([*ROOT.glob("tasks/*/*/*/answer/0/op_host"), *ROOT.glob("tasks/*/*/*/question/op_host")])
DOES_NOT_COMPILE = {"DequantSwigluQuant"}  # its answer holds the remains of a comment as code

pytestmark = pytest.mark.skipif(not FOLDERS, reason="KBENCH_UPSTREAM names no checkout")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f"{f.relative_to(ROOT).parts[3]}-{f.parts[-2]}")
def test_it_builds_and_registers(folder: Path, tmp_path: Path) -> None:
    task = folder.relative_to(ROOT).parts[3]
    if task in DOES_NOT_COMPILE and "answer" in folder.parts:
        pytest.skip("broken upstream")
    files = {f"op_host/{p.relative_to(folder).as_posix()}": p.read_text() for p in folder.rglob("*") if p.is_file()}
    main = next(name for name, text in sorted(files.items()) if "OP_ADD" in text)
    try:
        program = build_host(
            Candidate(files, {"op_host": main}), TARGETS["ascend910b1"], sandbox("auto"), 120, tmp_path
        )
    except UnsupportedApi as error:
        pytest.skip(str(error))
    assert program.registry.rows
