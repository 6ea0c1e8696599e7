"""Every hostile kernel for one tile ends as a record of its own class, and nothing outside is touched."""

from __future__ import annotations

from dataclasses import replace

import pytest

import kbench
from kbench.core.backend import Settings
from tests.backends.aie.kernel import ENTRY, KERNEL, candidate
from tests.hostile.attacks import KERNEL as SHARED
from tests.hostile.attacks import Attack
from tests.hostile.bait import Bait
from tests.hostile.tile_attacks import COMPILER, TILE

START = "void increment(int32_t *x, int32_t *y, int32_t n) {\n"
ATTACKS = [*(replace(a, says="") for a in SHARED if a.name in COMPILER), *TILE]


def judge(source: str, mode: str = "auto") -> kbench.Record:
    settings = Settings(target="npu1", sandbox=mode, compile_timeout_s=60)
    return kbench.evaluate(ENTRY, candidate(source), "aie", settings=settings)


def armed(attack: Attack, bait: Bait) -> str:
    before, body = bait.fill(attack.before), bait.fill(attack.body)
    return KERNEL.replace(START, f"{before}{START}    {body}\n", 1)


@pytest.mark.parametrize("attack", [pytest.param(a, id=a.name) for a in ATTACKS])
def test_each_ends_in_its_class(attack: Attack, bait: Bait) -> None:
    record = judge(armed(attack, bait))
    assert record.outcome in attack.outcomes, (record.outcome, record.message)
    told = record.model_dump_json()
    assert attack.says in told, record.message
    assert "swordfish" not in told
    assert "root:" not in told
    bait.assert_untouched()


@pytest.mark.parametrize("name", ["hang", "memory outside"])
def test_in_either_sandbox(name: str, bait: Bait, mode: str) -> None:
    attack = next(a for a in TILE if a.name == name)
    assert judge(armed(attack, bait), mode).outcome in attack.outcomes


def test_the_right_kernel_passes_in_either_sandbox(mode: str) -> None:
    assert judge(KERNEL, mode).outcome == "passed"
