"""What a kernel's author is told: the function that the tile calls, and where an access went."""

from __future__ import annotations

import pytest

from kbench import Candidate, evaluate
from kbench.backends.aie.sim.machine import Buffer, _where
from kbench.task_specs import npueval_suite

DECLARED = "k.cc: expected a function `void negate_int8(int8_t *input_vector, int8_t *output_vector)`: "


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("void negate_int9(int8_t *x, int8_t *y) {}", "use of undeclared identifier 'negate_int8'; did you mean"),
        ("void negate_int8(int8_t *x, int8_t *y, int n) {}", "no matching function for call to 'negate_int8'"),
        ("void negate_int8(uint8_t *x, uint8_t *y) {}", "no matching function for call to 'negate_int8'"),
    ],
)
def test_another_name_or_other_parameters(text: str, why: str) -> None:
    candidate = Candidate({"k.cc": text}, {"kernel": "k.cc"}, "negate_int8")
    record = evaluate(npueval_suite().tasks["negate_int8"], candidate, "aie")
    assert record.outcome == "compile_error"
    assert record.message.startswith(f"error: {DECLARED}{why}"), record.message
    assert [finding.file for finding in record.findings] == [""]


def test_a_mistake_of_the_kernel_keeps_its_line() -> None:
    candidate = Candidate({"k.cc": "\nvoid negate_int8(int8_t *x, int8_t *y) { y[0] = z; }"}, {"kernel": "k.cc"})
    record = evaluate(npueval_suite().tasks["negate_int8"], candidate, "aie")
    assert record.message.startswith("k.cc:2: error: use of undeclared identifier 'z'")


def test_an_address_is_told_as_the_byte_of_a_buffer() -> None:
    buffers, places = [Buffer("x", 64), Buffer("y", 32, writable=True)], [0x1000, 0x1100]
    for address, told in (
        (0x1000, "at byte 0 of x, which has 64"),
        (0x103F, "at byte 63 of x, which has 64"),
        (0x1040, "at byte 64 of x, which has 64"),
        (0x0FFE, "at byte -2 of x, which has 64"),
        (0x10F0, "at byte -16 of y, which has 32"),
        (0x1120, "at byte 32 of y, which has 32"),
        (0x9001120, "at address 0x9001120, far from every buffer"),
    ):
        assert _where(address, buffers, places) == told
    assert _where(0, [], []) == "at address 0x0, far from every buffer"
