"""Published kernels as tasks: the models on inputs worked out by hand, and a made-up checkout judged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.aie_public_tasks import (
    KERNELS,
    LEDGER,
    added,
    blocked,
    candidate,
    filtered,
    gray_of,
    hue_of,
    judged,
    near_on_the_circle,
    shifted,
    threshold,
    words_transposed,
)
from kbench.backends.aie.movement import movement
from kbench.core.cases import draw
from kbench.core.suite import SuiteTask
from tests.task_specs.test_lazy import ANSWERS, DECLARED_AS, refuses, refuses_copies

BY_NAME = {kernel.entry.task.name: kernel for kernel in KERNELS}


def test_each_is_told_once_and_fits_a_tile() -> None:
    assert len(BY_NAME) == len(KERNELS) >= 30
    for kernel in KERNELS:
        for case in kernel.entry.cases:
            movement(kernel.entry.task, case)
            assert draw(kernel.entry.task, case, 1).expected


@pytest.mark.parametrize("entry", [pytest.param(k.entry, id=n) for n, k in BY_NAME.items()])
def test_lazy_answers_fail(entry: SuiteTask) -> None:
    """An opaque colour's last byte is 0xFF, as unwritten memory is: the run over other garbage tells that one."""
    for lazy in ANSWERS:
        opaque = entry.task.name == "gray_to_rgba" and lazy == "all_but_last"
        if not opaque and DECLARED_AS.get(lazy) not in entry.task.lazy_definition:
            refuses(entry, lazy)
    refuses_copies(entry)


def test_the_ledger_holds_each_and_thirty_pass() -> None:
    ledger = json.loads(LEDGER.read_text())
    assert set(ledger) == set(BY_NAME)
    assert sum(verdict["outcome"] == "passed" for verdict in ledger.values()) >= 30
    assert all(verdict["why"] for verdict in ledger.values() if verdict["outcome"] != "passed")


def test_models() -> None:
    values = np.array([-3, -2, 3, 5])
    assert shifted(values, 1).tolist() == [-2, -1, 1, 2]
    assert shifted(values, 1, up=True).tolist() == [-1, -1, 2, 3]
    assert shifted(values, 1, away=True).tolist() == [-2, -1, 2, 3]
    x, y = np.array([200, 255], np.uint8), np.array([100, 255], np.uint8)
    assert added(1 << 14, 1 << 14, 0, x, y, "uint8").tolist() == [255, 255]
    assert added(1 << 13, 0, 1 << 14, x, y, "uint8").tolist() == [101, 128]
    assert threshold(x, 210, 9, 0).tolist() == [0, 9]
    assert threshold(x, 210, 9, 2).tolist() == [200, 210]
    assert threshold(x, 210, 9, 4).tolist() == [200, 0]
    colours = np.array([[255, 255, 255, 0], [0, 0, 0, 9], [255, 0, 0, 0], [0, 255, 0, 0], [0, 0, 255, 0]], np.uint8)
    assert gray_of(colours).tolist() == [255, 0, 76, 150, 29]
    assert hue_of(colours).tolist() == [0, 0, 0, 85, 170]
    assert near_on_the_circle(np.array([255], np.uint8), np.array([1], np.uint8)) is None
    assert near_on_the_circle(np.array([255], np.uint8), np.array([2], np.uint8)) is not None


def test_models_of_matrices() -> None:
    lines = np.arange(12, dtype=np.uint8).reshape(3, 4)
    centre = np.array([0, 0, 0, 0, 16, 0, 0, 0, 0], np.int16) * 256
    right = np.array([0, 0, 0, 0, 0, 16, 0, 0, 0], np.int16) * 256
    assert filtered(lines, centre).tolist() == [4, 5, 6, 7]
    assert filtered(lines, right).tolist() == [5, 6, 7, 7]
    a, b = np.arange(16).reshape(4, 4), np.arange(16, 32).reshape(4, 4)
    tiles = [m.reshape(2, 2, 2, 2).transpose(0, 2, 1, 3) for m in (a, b)]
    assert blocked(*tiles).transpose(0, 2, 1, 3).reshape(4, 4).tolist() == (a @ b).tolist()
    matrix = np.arange(32 * 32, dtype=np.int16).reshape(32, 32)
    words = matrix.reshape(32, 16, 2).transpose(1, 0, 2)
    vector = np.arange(32, dtype=np.int16)
    assert words_transposed(words, vector).tolist() == (matrix.astype(np.int64) @ vector).tolist()


ADD = """
#include "../aie_kernel_utils.h"
#include <aie_api/aie.hpp>
extern "C" void eltwise_add_bf16_vector(bfloat16 *a, bfloat16 *b, bfloat16 *c) {
  for (int i = 0; i < COUNT; i += 32)
    aie::store_v(c + i, aie::add(aie::load_v<32>(a + i), aie::load_v<32>(b + i)));
}
"""


@pytest.mark.parametrize(("count", "outcome"), [(1024, "passed"), (992, "unwritten")])
def test_a_checkout_is_judged(tmp_path: Path, count: int, outcome: str) -> None:
    folder = tmp_path / "aie_kernels" / "aie2"
    folder.mkdir(parents=True)
    (folder / "add.cc").write_text(ADD.replace("COUNT", str(count)))
    (folder.parent / "aie_kernel_utils.h").write_text("#pragma once\n")
    files = candidate(tmp_path, BY_NAME["add"]).files
    assert set(files) == {"aie_kernels/aie2/add.cc", "aie_kernels/aie_kernel_utils.h", "add.cc"}
    verdict = judged(tmp_path, BY_NAME["add"])
    assert (verdict["outcome"], verdict["source"], verdict["target"]) == (outcome, "aie2/add.cc", "npu1")
