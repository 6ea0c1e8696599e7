"""What the simulator finds wrong in a kernel, each with the candidate's own line."""

from __future__ import annotations

import pytest

from tests.backends.aie.kernel import KERNEL, body, judge

COPY = "for (unsigned i = 0; i < 64; ++i) y[i] = x[i] + n;"

#: name → (body, which begins in line 4; outcome; line; words of the message)
WRONG = {
    "read before a buffer": (
        "int sum = x[-1];\n" + COPY + "\ny[0] += sum & 0;\ny[1] = sum;",
        "out_of_bounds",
        4,
        "reads",
    ),
    "read past a buffer": (
        "for (unsigned i = 0; i < 64; ++i)\n  y[i] = x[i + 1] + n;",
        "out_of_bounds",
        5,
        "reads 4 bytes",
    ),
    "write past a buffer": ("for (unsigned i = 0; i < 65; ++i)\n  y[i] = n;", "out_of_bounds", 5, "writes 4 bytes"),
    "write to an input": ("for (unsigned i = 0; i < 64; ++i)\n  x[i] = n;", "rule_violation", 5, "read-only"),
    "null": ("*(volatile int *)0 = 1;", "out_of_bounds", 4, "writes"),
    "misaligned": ("*(int *)((char *)y + 1) = 1;", "rule_violation", 4, "no multiple of 4"),
    "misaligned vector": ("aie::store_v(y + 1, aie::load_v<16>(x));", "rule_violation", 4, "no multiple of 32"),
    "endless loop": ("for (volatile int i = 0;; i = i + 1) {}", "timeout", 4, "had not ended"),
    "stack": (
        "volatile int big[400];\nfor (int i = 0; i < 400; ++i) big[i] = i;",
        "stack_overflow",
        4,
        "bytes of stack",
    ),
    "division by zero": ("volatile int zero = 0;\ny[0] = 7 / zero;", "rule_violation", 5, "divides by zero"),
    "table index": ("y[0] = table[n + 1];", "out_of_bounds", 4, "reads 2 bytes"),
    "a table is constant": ("((volatile short *)table)[0] = 1;", "rule_violation", 4, "read-only"),
    "function pointer": ("((void (*)())x)();", "crash", 4, "traps"),
    "functions chosen at run time": (
        "int (*const volatile which[2])(int) = {[](int i) { return i - 1; }, [](int i) { return i + 1; }};\n"
        + COPY
        + "\ny[0] = which[1](which[0](y[0]));",
        "passed",
        0,
        "",
    ),
    "unset variable": (
        "int sum;\nfor (unsigned i = 0; i < 64; ++i) sum += x[i];\n" + COPY + "\ny[0] = sum;",
        "wrong_values",
        5,
        "expected",
    ),
    "output read": (COPY + "\nint next = y[0];\n y[0] += 1; y[0] = next;", "passed", 0, ""),
    "output read unset": ("int old = y[3];\n" + COPY + "\ny[3] += old;", "wrong_values", 4, "expected"),
    "right by luck": (
        "int old = y[3];\n" + COPY + "\nif (old != -1) y[3] = 0;",
        "rule_violation",
        4,
        "what nothing wrote",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_is_found_with_its_line(name):
    text, outcome, line, words = WRONG[name]
    record = judge(body(text, before="static const short table[4] = {1, 2, 3, 4};"))
    assert record.outcome == outcome, record.message
    if outcome != "passed":
        findings = [f for case in record.cases for f in case.findings]
        assert (findings[-1].file, findings[-1].line) == ("increment.cc", line), findings
        assert words in record.message


def test_the_right_kernel_passes_on_both_targets():
    assert [judge(KERNEL, target).outcome for target in ("npu1", "npu2")] == ["passed", "passed"]


def test_verdicts_do_not_depend_on_what_ran_before():
    again = [judge(source).outcome for source in (KERNEL, body("*(volatile int *)0 = 1;"), KERNEL)]
    assert again == ["passed", "out_of_bounds", "passed"]


def test_the_program_must_fit():
    lines = "\n".join(f"y[{i % 64}] += y[{i * 7 % 64}] * {i + 3} + x[{i * 5 % 64}];" for i in range(1300))
    record = judge(body(f"volatile int32_t *o = y;\n{lines.replace('y[', 'o[')}"))
    assert record.outcome == "link_error"
    assert "of 16384" in record.message


def test_the_tables_must_fit():
    record = judge(body(f"y[0] = table[n];\n{COPY}", before="static int32_t table[16000] = {1};"))
    assert record.outcome == "link_error"
    assert "of 65536" in record.message
