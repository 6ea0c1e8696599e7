"""Every operation × type × size × control state × device against its oracle, through the headers.

`KBENCH_PROPERTY_CASES=2` or more draws that many operands and takes every size.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kbench.backends.aie.docs import declared
from tests.backends.aie.properties.catalogue import CHECKED, DEVICES, GROUPS, checked, program
from tests.backends.aie.properties.machine import STATES, built

#: Groups of which few operations look at the control state.
SELDOM_ROUNDED = ("comparing", "moving", "walking")
ROUNDS = int(os.environ.get("KBENCH_PROPERTY_CASES", "1"))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("group", GROUPS)
def test_every_operation_gives_what_its_oracle_gives(group: str, device: str, tmp_path: Path) -> None:
    machine = built(program(group, device, ROUNDS > 1), device, tmp_path)
    states = STATES[::5] if group in SELDOM_ROUNDED and ROUNDS == 1 else STATES
    wrong = [line for seed in range(ROUNDS) for line in machine.wrong(states, seed)]
    assert not wrong, f"{len(wrong)} results differ:\n" + "\n".join(wrong[:20])


def test_the_table_of_what_is_checked_is_made_from_the_steps() -> None:
    assert json.loads(CHECKED.read_text()) == checked(), "python -m tests.backends.aie.properties.catalogue"


def test_what_is_checked_is_there() -> None:
    names = set(declared("npu1")) | set(declared("npu2"))
    assert set(checked()) <= names, sorted(set(checked()) - names)
