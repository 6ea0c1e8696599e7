"""The example backend: installed by its entry point, sound under the kit, and each seeded fault caught by one test."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "kbench-backend-c"

#: Class of faulty_backends.py → the one test of the kit that catches it.
FAULTS = {
    "ComputesInItsInputs": "test_inputs_are_untouched",
    "IgnoresTheExitStatus": "test_crash_is_a_run_error",
    "IgnoresTheTimeout": "test_hang_ends_in_its_time",
    "WritesBesideWorkdir": "test_writes_only_below_workdir",
    "ReturnsStaleOutputs": "test_new_inputs_give_new_outputs",
    "SwallowsCompileErrors": "test_syntax_error_is_told_with_its_line",
    "WidensItsOutputs": "test_outputs_have_declared_dtype_and_shape",
    "SqueezesItsOutputs": "test_outputs_have_declared_dtype_and_shape",
    "StartsFromZeros": "test_unwritten_never_looks_right",
    "DriftsInTheLastBit": "test_repeats_bit_for_bit",
    "RemembersTheLastBuild": "test_builds_are_independent",
    "LosesTheLine": "test_syntax_error_is_told_with_its_line",
    "BlamesItself": "test_crash_is_a_run_error",
    "DiesWithItsCandidate": "test_crash_is_a_run_error",
    "NeverReturns": "test_hang_ends_in_its_time",
    "LeavesTemporaryFiles": "test_writes_only_below_workdir",
    "OldApi": "test_api_version",
    "NoTarget": "test_name_and_targets",
    "TakesAnyTarget": "test_unknown_target_is_refused",
    "SilentDoctor": "test_doctor_reports",
    "EmptyInterface": "test_prompt_renders",
    "JudgesItself": "test_wrong_fails_the_check",
    "DropsTheTail": "test_good_passes",
}


@pytest.fixture(scope="module")
def failures(run_kit):
    return run_kit(HERE / "faulty_backends.py", EXAMPLE)


def test_the_backend_conforms(failures):
    assert failures["TestSound"] == {}


@pytest.mark.parametrize(("fault", "caught_by"), FAULTS.items())
def test_each_fault_is_caught_by_exactly_one_test(failures, fault, caught_by):
    assert set(failures[f"Test{fault}"]) == {caught_by}, failures[f"Test{fault}"]


def test_the_whole_package_is_small():
    files = [f for f in EXAMPLE.rglob("*") if f.suffix in (".py", ".toml")]
    assert sum(len(f.read_text().splitlines()) for f in files) < 100
