"""What a wrong kernel is told: its own file and line, the rule, the expected and the actual value."""

from __future__ import annotations

import pytest

import kbench
from tests.backends.ascend import vector_add

KERNEL_FILE = "op_kernel/vector_add.cpp"


def judge(candidate):
    return kbench.evaluate(vector_add.ENTRY, candidate, "ascend")


def errors_of(record):
    """Findings of the compiler and of the cases."""
    found = [*record.findings, *(f for case in record.cases for f in case.findings)]
    return [f for f in found if f.severity == "error"]


def test_the_right_kernel_passes():
    record = judge(vector_add.candidate())
    assert (record.outcome, record.message) == ("passed", "")
    assert not errors_of(record)


def test_a_wrong_kernel_says_expected_and_got():
    candidate, _ = vector_add.changed("Add(z, x, y, length);", "Sub(z, x, y, length);")
    record = judge(candidate)
    assert record.outcome == "wrong_values"
    assert "z[0]: expected" in record.message
    assert "2048 of 2048 differ" in record.message


# (old text, new text, outcome, what the message must say); the finding must name the replaced line.
FAULTS = {
    "syntax error": ("Add(z, x, y, length);", "Add(z, x, y, length)", "compile_error", ["expected ';'"]),
    "hallucinated API": ("Add(z, x, y, length);", "VecAddition(z, x, y, length);", "unknown_api", ["VecAddition"]),
    "misspelt API": (
        "Add(z, x, y, length);",
        "Adds_(z, x, 1.0f, length);",
        "unknown_api",
        ["Adds_", "did you mean", "Adds"],
    ),
    "misspelt enumerator": (
        "Add(z, x, y, length);",
        "Cast(z, x, RoundMode::CAST_ROUNDD, length);",
        "unknown_api",
        ["AscendC::RoundMode::CAST_ROUNDD", "did you mean 'CAST_ROUND'"],
    ),
    "misaligned UB address": (
        "DataCopy(xIn, xGm, length);",
        "DataCopy(xIn[1], xGm, length - 8);",
        "rule_violation",
        ["DataCopy", "32", "4"],
    ),
    "missing EnQue": ("inX.EnQue(xIn);", "", "rule_violation", ["DeQue"]),
    "access past UB": ("Add(z, x, y, length);", "Add(z, x, y[192 * 1024 / 4 - 64], 128);", None, ["Add"]),
    "write past the end": (
        "DataCopy(zGm, zOut, length);",
        "DataCopy(zGm[2048], zOut, length);",
        "out_of_bounds",
        ["DataCopy", "z"],
    ),
    "300 repeats": (
        "Add(z, x, y, length);",
        "int repeat = 300; Add(z, x, y, 64, repeat, {1, 1, 1, 8, 8, 8});",
        "rule_violation",
        ["300", "255"],
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_message_names_line_rule_and_values(fault):
    old, new, outcome, said = FAULTS[fault]
    candidate, line = vector_add.changed(old, new)
    record = judge(candidate)
    if outcome:
        assert record.outcome == outcome, record.message
    else:
        assert record.outcome in ("rule_violation", "out_of_bounds"), record.message
    errors = errors_of(record)
    assert errors, record
    text = " ".join(f"{f.rule} {f.api} {f.message} {f.expected} {f.got}" for f in errors)
    for word in said:
        assert word in text, text
    assert {f.file for f in errors} == {KERNEL_FILE}
    if fault == "missing EnQue":  # noticed where the queue is read
        line = vector_add.KERNEL[: vector_add.KERNEL.index("inX.DeQue")].count("\n") + 1
    if fault == "syntax error":
        assert errors[0].line in (line, line + 1)
    else:
        assert errors[0].line == line, errors


NO_ENTRY = {
    "an empty file": "",
    "no extern C": vector_add.KERNEL.replace('extern "C" ', ""),
    "a name that a macro changes": "#define vector_add other\n" + vector_add.KERNEL,
}


@pytest.mark.parametrize("name", NO_ENTRY)
def test_a_missing_kernel_function_is_named(name):
    text = NO_ENTRY[name]
    record = judge(vector_add.candidate(text))
    assert record.outcome == "link_error"
    assert 'extern "C" __global__ __aicore__ void vector_add(...)' in record.message
    assert "kb_kernel" not in record.message
    (finding,) = errors_of(record)
    declared = [n for n, line in enumerate(text.splitlines(), start=1) if "__global__" in line]
    assert (finding.file, finding.line) == (KERNEL_FILE, *(declared or [0]))


def test_a_workspace_beyond_all_memory_is_the_candidates_fault():
    old = "GetWorkspaceSizes(1)[0] = 0;"
    record = judge(vector_add.candidate(host=vector_add.HOST.replace(old, "GetWorkspaceSizes(1)[0] = 8ull << 30;")))
    assert record.outcome == "memory_limit"
    assert "GetWorkspaceSizes: expected at most 2147483648 bytes, got 8589934592" in record.message
    record = judge(vector_add.candidate(host=vector_add.HOST.replace(old, "GetWorkspaceSizes(1)[0] = 2ull << 30;")))
    assert record.outcome == "passed"


def test_a_host_without_a_data_size_is_told_of_it():
    old = "context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());"
    record = judge(vector_add.candidate(host=vector_add.HOST.replace(old, "")))
    assert record.outcome == "rule_violation"
    assert "expected 4 bytes of tiling data, got 0" in record.message
    assert "SetDataSize" in record.message
