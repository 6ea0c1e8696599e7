"""The packaged solutions: one for each built-in task, complete, and registering what the task declares."""

from __future__ import annotations

import re

import pytest

from kbench.backends.ascend.interface import GE_TYPES, kernel_arguments, kernel_name
from kbench.backends.ascend.references import load
from kbench.core.candidate import Candidate
from kbench.core.task import Task
from kbench.task_specs import quick_suite

TASKS = [pytest.param(entry.task, id=name) for name, entry in quick_suite().tasks.items()]


def solution(task: Task) -> Candidate:
    candidate = load(task.name)
    assert candidate is not None
    return candidate


def test_other_tasks_have_none() -> None:
    assert load("NoSuchTask") is None


@pytest.mark.parametrize("task", TASKS)
def test_self_contained(task: Task) -> None:
    candidate = solution(task)
    assert set(candidate.roles) == {"op_kernel", "op_host", "tiling"}
    own = {path.rsplit("/", 1)[-1] for path in candidate.files}
    for text in candidate.files.values():
        for name in re.findall(r'#include "([^"]+)"', text):
            assert name in own or name == "kernel_operator.h" or name.startswith(("register/", "tiling/"))


@pytest.mark.parametrize("task", TASKS)
def test_kernel_takes_the_task_s_tensors_in_order(task: Task) -> None:
    candidate = solution(task)
    names = [t.name for t in kernel_arguments(task)] + ["workspace", "tiling"]
    found = re.search(rf"void {kernel_name(task.name)}\(([^)]*)\)", candidate.text("op_kernel"))
    assert found is not None
    assert re.findall(r"GM_ADDR (\w+)", found.group(1)) == names


@pytest.mark.parametrize("task", TASKS)
def test_host_registers_every_tensor_attribute_and_dtype(task: Task) -> None:
    host = solution(task).text("op_host")
    declared = re.findall(r'->(Input|Output|Attr)\("(\w+)"\)', host)
    assert declared == [
        *(("Input", t.name) for t in task.inputs),
        *(("Output", t.name) for t in task.outputs),
        *(("Attr", a.name) for a in task.attrs),
    ]
    for row in task.dtypes:
        for dtype in row.values():
            assert re.search(rf"ge::{GE_TYPES[dtype]}\b", host)


@pytest.mark.parametrize("task", TASKS)
def test_uses_many_cores_and_two_buffers(task: Task) -> None:
    candidate = solution(task)
    assert "GetCoreNumAiv" in candidate.text("op_host")
    assert "GetBlockIdx" in candidate.text("op_kernel")
    assert task.name == "Fill" or "BUFFER_NUM = 2" in candidate.text("op_kernel")
