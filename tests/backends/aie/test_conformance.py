"""The AIE backend under the kit that third parties run."""

from __future__ import annotations

import pytest

from kbench.backends.aie.backend import AieBackend
from kbench.core.candidate import Candidate
from kbench.testing import BackendConformance

KERNEL = """#include <aie_api/aie.hpp>

void ScaleAndAdd(float *x, float *z, float *y, float scale) {
    for (unsigned i = 0; i < X_SIZE; ++i)
        y[i] = scale * x[i] + z[i];
}
"""
LINE = "y[i] = scale * x[i] + z[i];"


def candidate(new: str = LINE, old: str = LINE) -> Candidate:
    """The right kernel with one text replaced."""
    assert KERNEL.count(old) == 1
    return Candidate({"ScaleAndAdd.cc": KERNEL.replace(old, new)}, {"kernel": "ScaleAndAdd.cc"}, "ScaleAndAdd")


class TestAie(BackendConformance):
    good = candidate()
    wrong = candidate("y[i] = scale * x[i];")
    unwritten = candidate("i + 1 < X_SIZE", "i < X_SIZE")
    syntax_error = candidate(LINE.replace(";", ""))
    syntax_error_line = 5
    crash = candidate("*(volatile float *)0 = 1;")
    hang = candidate("for (volatile int k = 0;; k = k + 1) {}")

    @pytest.fixture
    def backend(self):
        return AieBackend()
