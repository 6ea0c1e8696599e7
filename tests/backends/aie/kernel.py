"""A small task for one tile, and kernels of it that tests make wrong."""

from __future__ import annotations

import numpy as np

import kbench
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate
from kbench.core.suite import SuiteTask
from kbench.core.task import Attr, Case, Task, Tensor, Tolerance

SIZE = 64
#: y = x + n, where integers wrap.
ENTRY = SuiteTask(
    Task(
        name="increment",
        summary="y = x + n.",
        tensors=(Tensor("x", dtype="int32"), Tensor("y", role="out", dtype="int32")),
        attrs=(Attr("n", "int", dtype="int32"),),
        dtypes=({},),
        behavior=lambda case, inputs: {"y": np.asarray(inputs["x"], np.int32) + np.int32(case.attrs["n"])},
        out_shapes=lambda case, inputs: {"y": case.shapes["x"]},
        draw=lambda case, rng: {"x": rng.integers(-1000, 1000, case.shapes["x"], np.int32)},
        tolerance={"y": {"*": Tolerance(0, 0, "integers: exact")}},
    ),
    (Case("n3", {"x": (SIZE,)}, {}, {"n": 3}),),
)
KERNEL = """#include <aie_api/aie.hpp>

void increment(int32_t *x, int32_t *y, int32_t n) {
    for (unsigned i = 0; i < 64; ++i)
        y[i] = x[i] + n;
}
"""


def candidate(source: str) -> Candidate:
    return Candidate({"increment.cc": source}, {"kernel": "increment.cc"}, "increment")


def body(text: str, before: str = "") -> str:
    """A kernel with this body, which begins in line 4; `before` stands in line 2."""
    head = "void increment(int32_t *x, int32_t *y, int32_t n) {"
    return f"#include <aie_api/aie.hpp>\n{before}\n{head}\n{text}\n}}\n"


def judge(source: str, target: str = "npu1", **settings: object) -> kbench.Record:
    return kbench.evaluate(ENTRY, candidate(source), "aie", settings=Settings(target=target, **settings))  # type: ignore[arg-type]
