"""The example backend: installed by its entry point, sound under the kit, and each seeded fault caught by one test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "kbench-backend-c"

#: Class of faulty_backends.py → the one test of the kit that catches it.
FAULTS = {
    "KeepsScratchInTheInputs": "test_inputs_are_untouched",
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
    "PromisesAProfile": "test_profile_fits_its_shape",
    "ProfilesInItsOwnShape": "test_profile_fits_its_shape",
    "DrawsOneOverTheOther": "test_timeline_is_a_trace",
    "DrawsNothing": "test_timeline_is_a_trace",
}


def test_the_backend_conforms_and_each_fault_is_caught_by_exactly_one_test(run_kit):
    # One test, so that parallel workers do not each run the kit on every fault.
    failures = run_kit(HERE / "faulty_backends.py", EXAMPLE)
    caught = {name.removeprefix("Test"): set(tests) for name, tests in failures.items()}
    expected = {"Sound": set()} | {fault: {test} for fault, test in FAULTS.items()}
    assert caught == expected, {name: failures[f"Test{name}"] for name in caught if caught[name] != expected.get(name)}


def test_the_whole_package_is_small():
    files = [f for f in EXAMPLE.rglob("*") if f.suffix in (".py", ".toml")]
    assert sum(len(f.read_text().splitlines()) for f in files) < 100


SQRT = """```c
#include <math.h>
#include <stdint.h>

void Sqrt(const T *x, int64_t x_size, T *y, int64_t y_size) {
    for (int64_t i = 0; i < y_size; i++) y[i] = (T)sqrtf((float)x[i]);
}
```
"""


@pytest.fixture
def kbench(tmp_path, installed_example):
    """kbench(arguments) → (status, standard output, standard error), with the example installed beside it."""

    def kbench(*arguments: str) -> tuple[int, str, str]:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(installed_example), *sys.path])}
        command = [sys.executable, "-m", "kbench.cli", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    return kbench


def test_it_is_found_by_its_entry_point(kbench):
    status, out, err = kbench("list", "--json")
    assert status == 0, err
    listed = json.loads(out)
    assert "c" in listed["backends"]
    assert "host" in listed["targets"]


def test_it_may_be_left_out(kbench):
    status, _, err = kbench("--plugin", "no:c", "run", "--backend", "c")
    assert status == 2
    assert "no backend named 'c'" in err


def test_a_run_from_the_command_line(kbench, tmp_path):
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "Sqrt.md").write_text(SQRT)
    options = ["--backend", "c", "--track", "kernel-only", "--tasks", "Sqrt", "--replay", "answers"]
    status, out, err = kbench("run", *options, "--out", "run", "--json")
    assert status == 0, err
    result = json.loads(out)
    assert (result["planned"], result["passed"]) == (1, 1), out + err
    assert result["tasks"] == {"Sqrt": {"passed": 1}}


def test_doctor_shows_it(kbench):
    status, out, err = kbench("doctor", "--backend", "c", "--json")
    assert status == 0, err
    assert any(probe["component"] == "c compile" and probe["status"] == "ok" for probe in json.loads(out))


def test_the_prompt_says_what_the_function_looks_like(kbench):
    status, out, err = kbench("prompt", "Sqrt", "--backend", "c", "--track", "kernel-only")
    assert status == 0, err
    assert "void Sqrt(const T *x, int64_t x_size, T *y, int64_t y_size)" in out
