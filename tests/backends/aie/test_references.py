"""The packaged kernels: a scalar one for every task, vectorised ones for nearly all, each the function of its task."""

from __future__ import annotations

import re

import pytest

import kbench
from kbench.backends.aie.interface import TARGETS, signature
from kbench.backends.aie.references import VARIANTS, load
from kbench.core.backend import Settings
from kbench.core.candidate import Candidate
from kbench.core.suite import SuiteTask
from kbench.task_specs import npueval_suite

TASKS = npueval_suite().tasks
ENTRIES = [pytest.param(entry, id=name) for name, entry in TASKS.items()]
#: Tasks that a vector unit without gathering loads does not help.
SCALAR_ONLY = {"gather_bfloat16_int32idx", "shuffle_int32"}
HEADERS = {"aie_api/aie.hpp", "aie_kernel_utils.h"}


def variants(entry: SuiteTask) -> dict[str, Candidate]:
    found = {name: load(entry.task.name, name) for name in VARIANTS}
    return {name: candidate for name, candidate in found.items() if candidate is not None}


def test_there_is_one_for_each_task() -> None:
    assert load("no_such_task") is None
    assert {name for name, entry in TASKS.items() if "scalar" not in variants(entry)} == set()
    assert {name for name, entry in TASKS.items() if "vector" not in variants(entry)} == SCALAR_ONLY


@pytest.mark.parametrize("entry", ENTRIES)
def test_it_is_the_task_s_function(entry: SuiteTask) -> None:
    """Its declaration is that of the prompt, and it includes what the prompt shows."""
    wanted = signature(entry.task, entry.cases[0])
    for candidate in variants(entry).values():
        text = candidate.text("kernel")
        assert set(re.findall(r'#include [<"]([^>"]+)[>"]', text)) <= HEADERS
        found = re.findall(rf"^(void {entry.task.name}\([^)]*\)) {{$", text, re.MULTILINE)
        assert [re.sub(r"\s+", " ", f).replace("*__restrict ", "*") for f in found] == [wanted]
        assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("entry", ENTRIES)
def test_vectorised_kernels_use_the_vector_api(entry: SuiteTask) -> None:
    vector = variants(entry).get("vector")
    assert vector is None or "aie::" in vector.text("kernel")


#: One of each kind: bytes, a function, a search, a border that is written twice, modes of rounding and saturation.
JUDGED = (
    "bitcount_uint8",
    "gelu_bfloat16",
    "argmax_int32",
    "conv1d_bfloat16",
    "conv2d_bfloat16",
    "cast_bfloat16_to_int8",
    "matmul_16x16_int8",
)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", JUDGED)
def test_it_passes(name: str, target: str) -> None:
    for candidate in variants(TASKS[name]).values():
        record = kbench.evaluate(TASKS[name], candidate, "aie", settings=Settings(target=target))
        assert record.passed, record.message
        assert not record.findings
        assert not any(case.findings for case in record.cases), "padding that nobody writes is no finding"
