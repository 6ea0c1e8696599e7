"""What AMD's compiler puts before every source is there without an include, and the API is not."""

from __future__ import annotations

import pytest

from kbench import Candidate, Settings, evaluate
from kbench.backends.aie.interface import TARGETS
from kbench.task_specs import npueval_suite

PLAIN = """void negate_bfloat16(bfloat16 *restrict in_buffer, bfloat16 *restrict out_buffer) {
    event0();
    for (int32_t i = 0; i < 256; i++)
        out_buffer[i] = -in_buffer[i];
    event1();
}
"""


def outcome(text: str, target: str) -> str:
    candidate = Candidate({"k.cc": text}, {"kernel": "k.cc"}, "negate_bfloat16")
    record = evaluate(npueval_suite().tasks["negate_bfloat16"], candidate, "aie", settings=Settings(target=target))
    return f"{record.outcome} {record.message}"


@pytest.mark.parametrize("target", TARGETS)
def test_types_events_and_restrict(target: str) -> None:
    assert outcome(PLAIN, target) == "passed "


def test_the_api_wants_its_include() -> None:
    told = outcome(PLAIN.replace("event0();", "auto zero = aie::zeros<bfloat16, 16>();"), "npu1")
    assert told.startswith("compile_error k.cc:2: error: use of undeclared identifier 'aie'")
