"""The tables parse, agree on names, and hold what the sources say."""

from __future__ import annotations

import pytest

from kbench.backends.aie.sim.schedule.machines import machine
from kbench.backends.aie.sim.schedule.table import parse
from kbench.core.errors import ConfigError, HarnessError


@pytest.mark.parametrize("target", ["npu1", "npu2"])
def test_every_row_can_issue_and_names_its_source(target: str) -> None:
    core = machine(target)
    for row in core.rows.values():
        assert row.itinerary.startswith("II_")
        for footprint in row.alternatives:
            cycle, held, _ = footprint.cells[0]
            assert cycle == 0
            assert held
        assert row.last_access <= core.pipeline if row.memory else True
        assert row.memory == (row.sort in ("load", "store", "vload", "vstore"))


def test_the_cores_differ_only_where_they_should() -> None:
    one, two = machine("npu1").rows, machine("npu2").rows
    assert set(two) - set(one) == {"mac", "msc", "movs", "paddxm", "vexp2", "vtanh", "vld.fill", "vld.pop", "vst.push"}
    shared = [name for name in one if name in two and one[name].defs]
    assert not [name for name in shared if one[name].written(0).cycle > two[name].written(0).cycle]


def test_a_part_word_store_reads_its_value_late_and_keeps_others_off() -> None:
    row = machine("npu1").row("st.s8")
    assert (row.read(0).cycle, row.read(1).cycle, row.reads, row.writes) == (7, 1, 5, 11)
    part = machine("npu1").resources.index("PART_WORD_STORE")
    held = [cycle for cycle, bits, _ in row.alternatives[0].cells if bits >> part & 1]
    assert held == list(range(7))


def test_a_long_move_takes_two_slots() -> None:
    core = machine("npu1")
    bits = core.row("movxm").alternatives[0].cells[0][1]
    assert {core.resources[i] for i in range(6) if bits >> i & 1} == {"alu", "mv"}


def test_unknown_names_say_what_to_do() -> None:
    with pytest.raises(ConfigError, match="npu1, npu2"):
        machine("npu9")
    with pytest.raises(HarnessError, match="add its row with its source"):
        machine("npu1").row("vfoo")


@pytest.mark.parametrize(
    "row",
    [
        "a ; alu ; 1 ; 1 ; - ; - ; scalar ; II_A\na ; alu ; 1 ; 1 ; - ; - ; scalar ; II_A",
        "a ; alu ; x ; 1 ; - ; - ; scalar ; II_A",
        "a ; alu ; 1 ; 1 ; L ; - ; scalar ; II_A",
        "a ; alu ; 1 ; 1 ; - ; PORT ; scalar ; II_A",
        "a ; alu ; 1 ; 1 ; - ; - ; nothing ; II_A",
    ],
)
def test_a_malformed_row_is_refused(row: str) -> None:
    with pytest.raises(ValueError, match=r"no |two "):
        parse(row)
