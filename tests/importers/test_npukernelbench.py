"""Import and load of a small made-up checkout, with the benchmark's Python in the sandbox."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kbench.core.candidate import Track
from kbench.core.cases import Drawn, case_elements, draw, plan_cases
from kbench.core.check import check
from kbench.core.errors import CheckError, ConfigError, HarnessError, ToolMissing
from kbench.core.suite import Suite
from kbench.importers import load_suite_folder
from kbench.importers.npukernelbench import import_suite
from kbench.importers.reference_server import ReferenceError, ReferenceServer
from tests.importers.checkout import write_checkout

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("import")
    done = import_suite(write_checkout(root / "checkout"), root / "suite")
    assert (done.tasks, done.cases) == (3, 6)
    assert set(done.invalid) == {"ScaleShift/2", "ScaleShift/3"}
    return root / "suite"


@pytest.fixture(scope="module")
def suite(folder: Path) -> Iterator[Suite]:
    loaded = load_suite_folder(folder)
    yield loaded
    loaded.close()


def drawn(suite: Suite, task: str, case: str) -> Drawn:
    entry = suite.tasks[task]
    return draw(entry.task, next(c for c in entry.cases if c.name == case), 5)


def test_the_copy_is_unmodified_and_stands_alone(folder: Path) -> None:
    theirs = folder.parent / "checkout/tasks"
    copied = {p.relative_to(folder / "tasks"): p.read_bytes() for p in (folder / "tasks").rglob("*") if p.is_file()}
    assert copied == {p.relative_to(theirs): p.read_bytes() for p in theirs.rglob("*") if p.is_file()}
    assert len(json.loads((folder / "suite.json").read_text())["source"]["sha256"]) == 64


def test_what_a_task_is(suite: Suite) -> None:
    entry = suite.tasks["ScaleShift"]
    task = entry.task
    assert (task.level, task.category, task.summary) == (1, "Demo", "What ScaleShift does, in words.")
    assert [(t.name, t.role, t.dtype, t.optional) for t in task.tensors] == [
        ("x", "in", "T", False),
        ("shift", "in", "T", True),
        ("y", "out", "T", False),
        ("flag", "out", "float32", False),
    ]
    assert task.dtypes == ({"T": "float16"}, {"T": "float32"})
    assert [(a.name, a.type) for a in task.attrs] == [("scale", "float")]
    assert entry.plain_launch


def test_what_a_case_is(suite: Suite) -> None:
    first, second = suite.tasks["ScaleShift"].cases
    assert (first.name, first.shapes, first.dtypes) == ("0", {"x": (4, 6), "shift": (4, 6)}, {"T": "float16"})
    assert (second.shapes["shift"], second.attrs) == (None, {"scale": 3.0})
    task = suite.tasks["ScaleShift"].task
    assert task.out_shapes(first, {}) == {"y": (4, 6), "flag": (4, 3)}
    assert first.unchecked == ("flag",)
    assert case_elements(task, first, 0) == 24 * 3 + 12


def test_rows_that_cannot_run_are_shown(suite: Suite) -> None:
    entry = suite.tasks["ScaleShift"]
    skipped = plan_cases(entry, entry.cases, 1000).skipped
    assert "no dtype row of ScaleShift takes x float64" in skipped["2"]
    assert "SyntaxError" in skipped["3"]


def test_lists_and_numbers_that_reach_the_kernel_as_tensors(suite: Suite) -> None:
    given = drawn(suite, "ListStep", "1")
    assert [a.shape for a in given.inputs["x"]] == [(5,)]  # type: ignore[union-attr]
    step = given.inputs["step"]
    assert isinstance(step, np.ndarray)
    assert (step.dtype, step.tolist()) == (np.float32, [2.0])
    assert len(drawn(suite, "ListStep", "0").expected["y"]) == 2  # type: ignore[arg-type]


def test_the_reference_and_the_seed(suite: Suite) -> None:
    given, again = drawn(suite, "ScaleShift", "0"), drawn(suite, "ScaleShift", "0")
    x, shift, y = (np.asarray(v, np.float32) for v in (given.inputs["x"], given.inputs["shift"], given.expected["y"]))
    assert np.allclose(y, 0.5 * x + shift, atol=2e-3)
    assert np.array_equal(np.asarray(again.inputs["x"]), np.asarray(given.inputs["x"]))
    assert np.any(x < 0)


def test_in_place_arguments_and_casts_of_results(suite: Suite) -> None:
    given = drawn(suite, "AddInto", "0")
    acc, x = np.asarray(given.inputs["acc"]), np.asarray(given.inputs["x"])
    assert np.array_equal(np.asarray(given.expected["acc"]), acc + x)
    positive = np.asarray(given.expected["positive"])
    assert positive.dtype == np.bool_
    assert np.array_equal(positive, x > 0)
    assert suite.tasks["AddInto"].task.tensor("acc").role == "inout"


def test_an_attribute_that_is_drawn_is_the_cases(suite: Suite) -> None:
    entry = suite.tasks["AddInto"]
    imported = entry.cases[0].attrs["axes"]
    for seed in range(4):
        draw(entry.task, entry.cases[0], seed)  # raises where the drawn attribute is another
    assert imported[0] == 0
    assert 0 <= imported[1] < 4


def test_integers_where_only_an_npu_draws_them(suite: Suite) -> None:
    given = drawn(suite, "AddInto", "1")
    assert np.asarray(given.inputs["x"]).dtype == np.int32
    assert np.unique(np.asarray(given.inputs["x"])).size > 2


def test_tolerances_are_the_benchmarks(suite: Suite) -> None:
    def of(task: str, case: int, output: str, dtype: str) -> tuple[float, float, bool]:
        entry = suite.tasks[task]
        found = entry.task.tolerance_of(output, dtype, entry.cases[case])
        return found.atol, found.rtol, found.either

    assert of("ScaleShift", 0, "y", "float16") == (0.004, 0.002, True)
    assert of("ListStep", 0, "y", "float16") == (0.01, 0.02, True)
    assert of("ListStep", 1, "y", "bfloat16") == (0.05, 0.02, True)
    atol, rtol, _ = of("AddInto", 0, "acc", "float16")
    assert (atol, rtol) == pytest.approx((0.25, 0.25), rel=1e-2)
    assert of("AddInto", 1, "acc", "int32") == (0.0, 0.0, False)
    assert of("AddInto", 0, "positive", "bool") == (0.0, 0.0, False)


def test_strict_and_upstream_checkers(suite: Suite) -> None:
    given = drawn(suite, "ListStep", "0")
    entry = suite.tasks["ListStep"]
    upstream = suite.checkers["upstream"]
    right = given.expected
    near = {"y": [a + a.dtype.type(0.005) for a in right["y"]]}  # type: ignore[union-attr]
    far = {"y": [np.zeros_like(a) for a in right["y"]]}  # type: ignore[union-attr]
    for got in (right, near):
        check(entry.task, given.case, given.inputs, right, got)
        assert upstream(entry.task, given.case, given.inputs, right, got) is None
    with pytest.raises(CheckError):
        check(entry.task, given.case, given.inputs, right, far)
    assert "refuses" in str(upstream(entry.task, given.case, given.inputs, right, far))


def test_an_unchecked_output_may_hold_anything(suite: Suite) -> None:
    given = drawn(suite, "ScaleShift", "0")
    got = {**given.expected, "flag": np.full((4, 3), np.nan, np.float32)}
    assert len(check(suite.tasks["ScaleShift"].task, given.case, given.inputs, given.expected, got)) == 2


def test_inputs_that_the_reference_did_not_draw_are_refused(suite: Suite) -> None:
    given = drawn(suite, "ScaleShift", "0")
    with pytest.raises(ReferenceError, match="drew itself"):
        suite.tasks["ScaleShift"].task.behavior(given.case, {**given.inputs, "shift": np.zeros((4, 6), np.float16)})


def test_the_answer_is_the_reference_candidate(suite: Suite) -> None:
    reference = suite.tasks["ListStep"].reference
    assert reference is not None
    answer = reference("ascend", Track.FULL)
    assert answer is not None
    assert answer.entry == "list_step"
    assert answer.roles == {"op_kernel": "op_kernel/list_step.cpp", "op_host": "op_host/list_step.cpp"}
    assert "op_kernel/part.h" in answer.files
    assert reference("aie", Track.FULL) is None
    assert reference("ascend", Track.KERNEL_ONLY) is None


def test_bad_folders(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(ConfigError, match="no checkout of NPUKernelBench"):
        import_suite(tmp_path, tmp_path / "out")
    with pytest.raises(ConfigError, match="not empty"):
        import_suite(folder.parent / "checkout", folder)
    (tmp_path / "suite.json").write_text('{"kind": "npukernelbench", "schema": 99}')
    with pytest.raises(ConfigError, match="schema 1"):
        load_suite_folder(tmp_path)


def test_links_of_a_checkout_are_left_behind(tmp_path: Path) -> None:
    from kbench.importers.npukernelbench import _copy

    checkout = write_checkout(tmp_path / "checkout")
    (checkout / "tasks/level1/Demo/ScaleShift/secret").symlink_to("/etc/passwd")
    _copy(checkout, tmp_path / "out")
    assert not (tmp_path / "out/tasks/level1/Demo/ScaleShift/secret").exists()


# --- the child is hostile, or dies ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReferenceServer]:
    """A server of a copy of the suite whose inputs run what the row says."""
    copy = tmp_path_factory.mktemp("hostile") / "suite"
    shutil.copytree(folder, copy)
    inputs = copy / "tasks/level1/Demo/ScaleShift/validation/prepare_inputs.py"
    inputs.write_text(inputs.read_text().replace("    shape = eval", "    exec(param['code'])\n    shape = eval", 1))
    server = ReferenceServer(copy, timeout_s=5)
    yield server
    server.close()


ROW: dict[str, Any] = {"task": "tasks/level1/Demo/ScaleShift", "seed": 0, "inputs": [0, 1], "outputs": [3, 4]}
CELLS = {"case_id": 0, "shape": "[4, 6]", "dtype": "float16", "scale": 0.5, "shifted": 1}


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import socket; socket.create_connection(('127.0.0.1', 1))", "Error"),
        ("open('/etc/hostname').read()", "Error"),
        ("open('/suite/x', 'w')", "Error"),
        ("raise ValueError('bad row')", "ValueError: bad row"),
        ("import os; os._exit(3)", "ended during 'draw': exit status 3"),
        ("while True: pass", "no answer within 5 s"),
    ],
)
def test_what_the_benchmarks_python_does_ends_as_our_error(hostile: ReferenceServer, code: str, told: str) -> None:
    with pytest.raises(ReferenceError, match=told):
        hostile.ask("draw", **ROW, row=CELLS | {"code": code})


def test_a_child_that_died_is_there_again(hostile: ReferenceServer) -> None:
    assert "torch" in hostile.ask("hello")


@pytest.mark.parametrize(
    "described",
    [
        {"dtype": "float16", "shape": [4], "file": "../suite/suite.json"},
        {"dtype": "object", "shape": [4], "file": "91.bin"},
        {"dtype": "float16", "shape": [-4], "file": "91.bin"},
        {"dtype": "float16", "shape": [3], "file": "91.bin"},
        {"dtype": "float16", "shape": [4], "file": "92.bin"},
        {"dtype": "float16", "shape": "4", "file": "91.bin"},
    ],
)
def test_arrays_are_checked_before_they_are_read(hostile: ReferenceServer, described: dict[str, Any]) -> None:
    hostile.ask("hello")
    child = hostile._child
    assert child is not None
    scratch = Path(child.scratch.name)
    (scratch / "91.bin").write_bytes(bytes(8))
    (scratch / "92.bin").unlink(missing_ok=True)
    (scratch / "92.bin").symlink_to(scratch / "91.bin")
    with pytest.raises(ReferenceError):
        hostile.fetch(described)
    assert hostile.fetch({"dtype": "float16", "shape": [4], "file": "91.bin"}).tolist() == [0, 0, 0, 0]


def test_shapes_are_observed_without_data(folder: Path) -> None:
    """More than any machine holds; and with what stands in for packages that are not installed."""
    server = ReferenceServer(folder)
    try:
        observed = server.ask("observe", fake=True, **ROW, row=CELLS | {"shape": "[1048576, 1048576]"})
    finally:
        server.close()
    assert observed["args"][0]["shape"] == [1048576, 1048576]


def test_a_missing_torch_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbench.importers.reference_server.importlib.util.find_spec", lambda name: None)
    with pytest.raises(ToolMissing, match=r"pip install 'kbench\[torch\]'"):
        ReferenceServer(folder).ask("hello")


def test_a_task_outside_the_suite_is_refused(hostile: ReferenceServer) -> None:
    with pytest.raises(HarnessError, match="outside the suite"):
        hostile.ask("draw", **{**ROW, "task": "../../tmp", "row": CELLS})
