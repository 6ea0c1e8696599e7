"""What a look at a source shows."""

from __future__ import annotations

import pytest

from kbench.backends.aie import references
from kbench.backends.aie.backend import AieBackend
from kbench.core.candidate import Track
from kbench.task_specs import npueval_suite

PIPELINED = "void f(int *x) {{ for (int i = 0; i < 64; ++i) {} x[i] = 0; }}"


@pytest.mark.parametrize(
    ("source", "labels"),
    [
        ("void f(int *x) { x[0] = 1; }", set()),
        ("#include <aie_api/aie.hpp>\nvoid f(bfloat16 *x) { x[0] = (bfloat16)1.0f; }", set()),
        ("void f(int *x) { auto v = aie::load_v<16>(x); }", {"vectorised"}),
        ("void f(v16int32 x) {}", {"vectorised"}),
        ("void f(bfloat16 *p) { auto it = aie::begin_restrict_vector<32>(p); }", {"vectorised"}),
        (PIPELINED.format("chess_prepare_for_pipelining chess_loop_range(8, )"), {"chess", "foreign"}),
        (PIPELINED.format("AIE_PREPARE_FOR_PIPELINING"), set()),
    ],
)
def test_labels(source, labels):
    assert AieBackend().source_labels(source) == labels


def test_every_known_solution_is_told_by_its_label():
    backend = AieBackend()
    entry = npueval_suite().tasks["relu_bfloat16"]
    vector, scalar = backend.solutions(entry, Track.FULL)
    assert backend.source_labels(vector.text("kernel")) == {"vectorised"}
    assert backend.source_labels(scalar.text("kernel")) == set()
    assert {vector.sha, scalar.sha} == {references.load("relu_bfloat16", v).sha for v in references.VARIANTS}
