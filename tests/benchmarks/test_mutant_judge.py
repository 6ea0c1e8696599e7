"""What the judge of mutants shares between candidates, and when it calls two of them the same program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.mutant_judge import Judge, Limits, Subject, host_side
from kbench.backends.ascend.references import load
from kbench.core.candidate import Candidate
from kbench.task_specs import quick_suite


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    return Judge(Limits(2**14, 60.0), tmp_path)


def subject(task: str) -> Subject:
    known = load(task)
    assert known is not None
    return Subject("builtin", quick_suite().tasks[task], known, "ascend910b1")


def changed(known: Subject, old: str, new: str) -> Candidate:
    path = known.candidate.roles["op_kernel"]
    text = known.candidate.files[path]
    assert old in text
    return replace(known.candidate, files={**known.candidate.files, path: text.replace(old, new, 1)})


def test_the_smallest_case_comes_first_and_those_beyond_the_limit_not_at_all(judge: Judge) -> None:
    parts = [[c.name for c in part] for part in judge.parts(subject("AddCustom"))]
    assert parts == [["float16_7"], ["float16_3x5x17", "float16_4x256"]]


def test_code_that_optimises_to_the_same_is_the_same_program(judge: Judge) -> None:
    known = subject("Neg")
    assert judge.same_program(known, changed(known, "length < blockLength ?", "length <= blockLength - 1 + 1 ?"))
    assert not judge.same_program(known, changed(known, "length < blockLength ?", "length < blockLength - 1 ?"))


def test_a_dtype_that_only_one_case_has_can_tell_programs_apart(judge: Judge) -> None:
    known = subject("Neg")
    assert not judge.same_program(known, changed(known, "Relu(excess, excess, count);", ""))


def test_a_program_that_does_not_compile_is_another_one(judge: Judge) -> None:
    known = subject("AddCustom")
    assert not judge.same_program(known, changed(known, "EnQue", "EnQueue"))


def test_the_host_side_is_another_one_only_where_it_includes_what_changed() -> None:
    known = subject("AddCustom")
    alone = host_side(known.candidate)
    assert alone == host_side(changed(known, "EnQue", "EnQueue"))
    assert set(alone.files) == {p for p in known.candidate.files if p.startswith("op_host/")}
    header = next(p for p in alone.files if p.endswith(".h"))
    other = replace(known.candidate, files={**known.candidate.files, header: known.candidate.files[header] + "\n"})
    assert host_side(other) != alone


def test_the_cases_cover_the_places_that_they_execute(judge: Judge) -> None:
    known = subject("Neg")
    (path,) = known.kernel_files
    covered = judge.covered(known)
    text = known.candidate.files[path]
    assert covered is not None
    assert (path, text.index("Relu(excess, excess, count);")) in covered
    small = Judge(Limits(1, 60.0), judge.folder / "small")  # one element of the first dtype
    assert (path, text.index("Relu(excess, excess, count);")) not in (small.covered(known) or ())


def test_a_verdict_has_the_outputs_of_each_case(judge: Judge) -> None:
    known = subject("AddCustom")
    original = judge.original(known)
    assert original.record.passed
    assert set(original.digests) == {c.name for c in judge.cases(known)}
    assert judge.judged(known, known.candidate).digests == original.digests
    broken = judge.judged(known, changed(known, "Add(z, x, y, count)", "Sub(z, x, y, count)"))
    assert broken.record.outcome == "wrong_values"
    assert set(broken.digests) == {"float16_7"}
