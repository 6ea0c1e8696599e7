import pytest
from kbench_backend_c import CBackend

from kbench import Candidate
from kbench.core.hostcc.signature import signature_of
from kbench.testing import SCALE_AND_ADD, BackendConformance

HEAD = f"#include <stdint.h>\n{signature_of(SCALE_AND_ADD.task)} {{\n    "


def kernel(body):
    return Candidate({"kernel.c": f"{HEAD}{body}\n}}\n"}, {"kernel": "kernel.c"}, "ScaleAndAdd")


class TestC(BackendConformance):
    good = kernel("for (int64_t i = 0; i < y_size; i++) y[i] = (float)scale * x[i] + z[i];")
    wrong = kernel("for (int64_t i = 0; i < y_size; i++) y[i] = (float)scale * x[i];")
    unwritten = kernel("for (int64_t i = 0; i < y_size - 1; i++) y[i] = (float)scale * x[i] + z[i];")
    syntax_error = kernel("y[0] = x[0] +;")
    syntax_error_line = 3
    crash = kernel("*(volatile float *)16 = 1;")
    hang = kernel("for (volatile int i = 0;; i++) {}")

    @pytest.fixture
    def backend(self):
        return CBackend()
