"""Simulated elementwise kernels against NumPy on the same arrays: the ratio of their times.

    python benchmarks/elementwise.py [--elements 6291456] [--rounds 7]

The reference kernels, with every check of the simulator on. Simulated is one launch of the built kernel, its process
and sandbox and the copy of the inputs included; NumPy is the task's formula in the array's own dtype, on warm arrays.
The two alternate. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from kbench import Case, Settings, Track
from kbench.backends.ascend.backend import AscendBackend
from kbench.core.cases import draw
from kbench.task_specs import quick_suite

FORMULAS: dict[tuple[str, str], Callable[..., Any]] = {
    ("AddCustom", "float16"): lambda v: v["x"] + v["y"],
    ("Sqrt", "float16"): lambda v: np.sqrt(v["x"]),
    ("Sqrt", "float32"): lambda v: np.sqrt(v["x"]),
    ("Neg", "float16"): lambda v: -v["x"],
    ("Neg", "float32"): lambda v: -v["x"],
    ("FastGelu", "float16"): lambda v: _fast_gelu(v["x"]),
    ("FastGelu", "float32"): lambda v: _fast_gelu(v["x"]),
}


def _fast_gelu(x: np.ndarray) -> np.ndarray:
    return x / (1 + np.exp(x.dtype.type(-1.702) * x))


def measure(name: str, dtype: str, elements: int, rounds: int) -> dict[str, float]:
    backend, entry = AscendBackend(), quick_suite().tasks[name]
    shapes = {t.name: (elements,) for t in entry.task.inputs}
    case = Case("big", shapes, {"T": dtype}, dict(entry.cases[0].attrs))
    entry = replace(entry, cases=(case,))
    settings = Settings(target=backend.default_target, run_timeout_s=300)
    candidate = backend.reference(entry, Track.FULL)
    assert candidate is not None
    with tempfile.TemporaryDirectory() as scratch, np.errstate(all="ignore"):
        build = backend.compile(candidate, entry, (case,), settings, Path(scratch))
        inputs = draw(entry.task, case, 0).inputs
        pairs = []
        for _ in range(rounds + 1):
            start = time.perf_counter()
            backend.run(build, entry, case, inputs, settings)
            middle = time.perf_counter()
            FORMULAS[name, dtype](inputs)
            pairs.append((middle - start, time.perf_counter() - middle))
    simulated, numpy = (statistics.median(c) * 1e3 for c in zip(*pairs[1:], strict=True))
    return {"simulated_ms": round(simulated, 1), "numpy_ms": round(numpy, 1), "ratio": round(simulated / numpy, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=6 * 2**20)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    found = {f"{name} {dtype}": measure(name, dtype, given.elements, given.rounds) for name, dtype in FORMULAS}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
