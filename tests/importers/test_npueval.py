"""Import and load of a small made-up checkout of NPUEval, and of a real one where the environment says where it is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from kbench.cli import app
from kbench.core.candidate import Track
from kbench.core.cases import Drawn, draw
from kbench.core.check import check
from kbench.core.errors import CheckError, ConfigError
from kbench.core.generator import Completion, Request
from kbench.core.runs.workbench import checker_of
from kbench.core.suite import Suite
from kbench.generators.replay import Replay
from kbench.importers import load_suite_folder
from kbench.importers.npueval import import_suite
from kbench.importers.npueval_files import read_dataset, solution_code
from kbench.task_specs import npueval_suite
from tests.importers.npueval_checkout import SOURCES, record, records, write_checkout

#: A checkout of AMDResearch/NPUEval: its published outputs against our models.
CHECKOUT = os.environ.get("KBENCH_NPUEVAL_CHECKOUT", "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("import")
    told: list[str] = []
    done = import_suite(write_checkout(root / "checkout"), root / "suite", told.append)
    assert (done.tasks, set(done.invalid)) == (5, {"softplus_bfloat16/typical", "softplus_bfloat16/bend"})
    assert told[0] == "[1/5] abs_int8: 4 cases"
    assert told[-1] == "our models give 4 of 4 published outputs exactly"
    return root / "suite"


@pytest.fixture(scope="module")
def suite(folder: Path) -> Suite:
    return load_suite_folder(folder)


def drawn(suite: Suite, task: str, case: str = "published", seed: int = 5) -> Drawn:
    entry = suite.tasks[task]
    return draw(entry.task, next(c for c in entry.cases if c.name == case), seed)


def test_the_copy_is_unmodified(folder: Path) -> None:
    theirs = folder.parent / "checkout/dataset"
    assert (folder / "npueval.jsonl").read_bytes() == (theirs / "npueval.jsonl").read_bytes()
    for source in theirs.rglob("*.cc"):
        assert (folder / source.relative_to(theirs)).read_bytes() == source.read_bytes()
    assert not list(folder.rglob("*.py"))
    assert len(json.loads((folder / "suite.json").read_text())["source"]["sha256"]) == 64


def test_the_published_vector_is_a_case_beside_ours(suite: Suite) -> None:
    entry = suite.tasks["add_offset_uint8"]
    assert [c.name for c in entry.cases] == [
        "published",
        *(c.name for c in npueval_suite().tasks[entry.task.name].cases),
    ]
    given, vector = drawn(suite, "add_offset_uint8"), records()["add_offset_uint8"]["test_vectors"]
    assert np.asarray(given.inputs["in_buffer"]).tolist() == vector["inputs"][0]["in_buffer"]
    assert np.asarray(given.expected["out_buffer"]).tolist() == vector["outputs"][0]["out_buffer"]
    assert given.case.attrs == {"offset": 2}


def test_the_description_is_the_benchmark_s(suite: Suite) -> None:
    assert suite.tasks["abs_int8"].task.summary == "What it does."
    assert suite.tasks["softplus_bfloat16"].task.summary == npueval_suite().tasks["softplus_bfloat16"].task.summary


def test_scalars_and_parameters_of_every_type(suite: Suite) -> None:
    assert drawn(suite, "dotproduct_bias_relu_bfloat16").case.attrs == {"bias": 9.5, "vector_size": 64}
    assert np.asarray(drawn(suite, "reducemin_bfloat16").expected["out_buffer"]).shape == ()


def test_a_kernel_without_a_record_has_our_cases_only(suite: Suite, folder: Path) -> None:
    entry = suite.tasks["softplus_bfloat16"]
    assert [c.name for c in entry.cases] == ["tails"]
    assert set(entry.invalid) == {"typical", "bend"}
    assert entry.reference is not None
    answer = entry.reference("aie", Track.FULL)
    assert answer is not None
    own = (folder / "kernels/softplus_bfloat16/canonical_scalar.cc").read_text()
    assert answer.text("kernel") == '#include <aie_api/aie.hpp>\n#include "aie_kernel_utils.h"\n' + own


@pytest.mark.parametrize("name", records())
def test_the_published_output_alone_is_no_answer(suite: Suite, name: str) -> None:
    """What a kernel gives that has the published output written into it: right there, and nowhere else."""
    entry = suite.tasks[name]
    output = drawn(suite, name).expected
    verdicts = {}
    for case in entry.cases:
        right = drawn(suite, name, case.name)
        try:
            check(entry.task, case, right.inputs, right.expected, output)
            verdicts[case.name] = True
        except CheckError:
            verdicts[case.name] = False
    assert verdicts.pop("published")
    assert not all(verdicts.values())


# --- candidates -------------------------------------------------------------------------------------------------------


def test_the_canonical_solution_is_the_reference(suite: Suite, folder: Path) -> None:
    reference = suite.tasks["add_offset_uint8"].reference
    assert reference is not None
    answer = reference("aie", Track.KERNEL_ONLY)
    assert answer is not None
    assert (answer.entry, answer.roles) == ("add_offset_uint8", {"kernel": "add_offset_uint8.cc"})
    text = answer.text("kernel")
    assert text.startswith("/*\nWhat it does.\n*/\n#include <aie_api/aie.hpp>\n")
    assert text.endswith(f"offset) {{\n{SOURCES['add_offset_uint8'][2]}\n}}\n")
    assert reference("ascend", Track.FULL) is None


def test_the_dataset_alone_gives_the_solution_too(tmp_path: Path) -> None:
    checkout = write_checkout(tmp_path / "checkout")
    done = import_suite(checkout / "dataset/npueval.jsonl", tmp_path / "suite")
    assert (done.tasks, done.invalid) == (4, {})
    reference = load_suite_folder(tmp_path / "suite").tasks["abs_int8"].reference
    assert reference is not None
    answer = reference("aie", Track.FULL)
    assert answer is not None
    assert answer.text("kernel").splitlines()[3:] == [
        "#include <aie_api/aie.hpp>",
        '#include "aie_kernel_utils.h"',
        "",
        "void abs_int8(int8_t *in_buffer, int8_t *out_buffer) {",
        SOURCES["abs_int8"][2],
        "}",
    ]


@pytest.mark.parametrize("place", ["dataset/kernels", "dataset/kernels/abs_int8"])
def test_kernel_folders(tmp_path: Path, place: str) -> None:
    checkout = write_checkout(tmp_path / "checkout", with_records=True)
    (checkout / "dataset/npueval.jsonl").unlink()
    import_suite(checkout / place, tmp_path / "suite")
    loaded = load_suite_folder(tmp_path / "suite")
    assert list(loaded.tasks) == (["abs_int8"] if place.endswith("abs_int8") else list(SOURCES))
    assert loaded.tasks["abs_int8"].cases[0].name == "published"


def asked(task: str) -> Request:
    return Request(messages=[], suite="npueval", task=task, cases_key="*", sample=0, attempt=0, seed=0)


def test_a_folder_of_solutions_is_replayed(tmp_path: Path) -> None:
    write = {"abs_int8": "void abs_int8() {}", "relu_int8": None}
    for name, code in write.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"code": code, "stats": {"token_usage": {}, "history": []}}))
    (tmp_path / "abs_int8_wrapper.json").write_text('{"result": "Pass"}')  # a result, no solution
    replay = Replay(str(tmp_path))
    done = replay.generate(asked("abs_int8"))
    assert done.candidate is not None
    assert (done.candidate.files, done.candidate.entry) == ({"abs_int8.cc": "void abs_int8() {}"}, "abs_int8")
    assert replay.generate(asked("relu_int8")) == Completion(text="")  # the model's fault, not a missing completion
    with pytest.raises(ConfigError, match="no completion of abs_int8_wrapper"):
        replay.generate(asked("abs_int8_wrapper"))


@pytest.mark.parametrize(
    ("code", "taken"),
    [
        ("void k() {}", "void k() {}"),
        ("void k() {}\nint main() { if (1) { k(); } return 0; }\n", "void k() {}\n\n"),
        ('void k() {}\n// extern "C" {\n// }', "void k() {}\n"),
        ("int main() {", "int main() {"),
    ],
)
def test_what_the_benchmark_takes_of_a_solution(code: str, taken: str, tmp_path: Path) -> None:
    (tmp_path / "k.json").write_text(json.dumps({"code": code}))
    assert solution_code(tmp_path / "k.json") == taken


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[1]", "k.json:1: expected a solution of NPUEval, a JSON object; got a list; generate the solution again"),
        ('{\n"code":', "k.json:2: expected a solution of NPUEval, a JSON object; got no JSON"),
        ('{"code": ["void"]}', "k.json:1: expected 'code' to be text or null, got a list; generate"),
    ],
)
def test_files_that_are_no_solutions(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "k.json").write_text(text)
    with pytest.raises(ConfigError, match=told):
        Replay(str(tmp_path))


def test_a_folder_of_results_is_replayed_from_what_was_compiled(tmp_path: Path) -> None:
    """The kernel as it went to the device, whatever the solution said; other sources there are none."""
    kernel = 'extern "C" int helper();\nvoid abs_int8() {}\n'
    (tmp_path / "abs_int8_wrapper.json").write_text('{"result": "Pass"}')
    (tmp_path / "abs_int8_wrapper.cc").write_text(
        kernel + 'extern "C" {\n    void abs_int8_wrapper() { abs_int8(); }\n}'
    )
    (tmp_path / "other_wrapper.cc").write_text("void other() {}")
    (tmp_path / "plain.cc").write_text("void plain() {}")
    replay = Replay(str(tmp_path))
    done = replay.generate(asked("abs_int8"))
    assert done.candidate is not None
    assert (done.candidate.files, done.candidate.entry) == ({"abs_int8.cc": kernel}, "abs_int8")
    with pytest.raises(ConfigError, match=r"has the tasks abs_int8$"):
        replay.generate(asked("other"))


def test_a_folder_of_results_alone_is_not_replayed(tmp_path: Path) -> None:
    (tmp_path / "k_wrapper.json").write_text('{"result": "Pass"}')
    with pytest.raises(ConfigError, match=r"but results of NPUEval \(NAME_wrapper\.json\): kbench compare RUN"):
        Replay(str(tmp_path))


# --- its comparison ---------------------------------------------------------------------------------------------------


def upstream(suite: Suite, task: str, change: Any) -> str | None:
    right = drawn(suite, task)
    (name,) = right.expected
    got = {name: np.asarray(change(np.array(right.expected[name])))}
    return suite.checkers["upstream"](suite.tasks[task].task, right.case, right.inputs, right.expected, got)


def test_the_benchmark_s_own_comparison_with_all_its_faults(suite: Suite) -> None:
    dot, byte = "dotproduct_bias_relu_bfloat16", "abs_int8"
    assert upstream(suite, dot, lambda y: y) is None
    assert upstream(suite, dot, lambda y: np.full_like(y, np.inf)) is None  # its tolerance scales with the output
    assert upstream(suite, dot, lambda y: np.full_like(y, np.nan)) is not None
    assert upstream(suite, dot, lambda y: (y.astype(np.float32) * 1.05).astype(y.dtype)) is not None
    assert upstream(suite, dot, lambda y: np.repeat(y, 4)) is None  # only the first of a padded output counts
    assert upstream(suite, byte, lambda y: np.where(y == 127, np.int8(126), y)) is None  # one per cent of an integer
    assert "3 of 1024 differ" in str(upstream(suite, byte, lambda y: np.concatenate([y[:3] ^ 64, y[3:]])))
    assert "expected 1024 elements, got 4" in str(upstream(suite, byte, lambda y: y[:4]))


def test_without_a_record_it_allows_what_the_task_does(suite: Suite) -> None:
    task, right = suite.tasks["softplus_bfloat16"].task, drawn(suite, "softplus_bfloat16", "tails")
    for factor, passes in ((1.02, True), (1.05, False)):
        got = {"output": (np.asarray(right.expected["output"]).astype(np.float32) * factor + 0.01)}
        assert (suite.checkers["upstream"](task, right.case, {}, right.expected, got) is None) == passes


def test_the_strict_check_has_none_of_them(suite: Suite) -> None:
    right = drawn(suite, "dotproduct_bias_relu_bfloat16")
    wrong = {"out": np.full_like(np.asarray(right.expected["out"]), np.inf)}
    task = suite.tasks["dotproduct_bias_relu_bfloat16"].task
    with pytest.raises(CheckError):
        checker_of(suite, "strict")(task, right.case, right.inputs, right.expected, wrong)
    checker_of(suite, "upstream")(task, right.case, right.inputs, right.expected, wrong)


def test_a_reference_that_is_not_finite_fails_as_it_does_there(suite: Suite) -> None:
    task = suite.tasks["reducemin_bfloat16"].task
    infinite = {"out_buffer": np.asarray(drawn(suite, "reducemin_bfloat16").expected["out_buffer"]) * -np.inf}
    case = drawn(suite, "reducemin_bfloat16").case
    with np.errstate(invalid="ignore"):
        assert suite.checkers["upstream"](task, case, {}, infinite, infinite) is not None


# --- what is refused --------------------------------------------------------------------------------------------------


def test_bad_places(tmp_path: Path, folder: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ConfigError, match=r"is not NPUEval: expected a checkout of .*; got an empty folder"):
        import_suite(empty, tmp_path / "out")
    with pytest.raises(ConfigError, match=r"gone does not exist; expected a checkout of AMDResearch/NPUEval"):
        import_suite(tmp_path / "gone", tmp_path / "out")
    with pytest.raises(ConfigError, match="not empty"):
        import_suite(folder.parent / "checkout", folder)
    (empty / "npueval.jsonl").write_text("\n")
    with pytest.raises(ConfigError, match=r"npueval\.jsonl: expected a record of a kernel in each line, got no line"):
        import_suite(empty, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    (tmp_path / "suite.json").write_text('{"kind": "npueval", "schema": 99}')
    with pytest.raises(ConfigError, match="schema 1"):
        load_suite_folder(tmp_path)


Change = dict[str, Any]
BUFFER: Change = {"b": 1, "dtype": "int8"}


def vectors(inputs: list[Any], outputs: list[Any], **more: Any) -> Change:
    return {"test_vectors": {"inputs": inputs, "outputs": outputs, **more}}


def one_input(facts: Any) -> Change:
    return vectors([facts], [BUFFER])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"prompt": None}, "expected 'prompt' to be text, got null"),
        ({"prompt": "int main() {}"}, r"expected 'prompt' to hold the function abs_int8\(…\) \{ … \}, got 'int main"),
        ({"kernel_name": "a b"}, "expected 'kernel_name' to be a C identifier, got 'a b'"),
        ({"test_vectors": []}, "expected 'test_vectors' to be an object, got a list"),
        ({"tolerances": {"atol": -1}}, "expected 'atol' in 'tolerances' to be a number from 0 on, got -1"),
        (vectors([], [BUFFER]), "expected a buffer or more in 'inputs', got none"),
        (vectors([BUFFER], []), "expected one buffer in 'outputs', got 0"),
        ({"test_vectors": {"inputs": [BUFFER]}}, "expected 'outputs', a list; got only 'inputs'"),
        (one_input({"dtype": "int8"}), r"expected 'inputs'\[0\] to hold one buffer and its 'dtype', got 'dtype'"),
        (one_input([1]), r"expected 'inputs'\[0\] to hold one buffer and its 'dtype', got a list"),
        (vectors([BUFFER, BUFFER], [BUFFER]), "expected each buffer of 'inputs' once, got 'b' twice"),
        (one_input({"a": [1], "dtype": "object"}), "expected the dtype of 'a' to be one of float16, .*; got 'object'"),
        (one_input({"a": [7, 300], "dtype": "int8"}), "expected 'a' to hold values of int8, got 300"),
        (one_input({"a": [7, 2.5], "dtype": "int8"}), "expected 'a' to hold values of int8, got 2.5"),
        (one_input({"a": [[7], [1, 2]], "dtype": "int8"}), "expected 'a' to hold numbers, lists of one length"),
        (
            vectors([BUFFER], [BUFFER], rtps=[{"n": [1], "dtype": "int8"}]),
            "expected the runtime parameter 'n' to be a number",
        ),
    ],
)
def test_lines_that_are_no_records(tmp_path: Path, change: Change, told: str) -> None:
    lines = [json.dumps(records()["reducemin_bfloat16"]), json.dumps(records()["abs_int8"] | change)]
    (tmp_path / "npueval.jsonl").write_text("\n".join(lines))
    where = rf"npueval\.jsonl:2: kernel '.*': {told}.*; take dataset/npueval\.jsonl or kernel\.json as NPUEval's own"
    with pytest.raises(ConfigError, match=where):
        import_suite(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            '{"kernel_name": "abs',
            r"2: expected one kernel's record, a JSON object; got no JSON \(.*, column 17\); take",
        ),
        ("[]", "2: expected one kernel's record, a JSON object; got a list; take"),
        ("{}", "2: expected 'kernel_name', text; got only nothing; take"),
    ],
)
def test_lines_that_are_no_objects(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "npueval.jsonl").write_text(json.dumps(records()["abs_int8"]) + f"\n{line}\n")
    with pytest.raises(ConfigError, match=rf"npueval\.jsonl:{told}"):
        read_dataset(tmp_path / "npueval.jsonl")


def test_a_kernel_that_is_there_twice(tmp_path: Path) -> None:
    line = json.dumps(records()["abs_int8"])
    (tmp_path / "npueval.jsonl").write_text(f"{line}\n\n{line}\n")
    with pytest.raises(ConfigError, match=r"jsonl:3: expected each kernel once, got 'abs_int8' as in line 1"):
        read_dataset(tmp_path / "npueval.jsonl")


def test_text_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "npueval.jsonl").write_bytes(b"{}\n\xff")
    with pytest.raises(ConfigError, match=r"jsonl:2: expected text in UTF-8, got byte 0xff"):
        read_dataset(tmp_path / "npueval.jsonl")


def test_records_and_sources_of_kernel_folders_are_named(tmp_path: Path) -> None:
    checkout = write_checkout(tmp_path / "checkout", with_records=True)
    (checkout / "dataset/npueval.jsonl").unlink()
    kernels = checkout / "dataset/kernels"
    pretty = json.dumps(records()["abs_int8"], indent=1)
    (kernels / "abs_int8/kernel.json").write_text(pretty)
    import_suite(kernels, tmp_path / "suite")  # over several lines it is a record all the same
    assert load_suite_folder(tmp_path / "suite").tasks["abs_int8"].cases[0].name == "published"
    (kernels / "abs_int8/kernel.json").write_text(pretty[:-40])
    with pytest.raises(ConfigError, match=r"abs_int8/kernel\.json:\d{3,}: expected one kernel's record"):
        import_suite(kernels, tmp_path / "again")
    (kernels / "abs_int8/canonical_scalar.cc").write_text("int nothing;\n")
    (kernels / "abs_int8/kernel.json").write_text(pretty)
    with pytest.raises(ConfigError, match=r"canonical_scalar\.cc:1: expected a function `void NAME\(…\)`, got 'int no"):
        import_suite(kernels, tmp_path / "again")


def test_kernels_that_kbench_does_not_tell_are_named(tmp_path: Path) -> None:
    zeros = np.zeros(8, np.int8)
    lines = [
        record("another_int8", {"x": zeros}, ("y", zeros)),
        record("abs_int8", {"in_buffer": zeros}, ("out_buffer", zeros)),
        records()["reducemin_bfloat16"],
    ]
    (tmp_path / "npueval.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = import_suite(tmp_path, tmp_path / "suite")
    assert done.tasks == 1
    assert done.invalid["another_int8"].startswith("kbench tells no task of this name; docs/imported-suites.md")
    assert done.invalid["abs_int8"].startswith("its buffers are [('in_buffer', (8,), 'int8')")


# --- the command line -------------------------------------------------------------------------------------------------


def test_import_list_and_show(tmp_path: Path) -> None:
    checkout = write_checkout(tmp_path / "checkout")
    run = CliRunner()
    done = run.invoke(app, ["import", "npueval", str(checkout), "--out", str(tmp_path / "suite")])
    assert done.exit_code == 0, done.output
    assert "our models give 4 of 4 published outputs exactly" in done.output
    listed = run.invoke(app, ["list", "tasks", "--suite", str(tmp_path / "suite"), "--json"])
    assert json.loads(listed.stdout)["tasks"] == list(SOURCES)
    assert "the published vector" in run.invoke(app, ["show", "abs_int8", "--suite", str(tmp_path / "suite")]).stdout


def test_a_folder_that_is_called_like_a_suite_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = write_checkout(tmp_path / "checkout")
    monkeypatch.chdir(tmp_path)
    for out, named in (("npueval", "./npueval"), ("imported", "imported")):
        done = CliRunner().invoke(app, ["import", "npueval", str(checkout), "--out", out])
        assert f"run it with: kbench run --suite {named} --backend aie" in done.output
    listed = CliRunner().invoke(app, ["list", "tasks", "--suite", "./npueval", "--json"])
    assert json.loads(listed.stdout)["tasks"] == list(SOURCES)


def test_a_backend_without_references_says_so(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["run", "--backend", "ascend", "--suite", "npueval", "--out", str(tmp_path / "run")])
    assert done.exit_code == 2
    assert "none of the 103 tasks of suite 'npueval' has a reference solution for backend 'ascend'" in done.output
    assert not (tmp_path / "run").exists()


# --- the real one -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not CHECKOUT, reason="KBENCH_NPUEVAL_CHECKOUT names no checkout of AMDResearch/NPUEval")
def test_the_published_outputs(tmp_path: Path) -> None:
    """101 of 102 outputs exactly; of gelu's 256 elements two in the tail, by one bfloat16 step and by 3e-8."""
    done = import_suite(Path(CHECKOUT), tmp_path / "suite")
    assert done.tasks == 103
    differing: dict[str, list[float]] = {}
    own = npueval_suite().tasks
    for name, entry in load_suite_folder(tmp_path / "suite").tasks.items():
        if entry.cases[0].name != "published":
            assert name == "softplus_bfloat16"
            continue
        given = draw(entry.task, entry.cases[0], 0)
        modelled = own[name].task.behavior(entry.cases[0], given.inputs)
        ((output, published),) = given.expected.items()
        ours, theirs = np.asarray(modelled[output]), np.asarray(published)
        errors = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
        wrong = np.array([a.tobytes() != b.tobytes() for a, b in zip(ours.flat, theirs.flat, strict=True)])
        if wrong.any():
            differing[name] = errors.reshape(-1)[wrong].tolist()
        _hard_coded_fails(own[name], {output: theirs})
    assert list(differing) == ["gelu_bfloat16"]
    assert len(differing["gelu_bfloat16"]) == 2
    assert max(differing["gelu_bfloat16"]) < 2.0**-24


def _hard_coded_fails(entry: Any, output: dict[str, Any]) -> None:
    """The published output fails at least one of our cases."""
    for case in entry.cases:
        right = draw(entry.task, case, 7)
        try:
            check(entry.task, case, right.inputs, right.expected, output)
        except CheckError:
            return
    raise AssertionError(f"the published output of {entry.task.name} passes every case")
